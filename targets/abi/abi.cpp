// The boundary: records in, records out, over one engine per instance. Translates; decides nothing.
#include "abi/abi.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "abi/blocks.h"
#include "base/check.h"
#include "base/limits.h"
#include "base/strings.h"
#include "classify/classify.h"
#include "config/config.h"
#include "dialect/normalizer.h"
#include "exchange/endpoints.h"
#include "exchange/engine.h"
#include "exchange/exchange.h"

namespace shunt::abi {
namespace {

using exchange::Effect;
using exchange::Engine;
using exchange::Exchange;
using exchange::Input;

// A slot's generation is part of its handle, so a handle outlives its exchange as an error, never as another
// exchange.
struct Slot {
  std::unique_ptr<Exchange> exchange;
  std::uint32_t generation = 0;
  std::optional<Effect> held_back;  // the effect that found the ring full
};
constexpr std::uint32_t kIndexBits = 16;
constexpr std::uint32_t kGenerations = 1U << (31U - kIndexBits);

struct Instance {
  std::vector<unsigned char> input;
  std::string output;
  Record ring[kRingRecords] = {};
  std::unique_ptr<Engine> engine;
  std::unique_ptr<classify::RuleBook> rules;  // for judgements without an engine, from the first on
  std::vector<Slot> slots;
  std::vector<std::uint32_t> free_slots;
  std::vector<std::unique_ptr<dialect::Normalizer>> normalizers;  // by handle less one; null = free
};

// One per WebAssembly instance or process; made at the first call, so no constructor runs before main.
Instance* instance_ = nullptr;

Instance& instance() {
  if (instance_ == nullptr) instance_ = new Instance();
  return *instance_;
}

Slot* find(Instance& self, std::uint32_t handle) {
  const std::uint32_t index = (handle & ((1U << kIndexBits) - 1U)) - 1U;
  if (index >= self.slots.size()) return nullptr;
  Slot& slot = self.slots[index];
  return slot.exchange && slot.generation == handle >> kIndexBits ? &slot : nullptr;
}

std::string_view payload(const Instance& self, const Record& record) {
  CORE_CHECK(record.off <= self.input.size() && record.len <= self.input.size() - record.off);
  return {reinterpret_cast<const char*>(self.input.data()) + record.off, record.len};
}

exchange::RequestArrived request_arrived(const Record& record, std::string_view text) {
  exchange::RequestArrived input;
  input.method = cut(text, '\n');
  input.target = cut(text, '\n');
  input.client = cut(text, '\n');
  input.headers = text;
  input.wall = {to_instant(record.t).ms};
  if (record.a == 1) input.content_length = record.b;
  return input;
}

Input to_input(const Instance& self, const Record& record) {
  const std::string_view text = payload(self, record);
  switch (static_cast<InputOp>(record.op)) {
    case InputOp::request_arrived: return request_arrived(record, text);
    case InputOp::request_bytes: return exchange::RequestBytes{text};
    case InputOp::request_ended: return exchange::RequestEnded{};
    case InputOp::head_arrived: return exchange::HeadArrived{record.stream, static_cast<int>(record.a), text};
    case InputOp::bytes_arrived: return exchange::BytesArrived{record.stream, text};
    case InputOp::attempt_ended: return exchange::AttemptEnded{record.stream};
    case InputOp::attempt_broke:
      CORE_CHECK(record.a <= static_cast<std::uint32_t>(TransportFault::other));
      return exchange::AttemptBroke{record.stream, static_cast<TransportFault>(record.a), text};
    case InputOp::client_paused: return exchange::ClientPaused{};
    case InputOp::client_ready: return exchange::ClientReady{};
    case InputOp::client_gone: return exchange::ClientGone{};
    case InputOp::timer_fired: return exchange::TimerFired{};
    case InputOp::woken: return exchange::Woken{};
    case InputOp::store_answered:
      CORE_CHECK(record.a < exchange::kStoreResults);
      return exchange::StoreAnswered{record.stream, static_cast<exchange::StoreResult>(record.a), text,
                                     record.b == 1};
    case InputOp::started: return exchange::Started{{to_instant(record.t).ms}};
    case InputOp::none: break;
  }
  trap();
}

void append_word(std::string& out, std::uint64_t value) {
  CORE_CHECK(value <= 0xFFFFFFFFU);
  for (unsigned shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>((value >> shift) & 0xFFU));
}

// Appends a payload to the output arena and names it in the record.
void put(Instance& self, Record& record, std::string_view bytes) {
  record.off = static_cast<std::uint32_t>(self.output.size());
  record.len = static_cast<std::uint32_t>(bytes.size());
  self.output.append(bytes);
}

void put_attempt(Instance& self, Record& record, std::string_view url, std::string_view headers,
                 const BodyPieces& body, std::uint32_t flags) {
  const std::size_t begin = self.output.size();
  std::string& out = self.output;
  append_word(out, url.size());
  append_word(out, headers.size());
  append_word(out, body.pieces.size());
  append_word(out, body.text.size());
  append_word(out, flags);
  for (const BodyPieces::Piece& piece : body.pieces) {
    append_word(out, piece.literal ? 1 : 0);
    append_word(out, piece.offset);
    append_word(out, piece.length);
  }
  out.append(url).append(headers).append(body.text);
  record.off = static_cast<std::uint32_t>(begin);
  record.len = static_cast<std::uint32_t>(out.size() - begin);
}

std::uint32_t attempt_flags(const exchange::StartAttempt& start) {
  const auto& methods = exchange::kPassedMethods;
  const auto method = std::find(methods.begin(), methods.end(), start.method) - methods.begin();
  return (start.more ? kMoreBody : 0U) | (start.shadow ? kShadow : 0U) |
         static_cast<std::uint32_t>(method) << kMethodShift;
}

// Questions to the store: a key, and what stands behind it.
void put_question(Instance& self, Record& record, const exchange::StoreGet& e) {
  record.op = static_cast<std::uint32_t>(EffectOp::store_get);
  record.stream = e.request;
  put(self, record, e.key);
}
void put_question(Instance& self, Record& record, const exchange::StorePut& e) {
  record.op = static_cast<std::uint32_t>(EffectOp::store_put);
  record.stream = e.request;
  record.a = static_cast<std::uint32_t>(e.key.size());
  put(self, record, joined({e.key, e.bytes}));
}
void put_question(Instance& self, Record& record, const exchange::StoreLease& e) {
  record.op = static_cast<std::uint32_t>(EffectOp::store_lease);
  record.stream = e.request;
  record.t = static_cast<double>(e.ttl.ms);
  put(self, record, e.key);
}
void put_question(Instance& self, Record& record, const exchange::StoreTake& e) {
  record.op = static_cast<std::uint32_t>(EffectOp::store_take);
  record.stream = e.request;
  record.a = static_cast<std::uint32_t>(e.key.size());
  std::string what(e.key);
  append_int(what, e.amount);
  what.push_back(' ');
  append_int(what, e.per_minute);
  what.push_back(' ');
  append_int(what, e.burst);
  put(self, record, what);
}

Record to_record(Instance& self, const Record& input, const Effect& effect) {
  Record record{};
  const auto op = [&](EffectOp value) { record.op = static_cast<std::uint32_t>(value); };
  std::visit(overloaded{[&](const exchange::StartAttempt& e) {
                          op(EffectOp::start_attempt);
                          record.stream = e.attempt;
                          record.a = index_of(e.deployment);
                          record.b = e.slot;
                          record.t = static_cast<double>(e.release_to);
                          put_attempt(self, record, e.url, e.headers, *e.body, attempt_flags(e));
                        },
                        [&](const exchange::AttemptBody& e) {
                          op(EffectOp::attempt_body);
                          record.stream = e.attempt;
                          record.t = static_cast<double>(e.release_to);
                          put_attempt(self, record, {}, {}, *e.body, e.more ? kMoreBody : 0U);
                        },
                        [&](const exchange::ReleaseBody&) { op(EffectOp::release_body); },
                        [&](const exchange::AbortAttempt& e) {
                          op(EffectOp::abort_attempt);
                          record.stream = e.attempt;
                        },
                        [&](const exchange::SendHead& e) {
                          op(EffectOp::send_head);
                          record.a = static_cast<std::uint32_t>(e.status);
                          put(self, record, e.headers);
                        },
                        [&](const exchange::SendBytes& e) {
                          op(EffectOp::send_bytes);
                          record.a = e.input ? 1 : 0;
                          if (e.input) {
                            record.off = input.off + static_cast<std::uint32_t>(e.offset);
                            record.len = static_cast<std::uint32_t>(e.bytes.size());
                          } else {
                            put(self, record, e.bytes);
                          }
                        },
                        [&](const exchange::SendEnd& e) {
                          op(EffectOp::send_end);
                          record.a = e.clean ? 1 : 0;
                        },
                        [&](const exchange::StoreGet& e) { put_question(self, record, e); },
                        [&](const exchange::StorePut& e) { put_question(self, record, e); },
                        [&](const exchange::StoreLease& e) { put_question(self, record, e); },
                        [&](const exchange::StoreTake& e) { put_question(self, record, e); },
                        [&](const exchange::Wake& e) {
                          op(EffectOp::wake);
                          record.stream = e.exchange;
                        },
                        [&](const exchange::Emit& e) {
                          op(EffectOp::emit);
                          record.a = static_cast<std::uint32_t>(e.kind);
                          put(self, record, e.json);
                        }},
             effect);
  return record;
}

Record timer_record(const exchange::Wakeup& wake) {
  Record record{};
  record.op = static_cast<std::uint32_t>(EffectOp::timer);
  record.a = static_cast<std::uint32_t>(wake.reason);
  record.t = wake.at == kNever ? std::numeric_limits<double>::infinity() : static_cast<double>(wake.at.ms);
  return record;
}

std::string faults_json(const std::vector<config::Fault>& faults) {
  std::string out = "{\"faults\":[";
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (i > 0) out.push_back(',');
    out += config::fault_json(faults[i]);
  }
  return out += "]}";
}

// Takes effects until none is left or the ring is full; the timer is the last record of a drained poll.
std::uint32_t drain(Instance& self, Slot& slot, const Record& input) {
  Exchange& exchange = *slot.exchange;
  self.output.clear();
  std::uint32_t count = 0;
  while (count < kRingRecords) {
    std::optional<Effect> effect =
        slot.held_back ? std::exchange(slot.held_back, std::nullopt) : exchange.poll();
    if (!effect) {
      self.ring[count++] = timer_record(exchange.wake_at());
      std::uint32_t result = count;
      if (exchange.finished()) result |= kFinished;
      if (self.engine->health().dirty()) {
        self.engine->health().clear_dirty();
        result |= kDirty;
      }
      if (self.engine->sharing().wanted(self.engine->clock().now())) result |= kUpkeep;
      return result;
    }
    self.ring[count++] = to_record(self, input, *effect);
  }
  slot.held_back = exchange.poll();
  return count | kMore;
}

}  // namespace
}  // namespace shunt::abi

