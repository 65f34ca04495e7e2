// A world on a virtual clock: isolates, their hosts and clients, providers and a store, driven by one queue
// of events. The core in it is the real one. The same settings gives the same run, event by event.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "exchange/engine.h"
#include "exchange/exchange.h"
#include "sim/figures.h"
#include "sim/ledger.h"
#include "sim/plants.h"
#include "sim/scenario.h"
#include "sim/store.h"
#include "sim/watch.h"
#include "sim/weather.h"

namespace shunt::sim {

inline constexpr std::int64_t kLateMs = 60;        // a timer comes, at most
inline constexpr std::int64_t kStandsMost = 2000;  // a host's clock stands, at most

struct Settings {
  const Scenario* scenario = nullptr;
  std::uint64_t seed = 1;
  std::uint64_t exchanges = 0;
  Faults faults = kAllFaults;       // of the scenario's, those that may strike
  std::vector<std::uint64_t> only;  // these exchanges alone, ascending; empty = all
  const Plant* plant = nullptr;
  bool logs = false;
};

struct Report {
  std::optional<Broken> broken;
  Figures figures;
  Chronicle chronicle;
  std::uint64_t played = 0;
  std::string log;
};

// Until the first broken rule, else to the end.
Report play(const Settings& settings);

// ---- what the world is made of ----

enum class Happens : std::uint8_t {
  arrival,
  body,
  provider,
  timer,
  deadline,
  client_gone,
  client_pauses,
  client_ready,
  host_gone,
  store_answer,
  woken,
  quiet
};

struct Event {
  std::int64_t at_ms = 0;
  std::uint64_t order = 0;  // equals: as they were planned
  Happens what = Happens::arrival;
  std::uint32_t where = 0;  // a seat or an isolate
  std::uint64_t stamp = 0;  // of the seat: who sits there may have changed
  std::uint32_t number = 0;
};
struct Later {
  bool operator()(const Event& a, const Event& b) const {
    return a.at_ms != b.at_ms ? a.at_ms > b.at_ms : a.order > b.order;
  }
};

// A host's clock. Wall time goes with it, apart from the origin.
struct HostClock {
  std::int64_t offset_ms = 0;
  std::int64_t skew_ms = 0;  // of the wall
  std::int64_t stands_until_ms = 0;
  std::int64_t stands_at_ms = 0;
};

struct Isolate {
  std::unique_ptr<exchange::Engine> engine;
  std::unique_ptr<Ledger> ledger;
  HostClock clock;
  std::int64_t heard_ms = 0;     // the last input of any of its exchanges
  std::vector<Probe> probes;     // by line and slot
  std::vector<Wait> waits;       // by line and slot
  std::vector<Repeats> repeats;  // by route
  std::vector<Room> rooms;       // by line
  Turns turns;
  std::uint64_t orders = 0;
  std::uint64_t upkeeps = 0;  // so far
};

// One call of an exchange.
struct OnCall {
  std::uint32_t attempt = 0;
  std::uint32_t line = 0;
  std::uint32_t slot = 0;
  bool shadow = false;
  bool open = false;
  bool in_room = false;    // counted among the calls of its line
  bool held_back = false;  // the provider's next word waits for the client
  Reply reply{};
  std::size_t step = 0;  // 0 = the head

  // The provider's answer has come to its end as HTTP says it should.
  bool ends_clean_for_core() const { return step > reply.count && reply.end == Reply::End::clean; }
};

// One exchange, its host and its client.
struct Seat {
  std::unique_ptr<exchange::Exchange> exchange;
  exchange::Kind kind = exchange::Kind::request;
  std::uint32_t index = 0;
  std::uint64_t stamp = 0;
  std::uint32_t isolate = 0;
  std::uint32_t route = 0;
  std::uint32_t caller = 0;
  bool anthropic = false;
  bool stream = false;
  std::string body;
  Watched seen;
  std::int64_t arrived_ms = 0;

  std::vector<OnCall> calls;  // all of them, in their order
  bool paused = false;
  bool admitted = false;  // it has a slot of the engine and of its client
  bool waits = false;     // its body is whole, and it has neither called anyone nor ended

  std::int64_t armed_ms = 0;     // when the timer rings, of the world's clock; 0 = none
  std::int64_t planned_ms = 0;   // when the queue looks after it
  Instant armed_for = kNever;    // as the exchange asked
  std::int64_t deadline_ms = 0;  // of the answer
  std::int64_t shadow_ms = 0;    // of the shadow behind it; 0 = none
  std::int64_t excused_ms = 0;   // its host's clock was set back meanwhile
  bool client_gone = false;
  struct Heard {
    std::uint32_t request = 0;
    Store::Answer answer;
  };
  std::vector<Heard> answers;  // of the store, in the order of the questions

