// Keeps an engine's health and the shared document in step: reads it when its time has come, writes what
// others must hear of, and fetches probe leases before anybody needs them. A store that is slow, down or full
// of garbage costs freshness only: no request knows of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exchange/engine.h"
#include "exchange/io.h"
#include "exchange/outbox.h"
#include "exchange/timers.h"

namespace shunt::exchange {

class Upkeep {
 public:
  // Runs until nothing is due soon, but no longer than edges let work go on behind a request.
  static constexpr Duration kLife{25000};
  // For an answer of the store; then it counts as failed.
  static constexpr Duration kStoreWait{2000};

  Upkeep(Engine& engine, std::uint64_t seed, Timers& timers, Outbox& out);
  ~Upkeep();
  Upkeep(const Upkeep&) = delete;
  Upkeep& operator=(const Upkeep&) = delete;

  void handle(Instant now, const Input& input);
  bool finished() const { return finished_; }

 private:
  enum class Asked : std::uint8_t { read, write, lease };
  struct Question {
    std::uint32_t number = 0;
    Asked asked = Asked::read;
    std::uint32_t line = 0;  // of a lease
    Instant until;           // it is waited for
  };

  void start(const Started& input);
  void hear(const StoreAnswered& input);
  void answered(const Question& question, StoreResult result);
  void was_read(StoreResult result);
  void go_on();
  void ask_leases();
  void expire();
  std::uint32_t ask(Asked asked, std::uint32_t line = 0);
  bool waits_for(Asked asked) const;
  WallTime wall() const { return {started_wall_.ms + (now_ - started_).ms}; }

  Engine& engine_;
  std::uint64_t seed_;
  Timers& timers_;
  Outbox& out_;
  Instant now_;
  Instant started_;
  WallTime started_wall_;
  std::uint32_t keeper_ = 0;
  std::uint32_t asked_ = 0;  // questions so far
  std::vector<Question> open_;
  std::string read_;  // slices of the answer under way
  Instant read_at_;   // the last read's answer
  bool finished_ = false;
};

}  // namespace shunt::exchange
