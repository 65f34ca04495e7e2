// Our copy of one limit that a provider counts: what its last word leaves, less what it had not counted when
// it spoke. Knows neither keys nor models.
#pragma once

#include <cstdint>

#include "admit/limit_headers.h"
#include "admit/recent.h"
#include "base/time.h"

namespace shunt::admit {

inline constexpr std::int64_t kLessonMs = 600000;  // a lesson that nothing confirms is forgotten

// Tokens of one call, estimated or used. Negative counts as none, more than kMostCounted as that.
struct CallTokens {
  std::int64_t input = 0;
  std::int64_t output = 0;
};

// What had been sent when a call began, itself included. The caller keeps it with the call and hands it back
// with the answer: it tells what the provider cannot have counted yet. Nothing is owed for it.
struct SentMark {
  Instant at;
  std::int64_t requests = 0;
  std::int64_t input = 0;
  std::int64_t output = 0;

  std::int64_t of(LimitUnit unit) const {
    switch (unit) {
      case LimitUnit::requests: return requests;
      case LimitUnit::tokens: return input + output;
      case LimitUnit::input_tokens: return input;
      case LimitUnit::output_tokens: return output;
    }
    return 0;
  }
};

// Two kinds of limits, told apart by what the provider says. A *window* stays as it is until its end and is
// full again then. A *flowing* limit (token bucket, sliding log) gives back all the time: never faster than
// limit per minute, nor faster than what we sent a minute ago leaves a sliding log.
//
// Others may draw on the same limit unseen (isolates, machines). What is consumed for each of our own calls
// is measured between answers; each call of ours is then counted that many times.
class ShadowBucket {
 public:
  ShadowBucket() = default;
  ShadowBucket(const SaidLimit& said, const SentMark& call, const SentMark& sent, Instant now);

  LimitUnit unit() const { return unit_; }
  std::int64_t window_ms() const { return window_ms_; }
  Instant heard_at() const { return heard_at_; }
  bool live(Instant now) const { return now.ms - heard_at_.ms < kLessonMs; }

  // The answer to `call` says so; `sent` is all that was sent until now.
  void hear(const SaidLimit& said, const SentMark& call, const SentMark& sent, const Recent& recent,
            Instant now);
  // Before anything is added to `sent`: a window that has ended begins anew.
  void roll(const SentMark& sent, Instant now);

  // A call was refused: it was sent and not counted, which would spoil the measure of others.
  void refused(const SentMark& amount);

  struct View {
    Instant until;  // the first moment at which `amount` is left
    std::int64_t share_left_micros = 0;
  };
  View view(std::int64_t amount, const SentMark& sent, const Recent& recent, Instant now) const;

 private:
  std::int64_t since(const SentMark& sent) const;  // of this unit, what the provider had not counted
  std::int64_t level(std::int64_t since, const Recent& recent, Instant now) const;
  std::int64_t at_once(std::int64_t room, std::int64_t need) const;
  std::int64_t credit(const Recent& recent, Instant now) const;
  Instant credit_reaches(std::int64_t thousandths, const Recent& recent) const;
  std::int64_t minute_share(std::int64_t ms) const;
  void tell_kind(const SaidLimit& said, const SentMark& call, const SentMark& sent, Instant now);
  void measure_others(const SaidLimit& said, const SentMark& call, const Recent& recent);
  void take_over(const SaidLimit& said, const SentMark& call, Instant now);

  LimitUnit unit_ = LimitUnit::requests;
  bool flowing_ = false;
  bool fresh_ = false;      // began anew, and nothing has been heard since
  bool disproved_ = false;  // what came after an end was not full
  bool even_ = false;       // says when it is full: a token bucket
  bool slow_ = false;       // flows over more than two minutes: evenly, as far as we can see
  bool end_said_ = false;   // else end_ is a guess
  std::int64_t window_ms_ = 0;
  std::int64_t limit_ = 0;
  std::int64_t remaining_ = 0;  // when `from_` had been sent
  std::int64_t cost_ = 1000;    // thousandths that one of ours costs
  SentMark from_;
  Instant newest_;  // the beginning of the newest call that was heard
  Instant heard_at_;
  Instant began_{INT64_MIN / 4};  // this window
  std::int64_t rolled_ = 0;       // sent by then
  Instant end_ = kNever;
  // Where the signs of the kind and of others are measured from.
  Instant sign_at_, sign_end_, sign_call_;
  std::int64_t others_remaining_ = kNotSaid;
  SentMark others_from_;
};

}  // namespace shunt::admit