using namespace shunt;
using namespace shunt::abi;

SHUNT_EXPORT(shunt_abi_version) std::uint32_t shunt_abi_version() { return kVersion; }

SHUNT_EXPORT(shunt_input) unsigned char* shunt_input(std::uint32_t bytes) {
  Instance& self = instance();
  if (self.input.size() < bytes) self.input.resize(bytes);
  return self.input.data();
}

SHUNT_EXPORT(shunt_output) const unsigned char* shunt_output() {
  return reinterpret_cast<const unsigned char*>(instance().output.data());
}

SHUNT_EXPORT(shunt_ring) Record* shunt_ring() { return instance().ring; }

SHUNT_EXPORT(shunt_configure) std::uint32_t shunt_configure(std::uint32_t len) {
  Instance& self = instance();
  CORE_CHECK(!self.engine && len <= self.input.size());
  const std::string_view text{reinterpret_cast<const char*>(self.input.data()), len};
  config::Loaded loaded;
  std::vector<config::Fault> faults;
  const bool ok = config::load(text, loaded, faults);
  self.output = ok ? config::describe_catalog(loaded) : faults_json(faults);
  if (ok) self.engine = std::make_unique<Engine>(std::move(loaded));
  return static_cast<std::uint32_t>(self.output.size());
}

