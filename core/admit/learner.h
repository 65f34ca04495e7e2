// What providers' own limits leave, learned from their answers: a call that would meet a 429 can go elsewhere
// or wait its turn. Knows no lines: the caller gives each key scope and model a dense index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "admit/limit_headers.h"
#include "admit/shadow_bucket.h"
#include "base/time.h"

namespace shunt::admit {

inline constexpr std::size_t kLearned = 4096;  // indexes with a lesson at once; about 2 KB each

// Nothing here has to be given back: a call that vanishes has cost what it cost. Time may stand still; a
// smaller one counts as the last. An index out of range is let through and teaches nothing.
class LimitLearner {
 public:
  explicit LimitLearner(std::size_t indexes);
  ~LimitLearner();
  LimitLearner(LimitLearner&&) noexcept;
  LimitLearner& operator=(LimitLearner&&) noexcept;

  struct Look {
    Instant until;  // the earliest moment at which such a call should meet no 429; <= now: at once
    std::int64_t share_left_micros = 1000000;  // of the scarcest limit; all of it where nothing was learned
  };
  // Never later than 10 min from the last word heard: a lesson that nothing confirms is forgotten.
  Look look(std::uint32_t index, CallTokens tokens, Instant now) const {
    const Lesson* known = lesson(index);
    return known == nullptr ? Look{now} : look(*known, tokens, now);
  }

  // A call begins, with so many tokens by estimate.
  SentMark sent(std::uint32_t index, CallTokens tokens, Instant now);
  // Its answer's head, of any status, said so.
  void heard(std::uint32_t index, const SentMark& call, const SaidLimits& said, Instant now);
  // It was a 429, after heard() of the same head; `stated` is the wait it asks for.
  void limited(std::uint32_t index, const SentMark& call, CallTokens tokens, std::optional<Duration> stated,
               Instant now);
  // It was not.
  void succeeded(std::uint32_t index, const SentMark& call, Instant now);
  // What was used beyond the estimate. Less is not given back: the provider's next word tells.
  void settled(std::uint32_t index, CallTokens estimated, CallTokens used);

  // An operator says that nothing of it holds any more.
  void forget(std::uint32_t index, Instant now);

  std::size_t memory() const;   // bytes
  std::size_t learned() const;  // indexes with a lesson

 private:
  struct Lesson;
  // Of an index without a lesson only how many calls began: it gives the first 429 its rate.
  struct Slot {
    std::uint32_t lesson = 0;  // place + 1 in lessons_
    std::uint32_t sent = 0;
    std::uint32_t sent_then = 0;  // when `then` was: a minute or two ago
    std::uint32_t then_s = 0;
  };

  Instant clock(Instant now) const { return now > last_ ? now : last_; }
  Look look(const Lesson& known, CallTokens tokens, Instant now) const;
  Lesson* lesson(std::uint32_t index) const {
    if (index >= slots_.size()) return nullptr;
    const std::uint32_t place = slots_[index].lesson;
    return place == 0 ? nullptr : lessons_[place - 1].get();
  }
  Lesson* learn(std::uint32_t index, Instant now);

  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<Lesson>> lessons_;
  std::size_t hand_ = 0;  // where a lesson to be reused is sought next
  Instant last_{INT64_MIN / 4};
};

}  // namespace shunt::admit
