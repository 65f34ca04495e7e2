// Documents of an isolate as standings of lines.
#include "sim/ledger.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace shunt::sim {
namespace {

// Documents tell ends in wall time, and an engine lets that drift by a second before it moves them: an end
// read back may be so far off.
constexpr Duration kDrift{1000};

}  // namespace

using health::Kind;
using health::OfCell;

Ledger::Ledger(const Catalog& catalog)
    : first_trip_(catalog.deployments.size(), kNever),
      ordered_out_(catalog.deployments.size()),
      stamps_(catalog.deployments.size()) {
  std::map<std::string, std::uint32_t> shared;
  for (std::uint32_t line = 0; line < catalog.deployments.size(); ++line) {
    const Deployment& deployment = catalog.deployments[line];
    const Provider& provider = catalog.providers[index_of(deployment.provider)];
    lines_by_id_[deployment.id] = line;
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
      Cells& cells = of_slot_.emplace_back();
      // The name of a cell, its kind and slot: the first line that comes by a name is whom documents call it
      // by.
      const std::tuple<std::string, Kind, std::uint32_t> scopes[] = {
          {"line " + deployment.id + "/" + std::to_string(slot), Kind::own, slot},
          {"key " + provider.name + "/" + std::to_string(slot), Kind::key, slot},
          {"model " + provider.name + "/" + deployment.model, Kind::model, 0},
          {"provider " + provider.name, Kind::provider, 0}};
      for (const auto& [name, kind, of_kind] : scopes) {
        const auto [at, is_new] = shared.try_emplace(name, static_cast<std::uint32_t>(shared.size()));
        if (is_new) named_[{line, static_cast<std::uint32_t>(kind) * kSlots + of_kind}] = at->second;
        cells.push_back(at->second);
      }
    }
  }
  cells_.resize(shared.size());
  lines_of_.resize(shared.size());
  for (std::uint32_t i = 0; i < of_slot_.size(); ++i) {
    for (const std::uint32_t cell : of_slot_[i]) lines_of_[cell].push_back(i / kSlots);
  }
}

const Ledger::Cells& Ledger::cells_of(std::uint32_t line, std::uint32_t slot) const {
  return of_slot_[line * kSlots + slot];
}

void Ledger::refresh(exchange::Engine& engine, WallTime wall) {
  if (engine.health().revision() == revision_) return;
  revision_ = engine.health().revision();
  const Instant now = engine.clock().now();
  document_.clear();
  engine.health().export_records(document_, now, wall);
  entries_.clear();
  if (!health::decode(document_, entries_)) std::abort();  // its own document
  told_.assign(cells_.size(), false);
  for (const health::Entry& entry : entries_) take(entry, now, Duration{wall.ms - now.ms});
  for (const health::Entry& entry : entries_) {
    if (entry.kind == Kind::orders) take_orders(lines_by_id_.find(entry.line)->second, entry.record, now);
  }
  // What is told no more was ended: by a probe or an operator, or its time was over.
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (told_[i]) continue;
    cells_[i].latched = false;
    cells_[i].wait_until = std::min(cells_[i].wait_until, now);
    cells_[i].open_until = std::min(cells_[i].open_until, now);
  }
}

void Ledger::take(const health::Entry& entry, Instant now, Duration wall_offset) {
  const auto line = lines_by_id_.find(entry.line);
  if (entry.kind == Kind::orders) return;
  const auto at = named_.find({line->second, static_cast<std::uint32_t>(entry.kind) * kSlots + entry.slot});
  if (at == named_.end()) return;  // a region's, which the simulated catalogs do not have
  Cell& cell = cells_[at->second];
  told_[at->second] = true;
  const auto end = [&](std::size_t field) {
    return entry.record[field] == 0 ? now : Instant{entry.record[field]} - wall_offset;
  };
  if (entry.record[OfCell::epoch] > cell.epoch) cell.trial = false;
  cell.epoch = entry.record[OfCell::epoch];
  cell.wait_until = end(OfCell::cooldown_end);
  cell.open_until = std::max(end(OfCell::rule_end), end(OfCell::long_end));
  cell.latched = entry.record[OfCell::latched] != 0;
  const bool open = cell.latched || cell.open_until > now;
  if (open && !cell.trial) {
    ++trips_;
    for (const std::uint32_t each : lines_of_[at->second])
      first_trip_[each] = std::min(first_trip_[each], now);
  }
  cell.trial = cell.trial || open;
}

// What the breaker found before an order holds again after it, where its end is not over: else the line is
// well.
void Ledger::take_orders(std::uint32_t line, const health::Record& orders, Instant now) {
  using health::Mode;
  using health::OfOrders;
  const auto mode = static_cast<Mode>(orders[OfOrders::mode + 1]);
  ordered_out_[line] = mode == Mode::disabled || mode == Mode::forced_open;
  if (orders[OfOrders::mode] == stamps_[line]) return;
  stamps_[line] = orders[OfOrders::mode];
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    Cell& own = cells_[cells_of(line, slot).front()];
    if (!own.latched && own.open_until <= now + kDrift) own.trial = false;
  }
}

// In doubt an end is over.
Ledger::Standing Ledger::standing(std::uint32_t line, std::uint32_t slot, Instant now) const {
  if (ordered_out_[line]) return Standing::ordered_out;
  Standing worst = Standing::well;
  for (const std::uint32_t index : cells_of(line, slot)) {
    const Cell& cell = cells_[index];
    const bool out = cell.latched || now + kDrift < std::max(cell.open_until, cell.wait_until);
    worst = std::max(worst, out ? Standing::out : cell.trial ? Standing::on_trial : Standing::well);
  }
  return worst;
}

bool Ledger::in_doubt(std::uint32_t line, std::uint32_t slot, Instant now) const {
  const Cells& cells = cells_of(line, slot);
  return std::any_of(cells.begin(), cells.end(), [&](std::uint32_t index) {
    const Instant last = std::max(cells_[index].open_until, cells_[index].wait_until);
    return last + kDrift >= now && last <= now + kDrift;
  });
}

Instant Ledger::end(std::uint32_t line, std::uint32_t slot, Instant now) const {
  Instant last = now;
  if (ordered_out_[line]) return kNever;
  for (const std::uint32_t index : cells_of(line, slot)) {
    if (cells_[index].latched) return kNever;
    last = std::max({last, cells_[index].open_until, cells_[index].wait_until});
  }
  return last;
}

std::int64_t Ledger::epoch(std::uint32_t line, std::uint32_t slot) const {
  std::int64_t sum = 0;
  for (const std::uint32_t index : cells_of(line, slot)) sum += cells_[index].epoch;
  return sum;
}

void Ledger::proved(std::uint32_t line, std::uint32_t slot, Instant now) {
  for (const std::uint32_t index : cells_of(line, slot)) {
    if (!cells_[index].latched && cells_[index].open_until <= now + kDrift) cells_[index].trial = false;
  }
}

}  // namespace shunt::sim
