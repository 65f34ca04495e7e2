// The outer layer of admission: what the engine, a client and a task type may use. Knows neither lines nor
// names nor the queue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admit/granted.h"
#include "admit/meter.h"
#include "base/result.h"

namespace shunt::admit {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFU;  // a client or task without limits of its own

struct Ask {
  std::uint32_t client = kNone;  // places in configuration
  std::uint32_t task = kNone;
  std::int64_t tokens = 0;  // estimates
  std::int64_t cost_micros = 0;
};

enum class Whose : std::uint8_t { engine, client, task };
inline constexpr std::array<std::string_view, 3> kWhoseNames = {"engine", "client", "task"};
constexpr std::string_view name_of(Whose whose) { return kWhoseNames[static_cast<std::size_t>(whose)]; }

// Of several limits the one that is over last. After `wait`, and not 1 ms earlier, the same ask is admitted
// if nothing else happens; none = nobody can tell (a slot is short, or the ask is more than a whole day's).
// What a store grants is told by the store: then the wait is the least there can be.
struct Refusal {
  Whose whose = Whose::engine;
  What what = What::rpm;
  std::optional<Duration> wait;
  friend bool operator==(const Refusal&, const Refusal&) = default;
};

// What was taken, held by the request. A host may vanish with it: slots come back at the lease's end, the
// estimates stay booked.
struct Permit {
  Ask ask;
  std::array<Taken, 3> taken;
  RateSet granted = 0;  // rates of the client that were taken of granted tokens
  RateSet owed = 0;     // … that were taken of the engine's own bucket while the store was silent
  bool open = false;    // until it is settled or cancelled
};

// A question to the store that fills a client's bucket for all engines.
struct Need {
  std::uint32_t client = 0;
  std::uint32_t rate = 0;       // 0 rpm, 1 tpm
  std::string suffix;           // of the key: "client/3/rpm"
  std::int64_t amount = 0;      // tokens asked for
  std::int64_t per_minute = 0;  // what the bucket refills
  std::int64_t burst = 0;       // what it holds
  bool under_way = false;       // somebody has asked already: wait for that answer
};

class Admission {
 public:
  // Clients and tasks by their places in configuration; empty quotas cost four bytes each.
  Admission(const Quota& engine, const std::vector<Quota>& clients, const std::vector<Quota>& tasks);

  // From the engine, the client and the task all of it is taken, or nothing; slots until `lease_end` at most.
  Result<Permit, Refusal> admit(const Ask& ask, Times at, Instant lease_end);
  // False when a slot was reclaimed meanwhile.
  bool renew(const Permit& permit, Instant lease_end);
  // The request is over and used this much; what told no usage is settled with its estimate. Once: a permit
  // that is settled or cancelled does nothing more.
  void settle(Permit& permit, const Use& used, Times at);
  void cancel(Permit& permit, Times at);  // nothing was sent: everything goes back
  std::uint32_t in_flight(Whose whose, std::uint32_t place, Instant now);  // 0 where there are no limits

  // ---- Quotas that several engines share ----

  // On: the rates of clients are filled by granted blocks alone. Everything else stays the engine's own.
  void set_shared(bool shared);
  // After a refusal for a client's rpm or tpm: the block to ask the store for. None = nothing is short, the
  // store has said how long it has none, or the limit is enforced alone for the moment.
  std::optional<Need> lacks(const Ask& ask, Instant now);
  void asked(const Need& need, Instant end);  // the question is under way, until `end` at most
  // The store's answer, which may come late: whole tokens (no more than were asked for count), and of none
  // the wait until one.
  void granted(const Need& need, std::int64_t tokens, Duration wait, Instant now);
  // It has not answered yet: for a second, or until it does, the bucket enforces the limit alone. Of a store
  // that was heard of lately what is let in so is owed, a burst at most: its next tokens pay that first.
  void unanswered(const Need& need, Instant now);

 private:
  std::uint32_t place_of(Whose whose, const Ask& ask) const;  // in meters_
  Meter* meter(Whose whose, const Ask& ask);
  Granted* granted_of(std::uint32_t client, std::uint32_t rate);
  RateSet check_granted(const Ask& ask, Instant now, Shortage& into);
  void close(Permit& permit, const Use* used, Times at);

  std::vector<Meter> meters_;          // of those that have limits
  std::vector<std::uint32_t> places_;  // in meters_, or kNone: the engine's, the clients', the tasks'
  std::size_t clients_;                // how many
  std::vector<Granted> granted_;       // kRates for each meter while shared, else empty
};

}  // namespace shunt::admit