SHUNT_EXPORT(shunt_open)
std::uint32_t shunt_open(std::uint32_t seed_low, std::uint32_t seed_high, std::uint32_t kind) {
  Instance& self = instance();
  CORE_CHECK(kind < exchange::kKinds);
  if (!self.engine) return 0;
  std::uint32_t index = 0;
  if (!self.free_slots.empty()) {
    index = self.free_slots.back();
    self.free_slots.pop_back();
  } else if (self.slots.size() + 1 < limits::kExchanges) {
    index = static_cast<std::uint32_t>(self.slots.size());
    self.slots.emplace_back();
  } else {
    return 0;
  }
  Slot& slot = self.slots[index];
  const std::uint32_t handle = slot.generation << kIndexBits | (index + 1U);
  slot.exchange = std::make_unique<Exchange>(*self.engine, std::uint64_t{seed_high} << 32U | seed_low,
                                             static_cast<exchange::Kind>(kind), handle);
  return handle;
}

SHUNT_EXPORT(shunt_poll) std::uint32_t shunt_poll(std::uint32_t handle, double now) {
  Instance& self = instance();
  Slot* slot = find(self, handle);
  if (slot == nullptr) return kStale;
  const Record input = self.ring[0];
  if (static_cast<InputOp>(input.op) != InputOp::none) {
    slot->held_back.reset();
    slot->exchange->handle(to_instant(now), to_input(self, input));
  }
  return drain(self, *slot, input);
}

