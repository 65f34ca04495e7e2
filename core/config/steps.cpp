// A route's further steps: fallback chain, assessment, prompts, shadowing, care of the output.
#include "config/steps.h"

#include "base/strings.h"
#include "config/keys.h"
#include "config/names.h"

namespace shunt::config {
namespace {

using R = RouteDraft;
constexpr std::int64_t kOne = 1'000'000;
constexpr std::int64_t kCacheMost = 7200;  // an answer older than 2 h is no answer

template <auto List>
void reference(Reader& in, R& into) {
  if (auto name = read_name(in)) (into.*List).push_back(std::move(*name));
}
constexpr auto line_name = reference<&R::lines_named>;

constexpr auto kCache =
    std::to_array<Key<R>>({{"max_age_s", expect_integer<1, kCacheMost>, Stand::required}});
constexpr auto kStatic = std::to_array<Key<R>>({
    {"message", expect_text, Stand::required},
    {"status", expect_integer<200, 599>},
});
constexpr auto kQueue =
    std::to_array<Key<R>>({{"max_wait_ms", expect_integer<1, 3'600'000>, Stand::required}});
constexpr auto kFallbackStep = std::to_array<Key<R>>({
    {"cached", expect_object<kCache>},
    {"deployment", line_name},
    {"route", reference<&R::routes_named>},
    {"static", expect_object<kStatic>},
    {"queue", expect_object<kQueue>},
});

// RFC 6901: "/choices/0/message/content".
void read_pointer(Reader& in, R& into) {
  const std::uint64_t at = in.at();
  const auto pointer = in.text();
  if (!pointer) return;
  if (!pointer->starts_with('/')) {
    in.report().fault(at, '"' + pointer->substr(0, kIdBytes) + '"',
                      "a JSON pointer, which begins with a slash");
  }
  into.row.empty_when.pointer = *pointer;
}

constexpr auto kEmptyWhen = std::to_array<Key<R>>({
    {"pointer", read_pointer},
    {"equals", [](Reader& in, R& into) { into.row.empty_when.equals = in.scalar().value_or(std::string()); }},
    {"phrases", [](Reader& in, R& into) { texts<&EmptyWhen::phrases>(in, into.row.empty_when); }},
});

constexpr auto kAssessRule = std::to_array<Key<R>>({
    {"when", expect_text, Stand::required},
    {"role", reference<&R::roles_named>},
    {"prompt", reference<&R::prompts_named>},
    {"reject", expect_integer<0, 1'000'000'000>},
    {"message", expect_text},
});
constexpr auto kAssess = std::to_array<Key<R>>({
    {"deployment", line_name, Stand::required},
    {"schema", expect_any_object},
    {"prompt", reference<&R::prompts_named>},
    {"rules", expect_objects<kAssessRule>},
    {"hand_on", expect_flag},
    {"timeout_ms", expect_integer<1, 600'000>},
});

constexpr auto kGate = std::to_array<Key<R>>({
    {"min_calls", expect_integer<1, 1'000'000>},
    {"success", expect_micros<0, kOne>},
    {"p90_ms", expect_integer<1, 3'600'000>},
});
constexpr auto kShadow = std::to_array<Key<R>>({
    {"deployment", line_name, Stand::required},
    {"share", expect_micros<0, kOne>, Stand::required},
    {"gate", expect_object<kGate>},
});

constexpr auto kOutput = std::to_array<Key<R>>({
    {"repair", expect_flag},
    {"rounds", expect_integer<0, 3>},
    {"deployment", line_name},
    {"on_unrepaired", expect_any_object},
});
constexpr auto kText = std::to_array<Key<R>>({{"math", expect_flag}});

enum class Supervise : std::uint8_t { always, until_content };
constexpr auto kSupervise = std::to_array<Word<Supervise>>(
    {{"always", Supervise::always}, {"until_content", Supervise::until_content}});

}  // namespace

// Each step is an object with one key: what to do.
void read_fallback(Reader& in, R& into) {
  if (!in.enter_array()) return;
  while (in.next_element()) {
    const std::uint64_t at = in.at();
    const std::optional<int> keys = read_object(in, into, std::span<const Key<R>>(kFallbackStep));
    if (keys && *keys != 1) {
      in.report().fault(at, *keys == 0 ? "a step that does nothing" : "several things in one step",
                        "one of cached, deployment, route, static or queue in each step");
    }
  }
}

void read_empty_when(Reader& in, R& into) {
  const std::uint64_t at = in.at();
  const std::optional<int> keys = read_object(in, into, std::span<const Key<R>>(kEmptyWhen));
  if (keys && *keys == 0) in.report().fault(at, "an empty object", "a \"pointer\", or a list of \"phrases\"");
}

void read_assess(Reader& in, R& into) { expect_object<kAssess>(in, into); }
void read_gate(Reader& in, R& into) { expect_object<kGate>(in, into); }
void read_shadow(Reader& in, R& into) { expect_object<kShadow>(in, into); }
void read_output(Reader& in, R& into) { expect_object<kOutput>(in, into); }
void read_text_care(Reader& in, R& into) { expect_object<kText>(in, into); }
void read_supervise(Reader& in, R& into) { expect_word<kSupervise>(in, into); }
void read_cache(Reader& in, R& into) { expect_object<kCache>(in, into); }

void read_prompts(Reader& in, R& into) {
  in.each_member([&](std::string_view name, std::uint64_t) {
    into.prompts.emplace_back(name);
    in.text();
  });
}

}  // namespace shunt::config
