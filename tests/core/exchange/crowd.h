// Requests of several clients at once against two lines, for tests of what they may use. The names are the
// tests' own.
#pragma once

#include <gtest/gtest.h>

#include <list>
#include <string>
#include <utility>

#include "core/exchange/world.h"

namespace shunt::exchange {

inline std::string config_of(const std::string& a, const std::string& b, const std::string& rest) {
  return R"({"providers": {"p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1"}},
    "deployments": [{"id": "a@p", "provider": "p", "model": "ma")" +
         a + R"(}, {"id": "b@p", "provider": "p", "model": "mb")" + b +
         R"(}], "routes": {"r": {"deployments": [{"id": "a@p", "priority": 1}, {"id": "b@p", "priority": 2}]},
             "only": {"deployments": ["a@p"]}})" +
         rest + "}";
}
inline const char kKey[] =
    R"("key_sha256": "0000000000000000000000000000000000000000000000000000000000000001")";
inline const char kOther[] =
    R"("key_sha256": "0000000000000000000000000000000000000000000000000000000000000002")";

inline std::string ask(const std::string& model) {
  return R"({"model": ")" + model +
         R"(", "max_tokens": 10, "messages": [{"role": "user", "content": "hi"}]})";
}
inline const char kChat[] = "/v1/chat/completions";

// Several requests at once: what one wakes is told to it.
class Crowd {
 public:
  explicit Crowd(World& world) : world_(world) {}
  World::Play& arrive(const std::string& client, const std::string& model, const std::string& headers = "") {
    plays_.emplace_back(world_, 100 + plays_.size(), Kind::request,
                        static_cast<std::uint32_t>(plays_.size() + 1));
    World::Play& play = plays_.back();
    play.client = client;
    play.send(kChat, ask(model), headers);
    return play;
  }
  void end(World::Play& play) {
    play.to_end();
    deliver();
  }
  void deliver() {
    for (World::Play& from : plays_) {
      for (const std::uint32_t name : std::exchange(from.woken, {})) at(name).tell(Woken{});
    }
  }
  void pass(World::Play& play, Duration time) {
    world_.now = world_.now + time;
    play.tell(TimerFired{});
    deliver();
  }

 private:
  World::Play& at(std::uint32_t name) {
    auto it = plays_.begin();
    std::advance(it, name - 1);
    return *it;
  }
  World& world_;
  std::list<World::Play> plays_;
};

}  // namespace shunt::exchange
