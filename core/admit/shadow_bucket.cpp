// The level is never kept: it is what remained, less what was sent since, plus what flowed back.
#include "admit/shadow_bucket.h"

#include <algorithm>
#include <cstdlib>

namespace shunt::admit {
namespace {

constexpr std::int64_t kSignMs = 8000;       // an end is watched for so long; answers take 3 s
constexpr std::int64_t kLatencyMs = 2000;    // ends told by spans are late by as much as the answer
constexpr std::int64_t kOthersMs = 1000;     // what others send is measured over at least so long
constexpr std::int64_t kAtOnce = 8;          // that part of a limit may be under way before an answer tells
constexpr std::int64_t kOthersCalls = 8;     // ... or over so many of ours
constexpr std::int64_t kEstimates = 128;     // that part of a limit covers what estimates are wrong by
constexpr std::int64_t kFlowing = 32;        // the same where sends in a lump come back in a lump
constexpr std::int64_t kAlone = 1500;        // thousandths: hardly anybody else draws on the limit
constexpr std::int64_t kMostOthers = 64000;  // thousandths
constexpr std::int64_t kThousand = 1000;

std::int64_t capped(std::int64_t n) { return std::clamp<std::int64_t>(n, 0, kMostCounted); }

// That part of a count that is part / whole, for 0 <= part <= whole < 2^31.5 (any window in ms), rounded
// down.
std::int64_t share_of(std::int64_t count, std::int64_t part, std::int64_t whole) {
  return count / whole * part + count % whole * part / whole;
}

// That part of a time below 2^31.5 ms that is part / whole, for counts 0 <= part <= whole, rounded up by at
// most a few millionths.
std::int64_t time_of(std::int64_t ms, std::int64_t part, std::int64_t whole) {
  while (whole > INT32_MAX) {
    whole >>= 1U;
    part = (part + 1) >> 1U;
  }
  return whole <= 0 ? 0 : (ms * std::min(part, whole) + whole - 1) / whole;
}

}  // namespace

ShadowBucket::ShadowBucket(const SaidLimit& said, const SentMark& call, const SentMark& sent, Instant now)
    : unit_(said.unit), window_ms_(said.window_ms), from_(sent), newest_(call.at), heard_at_(now) {
  take_over(said, call, now);
  flowing_ = said.reset_ms == kNotSaid || even_;
  sign_at_ = now;
  sign_call_ = call.at;
  sign_end_ = end_;
}

void ShadowBucket::take_over(const SaidLimit& said, const SentMark& call, Instant now) {
  limit_ = std::max({said.limit == kNotSaid ? limit_ : said.limit, said.remaining});
  remaining_ = said.remaining;
  from_ = call;
  end_said_ = said.reset_ms != kNotSaid;
  const std::int64_t window = window_ms_ > 0 ? window_ms_ : kMinuteMs;
  end_ = now + milliseconds(end_said_ ? said.reset_ms : window);
  const std::int64_t used = limit_ - remaining_;
  // A bucket that says when it is full says so in proportion to what is used.
  const std::int64_t full = time_of(window, used, limit_);
  even_ = used > 0 && end_said_ && std::abs(said.reset_ms - full) <= full / 8 + 1;
  // limit a minute would have given `used` back in less than half of the stated time
  slow_ = end_said_ && used > 0 && said.reset_ms > 2 * kMinuteMs &&
          used * (2 * kMinuteMs) / said.reset_ms < limit_;
}

// How much limit-a-minute gives back in `ms`, in thousandths.
std::int64_t ShadowBucket::minute_share(std::int64_t ms) const {
  const std::int64_t window = std::max<std::int64_t>(window_ms_ > 0 ? window_ms_ : kMinuteMs, 1000);
  ms = std::clamp<std::int64_t>(ms, 0, window);
  // Most products fit, and a division costs more than the question.
  if (limit_ <= INT32_MAX && ms <= INT32_MAX / kThousand) return limit_ * (ms * kThousand) / window;
  return share_of(limit_, ms, window) * kThousand + limit_ % window * ms % window * kThousand / window;
}

// Inline, as the two that follow: a plan asks them of every limit of every line.
inline std::int64_t ShadowBucket::credit(const Recent& recent, Instant now) const {
  if (now <= from_.at) return 0;
  const std::int64_t elapsed = now.ms - from_.at.ms;
  if (slow_) {
    const std::int64_t span = std::max<std::int64_t>(end_.ms - heard_at_.ms, 1);
    return share_of(limit_ - remaining_, std::clamp<std::int64_t>(now.ms - heard_at_.ms, 0, span), span) *
           kThousand;
  }
  const std::int64_t gone = recent.between(from_.at - milliseconds(kMinuteMs), now - milliseconds(kMinuteMs));
  return gone == 0 ? 0 : std::min(minute_share(elapsed), std::min(gone, kMostCounted) * cost_);
}

inline std::int64_t ShadowBucket::since(const SentMark& sent) const {
  return capped(sent.of(unit_) - from_.of(unit_));
}

inline std::int64_t ShadowBucket::level(std::int64_t since, const Recent& recent, Instant now) const {
  const bool over = now >= end_;
  if (over && (!flowing_ || now.ms - newest_.ms >= kMinuteMs)) return limit_ * kThousand;
  const std::int64_t remaining = over ? std::max<std::int64_t>(remaining_, 1) : remaining_;
  const std::int64_t back = flowing_ ? credit(recent, now) : 0;
  return std::min(limit_ * kThousand, remaining * kThousand + back) - since * cost_;
}

// When the credit of a flowing limit is that much.
Instant ShadowBucket::credit_reaches(std::int64_t thousandths, const Recent& recent) const {
  if (limit_ <= 0) return kNever;
  if (slow_) {
    const std::int64_t whole = std::max<std::int64_t>(limit_ - remaining_, 1);
    const std::int64_t part = std::min(whole, (thousandths + kThousand - 1) / kThousand);
    const std::int64_t span = std::max<std::int64_t>(end_.ms - heard_at_.ms, 1);
    return heard_at_ + milliseconds(time_of(span, part, whole));
  }
  const Instant gone = recent.reached(from_.at - milliseconds(kMinuteMs), (thousandths + cost_ - 1) / cost_);
  if (gone == kNever) return kNever;
  const std::int64_t window = window_ms_ > 0 ? window_ms_ : kMinuteMs;
  const std::int64_t amount = std::min((thousandths + kThousand - 1) / kThousand, limit_);
  const std::int64_t ms = time_of(window, amount, limit_);
  return std::max(gone + milliseconds(kMinuteMs), from_.at + milliseconds(ms));
}

// How much may be under way before an answer tells. Others see the same room at the same moment: not more
// than half of it.
std::int64_t ShadowBucket::at_once(std::int64_t room, std::int64_t need) const {
  if (fresh_) return std::max(limit_ / kFlowing * kThousand, 2 * need);
  if (cost_ >= kAlone) return std::max(room / 3, need);
  const std::int64_t part = flowing_ ? limit_ / kFlowing : limit_ / kAtOnce;
  return std::max({room / 2, need, part * kThousand});
}

ShadowBucket::View ShadowBucket::view(std::int64_t amount, const SentMark& sent, const Recent& recent,
                                      Instant now) const {
  // A call larger than the limit would never be let through, and one whose limit is 0 neither: the provider
  // shall say so itself.
  const std::int64_t need = std::min(std::min(amount, limit_) * cost_, limit_ * kThousand);
  const std::int64_t sent_since = since(sent);
  std::int64_t left = level(sent_since, recent, now);
  // The provider counts other tokens than we estimate.
  const std::int64_t spare = unit_ == LimitUnit::requests ? 0 : limit_ / kEstimates * kThousand;
  left -= spare;
  const std::int64_t whole = std::max<std::int64_t>(limit_, 1);
  View out{now, std::clamp<std::int64_t>(left, 0, whole * kThousand) / whole * kThousand};
  const std::int64_t under_way = sent_since * cost_;
  // What is full is full enough for anything.
  const std::int64_t wanted = std::min(cost_ < kAlone ? need : 2 * need, limit_ * kThousand - spare);
  if (left >= wanted && limit_ > 0) {
    const Instant heard_by = std::min(sent.at, now) + milliseconds(kLatencyMs);
    if (under_way > 0 && heard_by > now && under_way + need > at_once(left + under_way, need))
      out.until = heard_by;
    return out;
  }
  out.share_left_micros = std::min<std::int64_t>(out.share_left_micros, 999999);
  Instant flows = kNever;
  if (flowing_)
    flows = credit_reaches(std::max<std::int64_t>(wanted - left, 1) + credit(recent, now), recent);
  const Instant forgotten = heard_at_ + milliseconds(kLessonMs);
  Instant until = std::min(flows, now < end_ ? end_ : kNever);
  // Behind the end of a flowing limit one call tries; the next waits for its answer or a while.
  if (until == kNever) until = now + milliseconds(kLatencyMs);
  out.until = std::max(now + milliseconds(1), std::min(until, forgotten));
  return out;
}

void ShadowBucket::roll(const SentMark& sent, Instant now) {
  if (now < end_) return;
  const bool full = !flowing_ || now.ms - newest_.ms >= kMinuteMs;
  const std::int64_t window = window_ms_ > 0 ? window_ms_ : kMinuteMs;
  if (full) {
    began_ = end_;
    remaining_ = limit_;
    fresh_ = true;
    rolled_ = sent.of(unit_);
    from_ = sent;
    from_.at = now;
    end_ = now + milliseconds(window - std::min(now.ms - end_.ms, kLessonMs) % window);
  } else {
    remaining_ = std::max<std::int64_t>(remaining_, 1);
    end_ = now + milliseconds(kLatencyMs);
  }
  end_said_ = false;
  // A window that begins is the best place to count others from.
  others_remaining_ = flowing_ ? kNotSaid : limit_;
  others_from_ = sent;
}

// A window's end stands still while time goes on; the "end" of a flowing limit goes with it, and what comes
// after it is not full.
void ShadowBucket::tell_kind(const SaidLimit& said, const SentMark& call, const SentMark& sent, Instant now) {
  if (said.reset_ms == kNotSaid) {
    flowing_ = true;
    return;
  }
  const Instant end = now + milliseconds(said.reset_ms);
  if (fresh_ && call.at >= began_) {
    const bool near = end.ms - began_.ms < (window_ms_ > 0 ? window_ms_ : kMinuteMs) / 2;
    const std::int64_t own = capped(sent.of(unit_) - rolled_) * cost_ / kThousand;
    fresh_ = false;
    if (!flowing_ && near && said.remaining + own < limit_ / 2) {
      flowing_ = true;
      disproved_ = true;
      others_remaining_ = kNotSaid;
    }
  } else if (call.at >= sign_end_) {
    // passed meanwhile: watched anew
  } else if (disproved_) {
    return;
  } else {
    const std::int64_t passed = now.ms - sign_at_.ms;
    if (passed < kSignMs) return;
    // An end told by a span is as late as its answer, if the provider counted from the call; so both are
    // compared.
    const std::int64_t by_now = std::abs(end.ms - sign_end_.ms);
    const std::int64_t by_call =
        std::abs((end.ms - now.ms + call.at.ms) - (sign_end_.ms - sign_at_.ms + sign_call_.ms));
    flowing_ = std::min(by_now, by_call) > passed / 2;
  }
  sign_at_ = now;
  sign_call_ = call.at;
  sign_end_ = end;
}

// Between two moments the provider counted so much; we sent so much. Of a window both are counted from its
// beginning.
void ShadowBucket::measure_others(const SaidLimit& said, const SentMark& call, const Recent& recent) {
  // Only where what comes back is known can our estimates show to be too high.
  const std::int64_t least = unit_ == LimitUnit::requests || (flowing_ && !even_) ? kThousand : kThousand / 2;
  if (others_remaining_ != kNotSaid && said.remaining > 0 &&
      !(flowing_ && std::max(said.remaining, others_remaining_) >= limit_)) {
    const std::int64_t own = call.of(unit_) - others_from_.of(unit_);
    const std::int64_t ms = call.at.ms - others_from_.at.ms;
    if (own <= 0 || (flowing_ ? ms < kOthersMs : call.requests - others_from_.requests < kOthersCalls))
      return;
    std::int64_t back = flowing_ ? minute_share(ms) / kThousand : 0;
    if (!even_) {
      const Duration minute = milliseconds(kMinuteMs);
      back = std::min(back, recent.between(others_from_.at - minute, call.at - minute) * cost_ / kThousand);
    }
    const std::int64_t counted = std::max<std::int64_t>(others_remaining_ - said.remaining + back, 0);
    const std::int64_t sample =
        std::clamp(std::min(counted, kMostCounted) * kThousand / own, least, kMostOthers);
    cost_ = flowing_ ? (3 * cost_ + sample) / 4 : (cost_ + sample) / 2;
    if (!flowing_) return;
  }
  if (!flowing_ && others_remaining_ != kNotSaid) return;
  others_remaining_ = said.remaining;
  others_from_ = call;
}

void ShadowBucket::refused(const SentMark& tokens) {
  others_from_.requests += tokens.requests;
  others_from_.input += tokens.input;
  others_from_.output += tokens.output;
}

void ShadowBucket::hear(const SaidLimit& said, const SentMark& call, const SentMark& sent,
                        const Recent& recent, Instant now) {
  roll(sent, now);
  heard_at_ = now;
  // The answer to a call of the window before speaks of that one, unless its end lies too far for that.
  const std::int64_t reset = said.reset_ms == kNotSaid ? 0 : said.reset_ms;
  if (!flowing_ && call.at < began_ && call.at.ms + reset <= began_.ms + kThousand) return;
  tell_kind(said, call, sent, now);
  ShadowBucket told = *this;
  told.take_over(said, call, now);
  if (call.at < newest_ || (call.at == newest_ && call.requests < from_.requests)) {
    // Overtaken: it can only take away.
    if (told.level(told.since(sent), recent, now) < level(since(sent), recent, now)) {
      told.end_ = std::max(end_, told.end_);
      *this = told;
    }
    return;
  }
  told.newest_ = call.at;
  // Of several words on one end the earliest is the least late.
  if (!flowing_ && end_said_ && end_ > now && told.end_said_ &&
      told.end_.ms - end_.ms < now.ms - call.at.ms + kLatencyMs)
    told.end_ = std::min(told.end_, end_);
  *this = told;
  measure_others(said, call, recent);
}

}  // namespace shunt::admit
