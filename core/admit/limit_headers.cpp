// Names of rate-limit headers are words in any order behind the prefix of a family: tables of families, words
// and parameters read them all; values are told apart by their form.
#include "admit/limit_headers.h"

#include <algorithm>
#include <string_view>

#include "base/spans.h"
#include "base/strings.h"

namespace shunt::admit {
namespace {

constexpr std::int64_t kMinute = 60000;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kMonth = 31 * kDay;

enum class Field : std::uint8_t { none, limit, remaining, reset, window };

// What the words of a name have said so far.
struct Name {
  LimitUnit unit = LimitUnit::requests;
  Field field = Field::none;
  std::int64_t window_ms = 0;
  std::int64_t times = 1;  // "10-second"
};

// A longer prefix stands before the one it begins with. No unit: requests.
struct Family {
  std::string_view prefix;
  LimitUnit unit;
  std::int64_t window_ms;
};
constexpr Family kFamilies[] = {
    {"x-ratelimitbysize-", LimitUnit::tokens, 0},  // Mistral: sizes are tokens
    {"ratelimitbysize-", LimitUnit::tokens, 0},
    {"x-ratelimit-", LimitUnit::requests, 0},
    {"anthropic-ratelimit-", LimitUnit::requests, 0},
    {"ratelimit-", LimitUnit::requests, 0},
    {"x-rate-limit-", LimitUnit::requests, 0},
    {"x-endpoint-monthly-call-", LimitUnit::requests, kMonth},  // Cohere
    {"x-trial-endpoint-call-", LimitUnit::requests, kMinute},   // Cohere's trial keys: calls a minute
};

struct Word {
  std::string_view word;
  enum class Says : std::uint8_t { field, unit, window } says;
  std::int64_t value;
};
constexpr std::int64_t as(Field field) { return static_cast<std::int64_t>(field); }
constexpr std::int64_t as(LimitUnit unit) { return static_cast<std::int64_t>(unit); }
constexpr Word kWords[] = {
    {"limit", Word::Says::field, as(Field::limit)},
    {"remaining", Word::Says::field, as(Field::remaining)},
    {"reset", Word::Says::field, as(Field::reset)},
    {"resets", Word::Says::field, as(Field::reset)},
    {"renewalperiod", Word::Says::field, as(Field::window)},
    {"requests", Word::Says::unit, as(LimitUnit::requests)},
    {"req", Word::Says::unit, as(LimitUnit::requests)},
    {"tokens", Word::Says::unit, as(LimitUnit::tokens)},
    {"input", Word::Says::unit, as(LimitUnit::input_tokens)},
    {"prompt", Word::Says::unit, as(LimitUnit::input_tokens)},
    {"output", Word::Says::unit, as(LimitUnit::output_tokens)},
    {"generated", Word::Says::unit, as(LimitUnit::output_tokens)},
    {"second", Word::Says::window, 1000},
    {"minute", Word::Says::window, kMinute},
    {"hour", Word::Says::window, kHour},
    {"day", Word::Says::window, kDay},
    {"month", Word::Says::window, kMonth},
};

// Parameters of `ratelimit` and `ratelimit-policy`, in both forms of the IETF draft.
struct Parameter {
  std::string_view key;
  Field field;
};
constexpr Parameter kParameters[] = {
    {"limit", Field::limit}, {"q", Field::limit},     {"remaining", Field::remaining},
    {"r", Field::remaining}, {"reset", Field::reset}, {"t", Field::reset},
    {"w", Field::window},
};

std::int64_t count_of(std::string_view text) {
  const auto value = parse_uint(text);
  const bool sane = value && *value <= static_cast<std::uint64_t>(kMostCounted);
  return sane ? static_cast<std::int64_t>(*value) : kNotSaid;
}

// Seconds of a window.
std::int64_t window_of(std::string_view text) {
  const std::int64_t seconds = count_of(text);
  return seconds > 0 && seconds <= kMonth / 1000 ? seconds * 1000 : 0;
}

// A reset further away than this belongs to no such window.
std::int64_t longest_reset(std::int64_t window_ms) { return window_ms < kDay ? kDay : window_ms + kDay; }

class Reader {
 public:
  Reader(const HeaderBlock& headers, std::optional<WallTime> wall) : headers_(headers), wall_(wall) {}

  SaidLimits read() {
    headers_.each([&](std::string_view name, std::string_view value) {
      if (name == "ratelimit") return combined(value);
      for (const Family& family : kFamilies) {
        if (name.starts_with(family.prefix)) return named(family, name.substr(family.prefix.size()), value);
      }
    });
    out_.tidy(renewal_ms_);
    return out_;
  }

 private:
  // "limit-req-10-second": every word must be known, or the header counts something else.
  void named(const Family& family, std::string_view words, std::string_view value) {
    Name name{family.unit, Field::none, family.window_ms};
    while (!words.empty()) {
      const std::string_view word = cut(words, '-');
      if (!word.empty() && is_digit(word.front())) {
        name.times = count_of(word);
        if (name.times < 1 || name.times > 1000) return;
      } else if (!take(word, name)) {
        return;
      }
    }
    if (name.field == Field::none) return;
    // "100, 100;w=60": the first is the limit in force.
    if (name.field == Field::limit) value = trim(value.substr(0, value.find_first_of(",;")));
    if (name.field == Field::window) {
      renewal_ms_[static_cast<std::size_t>(name.unit)] = window_of(value);
      return;
    }
    const std::int64_t window = name.window_ms * name.times;
    if (SaidLimit* said = window <= kMonth ? out_.at(name.unit, window) : nullptr)
      put(*said, name.field, value);
  }

