// Loading: the grammar of the whole text first, then the sections into a draft, then the draft into tables.
#include "config/config.h"

#include "base/limits.h"
#include "base/sha256.h"
#include "base/strings.h"
#include "config/build.h"
#include "config/drafts.h"
#include "config/sections.h"
#include "config/values.h"

namespace shunt::config {
namespace {

constexpr auto kDefaults = table<DefaultsDraft>({
    {"breaker", own<read_breaker, &DefaultsDraft::breaker>()},
    {"timeouts", own<read_timeouts, &DefaultsDraft::timeouts>()},
    {"retry", own<read_retry, &DefaultsDraft::retry>()},
});

constexpr auto kRoot = table<Draft>({
    {"defaults", object<&Draft::defaults>(kDefaults)},
    {"providers", own<read_providers>(), Stand::required},
    {"deployments", own<read_deployments>()},
    {"routes", own<read_routes>()},
    {"clients", own<read_clients>()},
    {"tasks", own<read_tasks>()},
    {"limits", own<read_limits>()},
    {"cors", own<read_cors>()},
    {"state", own<read_state>()},
    {"active_checks", own<read_active_checks>()},
    {"answers", object(sections::kAnswers), Stand::later},
    {"admin", own<read_admin>()},
    {"log", object(sections::kLog), Stand::later},
    {"record", object(sections::kRecord), Stand::later},
    {"alerts", object(sections::kAlerts), Stand::later},
    {"rules", own<read_rules>()},
    {"$schema", text()},  // for editors
});

// What people write out of habit from other notations.
const char* syntax_hint(std::string_view text, std::uint64_t offset) {
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
    read_object(in, draft, kRoot);
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
