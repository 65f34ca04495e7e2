// The rules of a world, checked from the outside: by what exchanges are told and what they ask for. Knows no
// engine beyond the documents it would publish.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "canonical/quota.h"
#include "exchange/io.h"
#include "sim/ledger.h"
#include "sim/replies.h"

namespace shunt::sim {

enum class Rule : std::uint8_t {
  one_terminal,  // each exchange ends once, and says so once
  nothing_after_end,
  none_after_content,  // no second attempt after content
  within_budget,       // attempts of an exchange, and repeats of a route over any ten seconds
  none_to_ejected,     // but a leased probe or a line marked kept
  none_in_wait,        // no call inside a wait that its isolate was told, but a leased probe
  by_deadline,
  all_comes_back,  // what exchanges took from the engine is there again when all is quiet
  no_secret,
  within_limits,  // of lines, clients and the engine, as configured
  in_turn,        // nobody begins before a higher class, and no slot stays free while somebody waits
  unseen,         // of what a shadow is answered its client is sent nothing
};
inline constexpr int kRules = 12;
constexpr std::string_view name_of(Rule rule) {
  constexpr std::string_view kNames[kRules] = {"one_terminal",  "nothing_after_end", "none_after_content",
                                               "within_budget", "none_to_ejected",   "none_in_wait",
                                               "by_deadline",   "all_comes_back",    "no_secret",
                                               "within_limits", "in_turn",           "unseen"};
  return kNames[static_cast<std::size_t>(rule)];
}

struct Broken {
  Rule rule = Rule::one_terminal;
  std::uint64_t exchange = 0;
  std::int64_t at_ms = 0;
  std::string words;
};

// An attempt as its exchange's record tells it.
struct Told {
  std::uint32_t attempt = 0;
  bool probe = false;
  bool kept = false;
  bool hedge = false;
  enum class Outcome : std::uint8_t { success, failure, neutral } outcome = Outcome::neutral;
  std::string_view error_class;  // of a failure
};
void read_attempts(std::string_view record, std::vector<Told>& out);
bool is_shadows(std::string_view record);
Told read_shadow(std::string_view record);

// How one attempt was made, and what it must have been for that.
struct Made {
  std::uint32_t attempt = 0;
  std::uint32_t line = 0;
  std::uint32_t slot = 0;
  Ledger::Standing standing = Ledger::Standing::well;
  bool in_wait = false;
  bool in_doubt = false;  // whether its line was still out
  bool shadow = false;
  bool no_room = false;  // its line was at its limits
  std::int64_t at_ms = 0;
  std::int64_t ended_ms = 0;  // 0 = under way
};

// One exchange as seen from outside.
struct Watched {
  std::uint64_t exchange = 0;
  int heads = 0;
  int ends = 0;
  int records = 0;
  int shadow_records = 0;
  int status = 0;
  bool content = false;
  bool clean = false;
  bool answered_whole = false;
  std::vector<Made> made;
  std::vector<Told> told;
  std::optional<Duration> retry_after;  // told to the client
  std::int64_t content_ms = -1;
  std::int64_t ended_ms = -1;
  std::uint64_t digest = 0;
};

// A stated wait that an isolate has been told of a line's key.
struct Wait {
  Instant until = Instant{0};
  std::int64_t epoch = 0;
};

// The last leased probe of a line's key, of those that ended with a record.
struct Probe {
  std::int64_t from_ms = 0;
  std::int64_t to_ms = 0;
};

class Watch {
 public:
  explicit Watch(int attempts_most) : attempts_most_(attempts_most) {}

  bool broken() const { return broken_.has_value(); }
  const std::optional<Broken>& verdict() const { return broken_; }
  void note(Rule rule, const Watched& seen, std::string words);
  void tick(std::int64_t now_ms) { now_ms_ = now_ms; }

  void head(Watched& seen, const exchange::SendHead& e);
  void bytes(Watched& seen, const exchange::SendBytes& e, bool stream);
  void end(Watched& seen, const exchange::SendEnd& e);
  void attempt(Watched& seen, const exchange::StartAttempt& e, const Made& made);
  void record(Watched& seen, std::string_view json);
  // The record of its shadow; what it tells.
  Told shadow_record(Watched& seen, std::string_view json);
  // A lease is one probe's: two may not be under way together for longer than `grace_ms`.
  void probe(const Watched& seen, const Made& made, Probe& last, std::int64_t grace_ms);
  // Nothing more will come.
  void over(const Watched& seen, bool client_gone);
  void secret(const Watched& seen, std::string_view text);

 private:
  int attempts_most_;
  std::int64_t now_ms_ = 0;
  std::optional<Broken> broken_;
};

// What one line's own limits leave in one isolate: a slow copy of them, in 60,000ths of a request.
class Room {
 public:
  Room() = default;
  explicit Room(const Quota& quota) : quota_(quota), level_(burst()) {}

  bool there_is(Instant now);
  void enter() {
    level_ -= kRequest;
    ++inside_;
  }
  void leave() { --inside_; }

 private:
  static constexpr std::int64_t kRequest = 60'000;
  std::int64_t burst() const { return std::max(kRequest, quota_.rpm * (kRequest / 10)); }

  Quota quota_;
  std::int64_t level_ = 0;
  Instant last_ = Instant{0};
  std::int64_t inside_ = 0;
};

// Who has a slot and who waits for one in an isolate, by class.
struct Turns {
  std::uint32_t inside = 0;
  std::vector<std::uint32_t> of_clients;  // inside, by place
  std::array<std::uint32_t, kPriorityNames.size()> waiting{};
};

// Repeats of one route in one isolate over any ten seconds: at most what its requests of twenty have earned,
// and the reserves (DESIGN: routing, retry budget).
class Repeats {
 public:
  void request(std::int64_t now_ms);
  // False: more than the budgets can have held, that of hedges with this share included.
  bool repeat(std::int64_t now_ms, std::int64_t hedge_micros);

 private:
  std::vector<std::int64_t> requests_;  // of the last 20 s
  std::vector<std::int64_t> repeats_;   // of the last 10 s
};

}  // namespace shunt::sim
