// The limit learner against providers whose limit no configuration states: how few calls are refused, and how
// much of the limit is used.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <queue>
#include <string>
#include <vector>

#include "admit/learner.h"
#include "core/admit/said.h"
#include "core/dice.h"

namespace shunt::admit {
namespace {

constexpr std::int64_t kWindow = 60000;

enum class Kind { window, bucket, sliding };
enum class Says { headers, nothing, retry_after };

// A provider that counts exactly, and tells what it counted when the call came.
class Provider {
 public:
  Provider(Kind kind, std::int64_t limit, std::int64_t offset)
      : kind_(kind), limit_(limit), level_(limit * kWindow), began_(-offset) {}

  bool admits(std::int64_t now, std::int64_t amount) {
    advance(now);
    if (left() < amount) return false;
    used_ += amount;
    level_ -= amount * kWindow;
    if (kind_ == Kind::sliding) log_.push_back({now, amount});
    return true;
  }
  std::int64_t left() const { return kind_ == Kind::bucket ? level_ / kWindow : limit_ - used_; }
  std::int64_t reset_ms(std::int64_t now) const {
    switch (kind_) {
      case Kind::window: return began_ + kWindow - now;
      case Kind::bucket: return (limit_ * kWindow - level_ + limit_ - 1) / limit_;    // until it is full
      case Kind::sliding: return log_.empty() ? 0 : log_.front().at + kWindow - now;  // until some comes back
    }
    return 0;
  }
  // When such a call would be let through.
  std::int64_t wait_ms(std::int64_t now, std::int64_t amount) const {
    if (kind_ != Kind::bucket) return reset_ms(now);
    return std::max<std::int64_t>(0, (amount * kWindow - level_ + limit_ - 1) / limit_);
  }

 private:
  struct Entry {
    std::int64_t at, amount;
  };
  void advance(std::int64_t now) {
    if (kind_ == Kind::window) {
      while (now >= began_ + kWindow) {
        began_ += kWindow;
        used_ = 0;
      }
    }
    level_ = std::min(limit_ * kWindow, level_ + limit_ * (now - last_));
    last_ = now;
    while (!log_.empty() && log_.front().at + kWindow <= now) {
      used_ -= log_.front().amount;
      log_.pop_front();
    }
  }
  Kind kind_;
  std::int64_t limit_, level_, began_, used_ = 0, last_ = 0;
  std::deque<Entry> log_;
};

struct Scene {
  Kind kind = Kind::window;
  Says says = Says::headers;
  bool tokens = false;  // the limit counts tokens, 100 times as many
  bool bursty = false;
  bool queued = true;  // refused calls wait, else go elsewhere
  int isolates = 1;
  std::uint64_t seed = 1;
};

struct Figures {
  std::int64_t sent = 0, refused = 0, used = 0, limit = 0;
  double refused_share() const {
    return sent == 0 ? 0 : 100.0 * static_cast<double>(refused) / static_cast<double>(sent);
  }
  double used_share() const { return 100.0 * static_cast<double>(used) / static_cast<double>(limit); }
};

// Ten minutes at twice the limit; the figures are those of the last nine.
class Simulation {
 public:
  explicit Simulation(const Scene& scene)
      : scene_(scene),
        limit_(scene.tokens ? 50000 : 500),
        dice_(scene.seed),
        provider_(scene.kind, limit_, static_cast<std::int64_t>(dice_.below(60000))),
        isolates_(static_cast<std::size_t>(scene.isolates)) {
    for (auto& isolate : isolates_) isolate.next_arrival = static_cast<std::int64_t>(dice_.below(240));
    figures_.limit = limit_ * 9;
  }

  Figures run() {
    for (std::int64_t now = 0; now < 10 * kWindow; now += 5) {
      while (!answers_.empty() && answers_.top().at <= now) {
        hear(answers_.top(), now);
        answers_.pop();
      }
      for (Isolate& isolate : isolates_) {
        arrive(isolate, now);
        drain(isolate, now);
      }
    }
    return figures_;
  }

 private:
  struct Isolate {
    LimitLearner learner{1};
    std::deque<CallTokens> waiting;
    std::int64_t ask_at = 0;
    std::int64_t next_arrival = 0;
  };
  struct Answer {
    std::int64_t at;
    Isolate* isolate;
    SentMark mark;
    CallTokens tokens;
    SaidLimits said;
    bool refused;
    std::int64_t wait_ms;
    bool operator<(const Answer& other) const { return at > other.at; }
  };

  void begin(Isolate& isolate, CallTokens estimate, std::int64_t now) {
    const SentMark mark = isolate.learner.sent(0, estimate, {now});
    // The provider's own count differs from the estimate by up to a tenth.
    const std::int64_t all = estimate.input + estimate.output;
    const std::int64_t amount =
        scene_.tokens ? all * static_cast<std::int64_t>(90 + dice_.below(21)) / 100 : 1;
    const bool admitted = provider_.admits(now, amount);
    const auto latency =
        static_cast<std::int64_t>(admitted ? 200 + dice_.below(2800) : 50 + dice_.below(400));
    if (now >= kWindow) {
      ++figures_.sent;
      figures_.refused += admitted ? 0 : 1;
      figures_.used += admitted ? amount : 0;
    }
    const LimitUnit unit = scene_.tokens ? LimitUnit::tokens : LimitUnit::requests;
    answers_.push({now + latency, &isolate, mark, estimate,
                   words(unit, limit_, std::max<std::int64_t>(provider_.left(), 0), provider_.reset_ms(now)),
                   !admitted, provider_.wait_ms(now, amount)});
  }

