// What an operator orders of a line, and what he is shown.
#include <algorithm>
#include <limits>

#include "health/table.h"

namespace shunt::health {
namespace {

constexpr Mode mode_after(Act act) {
  switch (act) {
    case Act::reset:
    case Act::enable: return Mode::in_service;
    case Act::disable: return Mode::disabled;
    case Act::force_open: return Mode::forced_open;
    case Act::breaker_off: return Mode::breaker_off;
    case Act::metrics_only: return Mode::metrics_only;
  }
  return Mode::in_service;
}

std::uint32_t stored(std::optional<std::uint32_t> value) {
  return value ? std::min(*value, std::numeric_limits<std::uint32_t>::max() - 1) + 1 : 0;
}

}  // namespace

void HealthTable::stamp(std::uint32_t line, std::size_t field, std::uint32_t value, WallTime wall) {
  Record& orders = ordered_line(line).record;
  orders[field] = std::max(orders[field] + 1, wall.ms);
  orders[field + 1] = value;
  dirty_ = true;
  changed(News::urgent);
}

// What the breaker had found before an order holds again after it: only a reset ends it.
void HealthTable::install_mode(Cell& cell, Mode mode, Moment at) {
  cell.breaker.lift(cell.latched_beneath, at);
  cell.latched_beneath = mode != Mode::in_service && cell.breaker.facts().state == State::latched;
  switch (mode) {
    case Mode::in_service: return;
    case Mode::disabled:
    case Mode::forced_open: return cell.breaker.order(Event::force_open, at);
    case Mode::breaker_off: return cell.breaker.order(Event::disable, at);
    case Mode::metrics_only: return cell.breaker.order(Event::metrics_only, at);
  }
}

void HealthTable::act(std::uint32_t line, Act act, Instant now, WallTime wall) {
  observe_wall(now, wall);
  const Moment at{now, ++order_};
  const Mode mode = mode_after(act);
  stamp(line, OfOrders::mode, static_cast<std::uint32_t>(mode), wall);
  if (act == Act::reset && lines_[line].probe == 0) lines_[line].probe_end = kPast;
  for (std::uint32_t slot = 0; slot < lines_[line].slots; ++slot) {
    const Cells cells = cells_of(line, slot);
    const Standing before = standing(cells[own]);
    install_mode(made(cells[own]), mode, at);
    note(cells[own], before, now);
    if (act != Act::reset) continue;
    for (const std::uint32_t index : cells) {
      if (index != kNoScope) end_all(index, at);
    }
  }
}

// Whether known here or not: others may hold more. Once a second is enough, as lines share cells and an epoch
// ahead of the clock is not heard.
void HealthTable::end_all(std::uint32_t index, Moment at) {
  Cell& cell = made(index);
  const Record record = record_of(index, at.now);
  const Record only_tombstone{cell.epoch, 0, 0, 0, record[OfCell::tombstone], 0};
  const bool just_ended =
      record == only_tombstone && cell.epoch >= wall_second(at.now) && cell.tombstone >= at.now + kUnending;
  cell.breaker.order(Event::reset, at);
  cell.cooldown.reset();
  if (!just_ended) raise_epoch(cell, at.now, at.now + kUnending);
  list_cell(index);
}

void HealthTable::set_priority(std::uint32_t line, std::optional<std::uint32_t> to, Instant now,
                               WallTime wall) {
  observe_wall(now, wall);
  stamp(line, OfOrders::priority, stored(to), wall);
}

void HealthTable::set_weight(std::uint32_t line, std::optional<std::uint32_t> to, Instant now,
                             WallTime wall) {
  observe_wall(now, wall);
  stamp(line, OfOrders::weight, stored(to), wall);
}

LineReport HealthTable::report(std::uint32_t index, Instant now) const {
  const Line& line = lines_[index];
  LineReport report;
  report.state = read(index, now);
  report.mode = mode(index);
  report.priority = priority(index);
  report.weight = weight(index);
  if (line.probe != 0 && line.probe_end > now) report.lease_until = line.probe_end;
  const auto later = [now](Instant& kept, Instant end) {
    if (end > now) kept = std::max(kept, end);
  };
  for (const std::uint32_t cell : cells_of(index, report.state.slot)) {
    if (cell == kNoScope || !cells_[cell]) continue;
    const BreakerFacts& facts = cells_[cell]->breaker.facts();
    later(report.open_until, std::max(facts.rule_end, facts.long_end));
    later(report.limited_until, cells_[cell]->cooldown.until());
    later(report.lease_until, cells_[cell]->breaker.last_lease());
  }
  return report;
}

}  // namespace shunt::health