  static bool take(std::string_view word, Name& name) {
    for (const Word& row : kWords) {
      if (word != row.word) continue;
      switch (row.says) {
        case Word::Says::field: name.field = static_cast<Field>(row.value); break;
        case Word::Says::window: name.window_ms = row.value; break;
        case Word::Says::unit: {
          // "input-tokens" and "tokens-prompt": the narrower unit stands.
          const auto unit = static_cast<LimitUnit>(row.value);
          name.unit = std::max(name.unit, unit);
          break;
        }
      }
      return true;
    }
    return false;
  }

  // `limit=100, remaining=50, reset=5` or `"burst";r=50;t=30, "daily";r=900;t=7000`: in the latter each name
  // has its quota and window in ratelimit-policy.
  void combined(std::string_view value) {
    SaidLimit whole;
    while (!value.empty()) {
      std::string_view item = trim(cut(value, ','));
      if (!item.starts_with('"')) {
        parameters(item, whole);
        continue;
      }
      const std::string_view name = cut(item, ';');
      SaidLimit said;
      parameters(policy_of(name), said);
      parameters(item, said);
      keep(said);
    }
    keep(whole);
  }

  std::string_view policy_of(std::string_view name) const {
    std::string_view policies = headers_.get("ratelimit-policy");
    while (!policies.empty()) {
      std::string_view item = trim(cut(policies, ','));
      if (cut(item, ';') == name) return item;
    }
    return {};
  }

  void parameters(std::string_view item, SaidLimit& said) {
    while (!item.empty()) {
      std::string_view text = trim(cut(item, ';'));
      const std::string_view key = trim(cut(text, '='));
      text = trim(text);
      // A quota of another unit than requests ("content-bytes") is none of ours.
      if (key == "qu" && text != "\"requests\"") foreign_ = true;
      for (const Parameter& row : kParameters) {
        if (row.key == key) put(said, row.field, text);
      }
    }
  }

  void keep(const SaidLimit& said) {
    const bool foreign = foreign_;
    foreign_ = false;
    if (foreign || said.remaining == kNotSaid) return;
    SaidLimit* slot = out_.at(LimitUnit::requests, said.window_ms);
    if (slot != nullptr && slot->remaining == kNotSaid) *slot = said;
  }

  void put(SaidLimit& said, Field field, std::string_view value) {
    const auto first = [](std::int64_t& slot, std::int64_t read) {
      if (slot == kNotSaid) slot = read;
    };
    switch (field) {
      case Field::limit: return first(said.limit, count_of(value));
      case Field::remaining: return first(said.remaining, count_of(value));
      case Field::reset: return first(said.reset_ms, reset_of(value, said.window_ms));
      case Field::window:
        if (said.window_ms == 0) said.window_ms = window_of(value);
        return;
      case Field::none: return;
    }
  }

  // A moment since 1970 in seconds or milliseconds (told by its size), a span, or a date.
  std::int64_t reset_of(std::string_view value, std::int64_t window_ms) const {
    std::optional<Duration> span;
    if (const auto number = parse_int(value); number && *number >= kEpochSeconds) {
      span = until(*number >= kEpochMillis ? *number : *number * 1000);
    } else {
      span = parse_span(value);
      const auto date = span ? std::nullopt : parse_date(value);
      if (date) span = until(date->ms);
    }
    const bool sane = span && span->ms >= 0 && span->ms <= longest_reset(window_ms);
    return sane ? span->ms : kNotSaid;
  }

  std::optional<Duration> until(std::int64_t ms) const {
    const auto date = parse_date(headers_.get("date"));
    const auto now = date ? date : wall_;
    if (!now || now->ms < 0 || ms < now->ms) return std::nullopt;
    return milliseconds(ms - now->ms);
  }

  HeaderBlock headers_;
  std::optional<WallTime> wall_;
  SaidLimits out_;
  WindowByUnit renewal_ms_{};
  bool foreign_ = false;
};

}  // namespace

SaidLimits read_limits(const HeaderBlock& headers, std::optional<WallTime> wall) {
  return Reader(headers, wall).read();
}

SaidLimit* SaidLimits::at(LimitUnit unit, std::int64_t window_ms) {
  for (std::size_t i = 0; i < count_; ++i) {
    if (items_[i].unit == unit && items_[i].window_ms == window_ms) return &items_[i];
  }
  if (count_ == items_.size()) return nullptr;
  items_[count_] = SaidLimit{unit, window_ms};
  return &items_[count_++];
}

void SaidLimits::tidy(const WindowByUnit& windows) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    SaidLimit said = items_[i];
    if (said.limit == kNotSaid && said.remaining == kNotSaid) continue;
    if (said.window_ms == 0) said.window_ms = windows[static_cast<std::size_t>(said.unit)];
    items_[kept++] = said;
  }
  count_ = kept;
}

}  // namespace shunt::admit