  void hear(const Answer& answer, std::int64_t now) {
    Isolate& isolate = *answer.isolate;
    if (scene_.says == Says::headers) isolate.learner.heard(0, answer.mark, answer.said, {now});
    if (answer.refused) {
      const auto stated =
          scene_.says == Says::nothing ? std::nullopt : std::optional(seconds((answer.wait_ms + 999) / 1000));
      isolate.learner.limited(0, answer.mark, answer.tokens, stated, {now});
    } else {
      isolate.learner.succeeded(0, answer.mark, {now});
    }
    isolate.ask_at = now;
  }

  // 1,000 calls a minute over all isolates.
  void arrive(Isolate& isolate, std::int64_t now) {
    while (isolate.next_arrival <= now) {
      const std::size_t many = scene_.bursty ? 1 + dice_.below(39) : 1;
      const auto gap = static_cast<std::size_t>(60 * scene_.isolates) * many;
      isolate.next_arrival += static_cast<std::int64_t>(scene_.bursty ? dice_.below(2 * gap) : gap);
      for (std::size_t i = 0; i < many; ++i) {
        const CallTokens tokens{static_cast<std::int64_t>(20 + dice_.below(121)), 20};
        if (scene_.queued) {
          isolate.waiting.push_back(tokens);
        } else if (isolate.learner.look(0, tokens, {now}).until <= Instant{now}) {
          begin(isolate, tokens, now);
        }
      }
    }
  }

  void drain(Isolate& isolate, std::int64_t now) {
    while (!isolate.waiting.empty() && now >= isolate.ask_at) {
      const auto look = isolate.learner.look(0, isolate.waiting.front(), {now});
      if (look.until > Instant{now}) {
        isolate.ask_at = look.until.ms;
        return;
      }
      begin(isolate, isolate.waiting.front(), now);
      isolate.waiting.pop_front();
    }
  }

  Scene scene_;
  std::int64_t limit_;
  Dice dice_;
  Provider provider_;
  std::vector<Isolate> isolates_;
  std::priority_queue<Answer> answers_;
  Figures figures_;
};

Figures run(const Scene& scene) { return Simulation(scene).run(); }

std::string name_of(const Scene& s) {
  const char* const kinds[] = {"window", "bucket", "sliding"};
  const char* const says[] = {"headers", "nothing", "retry-after"};
  return std::string(kinds[static_cast<int>(s.kind)]) + ", " + says[static_cast<int>(s.says)] +
         (s.tokens ? ", tokens" : ", requests") + (s.bursty ? ", bursty" : ", even") +
         (s.queued ? ", queued" : ", elsewhere") + ", isolates " + std::to_string(s.isolates) + ", seed " +
         std::to_string(s.seed);
}

template <typename Visit>
void each_scene(Says says, int isolates, Visit visit) {
  for (const Kind kind : {Kind::window, Kind::bucket, Kind::sliding})
    for (const bool tokens : {false, true})
      for (const bool bursty : {false, true})
        for (const bool queued : {true, false})
          for (std::uint64_t seed = 1; seed <= 4; ++seed)
            visit(Scene{kind, says, tokens, bursty, queued, isolates, seed});
}

struct Bounds {
  double most_refused, least_used;
};

// `of` tells what a scene must hold.
template <typename Of>
void holds(Says says, int isolates, Of of) {
  each_scene(says, isolates, [&](const Scene& scene) {
    const Figures figures = run(scene);
    const Bounds bounds = of(scene);
    EXPECT_LE(figures.refused_share(), bounds.most_refused) << name_of(scene);
    EXPECT_GE(figures.used_share(), bounds.least_used) << name_of(scene);
  });
}

// A sliding log frees lumps where lumps were sent, and a burst that may not wait finds no room: 92 % there.
TEST(LimitLearner, WithHeadersMeetsHardlyA429AndUsesTheLimit) {
  holds(Says::headers, 1, [](const Scene& scene) {
    const bool lumps = scene.kind == Kind::sliding && scene.bursty && !scene.queued;
    return Bounds{1.0, lumps ? 92.0 : 95.0};
  });
}

TEST(LimitLearner, WithBare429sKeepsThemFew) {
  holds(Says::nothing, 1, [](const Scene&) { return Bounds{5.0, 80.0}; });
}

TEST(LimitLearner, WithRetryAfterAloneKeepsThemFew) {
  holds(Says::retry_after, 1, [](const Scene&) { return Bounds{5.0, 80.0}; });
}

// Four share the limit and see each other only in what remains.
TEST(LimitLearner, FourThatDoNotKnowOfEachOther) {
  holds(Says::headers, 4, [](const Scene& scene) {
    if (scene.kind == Kind::sliding) return Bounds{6.0, scene.queued ? 95.0 : scene.bursty ? 60.0 : 90.0};
    return Bounds{scene.queued ? 2.5 : 1.0, scene.bursty && !scene.queued ? 88.0 : 95.0};
  });
}

TEST(LimitLearner, TheSameHistoryTeachesTheSame) {
  const Scene scene{Kind::sliding, Says::headers, true, true, true, 4, 3};
  const Figures one = run(scene);
  const Figures two = run(scene);
  EXPECT_EQ(one.sent, two.sent);
  EXPECT_EQ(one.refused, two.refused);
  EXPECT_EQ(one.used, two.used);
}

}  // namespace
}  // namespace shunt::admit
