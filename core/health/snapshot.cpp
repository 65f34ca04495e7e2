// Health as bytes: what is out of its default state, by line id, with the time it has left.
//
//   "SHH2" · i64 wall time of saving · u32 count · count cells · orders · u64 check over all before it;
//   little-endian. A cell: u8 length, line id · u8 scope · u8 slot · state · trip · long level · cooldown
//   level · u16 openings · u32 failures · i64 left of the rule, the long penalty, the cooldown, the tombstone
//   · i64 epoch · u8 latch beneath. A shared cell goes by the first line that has it. Orders are entries of
//   the shared record.
#include <limits>

#include "base/check.h"
#include "health/codec.h"
#include "health/table.h"

namespace shunt::health {
namespace {

constexpr std::string_view kMagic = "SHH2";
// No policy holds a line longer than a stated quota reset of 31 days; beyond that and a day of slack it
// is garbage.
constexpr std::int64_t kMaxLeftMs = seconds(32 * 24 * 3600).ms;
constexpr std::uint32_t kMaxFailures = 1'000'000'000;
constexpr std::int64_t kMaxEpoch = std::int64_t{1} << 40;  // seconds; past any calendar

void put_left(std::string& out, Instant end, Instant now) {
  put(out, end > now ? static_cast<std::uint64_t>((end - now).ms) : 0, 8);
}

void put_facts(std::string& out, const BreakerFacts& breaker, const CooldownFacts& cooldown, Instant now) {
  put(out, static_cast<std::uint64_t>(breaker.state), 1);
  put(out, static_cast<std::uint64_t>(breaker.trip), 1);
  put(out, breaker.long_level, 1);
  put(out, cooldown.level, 1);
  put(out, breaker.openings, 2);
  put(out, breaker.failures, 4);
  put_left(out, breaker.rule_end, now);
  put_left(out, breaker.long_end, now);
  put_left(out, cooldown.until, now);
}

// An end from the time it had left when it was saved.
Instant read_end(Reader& in, Instant now, std::int64_t elapsed_ms) {
  const auto left_ms = static_cast<std::int64_t>(in.number(8));
  if (left_ms < 0 || left_ms > kMaxLeftMs) in.refuse();
  return in.good() && left_ms > elapsed_ms ? now + milliseconds(left_ms - elapsed_ms) : kPast;
}

}  // namespace

struct HealthTable::Saved {
  std::uint32_t cell = kNoScope;
  std::uint32_t line = 0;  // of orders
  Record orders{};
  BreakerFacts breaker;
  CooldownFacts cooldown;
  std::int64_t epoch = 0;
  Instant tombstone;
  bool latched_beneath = false;
};

void HealthTable::snapshot(std::string& out, Instant now, WallTime wall) const {
  const std::size_t start = out.size();
  out.append(kMagic);
  put(out, static_cast<std::uint64_t>(wall.ms), 8);
  std::string cells;
  std::uint32_t count = 0;
  for (std::uint32_t index = 0; index < cells_.size(); ++index) {
    if (!cells_[index]) continue;
    const Cell& cell = *cells_[index];
    const BreakerFacts& facts = cell.breaker.facts();
    const CooldownFacts& cooldown = cell.cooldown.facts();
    const bool counted = facts.failures > 0 || cooldown.level > 0;
    const bool in_force = facts.state != State::closed || cooldown.until > now || cell.tombstone > now;
    if (!counted && !in_force) continue;
    const Entry entry = entry_of(index, now);
    put_name(cells, entry);
    put_facts(cells, facts, cooldown, now);
    put_left(cells, cell.tombstone, now);
    put(cells, static_cast<std::uint64_t>(cell.epoch), 8);
    put(cells, cell.latched_beneath ? 1 : 0, 1);
    ++count;
  }
  put(out, count, 4);
  out.append(cells);
  for (const Line& line : lines_) {
    if (line.orders && line.orders->record != Record{})
      put_entry(out, {line.id, Kind::orders, 0, line.orders->record});
  }
  put_check(out, start);
}

bool HealthTable::parse(std::string_view bytes, Instant now, WallTime wall, std::vector<Saved>& out) const {
  Reader in = Reader::of(bytes, kMagic);
  const auto saved_ms = static_cast<std::int64_t>(in.number(8));
  // A wall clock that was set back gives no time back.
  const std::int64_t elapsed_ms = saved_ms >= 0 && wall.ms > saved_ms ? wall.ms - saved_ms : 0;
  for (std::uint64_t count = in.number(4); count > 0 && in.good(); --count) {
    const Entry entry = read_name(in);
    Saved saved;
    saved.breaker.state = static_cast<State>(in.byte_below(kStates));
    saved.breaker.trip = static_cast<Trip>(in.byte_below(kTrips));
    saved.breaker.long_level = in.byte();
    saved.cooldown.level = in.byte();
    saved.breaker.openings = static_cast<std::uint16_t>(in.number(2));
    saved.breaker.failures = static_cast<std::uint32_t>(in.number(4));
    saved.breaker.rule_end = read_end(in, now, elapsed_ms);
    saved.breaker.long_end = read_end(in, now, elapsed_ms);
    saved.cooldown.until = read_end(in, now, elapsed_ms);
    saved.tombstone = read_end(in, now, elapsed_ms);
    saved.epoch = static_cast<std::int64_t>(in.number(8));
    saved.latched_beneath = in.byte_below(2) != 0;
    if (saved.breaker.failures > kMaxFailures || saved.epoch < 0 || saved.epoch > kMaxEpoch) return false;
    const auto line = find(entry.line);
    if (!in.good() || !line || entry.slot >= lines_[*line].slots || entry.kind == Kind::orders) continue;
    saved.cell = cells_of(*line, entry.slot)[static_cast<std::size_t>(entry.kind)];
    if (saved.cell != kNoScope) out.push_back(saved);
  }
  while (in.good() && !in.at_end()) {
    const Entry entry = read_entry(in);
    const auto line = find(entry.line);
    const Record most = limits_of(Kind::orders, {}, {std::numeric_limits<std::int64_t>::max() / 2});
    if (entry.kind != Kind::orders || !within(entry.record, most)) return false;
    if (!in.good() || !line) continue;
    Saved saved;
    saved.line = *line;
    saved.orders = entry.record;
    out.push_back(saved);
  }
  return in.good();
}

LoadResult HealthTable::load(std::string_view bytes, Instant now, WallTime wall) {
  std::vector<Saved> all;
  if (!parse(bytes, now, wall, all)) return LoadResult::refused;
  observe_wall(now, wall);
  ++order_;
  for (const Saved& saved : all) {
    if (saved.cell == kNoScope) {
      ordered_line(saved.line).record = saved.orders;
      continue;
    }
    Cell& cell = made(saved.cell);
    cell.breaker.restore(saved.breaker, order_);
    cell.cooldown.restore(saved.cooldown, order_);
    cell.epoch = saved.epoch;
    cell.tombstone = saved.tombstone;
    cell.latched_beneath = saved.latched_beneath;
    list_cell(saved.cell);
  }
  if (!all.empty()) changed(News::soon);
  return LoadResult::loaded;
}

}  // namespace shunt::health
