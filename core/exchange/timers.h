// The running limits of one exchange: an instant per reason, and the nearest of them.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "base/time.h"
#include "exchange/io.h"

namespace shunt::exchange {

class Timers {
 public:
  void set(TimerReason reason, Instant at) { at_[index(reason)] = at; }
  void set_after(TimerReason reason, Instant now, Duration limit) {
    set(reason, limit.ms > 0 ? now + limit : kNever);
  }
  void stop(TimerReason reason) { at_[index(reason)] = kNever; }
  bool running(TimerReason reason) const { return at_[index(reason)] != kNever; }
  bool expired(TimerReason reason, Instant now) const { return at_[index(reason)] <= now; }
  void stop_all() { at_ = none(); }
  // Those of one attempt alone; where two are under way each has its own.
  void stop_attempt() {
    for (const TimerReason reason : kOfAttempt) stop(reason);
  }
  void swap_attempt(Timers& other) {
    for (const TimerReason reason : kOfAttempt) std::swap(at_[index(reason)], other.at_[index(reason)]);
  }

  // When the attempt under way ends at the latest: what it holds is leased until then.
  Instant attempt_end() const {
    Instant end = kNever;
    for (const TimerReason reason : {TimerReason::first_byte, TimerReason::first_token, TimerReason::idle,
                                     TimerReason::attempt, TimerReason::total, TimerReason::client_stall}) {
      if (at_[index(reason)] < end) end = at_[index(reason)];
    }
    return end;
  }

  // The nearest; the earlier reason in the enum wins a tie.
  Wakeup next() const {
    Wakeup nearest;
    for (std::size_t i = 1; i < at_.size(); ++i) {
      if (at_[i] < nearest.at) nearest = {at_[i], static_cast<TimerReason>(i)};
    }
    return nearest;
  }

 private:
  static constexpr std::size_t kCount = 15;
  static constexpr std::array kOfAttempt = {TimerReason::first_byte, TimerReason::first_token,
                                            TimerReason::idle, TimerReason::attempt};
  static constexpr std::size_t index(TimerReason reason) { return static_cast<std::size_t>(reason); }
  static constexpr std::array<Instant, kCount> none() {
    std::array<Instant, kCount> all{};
    for (Instant& at : all) at = kNever;
    return all;
  }

  std::array<Instant, kCount> at_ = none();
};

}  // namespace shunt::exchange