SHUNT_EXPORT(shunt_close) void shunt_close(std::uint32_t handle) {
  Instance& self = instance();
  Slot* slot = find(self, handle);
  if (slot == nullptr) return;
  slot->exchange.reset();
  slot->held_back.reset();
  slot->generation = (slot->generation + 1U) % kGenerations;
  self.free_slots.push_back(static_cast<std::uint32_t>(slot - self.slots.data()));
}

SHUNT_EXPORT(shunt_snapshot) std::uint32_t shunt_snapshot(double now, double wall) {
  Instance& self = instance();
  self.output.clear();
  if (!self.engine) return 0;
  self.engine->health().snapshot(self.output, self.engine->clock().observe(to_instant(now)),
                                 {to_instant(wall).ms});
  return static_cast<std::uint32_t>(self.output.size());
}

SHUNT_EXPORT(shunt_load) std::uint32_t shunt_load(std::uint32_t len, double now, double wall) {
  Instance& self = instance();
  CORE_CHECK(len <= self.input.size());
  if (!self.engine) return 0;
  const std::string_view bytes{reinterpret_cast<const char*>(self.input.data()), len};
  const Instant at = self.engine->clock().observe(to_instant(now));
  return self.engine->health().load(bytes, at, {to_instant(wall).ms}) == health::LoadResult::loaded ? 1 : 0;
}

SHUNT_EXPORT(shunt_plan) std::uint32_t shunt_plan(std::uint32_t route, std::uint32_t seed_low, double now) {
  Instance& self = instance();
  if (!self.engine || route >= self.engine->catalog().routes.size()) return 0;
  const Route& row = self.engine->catalog().routes[route];
  auto views = self.engine->views(row.entries, {}, self.engine->clock().observe(to_instant(now)));
  const route::Plan plan = route::plan(views, {row.strategy, row.last_line}, seed_low);
  std::uint32_t count = 0;
  for (const std::uint16_t index : plan.order) {
    if (count == kRingRecords) break;
    self.ring[count] = {static_cast<std::uint32_t>(EffectOp::plan_line),
                        count,
                        views[index].deployment,
                        views[index].slot,
                        0,
                        0,
                        0};
    ++count;
  }
  return count;
}

SHUNT_EXPORT(shunt_classify) std::uint32_t shunt_classify(std::uint32_t len, double wall) {
  Instance& self = instance();
  CORE_CHECK(len <= self.input.size());
  if (!self.rules) self.rules = std::make_unique<classify::RuleBook>();
  self.output = judged({reinterpret_cast<const char*>(self.input.data()), len}, wall, *self.rules);
  return static_cast<std::uint32_t>(self.output.size());
}

SHUNT_EXPORT(shunt_normalize_open) std::uint32_t shunt_normalize_open(std::uint32_t len, double created) {
  Instance& self = instance();
  CORE_CHECK(len <= self.input.size());
  auto normalizer = normalizer_of({reinterpret_cast<const char*>(self.input.data()), len}, created);
  if (!normalizer) return 0;
  const auto free = std::find(self.normalizers.begin(), self.normalizers.end(), nullptr);
  const auto handle = static_cast<std::uint32_t>(free - self.normalizers.begin()) + 1U;
  if (free == self.normalizers.end()) self.normalizers.emplace_back();
  self.normalizers[handle - 1] = std::move(normalizer);
  return handle;
}

SHUNT_EXPORT(shunt_normalize)
std::uint32_t shunt_normalize(std::uint32_t handle, std::uint32_t len, std::uint32_t last) {
  Instance& self = instance();
  CORE_CHECK(len <= self.input.size());
  self.output.clear();
  if (handle - 1U >= self.normalizers.size() || !self.normalizers[handle - 1U]) return kStale;
  auto& normalizer = self.normalizers[handle - 1U];
  normalizer->feed({reinterpret_cast<const char*>(self.input.data()), len}, self.output);
  if (last != 0) {
    normalizer->end(self.output);
    normalizer.reset();
  }
  return static_cast<std::uint32_t>(self.output.size());
}

SHUNT_EXPORT(shunt_reset) void shunt_reset() {
  delete instance_;
  instance_ = nullptr;
}

SHUNT_EXPORT(shunt_memory) std::uint32_t shunt_memory() {
  Instance& self = instance();
  std::size_t bytes = self.input.capacity() + self.output.capacity() + sizeof self;
  if (self.engine) bytes += self.engine->memory();
  for (const Slot& slot : self.slots) bytes += slot.exchange ? slot.exchange->memory() : 0;
  return static_cast<std::uint32_t>(bytes);
}
