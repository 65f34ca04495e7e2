// A store of documents and leases for tests, and an upkeep exchange that runs on it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/exchange/world.h"

namespace shunt::exchange {

struct SharedStore {
  std::map<std::string, std::string> documents;
  std::map<std::string, std::uint64_t> leases;  // key -> seed of the holder
  bool down = false;
  int gets = 0;
  int puts = 0;
  int leases_asked = 0;

  StoreAnswered answer(const Ask& ask, std::uint64_t who) {
    StoreAnswered out{ask.request, StoreResult::ok, {}};
    if (ask.what == "get") {
      ++gets;
      const auto at = documents.find(ask.key);
      if (at == documents.end()) out.result = StoreResult::missing;
      if (at != documents.end()) out.bytes = at->second;
    } else if (ask.what == "put") {
      ++puts;
      if (!down) documents[ask.key] = ask.bytes;
    } else {
      ++leases_asked;
      if (leases.emplace(ask.key, who).first->second != who) out.result = StoreResult::missing;
    }
    if (down) out.result = StoreResult::failed;
    return out;
  }
};

// One upkeep exchange; each run() answers what it has asked and fires its timers until `until`.
class Keeper {
 public:
  Keeper(World& world, SharedStore& store, std::uint64_t seed = 77)
      : world_(world), store_(store), seed_(seed), play(world, seed, Kind::upkeep) {
    play.tell(Started{world.wall()});
  }
  bool finished() const { return play.exchange.finished(); }
  void answer_all() {
    while (!play.asked.empty() && !finished()) {
      const Ask ask = play.asked.front();
      play.asked.erase(play.asked.begin());
      play.tell(store_.answer(ask, seed_));
    }
  }
  void run(Duration time) {
    const Instant end = world_.now + time;
    answer_all();
    while (!finished() && play.wake.at <= end) {
      world_.now = std::max(world_.now, play.wake.at);
      play.tell(TimerFired{});
      answer_all();
    }
    world_.now = std::max(world_.now, end);
  }

 private:
  World& world_;
  SharedStore& store_;
  std::uint64_t seed_;

 public:
  World::Play play;
};

// Opens an upkeep exchange if one is wanted, and lets it do what is due now.
inline void keep_up(World& world, SharedStore& store, std::uint64_t seed = 77) {
  world.engine->clock().observe(world.now);
  if (!world.engine->sharing().wanted(world.now)) return;
  Keeper keeper(world, store, seed);
  keeper.run({0});
}

}  // namespace shunt::exchange
