// The health of every line: which may be called, which is out, until when and why. Knows no request or host.
//
// A line is judged on cells: its own per key slot, and those it shares by key, model, region and provider.
// It is as well as the worst of them. The caller begins a call, gets a ticket, and settles it with what came
// of it; a ticket that is lost costs nothing once its lease is over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "canonical/outcome.h"
#include "health/breaker.h"
#include "health/cooldown.h"
#include "health/policy.h"
#include "health/window.h"

namespace shunt::health {

inline constexpr std::uint32_t kNoScope = 0xFFFFFFFF;

// One deployment, by dense scope numbers; each kind of scope is numbered apart. A shared scope takes the
// policy of the first line that names it. Without a key scope (the client brings the key) a key's failure
// is nobody's; a failure of another scope that the line does not have is the line's own.
struct LineSpec {
  std::string id;
  std::uint32_t slots = 1;
  std::uint32_t first_key_scope = kNoScope;  // slot s has key scope first_key_scope + s
  std::uint32_t model_scope = kNoScope;
  std::uint32_t region_scope = kNoScope;
  std::uint32_t provider_scope = kNoScope;
  BreakerPolicy policy;
};

struct LineState {
  Availability availability = Availability::ready;
  std::uint32_t slot = 0;  // the first that is not out; when all are, the one with the nearest end
  Instant until;           // out: when it may be tried again; kNever = not by time
  Cause cause = Cause::none;
  Trip trip = Trip::none;  // the rule that last opened the line's own breaker
  std::uint32_t failure_count = 0;
  std::uint32_t success_rate_micros = 1'000'000;
  std::optional<ErrorClass> last_error;
  std::optional<Instant> last_success;
  std::optional<Instant> last_failure;
};

// A call under way. A plain value: losing it is no leak.
struct Ticket {
  enum class Kind : std::uint8_t { ordinary, probe, early_probe, kept };
  std::uint32_t line = 0;
  std::uint32_t slot = 0;
  std::uint64_t order = 0;  // unique in its table
  Kind kind = Kind::ordinary;
  Instant began;
  Instant lease_end;

  bool is_probe() const { return kind == Kind::probe || kind == Kind::early_probe; }
};

struct Held {
  std::uint32_t slot = 0;
  Instant until;
};

enum class LoadResult : std::uint8_t { loaded, refused };

class HealthTable {
 public:
  HealthTable(std::vector<LineSpec> lines, const CooldownPolicy& cooldown);

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

  // An operator's act on a line: reset, force_open, disable (the breaker, not the line) or metrics_only.
  // A reset reaches the scopes the line shares, else it would not bring the line back.
  void order(std::uint32_t line, Event event, Instant now);

  // Set when a line went out, came back or is out for longer: time for the driver to keep a new snapshot.
  bool dirty() const { return dirty_; }
  void clear_dirty() { dirty_ = false; }

  // Everything out of its default state, by line id. Ends travel as time left, so they survive another clock.
  void snapshot(std::string& out, Instant now, WallTime wall) const;
  // All or nothing; ids that no line has any more are skipped.
  LoadResult load(std::string_view bytes, Instant now, WallTime wall);

  std::size_t lines() const { return lines_.size(); }
  const BreakerPolicy& policy(std::uint32_t line) const { return lines_[line].policy; }
  std::size_t memory() const;

 private:
  static constexpr std::size_t kCellsOfLine = 5;
  enum CellOf : std::size_t { own, key, model, region, provider };
  using Cells = std::array<std::uint32_t, kCellsOfLine>;  // indexes into cells_; kNoScope = none

  struct Cell {
    Breaker breaker;
    Cooldown cooldown;
    std::uint32_t policy = kNoScope;  // the line whose policy it follows
  };
  struct Line {
    std::string id;
    BreakerPolicy policy;
    std::uint32_t slots = 1;
    Cells cells{};            // of slot 0; those of own and key ascend with the slot
    std::uint64_t probe = 0;  // the early probe under way; 0 = none
    Instant probe_end = kPast;
    CountWindow calls;
    std::optional<ErrorClass> last_error;
    std::optional<Instant> last_success;
    std::optional<Instant> last_failure;
  };
  struct Saved;  // a cell as a snapshot tells it

  Cells cells_of(std::uint32_t line, std::uint32_t slot) const;
  const BreakerPolicy& policy_of(const Cell& cell) const { return lines_[cell.policy].policy; }
  Access access(std::uint32_t line, std::uint32_t slot, Instant now) const;
  Access access(const Cell& cell, Instant now) const;
  Ticket issue(std::uint32_t line, std::uint32_t slot, Instant now, Ticket::Kind kind);
  void lend_permits(Ticket& ticket, Instant lease_end);
  std::uint32_t blamed(const Cells& cells, Scope scope) const;
  void succeed(const Cells& cells, const Call& call, Moment at);
  void fail(const Cells& cells, const Call& call, const Outcome& outcome, Moment at, std::uint64_t seed);
  template <typename Change>
  void change(std::uint32_t index, Change make);
  bool parse(std::string_view bytes, Instant now, WallTime wall, std::vector<Saved>& out) const;

  std::vector<Line> lines_;
  std::vector<Cell> cells_;
  CooldownPolicy cooldown_;
  std::uint64_t order_ = 0;  // rises at each begin, settle and operator's act
  bool dirty_ = false;
};

}  // namespace shunt::health
