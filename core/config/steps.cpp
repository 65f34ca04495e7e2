// A route's further steps: fallback chain, assessment, prompts, shadowing, care of the output.
#include "config/steps.h"

#include "base/strings.h"
#include "config/names.h"
#include "config/values.h"

namespace shunt::config {
namespace {

using R = RouteDraft;
constexpr std::int64_t kOne = 1'000'000;
constexpr std::int64_t kCacheMost = 7200;  // an answer older than 2 h is no answer

template <Reference::To To>
void reference(Reader& in, R& into) {
  read_reference(in, into, To);
}
constexpr auto line = own<reference<Reference::To::line>>();
constexpr auto route = own<reference<Reference::To::route>>();
constexpr auto role = own<reference<Reference::To::role>>();
constexpr auto prompt = own<reference<Reference::To::prompt>>();

constexpr auto kCache = table<void>({{"max_age_s", integer(range<1, kCacheMost>), Stand::required}});
constexpr auto kStatic = table<FallbackStep>({
    {"message", text<&FallbackStep::message>(), Stand::required},
    {"status", integer<&FallbackStep::status>(range<200, 599>)},
});
void read_static(Reader& in, R& into) { read_object(in, into.row.fallback.emplace_back(), kStatic); }

void read_fallback_line(Reader& in, R& into) {
  const std::size_t before = into.references.size();
  read_reference(in, into, Reference::To::line);
  if (into.references.size() > before) into.row.fallback.push_back({into.references.back().name.value, {}});
}

constexpr auto kQueue = table<void>({{"max_wait_ms", integer(range<1, 3'600'000>), Stand::required}});
constexpr auto kFallbackStep = table<R>({
    {"cached", object(kCache), Stand::later},
    {"deployment", own<read_fallback_line>()},
    {"route", route, Stand::later},
    {"static", own<read_static>()},
    {"queue", object(kQueue), Stand::later},
});

// RFC 6901: "/choices/0/message/content".
void read_pointer(Reader& in, R& into) {
  const std::uint64_t at = in.at();
  std::string& pointer = into.row.empty_when.pointer;
  if (in.text(pointer) && !pointer.starts_with('/')) {
    in.report().fault(at, joined({"\"", pointer.substr(0, kIdBytes), "\""}),
                      "a JSON pointer, which begins with a slash");
  }
}

void read_equals(Reader& in, R& into) { in.scalar(into.row.empty_when.equals); }

constexpr auto kEmptyWhen = table<R>({
    {"pointer", own<read_pointer>()},
    {"equals", own<read_equals>()},
    {"phrases", texts<&R::row, &Route::empty_when, &EmptyWhen::phrases>()},
});

constexpr auto kAssessRule = table<R>({
    {"when", text(), Stand::required},
    {"role", role},
    {"prompt", prompt},
    {"reject", integer(range<0, 1'000'000'000>)},
    {"message", text()},
});
constexpr auto kAssess = table<R>({
    {"deployment", line, Stand::required},
    {"schema", any_object()},
    {"prompt", prompt},
    {"rules", objects(kAssessRule)},
    {"hand_on", flag()},
    {"timeout_ms", integer(range<1, 600'000>)},
});

constexpr auto kGate = table<Gate>({
    {"min_calls", integer<&Gate::min_calls>(range<1, 1'000'000>)},
    {"success", micros<&Gate::success_micros>(range<0, kOne>)},
    {"p90_ms", integer<&Gate::p90_ms>(range<1, 3'600'000>)},
});

void read_shadow_line(Reader& in, R& into) {
  const std::size_t before = into.references.size();
  read_reference(in, into, Reference::To::line);
  if (into.references.size() > before) into.row.shadow.deployment = into.references.back().name.value;
}
constexpr auto kShadow = table<R>({
    {"deployment", own<read_shadow_line>(), Stand::required},
    {"share", micros<&R::row, &Route::shadow, &Shadow::share_micros>(range<0, kOne>), Stand::required},
    {"gate", object<&R::row, &Route::shadow, &Shadow::gate>(kGate)},
});

constexpr auto kOutput = table<R>({
    {"repair", flag()},
    {"rounds", integer(range<0, 3>)},
    {"deployment", line},
    {"on_unrepaired", any_object()},
});

}  // namespace

void read_reference(Reader& in, R& into, Reference::To to) {
  Reference& reference = into.references.emplace_back();
  reference.to = to;
  if (!read_name(in, reference.name)) into.references.pop_back();
}

// Each step is an object with one key: what to do.
void read_fallback(Reader& in, R& into) {
  if (!in.enter_array()) return;
  while (in.next_element()) {
    const std::uint64_t at = in.at();
    const int keys = read_object(in, into, kFallbackStep);
    if (keys == kNoObject || keys == 1) continue;
    in.report().fault(at, keys == 0 ? "a step that does nothing" : "several things in one step",
                      "one of cached, deployment, route, static or queue in each step");
  }
}

void read_empty_when(Reader& in, R& into) {
  const std::uint64_t at = in.at();
  if (read_object(in, into, kEmptyWhen) == 0)
    in.report().fault(at, "an empty object", "a \"pointer\", or a list of \"phrases\"");
}

void read_assess(Reader& in, R& into) { read_object(in, into, kAssess); }
void read_shadow(Reader& in, R& into) { read_object(in, into, kShadow); }
void read_output(Reader& in, R& into) { read_object(in, into, kOutput); }
void read_gate(Reader& in, R& into) {
  into.gate_at = in.at();
  read_object(in, into.gate, kGate);
}
void read_cache(Reader& in) { check_object(in, kCache); }

void read_prompts(Reader& in, R& into) {
  for (Members members(in); members.next();) {
    std::string text;
    if (in.text(text)) into.row.prompts.emplace_back(members.name(), std::move(text));
    into.prompts.push_back({members.name(), members.at()});
  }
}

}  // namespace shunt::config
