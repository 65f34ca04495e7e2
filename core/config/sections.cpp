// "state", "answers", "admin", "log", "record", "alerts" and "rules".
#include "config/sections.h"

#include "canonical/failure.h"
#include "config/keys.h"
#include "config/names.h"

namespace shunt::config {
namespace {

constexpr std::int64_t kMany = 1'000'000'000'000;

enum class Store : std::uint8_t { memory, kv, durable_object, redis, file, fastly_kv };
constexpr auto kStores = std::to_array<Word<Store>>({
    {"memory", Store::memory},
    {"kv", Store::kv, false},
    {"durable_object", Store::durable_object, false},
    {"redis", Store::redis, false},
    {"file", Store::file, false},
    {"fastly_kv", Store::fastly_kv, false},
});
constexpr auto kState = std::to_array<Key<Draft>>({{"store", expect_word<kStores>, Stand::required}});

constexpr auto kCache = std::to_array<Key<Draft>>({
    {"max_age_s", expect_integer<1, 7200>},  // an answer older than 2 h is no answer
    {"max_bytes", expect_integer<0, kMany>},
});
constexpr auto kIdempotency = std::to_array<Key<Draft>>({
    {"ttl_s", expect_integer<1, 86'400>},
    {"max_entries", expect_integer<1, 10'000'000>},
    {"max_bytes", expect_integer<0, kMany>},
});
constexpr auto kAnswers = std::to_array<Key<Draft>>({
    {"cache", expect_object<kCache>},
    {"idempotency", expect_object<kIdempotency>},
    {"coalesce", expect_flag},
    {"batch_window_ms", expect_integer<0, 1000>},
});

void expect_secret(Reader& in, Draft&) { read_secret_name(in); }
constexpr auto kAdmin = std::to_array<Key<Draft>>({{"token", expect_secret, Stand::required}});

enum class Level : std::uint8_t { error, warn, info, debug };
constexpr auto kLevels = std::to_array<Word<Level>>(
    {{"error", Level::error}, {"warn", Level::warn}, {"info", Level::info}, {"debug", Level::debug}});
constexpr auto kLog = std::to_array<Key<Draft>>({
    {"level", expect_word<kLevels>},
    {"language", expect_text},
});

constexpr auto kRecord = std::to_array<Key<Draft>>({
    {"sample", expect_micros<0, 1'000'000>},
    {"bodies", expect_flag},
});

enum class Alert : std::uint8_t { open, latch, all_protected, quota };
constexpr auto kAlertWords = std::to_array<Word<Alert>>({{"open", Alert::open},
                                                         {"latch", Alert::latch},
                                                         {"all_protected", Alert::all_protected},
                                                         {"quota", Alert::quota}});
void expect_alert_words(Reader& in, Draft&) {
  if (!in.enter_array()) return;
  while (in.next_element()) read_word(in, std::span<const Word<Alert>>(kAlertWords));
}
// Addresses of webhooks are secrets: whoever knows one can post to it.
constexpr auto kAlerts = std::to_array<Key<Draft>>({
    {"webhook", expect_secret, Stand::required},
    {"on", expect_alert_words},
});

// Words for an enum of the vocabulary: its values from 0 on, by their own names.
template <typename E, int Count>
void expect_value_of(Reader& in, Draft&) {
  std::array<Word<E>, Count> words{};
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = {name_of(static_cast<E>(i)), static_cast<E>(i), true};
  read_word(in, std::span<const Word<E>>(words));
}
constexpr auto kRule = std::to_array<Key<Draft>>({
    {"provider", expect_text},
    {"status", expect_integer<100, 599>},
    {"code", expect_text},
    {"contains", expect_text},
    {"class", expect_value_of<ErrorClass, kErrorClasses>, Stand::required},
    {"sub", expect_text},
    {"scope", expect_value_of<Scope, 7>},
});

}  // namespace

void read_state(Reader& in, Draft& into) { expect_object<kState>(in, into); }
void read_answers(Reader& in, Draft& into) { expect_object<kAnswers>(in, into); }
void read_admin(Reader& in, Draft& into) { expect_object<kAdmin>(in, into); }
void read_log(Reader& in, Draft& into) { expect_object<kLog>(in, into); }
void read_record(Reader& in, Draft& into) { expect_object<kRecord>(in, into); }
void read_alerts(Reader& in, Draft& into) { expect_object<kAlerts>(in, into); }
void read_rules(Reader& in, Draft& into) { expect_objects<kRule>(in, into); }

}  // namespace shunt::config
