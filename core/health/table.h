// The health of every line: which may be called, which is out, until when and why. Knows no request or host.
//
// A line is judged on cells: its own per key slot, and those it shares by key, model, region and provider.
// It is as well as the worst of them. The caller begins a call, gets a ticket, and settles it with what came
// of it; a ticket that is lost costs nothing once its lease is over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "canonical/outcome.h"
#include "health/breaker.h"
#include "health/cooldown.h"
#include "health/line.h"
#include "health/policy.h"
#include "health/publish.h"
#include "health/record.h"
#include "health/sketch.h"
#include "health/window.h"

namespace shunt::health {

class HealthTable {
 public:
  HealthTable(std::vector<LineSpec> lines, const CooldownPolicy& cooldown);

  Reach reach(std::uint32_t line, Instant now) const;
  LineState read(std::uint32_t line, Instant now) const;
  // The slot with the nearest end among those that only a breaker's own rules hold; for `last_line: keep`.
  std::optional<Held> keepable(std::uint32_t line, Instant now) const;
  // The earliest moment at which one of the lines may be tried: `now` when one is not out, kNever when
  // time alone brings none back.
  Instant earliest_end(std::span<const std::uint32_t> lines, Instant now) const;

  // An ordinary call, or the probe of a half-open line (it takes the permits); none when the slot is out.
  std::optional<Ticket> begin(std::uint32_t line, std::uint32_t slot, Instant now, Instant lease_end);
  // A call on a line used although its breaker is open: it takes no permit and ends nothing early.
  Ticket begin_kept(std::uint32_t line, std::uint32_t slot, Instant now);
  // All lines are protected: one leased probe per line, before its end. None while another is under way
  // or all permits are out, or when time alone does not bring the line back. Where the slot is not out it
  // is begin().
  std::optional<Ticket> begin_probe(std::uint32_t line, std::uint32_t slot, Instant now, Instant lease_end);
  void renew(Ticket& ticket, Instant lease_end);
  void settle(const Ticket& ticket, const Outcome& outcome, Instant now, std::uint64_t seed);

  // An operator's acts reach all slots of a line. Enable brings it into service as it is; reset also ends
  // whatever holds it, in the scopes it shares too, else it would not bring the line back.
  void act(std::uint32_t line, Act act, Instant now, WallTime wall);
  // Instead of the configured ones; none = as configured.
  void set_priority(std::uint32_t line, std::optional<std::uint32_t> priority, Instant now, WallTime wall);
  void set_weight(std::uint32_t line, std::optional<std::uint32_t> weight, Instant now, WallTime wall);
  auto priority(std::uint32_t line) const { return ordered(orders_of(line), OfOrders::priority); }
  auto weight(std::uint32_t line) const { return ordered(orders_of(line), OfOrders::weight); }
  Mode mode(std::uint32_t line) const { return static_cast<Mode>(orders_of(line)[OfOrders::mode + 1]); }
  LineReport report(std::uint32_t line, Instant now) const;

  // Adds what is known of a line's latency, so that several lines can be read as one.
  void collect(std::uint32_t line, Latency what, std::uint32_t task, Instant now, Spread& into) const;

  // In microseconds, 0 = no data: the task's total, and the peak-sensitive time to first token.
  std::uint32_t p90_total(std::uint32_t line, std::uint32_t task, Instant now) const {
    return lines_[line].latency ? lines_[line].latency->p90_total(task, now) : 0;
  }
  std::uint32_t peak_first_token(std::uint32_t line, Instant now) const {
    return lines_[line].latency ? lines_[line].latency->peak_first_token(now) : 0;
  }

  // One document of all lines out of their default state, the same bytes for the same state. Costs in
  // proportion to those lines.
  void export_records(std::string& out, Instant now, WallTime wall);
  Merge merge_records(std::string_view bytes, Instant now, WallTime wall);
  // Rises whenever the document may have changed.
  std::uint64_t revision() const { return revision_; }
  // Lines with a cell that may be out of its default state, some more than once.
  void list_out_of_order(std::vector<std::uint32_t>& lines) const;
  // How urgently what changed here since the last call wants to be told.
  News take_news();
  // Epochs are seconds of wall time: without this call, or one that carries the wall time, they are small.
  void observe_wall(Instant now, WallTime wall);

  // Set when a line went out, came back or is out for longer: time for the driver to keep a new snapshot.
  bool dirty() const { return dirty_; }
  void clear_dirty() { dirty_ = false; }

  // Everything out of its default state, by line id. Ends travel as time left, so they survive another clock.
  // Windows, sketches and leases do not travel.
  void snapshot(std::string& out, Instant now, WallTime wall) const;
  // All or nothing; ids that no line has any more are skipped.
  LoadResult load(std::string_view bytes, Instant now, WallTime wall);

  std::size_t lines() const { return lines_.size(); }
  const BreakerPolicy& policy(std::uint32_t line) const { return policies_[lines_[line].policy]; }
  std::size_t memory() const;

 private:
  static constexpr std::size_t kCellsOfLine = 5;
  enum CellOf : std::size_t { own, key, model, region, provider };
  using Cells = std::array<std::uint32_t, kCellsOfLine>;  // indexes into cells_; kNoScope = none

