// Loading: the grammar of the whole text first, then the sections into a draft, then the draft into tables.
#include "config/config.h"

#include "base/limits.h"
#include "base/sha256.h"
#include "base/strings.h"
#include "config/build.h"
#include "config/drafts.h"
#include "config/keys.h"
#include "config/sections.h"

namespace shunt::config {
namespace {

constexpr auto kDefaults = std::to_array<Key<DefaultsDraft>>({
    {"breaker", [](Reader& in, DefaultsDraft& into) { read_breaker(in, into.breaker); }},
    {"timeouts", [](Reader& in, DefaultsDraft& into) { read_timeouts(in, into.timeouts); }},
    {"retry", [](Reader& in, DefaultsDraft& into) { read_retry(in, into.retry); }},
});

constexpr auto kRoot = std::to_array<Key<Draft>>({
    {"defaults", object<&Draft::defaults, kDefaults>},
    {"providers", read_providers, Stand::required},
    {"deployments", read_deployments},
    {"routes", read_routes},
    {"clients", read_clients},
    {"limits", read_limits},
    {"cors", read_cors},
    {"state", read_state},
    {"answers", read_answers, Stand::later},
    {"admin", read_admin, Stand::later},
    {"log", read_log, Stand::later},
    {"record", read_record, Stand::later},
    {"alerts", read_alerts, Stand::later},
    {"rules", read_rules, Stand::later},
    {"$schema", expect_text},  // for editors
});

// What people write out of habit from other notations.
std::string_view syntax_hint(std::string_view text, std::uint64_t offset) {
  const char at = offset < text.size() ? text[static_cast<std::size_t>(offset)] : '\0';
  if (at == '/' || at == '#') return "plain JSON; it has no comments";
  if (at == '}' || at == ']') return "plain JSON; no comma after the last member";
  if (at == '\'') return "plain JSON; strings stand in double quotes";
  return "plain JSON";
}

bool check_text(std::string_view text, Report& report) {
  if (text.size() > limits::kConfigBytes) {
    report.fault(0, "a document that is too big", "at most 8 MB");
  } else if (trim(text).empty()) {
    report.fault(0, "an empty document", "one JSON object");
  } else if (json::Error error; !json::valid(text, &error)) {
    report.fault(error.offset, error.what, syntax_hint(text, error.offset));
  }
  return !report.failed();
}

}  // namespace

bool load(std::string_view json, Loaded& out, std::vector<Fault>& faults) {
  out = {};
  out.hash = sha256_hex(json);
  Report report;
  if (check_text(json, report)) {
    Draft draft;
    Reader in(json, report);
    read_object(in, draft, std::span<const Key<Draft>>(kRoot));
    build(draft, report, out);
  }
  const bool loaded = !report.failed();
  if (!loaded) {
    Loaded nothing;
    nothing.hash = std::move(out.hash);
    out = std::move(nothing);
  }
  report.settle(json, faults, out.warnings);
  return loaded;
}

}  // namespace shunt::config
