// Which cells an outcome speaks to, and the worst of a line's cells read back.
#include "health/table.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/order.h"
#include "health/outlier.h"

namespace shunt::health {
namespace {

// How many scopes of a kind the lines name.
template <typename End>
std::uint32_t count_scopes(const std::vector<LineSpec>& lines, End end) {
  std::uint32_t count = 0;
  for (const LineSpec& line : lines) count = std::max(count, end(line));
  return count;
}

constexpr std::uint32_t end_of(std::uint32_t scope, std::uint32_t width = 1) {
  return scope == kNoScope ? 0 : scope + width;
}

// Most lines follow one of a few policies: where `policy` stands among the latest, or is put.
std::uint32_t place_of(std::vector<BreakerPolicy>& policies, const BreakerPolicy& policy) {
  constexpr std::size_t kSought = 8;
  const std::size_t least = policies.size() - std::min(policies.size(), kSought);
  for (std::size_t i = policies.size(); i > least; --i) {
    if (policies[i - 1] == policy) return static_cast<std::uint32_t>(i - 1);
  }
  policies.push_back(policy);
  return static_cast<std::uint32_t>(policies.size() - 1);
}

// Out beats probe beats ready; of two that are out the later end and the stronger cause hold.
void worsen(Access& line, const Access& cell) {
  if (cell.availability < line.availability) return;
  if (cell.availability > line.availability) {
    line = cell;
    return;
  }
  line.until = std::max(line.until, cell.until);
  line.cause = std::max(line.cause, cell.cause);
}

// After one that failed: ten in the time that is left at most, and one a second. Else each request to a route
// of dead lines would ask, and its failures climb the ladder.
Instant next_early_probe(const Access& left, Instant now) {
  return now + std::max(seconds(1), Duration{(std::min(left.until, now + seconds(36'000)) - now).ms / 10});
}

}  // namespace

HealthTable::HealthTable(std::vector<LineSpec> specs, const CooldownPolicy& cooldown) : cooldown_(cooldown) {
  std::uint32_t slots = 0;
  for (const LineSpec& spec : specs) slots += spec.slots;
  const std::uint32_t keys =
      count_scopes(specs, [](const LineSpec& s) { return end_of(s.first_key_scope, s.slots); });
  const std::uint32_t models = count_scopes(specs, [](const LineSpec& s) { return end_of(s.model_scope); });
  const std::uint32_t regions = count_scopes(specs, [](const LineSpec& s) { return end_of(s.region_scope); });
  const std::uint32_t providers =
      count_scopes(specs, [](const LineSpec& s) { return end_of(s.provider_scope); });
  const Cells base{0, slots, slots + keys, slots + keys + models, slots + keys + models + regions};
  cells_.resize(base[provider] + providers);
  first_lines_.resize(cells_.size(), kNoScope);

  std::uint32_t first_own = 0;
  lines_.reserve(specs.size());
  for (LineSpec& spec : specs) {
    CORE_CHECK(spec.slots >= 1);
    const Cells scopes{first_own, spec.first_key_scope, spec.model_scope, spec.region_scope,
                       spec.provider_scope};
    first_own += spec.slots;
    Line line;
    for (std::size_t kind = 0; kind < kCellsOfLine; ++kind) {
      line.cells[kind] = scopes[kind] == kNoScope ? kNoScope : base[kind] + scopes[kind];
      if (scopes[kind] == kNoScope) continue;
      const std::uint32_t width = kind == own || kind == key ? spec.slots : 1;
      for (std::uint32_t i = 0; i < width; ++i) {
        std::uint32_t& first = first_lines_[line.cells[kind] + i];
        first = std::min(first, static_cast<std::uint32_t>(lines_.size()));
      }
    }
    line.id = std::move(spec.id);
    line.policy = place_of(policies_, spec.policy);
    line.slots = spec.slots;
    by_id_.push_back(static_cast<std::uint32_t>(lines_.size()));
    lines_.push_back(std::move(line));
  }
  stable_order(by_id_, [this](std::uint32_t a, std::uint32_t b) { return lines_[a].id < lines_[b].id; });
  gather_siblings(specs);
}

void HealthTable::gather_siblings(const std::vector<LineSpec>& specs) {
  for (std::uint32_t i = 0; i < specs.size(); ++i) {
    if (specs[i].sibling_group != kNoScope) siblings_.push_back(i);
  }
  stable_order(siblings_, [&](std::uint32_t a, std::uint32_t b) {
    return specs[a].sibling_group < specs[b].sibling_group;
  });
  for (std::uint32_t first = 0, i = 0; i < siblings_.size(); ++i) {
    if (specs[siblings_[i]].sibling_group != specs[siblings_[first]].sibling_group) first = i;
    lines_[siblings_[i]].first_sibling = first;
    for (std::uint32_t j = first; j <= i; ++j) lines_[siblings_[j]].siblings = i - first + 1;
  }
}

std::optional<std::uint32_t> HealthTable::find(std::string_view id) const {
  const auto at =
      std::lower_bound(by_id_.begin(), by_id_.end(), id,
                       [this](std::uint32_t line, std::string_view text) { return lines_[line].id < text; });
  if (at == by_id_.end() || lines_[*at].id != id) return std::nullopt;
  return *at;
}

HealthTable::Cells HealthTable::cells_of(std::uint32_t line, std::uint32_t slot) const {
  Cells cells = lines_[line].cells;
  cells[own] += slot;
  if (cells[key] != kNoScope) cells[key] += slot;
  return cells;
}

HealthTable::Cell& HealthTable::made(std::uint32_t index) {
  std::unique_ptr<Cell>& cell = cells_[index];
  if (!cell) {
    cell = std::make_unique<Cell>();
    cell->policy = lines_[first_lines_[index]].policy;
  }
  return *cell;
}

Access HealthTable::access(const Cell& cell, Instant now) const {
  Access access = cell.breaker.access(policy_of(cell), now);
  if (cell.cooldown.in_force(now)) {
    worsen(access, {Availability::out, Cause::cooldown, cell.cooldown.until()});
  }
  return access;
}

Access HealthTable::access(std::uint32_t line, std::uint32_t slot, Instant now) const {
  Access worst{Availability::ready, Cause::none, now};
  for (const std::uint32_t index : cells_of(line, slot)) {
    const Cell* cell = index == kNoScope ? nullptr : cells_[index].get();
    if (cell != nullptr && !cell->is_well(now)) worsen(worst, access(*cell, now));
  }
  return worst;
}

// Whether nothing holds its first slot, as is so of nearly all.
bool HealthTable::is_well(const Line& line, Instant now) const {
  const std::unique_ptr<Cell>* cells = cells_.data();
  for (const std::uint32_t index : line.cells) {
    const Cell* cell = index == kNoScope ? nullptr : cells[index].get();
    if (cell != nullptr && !cell->is_well(now)) return false;
  }
  return true;
}

Reach HealthTable::reach(std::uint32_t index, Instant now) const {
  const Line& line = lines_[index];
  Reach reach;
  reach.until = now;
  reach.ordered = line.orders != nullptr;
  reach.success_rate_micros = line.calls.success_micros(now);
  if (is_well(line, now)) return reach;
  Access best = access(index, 0, now);
  for (std::uint32_t slot = 1; slot < line.slots && best.availability == Availability::out; ++slot) {
    const Access next = access(index, slot, now);
    if (next.availability == Availability::out && next.until >= best.until) continue;
    best = next;
    reach.slot = slot;
  }
  reach.availability = best.availability;
  if (best.availability == Availability::out) reach.until = best.until;
  reach.cause = best.cause;
  return reach;
}

LineState HealthTable::read(std::uint32_t index, Instant now) const {
  const Line& line = lines_[index];
  LineState state;
  static_cast<Reach&>(state) = reach(index, now);
  if (const auto& cell = cells_[line.cells[own] + state.slot]) {
    state.trip = cell->breaker.trip();
    state.failure_count = cell->breaker.failures();
  }
  state.last_error = line.last_error;
  state.last_success = line.last_success;
  state.last_failure = line.last_failure;
  return state;
}

std::optional<Held> HealthTable::keepable(std::uint32_t line, Instant now) const {
  std::optional<Held> nearest;
  for (std::uint32_t slot = 0; slot < lines_[line].slots; ++slot) {
    const Access a = access(line, slot, now);
    if (a.availability != Availability::out || a.cause != Cause::breaker) continue;
    if (!nearest || a.until < nearest->until) nearest = Held{slot, a.until};
  }
  return nearest;
}

Instant HealthTable::earliest_end(std::span<const std::uint32_t> lines, Instant now) const {
  Instant earliest = kNever;
  for (const std::uint32_t line : lines) earliest = std::min(earliest, read(line, now).until);
  return earliest;
}

Ticket HealthTable::issue(std::uint32_t line, std::uint32_t slot, Instant now, Ticket::Kind kind) {
  Ticket ticket;
  ticket.line = line;
  ticket.slot = slot;
  ticket.order = ++order_;
  ticket.kind = kind;
  ticket.began = now;
  return ticket;
}

void HealthTable::lend_permits(Ticket& ticket, Instant lease_end) {
  const Moment at{ticket.began, ticket.order};
  ticket.lease_end = lease_end;
  for (const std::uint32_t index : cells_of(ticket.line, ticket.slot)) {
    if (index == kNoScope || !cells_[index]) continue;
    Cell& cell = *cells_[index];
    if (cell.breaker.access(policy_of(cell), at.now).availability != Availability::probe) continue;
    cell.breaker.lend(at, lease_end);
    if (ticket.kind == Ticket::Kind::ordinary) ticket.kind = Ticket::Kind::probe;
  }
}

std::optional<Ticket> HealthTable::begin(std::uint32_t line, std::uint32_t slot, Instant now,
                                         Instant lease_end) {
  review(line, slot, now);
  const Availability availability = access(line, slot, now).availability;
  if (availability == Availability::out) return std::nullopt;
  // An early probe that is still under way when the open time ends is the one that asks.
  const Line& row = lines_[line];
  if (availability == Availability::probe && row.probe != 0 && now < row.probe_end) return std::nullopt;
  Ticket ticket = issue(line, slot, now, Ticket::Kind::ordinary);
  if (availability == Availability::probe) lend_permits(ticket, lease_end);
  return ticket;
}

Ticket HealthTable::begin_kept(std::uint32_t line, std::uint32_t slot, Instant now) {
  return issue(line, slot, now, Ticket::Kind::kept);
}

std::optional<Ticket> HealthTable::begin_probe(std::uint32_t index, std::uint32_t slot, Instant now,
                                               Instant lease_end) {
  const Access worst = access(index, slot, now);
  if (worst.availability != Availability::out) return begin(index, slot, now, lease_end);
  Line& line = lines_[index];
  if (now < line.probe_end || worst.until == kNever) return std::nullopt;
  for (const std::uint32_t i : cells_of(index, slot)) {
    if (i == kNoScope || !cells_[i]) continue;
    const Breaker& breaker = cells_[i]->breaker;
    const bool out = breaker.access(policy_of(*cells_[i]), now).availability == Availability::out;
    if (out && breaker.state(now) == State::half_open) return std::nullopt;
  }
  Ticket ticket = issue(index, slot, now, Ticket::Kind::early_probe);
  lend_permits(ticket, lease_end);
  line.probe = ticket.order;
  line.probe_end = lease_end;
  return ticket;
}

void HealthTable::renew(Ticket& ticket, Instant lease_end) {
  if (!ticket.is_probe()) return;
  ticket.lease_end = lease_end;
  Line& line = lines_[ticket.line];
  if (line.probe == ticket.order) line.probe_end = lease_end;
  for (const std::uint32_t cell : cells_of(ticket.line, ticket.slot)) {
    if (cell != kNoScope && cells_[cell]) cells_[cell]->breaker.renew(ticket.order, lease_end);
  }
}

// The cell beyond the line's own that a failure speaks about; kNoScope = none.
std::uint32_t HealthTable::blamed(const Cells& cells, Scope scope) const {
  switch (scope) {
    case Scope::key: return cells[key];
    case Scope::model: return cells[model];
    case Scope::provider: return cells[provider];
    case Scope::region: return cells[region];
    case Scope::deployment:
    case Scope::request:
    case Scope::own_host: return kNoScope;
  }
  return kNoScope;
}

void HealthTable::settle(const Ticket& ticket, const Outcome& outcome, Instant now, std::uint64_t seed) {
  const Moment at{now, ++order_};
  Line& line = lines_[ticket.line];
  const Cells cells = cells_of(ticket.line, ticket.slot);
  const bool leased = ticket.kind == Ticket::Kind::early_probe && line.probe == ticket.order;
  const bool well = line.probe == 0 && outcome.kind == OutcomeKind::success;
  if (leased || well) {  // nothing is left of the pace
    line.probe = 0;
    line.probe_end = kPast;
  }
  const Call call{ticket.order, leased, outcome.first_byte.ms > 0 ? outcome.first_byte : outcome.total,
                  outcome.first_token.ms > 0 ? outcome.first_token : outcome.total};

  const bool callers_key = outcome.scope == Scope::key && cells[key] == kNoScope;
  const bool nobodys = outcome.penalty == Penalty::none || outcome.scope == Scope::request ||
                       outcome.scope == Scope::own_host || callers_key;
  if (outcome.kind == OutcomeKind::success) {
    line.calls.record(now, false);
    line.last_success = now;
    learn_latency(line, outcome, now);
    succeed(cells, call, at);
  } else if (outcome.kind == OutcomeKind::failure && !nobodys) {
    line.calls.record(now, true);
    line.last_failure = now;
    line.last_error = outcome.error_class;
    fail(cells, call, outcome, at, seed);
    eject_outlier(ticket.line, now);
    if (leased) line.probe_end = next_early_probe(access(ticket.line, ticket.slot, now), now);
  } else if (outcome.superseded) {
    Outcome waited;
    waited.first_token = outcome.first_token;
    waited.task = outcome.task;
    learn_latency(line, waited, now);
  }
  // What no rule above took: a neutral end, or a permit of a scope that the failure says nothing about.
  for (const std::uint32_t cell : cells) {
    if (cell != kNoScope && cells_[cell]) cells_[cell]->breaker.give_back(ticket.order);
  }
}

// Speed is the line's own: a slow model says nothing of its key, region or provider. Where nothing was known
// a success is no news, but to a rate.
void HealthTable::succeed(const Cells& cells, const Call& call, Moment at) {
  for (std::size_t kind = 0; kind < kCellsOfLine; ++kind) {
    const std::uint32_t index = cells[kind];
    if (index == kNoScope) continue;
    if (!cells_[index] && !policy(first_lines_[index]).window.on()) continue;
    Cell& cell = made(index);
    const Standing before = standing(index);
    cell.breaker.succeed(policy_of(cell), kind == own ? call : Call{call.order, call.leased, {}, {}}, at);
    cell.cooldown.succeed(call.order, call.leased);
    note(index, before, at.now);
  }
}

// A failure counts against the line's own cell and against the scope it names, so that a line whose
// siblings on the same provider do well cannot hide behind their successes. A wait or a long penalty
// holds the named scope alone.
void HealthTable::fail(const Cells& cells, const Call& call, const Outcome& outcome, Moment at,
                       std::uint64_t seed) {
  const std::uint32_t shared = blamed(cells, outcome.scope);
  for (const std::uint32_t index : {cells[own], shared}) {
    if (index == kNoScope) continue;
    Cell& cell = made(index);
    const Standing before = standing(index);
    const Call& told = index == shared ? Call{call.order, call.leased, {}, {}} : call;
    cell.breaker.fail(policy_of(cell), told, outcome.penalty, at);
    if (index == (shared == kNoScope ? cells[own] : shared)) {
      if (outcome.penalty == Penalty::cooldown)
        cell.cooldown.limit(cooldown_, {call.order, at.order, at.now, outcome.wait, seed});
      if (outcome.penalty == Penalty::long_) cell.breaker.hold(cooldown_, call, outcome.wait, at);
    }
    note(index, before, at.now);
  }
}

void HealthTable::learn_latency(Line& line, const Outcome& outcome, Instant now) {
  if (!line.latency) {
    const WindowRule& window = policies_[line.policy].window;
    line.latency = std::make_unique<LineLatency>(window.on() ? window.span : CountWindow::kWithin);
  }
  const auto learn = [&](Latency what, std::int64_t micros) {
    if (micros > 0) line.latency->record(what, outcome.task, now, micros);
  };
  learn(Latency::first_byte, outcome.first_byte.ms * 1000);
  learn(Latency::first_token, outcome.first_token.ms * 1000);
  learn(Latency::inter_token, outcome.inter_token_micros);
  learn(Latency::total, outcome.total.ms * 1000);
}

void HealthTable::collect(std::uint32_t line, Latency what, std::uint32_t task, Instant now,
                          Spread& into) const {
  if (lines_[line].latency) lines_[line].latency->collect(what, task, now, into);
}

// Windows slide between outcomes: what a rate says now is asked again before each call.
void HealthTable::review(std::uint32_t line, std::uint32_t slot, Instant now) {
  for (const std::uint32_t index : cells_of(line, slot)) {
    if (index == kNoScope || !cells_[index] || !policy_of(*cells_[index]).window.on()) continue;
    const Standing before = standing(index);
    cells_[index]->breaker.review(policy_of(*cells_[index]), {now, ++order_});
    note(index, before, now);
  }
  eject_outlier(line, now);
}

void HealthTable::eject_outlier(std::uint32_t index, Instant now) {
  const Line& line = lines_[index];
  const OutlierRule& rule = policy(index).window.outlier;
  if (rule.min_calls == 0 || line.siblings == 0) return;
  std::vector<Sibling> siblings(line.siblings);
  std::size_t self = 0;
  for (std::uint32_t i = 0; i < line.siblings; ++i) {
    const std::uint32_t other = siblings_[line.first_sibling + i];
    if (other == index) self = i;
    for (std::uint32_t slot = 0; slot < lines_[other].slots; ++slot) {
      const auto& cell = cells_[lines_[other].cells[own] + slot];
      const Tally t = cell ? cell->breaker.tally(now) : Tally{};
      siblings[i].calls += t.calls;
      siblings[i].failures += t.failures;
    }
    siblings[i].out = read(other, now).availability == Availability::out;
  }
  if (siblings[self].out || !is_outlier(siblings, self, rule)) return;
  for (std::uint32_t slot = 0; slot < line.slots; ++slot) {
    const std::uint32_t cell = line.cells[own] + slot;
    const Standing before = standing(cell);
    made(cell).breaker.eject(policy(index), {now, ++order_});
    note(cell, before, now);
  }
}

std::size_t HealthTable::memory() const {
  std::size_t bytes = sizeof(*this) + lines_.capacity() * sizeof(Line) +
                      cells_.capacity() * sizeof(cells_[0]) + policies_.capacity() * sizeof(BreakerPolicy);
  for (const auto* list : {&by_id_, &siblings_, &first_lines_, &cells_out_, &lines_ordered_}) {
    bytes += list->capacity() * sizeof(std::uint32_t);
  }
  for (const Line& line : lines_) {
    bytes += line.id.capacity() + line.calls.memory() + (line.latency ? line.latency->memory() : 0) +
             (line.orders ? sizeof(Orders) : 0);
  }
  for (const auto& cell : cells_) bytes += cell ? sizeof(Cell) + cell->breaker.memory() : 0;
  return bytes;
}

}  // namespace shunt::health
