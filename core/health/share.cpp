// What others are told of a table's lines, and what they tell.
#include <algorithm>
#include <limits>

#include "base/order.h"
#include "health/table.h"

namespace shunt::health {
namespace {

constexpr std::int64_t kSkewMs = 5000;        // of two machines' wall clocks
constexpr std::int64_t kClockDriftMs = 1000;  // less than this moves no end that is told twice

// The longest a breaker's own rules hold.
Duration longest_open(const OpenTime& open) {
  switch (open.form) {
    case OpenTime::Form::fixed: return open.base;
    case OpenTime::Form::growing: return std::max(open.base, open.cap);
    case OpenTime::Form::ladder: {
      std::int64_t most = 1;
      for (const Rung& rung : open.rungs) most = std::max(most, rung.factor);
      return open.base * most;
    }
    case OpenTime::Form::manual: break;
  }
  return {};
}

bool is_blank(const Record& record) { return record == Record{}; }

// An order that was taken back is told for as long as the end of a latch.
bool is_told(const Record& orders, WallTime wall) {
  for (std::size_t i = 0; i < orders.size(); i += 2) {
    if (orders[i + 1] != 0 || (orders[i] != 0 && orders[i] + kUnending.ms > wall.ms)) return true;
  }
  return false;
}

}  // namespace

void HealthTable::observe_wall(Instant now, WallTime wall) {
  const std::int64_t offset = wall.ms - now.ms;
  const std::int64_t moved = offset - wall_offset_ms_;
  if (moved > kClockDriftMs || moved < -kClockDriftMs) wall_offset_ms_ = offset;
}

HealthTable::Standing HealthTable::standing(std::uint32_t index) const {
  if (!cells_[index]) return {State::closed, false, {kPast, kPast, kPast}};
  const Cell& cell = *cells_[index];
  const BreakerFacts& facts = cell.breaker.facts();
  return {facts.state,
          facts.state == State::latched || cell.latched_beneath,
          {facts.rule_end, facts.long_end, cell.cooldown.until()}};
}

// What a change here did: whether a line came, went or is out for longer, and whether something that was in
// force was ended, which is what raises an epoch. (A latch is ended by a reset alone, which raises it
// anyway.)
void HealthTable::note(std::uint32_t index, const Standing& before, Instant now) {
  const Standing after = standing(index);
  if (before == after) return;
  dirty_ = true;
  Instant ended = kPast;
  News news = News::none;
  for (std::size_t i = 0; i < before.ends.size(); ++i) {
    if (after.ends[i] < before.ends[i] && before.ends[i] > now) ended = std::max(ended, before.ends[i]);
    const bool of_breaker = i < 2;
    const bool was_well =
        before.ends[i] <= now;  // a longer wait of a line that is out anyway can wait itself
    if (after.ends[i] > before.ends[i])
      news = std::max(news, of_breaker || was_well ? News::urgent : News::soon);
  }
  if (after.latched && !before.latched) news = News::urgent;
  if (ended != kPast) {
    raise_epoch(*cells_[index], now, ended);
    news = std::max(news, News::soon);
  }
  if (news == News::none) return;
  list_cell(index);
  changed(news);
}

void HealthTable::raise_epoch(Cell& cell, Instant now, Instant tombstone) {
  cell.epoch = std::max(cell.epoch + 1, wall_second(now));
  cell.tombstone = std::max(cell.tombstone, tombstone);
}

void HealthTable::changed(News news) {
  ++revision_;
  news_ = std::max(news_, news);
}

News HealthTable::take_news() {
  const News news = news_;
  news_ = News::none;
  return news;
}

void HealthTable::list_out_of_order(std::vector<std::uint32_t>& lines) const {
  for (const std::uint32_t cell : cells_out_) lines.push_back(first_lines_[cell]);
}

void HealthTable::list_cell(std::uint32_t cell) {
  if (!cells_[cell]->listed) cells_out_.push_back(cell);
  cells_[cell]->listed = true;
}

HealthTable::Orders& HealthTable::ordered_line(std::uint32_t line) {
  std::unique_ptr<Orders>& orders = lines_[line].orders;
  if (!orders) {
    orders = std::make_unique<Orders>();
    lines_ordered_.push_back(line);
  }
  return *orders;
}

// A cell as others are told of it: only what is in force at `now`.
Record HealthTable::record_of(std::uint32_t index, Instant now) const {
  const Cell& cell = *cells_[index];
  const Standing own_facts = standing(index);
  const auto in_force = [&](Instant end) { return end > now ? end.ms + wall_offset_ms_ : 0; };
  Record record{};
  for (std::size_t i = 0; i < own_facts.ends.size(); ++i)
    record[OfCell::rule_end + i] = in_force(own_facts.ends[i]);
  record[OfCell::tombstone] = in_force(cell.tombstone);
  record[OfCell::latched] = own_facts.latched ? 1 : 0;
  // An epoch is remembered as long as something of it is.
  if (!is_blank(record)) record[OfCell::epoch] = cell.epoch;
  return record;
}

// A cell goes by the first line that has it.
Entry HealthTable::entry_of(std::uint32_t index, Instant now) const {
  const Line& line = lines_[first_lines_[index]];
  Entry entry;
  entry.line = line.id;
  entry.record = record_of(index, now);
  for (std::size_t kind = 0; kind < kCellsOfLine; ++kind) {
    const std::uint32_t first = line.cells[kind];
    const std::uint32_t width = kind == own || kind == key ? line.slots : 1;
    if (first == kNoScope || index < first || index - first >= width) continue;
    entry.kind = static_cast<Kind>(kind);
    entry.slot = static_cast<std::uint8_t>(index - first);
  }
  return entry;
}

void HealthTable::export_records(std::string& out, Instant now, WallTime wall) {
  observe_wall(now, wall);
  const auto ran_out = [&](std::uint32_t index) {
    Cell& cell = *cells_[index];
    cell.listed = !is_blank(record_of(index, now));
    if (!cell.listed) cell.epoch = 0;
    return !cell.listed;
  };
  cells_out_.erase(std::remove_if(cells_out_.begin(), cells_out_.end(), ran_out), cells_out_.end());
  const auto ascending = [](std::uint32_t a, std::uint32_t b) { return a < b; };
  stable_order(cells_out_, ascending);
  stable_order(lines_ordered_, ascending);
  const std::size_t start = out.size();
  out.append(kRecordMagic);
  for (const std::uint32_t index : cells_out_) put_entry(out, entry_of(index, now));
  for (const std::uint32_t index : lines_ordered_) {
    const Record& orders = orders_of(index);
    if (is_told(orders, wall)) put_entry(out, {lines_[index].id, Kind::orders, 0, orders});
  }
  put_check(out, start);
}

// The greatest numbers that a record may show: who shows more has a wrong clock or lies, and is not heard.
Record HealthTable::limits_of(Kind kind, const BreakerPolicy& policy, WallTime wall) const {
  const std::int64_t latest = wall.ms + kSkewMs;
  if (kind == Kind::orders) {
    constexpr std::int64_t kMostValue = std::numeric_limits<std::uint32_t>::max();
    return {latest, kModes - 1, latest, kMostValue, latest, kMostValue};
  }
  const Duration backoff = cooldown_.backoff_cap * (1000 + cooldown_.jitter_permille);
  const Duration wait = std::max(cooldown_.stated_cap, {backoff.ms / 1000});
  const Duration penalty = std::max(cooldown_.long_stated_cap, cooldown_.long_cap);
  const Duration rule = longest_open(policy.open);
  const bool may_latch = policy.open.form == OpenTime::Form::manual;
  return {latest / 1000,
          latest + rule.ms,
          latest + penalty.ms,
          latest + wait.ms,
          latest + std::max({rule, penalty, wait, kUnending}).ms,
          may_latch ? 1 : 0};
}

void HealthTable::merge_cell(std::uint32_t index, const Record& told, Moment at, Merge& merge) {
  Record theirs = told;
  for (std::size_t i = OfCell::rule_end; i <= OfCell::tombstone; ++i) {
    if (theirs[i] <= at.now.ms + wall_offset_ms_) theirs[i] = 0;
  }
  theirs[OfCell::epoch] = 0;
  if (is_blank(theirs)) return;  // all of it has run out
  theirs[OfCell::epoch] = told[OfCell::epoch];
  Cell& cell = made(index);
  const Record mine = record_of(index, at.now);
  const Record joined = join(Kind::own, mine, theirs);
  if (joined == theirs) cell.told = at.order;
  if (joined == mine) return;
  if (joined[OfCell::epoch] > mine[OfCell::epoch]) {
    cell.breaker.forget(at);
    cell.cooldown.reset();
    cell.tombstone = kPast;
    cell.latched_beneath = false;
  }
  const auto end = [&](std::size_t field) {
    return joined[field] == 0 ? kPast : Instant{joined[field] - wall_offset_ms_};
  };
  cell.epoch = joined[OfCell::epoch];
  cell.breaker.hear({end(OfCell::rule_end), end(OfCell::long_end), joined[OfCell::latched] != 0}, at);
  cell.latched_beneath = joined[OfCell::latched] != 0 && cell.breaker.facts().state != State::latched;
  cell.cooldown.hear(end(OfCell::cooldown_end), at.order);
  cell.tombstone = std::max(cell.tombstone, end(OfCell::tombstone));
  list_cell(index);
  ++merge.changed;
}

void HealthTable::merge_orders(std::uint32_t index, const Record& told, Moment at, Merge& merge) {
  const Record before = orders_of(index);
  const Record joined = join(Kind::orders, before, told);
  if (is_blank(joined)) return;
  Orders& orders = ordered_line(index);
  if (joined == told) orders.told = at.order;
  if (joined == before) return;
  const std::size_t mode = OfOrders::mode + 1;
  const bool moved = joined[mode] != before[mode];
  orders.record = joined;
  const Line& line = lines_[index];
  for (std::uint32_t slot = 0; moved && slot < line.slots; ++slot)
    install_mode(made(line.cells[own] + slot), static_cast<Mode>(joined[mode]), at);
  ++merge.changed;
}

Merge HealthTable::merge_records(std::string_view bytes, Instant now, WallTime wall) {
  Merge merge;
  std::vector<Entry> entries;
  if (!decode(bytes, entries)) return merge;
  merge.result = LoadResult::loaded;
  observe_wall(now, wall);
  const Moment at{now, ++order_};
  for (const Entry& entry : entries) {
    const auto line = find(entry.line);
    if (!line || entry.slot >= lines_[*line].slots) continue;
    const bool orders = entry.kind == Kind::orders;
    const std::uint32_t cell =
        orders ? kNoScope : cells_of(*line, entry.slot)[static_cast<std::size_t>(entry.kind)];
    if (!orders && cell == kNoScope) continue;
    if (!within(entry.record, limits_of(entry.kind, policy(orders ? *line : first_lines_[cell]), wall))) {
      ++merge.refused;
    } else if (orders) {
      merge_orders(*line, entry.record, at, merge);
    } else {
      merge_cell(cell, entry.record, at, merge);
    }
  }
  if (merge.changed > 0) {
    dirty_ = true;
    changed(News::none);
  }
  const auto untold_cell = [&](std::uint32_t i) {
    return cells_[i]->told != at.order && !is_blank(record_of(i, now));
  };
  const auto untold_line = [&](std::uint32_t i) {
    return lines_[i].orders->told != at.order && is_told(orders_of(i), wall);
  };
  merge.lacks_ours = std::any_of(cells_out_.begin(), cells_out_.end(), untold_cell) ||
                     std::any_of(lines_ordered_.begin(), lines_ordered_.end(), untold_line);
  return merge;
}

}  // namespace shunt::health