  OnCall* call(std::uint32_t attempt) {
    for (OnCall& each : calls) {
      if (each.attempt == attempt) return &each;
    }
    return nullptr;
  }
};

class World {
 public:
  explicit World(const Settings& settings);
  Report run();

 private:
  // world.cpp: the queue, isolates, what happens
  config::Loaded load(std::uint32_t isolate) const;
  void plan(std::int64_t at_ms, Happens what, std::uint32_t where = 0, std::uint32_t number = 0);
  void happen(const Event& event);
  void happen_to(Seat& seat, const Event& event);
  void plan_arrival();
  std::int64_t arrival_ms(std::uint64_t exchange) const;
  std::uint64_t day_of(std::uint64_t exchange) const;
  void arrive();
  void all_quiet();
  void set_back(std::uint32_t isolate);
  Instant host_now(const Isolate& isolate) const;
  WallTime wall(const Isolate& isolate) const;
  bool strikes(Fault fault) const { return faults_.has(fault); }

  // host.cpp: one exchange
  std::uint32_t take_seat(std::uint32_t isolate, exchange::Kind kind, std::uint64_t exchange);
  void open_upkeep(std::uint32_t isolate);
  void order(std::uint32_t isolate);
  void begin(Seat& seat);
  void draw_fate(Seat& seat);
  void send_body(Seat& seat);
  void tell(Seat& seat, const exchange::Input& input);
  void drain(Seat& seat);
  void arm(Seat& seat);
  void rings(Seat& seat);
  void provider_goes_on(Seat& seat, OnCall& call);
  void end_call(Seat& seat, OnCall& call);
  void answered(Seat& seat);
  void take_room(Seat& seat, OnCall& call, Made& made);
  void leave_room(const Seat& seat, OnCall& call);
  void begins(Seat& seat);
  void check_turns();
  const Caller& caller_of(const Seat& seat) const { return scenario_.callers[seat.caller]; }
  void vanish(Seat& seat, bool destroyed);
  void leave(Seat& seat);
  void check_deadline(Seat& seat);
  std::int64_t grace_ms(const Seat& seat) const;
  void note_trips(std::uint32_t isolate);
  void learn_wait(const Seat& seat, const OnCall& call);
  void shadow_told(Seat& seat, std::string_view json);
  void look_back(Seat& seat);

  void perform(Seat& seat, const exchange::StartAttempt& e);
  void perform(Seat&, const exchange::AttemptBody&) {}
  void perform(Seat&, const exchange::ReleaseBody&) {}
  void perform(Seat& seat, const exchange::AbortAttempt& e);
  void perform(Seat& seat, const exchange::SendHead& e) { watch_.head(seat.seen, e); }
  void perform(Seat& seat, const exchange::SendBytes& e) { watch_.bytes(seat.seen, e, seat.stream); }
  void perform(Seat& seat, const exchange::SendEnd& e);
  void perform(Seat& seat, const exchange::StoreGet& e);
  void perform(Seat& seat, const exchange::StorePut& e);
  void perform(Seat& seat, const exchange::StoreLease& e);
  void perform(Seat& seat, const exchange::StoreTake& e);
  void perform(Seat& seat, const exchange::Wake& e);
  void perform(Seat& seat, const exchange::Emit& e);
  void answer_later(Seat& seat, std::uint32_t request, Store::Answer answer);

  Scene scene(const Seat& seat) const;
  std::size_t waits_at(std::uint32_t line, std::uint32_t slot) const { return line * 4 + slot; }
  void log(const Seat& seat, const std::string& what);

  const Settings& settings_;
  const Scenario& scenario_;
  Faults faults_;
  std::int64_t now_ms_ = 0;
  std::uint64_t planned_ = 0;
  std::priority_queue<Event, std::vector<Event>, Later> queue_;
  std::vector<Isolate> isolates_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::vector<std::uint32_t> free_;
  std::vector<std::unique_ptr<exchange::Exchange>> ghosts_;  // of hosts that vanished, not yet destroyed
  Weather weather_;
  Store store_;
  Watch watch_;
  Saboteur saboteur_;
  Figures figures_;
  Chronicle chronicle_;
  std::uint64_t next_ = 0;  // of `only`, or the exchange itself
  std::uint64_t stamps_ = 0;
  std::vector<std::uint32_t> routes_;  // of the scenario, by number
  std::string log_;
};

}  // namespace shunt::sim
