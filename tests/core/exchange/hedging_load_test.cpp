// Hedging under many requests at once: what it costs in calls, and what it gives to the slowest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/dice.h"
#include "core/exchange/lines.h"
#include "core/exchange/world.h"

namespace shunt::exchange {
namespace {

// Many requests at once over virtual time: a@p begins slowly in 3 of 100, b@q never.
class Traffic {
 public:
  explicit Traffic(std::int64_t budget_micros)
      : world_(kConfig, [&](config::Loaded& loaded) {
          for (Route& route : loaded.catalog.routes) route.hedge = {950, budget_micros};
        }) {
    for (const char* line : {"a@p", "b@q"}) world_.on(line, hangs());
  }

  // A request each 20 ms; true waits for first content, without those of the first 500.
  std::vector<std::int64_t> run(int requests) {
    std::vector<std::int64_t> waits;
    Instant next = world_.now;
    for (int made = 0; made < requests || !flows_.empty();) {
      auto first = flows_.end();
      for (auto it = flows_.begin(); it != flows_.end(); ++it) {
        if (first == flows_.end() || it->due() < first->due()) first = it;
      }
      if (made < requests && (first == flows_.end() || next <= first->due())) {
        world_.now = next;
        next = next + milliseconds(20);
        Flow& flow = flows_.emplace_back();
        flow.asked = world_.now;
        flow.play = std::make_unique<World::Play>(world_, static_cast<std::uint64_t>(++made));
        flow.play->send("/v1/chat/completions", kStream);
        note_calls(flow);
        continue;
      }
      world_.now = first->due();
      if (first->play->wake.at <= world_.now) {
        first->play->tell(TimerFired{});
        note_calls(*first);
        continue;
      }
      answer(*first);
      if (waits_seen_++ >= 500) waits.push_back((world_.now - first->asked).ms);
      flows_.erase(first);
    }
    std::stable_sort(waits.begin(), waits.end());
    return waits;
  }
  std::size_t calls() const { return world_.calls.size(); }

 private:
  struct Flow {
    std::unique_ptr<World::Play> play;
    Instant asked;
    std::vector<Instant> begins;  // of each call, by number less one
    Instant due() const {
      Instant nearest = play->wake.at;
      for (const Instant at : begins) nearest = std::min(nearest, at);
      return nearest;
    }
  };

  void note_calls(Flow& flow) {
    for (; seen_ < world_.calls.size(); ++seen_) {
      const bool slow = world_.calls[seen_].deployment == "a@p" && dice_.below(100) < 3;
      flow.begins.push_back(world_.now +
                            milliseconds(slow ? 9000 : 250 + static_cast<std::int64_t>(dice_.below(100))));
    }
  }
  void answer(Flow& flow) {
    const auto at = std::find(flow.begins.begin(), flow.begins.end(), world_.now);
    ASSERT_NE(at, flow.begins.end());
    const auto no = static_cast<AttemptNo>(at - flow.begins.begin() + 1);
    flow.play->tell(HeadArrived{no, 200, "content-type: text/event-stream\n"});
    flow.play->tell(BytesArrived{no, openai_chunk("well")});
    flow.play->tell(BytesArrived{no, openai_finish() + openai_done()});
    flow.play->tell(AttemptEnded{no});
    EXPECT_TRUE(flow.play->exchange.finished());
  }

  World world_;
  std::vector<Flow> flows_;
  Dice dice_{77};
  std::size_t seen_ = 0;
  int waits_seen_ = 0;
};

TEST(HedgingUnderLoad, ATwentiethOfCallsMoreHalvesTheSlowestWaits) {
  constexpr int kRequests = 3000;
  Traffic plain(0);
  Traffic hedged_traffic(50000);
  const auto before = plain.run(kRequests);
  const auto after = hedged_traffic.run(kRequests);
  EXPECT_EQ(plain.calls(), static_cast<std::size_t>(kRequests));
  EXPECT_LE(hedged_traffic.calls(), static_cast<std::size_t>(kRequests + kRequests / 20));
  const std::int64_t p99_before = before[before.size() * 99 / 100];
  const std::int64_t p99_after = after[after.size() * 99 / 100];
  EXPECT_EQ(p99_before, 9000);
  EXPECT_LE(p99_after * 2, p99_before);
}

}  // namespace
}  // namespace shunt::exchange