  struct Cell {
    bool is_well(Instant now) const { return breaker.closed() && !cooldown.in_force(now); }
    Breaker breaker;
    Cooldown cooldown;
    std::uint32_t policy = 0;      // in policies_
    bool listed = false;           // in cells_out_
    bool latched_beneath = false;  // a latch under what an operator ordered
    std::int64_t epoch = 0;
    Instant tombstone = kPast;
    std::uint64_t told = 0;  // order of the last merge whose document had all of its record
  };
  struct Orders {
    Record record{};
    std::uint64_t told = 0;
  };
  struct Line {
    std::string id;
    std::uint32_t policy = 0;  // in policies_
    std::uint32_t slots = 1;
    std::uint32_t first_sibling = 0;  // in siblings_
    std::uint32_t siblings = 0;       // itself included; 0 = none
    Cells cells{};                    // of slot 0; those of own and key ascend with the slot
    std::uint64_t probe = 0;          // the early probe under way; 0 = none
    Instant probe_end = kPast;        // of its lease; after one that failed: when the next may begin
    CountWindow calls;
    std::unique_ptr<LineLatency> latency;  // from the first success on
    std::optional<ErrorClass> last_error;
    std::optional<Instant> last_success, last_failure;
    std::unique_ptr<Orders> orders;  // from an operator's first act on
  };
  // What of a cell others are told, to see what a change did.
  struct Standing {
    State state;
    bool latched;
    std::array<Instant, 3> ends;  // rule, long penalty, cooldown
    friend bool operator==(const Standing&, const Standing&) = default;
  };
  struct Saved;  // a cell as a snapshot tells it

  Cells cells_of(std::uint32_t line, std::uint32_t slot) const;
  const BreakerPolicy& policy_of(const Cell& cell) const { return policies_[cell.policy]; }
  Cell& made(std::uint32_t cell);
  bool is_well(const Line& line, Instant now) const;
  Access access(std::uint32_t line, std::uint32_t slot, Instant now) const;
  Access access(const Cell& cell, Instant now) const;
  Ticket issue(std::uint32_t line, std::uint32_t slot, Instant now, Ticket::Kind kind);
  void lend_permits(Ticket& ticket, Instant lease_end);
  std::uint32_t blamed(const Cells& cells, Scope scope) const;
  void succeed(const Cells& cells, const Call& call, Moment at);
  void fail(const Cells& cells, const Call& call, const Outcome& outcome, Moment at, std::uint64_t seed);
  void gather_siblings(const std::vector<LineSpec>& specs);
  void review(std::uint32_t line, std::uint32_t slot, Instant now);
  void eject_outlier(std::uint32_t line, Instant now);
  void learn_latency(Line& line, const Outcome& outcome, Instant now);

  Standing standing(std::uint32_t cell) const;
  void note(std::uint32_t cell, const Standing& before, Instant now);
  std::int64_t wall_second(Instant now) const { return (now.ms + wall_offset_ms_) / 1000; }
  void raise_epoch(Cell& cell, Instant now, Instant tombstone);
  void changed(News news);
  void list_cell(std::uint32_t cell);
  const Record& orders_of(std::uint32_t line) const {
    return lines_[line].orders ? lines_[line].orders->record : kNothing;
  }
  Orders& ordered_line(std::uint32_t line);
  void stamp(std::uint32_t line, std::size_t field, std::uint32_t value, WallTime wall);
  void install_mode(Cell& cell, Mode mode, Moment at);
  void end_all(std::uint32_t cell, Moment at);
  Record record_of(std::uint32_t cell, Instant now) const;
  Entry entry_of(std::uint32_t cell, Instant now) const;
  Record limits_of(Kind kind, const BreakerPolicy& policy, WallTime wall) const;
  void merge_cell(std::uint32_t cell, const Record& told, Moment at, Merge& merge);
  void merge_orders(std::uint32_t line, const Record& told, Moment at, Merge& merge);
  std::optional<std::uint32_t> find(std::string_view id) const;
  bool parse(std::string_view bytes, Instant now, WallTime wall, std::vector<Saved>& out) const;

  std::vector<BreakerPolicy> policies_;  // neighbours share them
  std::vector<Line> lines_;
  std::vector<std::unique_ptr<Cell>> cells_;  // null: all is well, and nothing was ever told of it
  std::vector<std::uint32_t> first_lines_;  // by cell: the line whose policy it follows, and by which it goes
  std::vector<std::uint32_t> by_id_;        // lines in order of their ids
  std::vector<std::uint32_t> siblings_;     // lines of each group together, in configuration order
  std::vector<std::uint32_t> cells_out_;    // that may be out of their default state
  std::vector<std::uint32_t> lines_ordered_;  // that an operator has ordered something of
  CooldownPolicy cooldown_;
  std::int64_t wall_offset_ms_ = 0;  // wall time less own time
  std::uint64_t order_ = 0;          // rises at each begin, settle and operator's act
  std::uint64_t revision_ = 0;
  News news_ = News::none;
  bool dirty_ = false;
};

}  // namespace shunt::health
