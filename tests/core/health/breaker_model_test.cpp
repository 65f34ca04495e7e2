// Every sequence of eight events, against a slow and plain model: lists and conditions over history.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/health/breaker_rig.h"

namespace shunt::health {
namespace {

enum class Step { ok, fail, hold, held_ok, held_fail, held_cancel, wait };
constexpr int kSteps = 7;
constexpr const char* kNames[kSteps] = {"ok", "fail", "hold", "held_ok", "held_fail", "held_cancel", "wait"};
constexpr Duration kWait = seconds(10);  // exactly the base open time, so each end is met at equality

// What the rules say, in the words of the design, over history rather than over states.
struct Model {
  explicit Model(const BreakerPolicy& rules) : policy(rules) {}

  const BreakerPolicy& policy;
  std::int64_t now = 0;
  int clock = 0;         // order of events
  bool well = true;      // closed
  int changed = 0;       // when it last became well or unwell
  std::int64_t end = 0;  // unwell: not before
  std::uint32_t failures = 0;
  int last_failure = 0;
  std::uint32_t good = 0;               // probes that succeeded
  std::map<int, std::int64_t> permits;  // probe -> end of its lease

  std::uint32_t used() const {
    std::uint32_t n = good;
    for (const auto& [call, lease_end] : permits) n += lease_end > now ? 1 : 0;
    return n;
  }
  Availability availability() const {
    if (well) return Availability::ready;
    if (now < end) return Availability::out;
    return used() < policy.half_open_permits ? Availability::probe : Availability::out;
  }
  std::int64_t until() const {
    if (now < end) return end;
    std::int64_t first = kNever.ms;
    for (const auto& [call, lease_end] : permits) {
      if (lease_end > now) first = std::min(first, lease_end);
    }
    return first;
  }
  int begin() {
    const Availability a = availability();
    if (a == Availability::out) return 0;
    const int call = ++clock;
    if (a == Availability::probe) {
      for (auto it = permits.begin(); it != permits.end();)
        it = it->second <= now ? permits.erase(it) : std::next(it);
      permits[call] = now + kLease.ms;
    }
    return call;
  }
  void go_out() {
    well = false;
    std::int64_t factor = 1;
    for (const Rung& rung : policy.open.rungs) {
      if (rung.failures != 0 && failures >= rung.failures) factor = rung.factor;
    }
    end = std::max(end, now + policy.open.base.ms * factor);
    good = 0;
    permits.clear();
    changed = clock;
  }
  void come_back() {
    well = true;
    end = 0;
    failures = 0;
    good = 0;
    permits.clear();
    changed = clock;
  }
  void settle_ok(int call) {
    ++clock;
    if (well) {
      if (call > changed && call > last_failure) failures = 0;
    } else if (permits.erase(call) == 1 && ++good == policy.half_open_permits) {
      come_back();
    }
  }
  void settle_fail(int call) {
    ++clock;
    const bool probe = permits.erase(call) == 1;
    if (well) {
      if (call < changed) return;
      ++failures;
      last_failure = clock;
      if (failures >= policy.consecutive.failures) go_out();
    } else if (probe) {
      ++failures;
      last_failure = clock;
      go_out();
    } else if (policy.late_failures_climb) {
      ++failures;
      last_failure = clock;
      for (const Rung& rung : policy.open.rungs) {
        if (now < end && rung.failures == failures)
          end = std::max(end, now + policy.open.base.ms * rung.factor);
      }
    }
  }
  void settle_cancel(int call) {
    ++clock;
    permits.erase(call);
  }
};

struct World {
  BreakerRig rig;
  Model model;
  std::vector<Call> held;
  std::vector<int> held_in_model;

  void settle_held(Step step) {
    if (held.empty()) return;
    const Call call = held.front();
    const int same = held_in_model.front();
    held.erase(held.begin());
    held_in_model.erase(held_in_model.begin());
    settle(step, call, same);
  }
  void settle(Step step, const Call& call, int same) {
    if (step == Step::held_ok) {
      rig.ok(call);
      model.settle_ok(same);
    } else if (step == Step::held_fail) {
      rig.fail(call);
      model.settle_fail(same);
    } else {
      rig.next();
      rig.breaker.give_back(call.order);
      model.settle_cancel(same);
    }
  }
  void take(Step step) {
    if (step == Step::wait) {
      rig.wait(kWait);
      model.now += kWait.ms;
    } else if (step == Step::ok || step == Step::fail || step == Step::hold) {
      if (rig.availability() == Availability::out) return;
      const Call call = rig.begin();
      const int same = model.begin();
      if (step == Step::hold) {
        held.push_back(call);
        held_in_model.push_back(same);
      } else {
        settle(step == Step::ok ? Step::held_ok : Step::held_fail, call, same);
      }
    } else {
      settle_held(step);
    }
  }
  bool agrees() const {
    const Access access = rig.breaker.access(rig.policy, rig.now);
    if (access.availability != model.availability() || rig.breaker.failures() != model.failures) return false;
    return access.availability != Availability::out || access.until.ms == model.until();
  }
};

// Depth first, so that sequences share what their beginnings did. Empty when all agree, else the first
// that does not.
std::string explore(const World& world, int depth, std::string path, int& visited) {
  ++visited;
  if (!world.agrees()) return path;
  if (depth == 0) return {};
  for (int i = 0; i < kSteps; ++i) {
    World next = world;
    next.take(static_cast<Step>(i));
    std::string failed = explore(next, depth - 1, path + kNames[i] + " ", visited);
    if (!failed.empty()) return failed;
  }
  return {};
}

BreakerPolicy scaled(Preset preset, std::uint32_t permits) {
  BreakerPolicy p = preset_policy(preset);
  p.consecutive.failures = 2;
  p.open.base = kWait;
  p.half_open_permits = permits;
  if (preset == Preset::stepped) p.open.rungs = {{{2, 1}, {3, 2}, {5, 3}, {0, 1}}};
  return p;
}

class EverySequence : public testing::TestWithParam<BreakerPolicy> {};

TEST_P(EverySequence, OfEightEventsAgreesWithTheModel) {
  const BreakerPolicy& policy = GetParam();
  BreakerRig rig;
  rig.policy = policy;
  int visited = 0;
  EXPECT_EQ(explore({rig, Model(policy), {}, {}}, 8, "", visited), "");
  EXPECT_EQ(visited, (5764801 * 7 - 1) / 6) << "7^0 + … + 7^8";
}

INSTANTIATE_TEST_SUITE_P(Breaker, EverySequence,
                         testing::Values(scaled(Preset::stepped, 1), scaled(Preset::three_layer, 1),
                                         scaled(Preset::three_layer, 2)));

}  // namespace
}  // namespace shunt::health
