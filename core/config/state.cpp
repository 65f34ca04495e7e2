// "state", "active_checks" and "admin": what isolates share, how lines are asked, and who may order. Knows no
// store.
#include "config/drafts.h"
#include "config/names.h"
#include "config/values.h"

namespace shunt::config {
namespace {

using exchange::ActiveChecks;
using exchange::EnginePolicy;
using exchange::StatePolicy;
using exchange::Store;

// How soon a write shows, and how often looking is worth its price.
struct Usual {
  Duration refresh, staleness;
};
constexpr Usual usual_of(Store store) {
  switch (store) {
    case Store::kv: return {seconds(30), seconds(60)};  // reads are cached for a minute
    case Store::durable_object: return {seconds(1), seconds(2)};
    case Store::file: return {seconds(5), seconds(2)};
    case Store::memory:
    case Store::redis:
    case Store::fastly_kv: return {};
  }
  return {};
}

void read_shard(Reader& in, StatePolicy& into) {
  Name id;
  if (read_id(in, id)) into.shard = std::move(id.value);
}

constexpr auto kState = table<StatePolicy>({
    {"store", word<&StatePolicy::store>("memory kv durable_object ~redis file ~fastly_kv"), Stand::required},
    {"shard", own<read_shard>()},
    {"refresh_ms", integer<&StatePolicy::refresh>(range<100, 600'000>)},
    {"staleness_ms", integer<&StatePolicy::staleness>(range<100, 600'000>)},
});

constexpr auto kActiveChecks = table<ActiveChecks>({
    {"every_s", integer<&ActiveChecks::every_s>(range<1, 86'400>)},
    {"per_hour", integer<&ActiveChecks::per_hour>(range<1, 1000>)},
});

constexpr auto kAdmin = table<EnginePolicy>({
    {"token", own<read_secret_name, &EnginePolicy::admin_token>(), Stand::required},
});

}  // namespace

void read_state(Reader& in, Draft& into) {
  StatePolicy& state = into.engine.state;
  if (read_object(in, state, kState) == kNoObject) return;
  const Usual usual = usual_of(state.store);
  if (state.refresh.ms == 0) state.refresh = usual.refresh;
  if (state.staleness.ms == 0) state.staleness = usual.staleness;
}

void read_active_checks(Reader& in, Draft& into) {
  into.engine.checks = {60, 60};
  if (read_object(in, into.engine.checks, kActiveChecks) == kNoObject) into.engine.checks = {};
}

void read_admin(Reader& in, Draft& into) { read_object(in, into.engine, kAdmin); }

}  // namespace shunt::config
