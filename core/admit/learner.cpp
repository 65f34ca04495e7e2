// Lessons: shadow buckets of what headers say, and a rate for what only a 429 says.
#include "admit/learner.h"

#include <algorithm>
#include <array>

#include "admit/cubic.h"
#include "admit/recent.h"

namespace shunt::admit {
namespace {

constexpr std::size_t kBuckets = 6;   // of one index; Hugging Face says 7, a day's tokens last
constexpr std::uint32_t kSpanS = 64;  // of the count before a lesson
constexpr std::size_t kSought = 8;    // lessons looked at for one to reuse
constexpr std::int64_t kMostEver = INT64_MAX / 4;
constexpr std::int64_t kWayBack = INT64_MIN / 4;

std::int64_t capped(std::int64_t n) { return std::clamp<std::int64_t>(n, 0, kMostCounted); }

CallTokens capped(CallTokens tokens) { return {capped(tokens.input), capped(tokens.output)}; }

SentMark one(CallTokens tokens) { return {{}, 1, tokens.input, tokens.output}; }

// In a minute, before a 429 that says nothing more is taken for a limit.
constexpr std::int64_t kFewestCalls = 10;

Instant sane(Instant now) { return {std::clamp<std::int64_t>(now.ms, kWayBack, kMostEver)}; }

}  // namespace

struct LimitLearner::Lesson {
  std::uint32_t index = 0;
  Instant touched;
  SentMark sent;  // all ever
  std::array<ShadowBucket, kBuckets> buckets;
  std::size_t count = 0;
  Recent requests;
  Recent tokens;
  Cubic cubic;
  std::int64_t cut_at = 0;       // requests sent at the last cut
  bool succeeded_since = false;  // a call that began after it
  Instant limited_at{kWayBack};
  Instant counted_from;  // where `requests` begins, for a rate over less than a minute

  const Recent& recent(LimitUnit unit) const { return unit == LimitUnit::requests ? requests : tokens; }
  // In thousandths of a request a minute.
  std::int64_t measured(Instant now) const {
    const std::int64_t span = std::clamp<std::int64_t>(now.ms - counted_from.ms, 1000, kMinuteMs);
    return std::min<std::int64_t>(requests.last_minute(now), 1000000) * 1000 * kMinuteMs / span;
  }
  bool cubic_live(Instant now) const { return now.ms - limited_at.ms < kLessonMs; }
};

LimitLearner::LimitLearner(std::size_t indexes) : slots_(indexes) {}
LimitLearner::~LimitLearner() = default;
LimitLearner::LimitLearner(LimitLearner&&) noexcept = default;
LimitLearner& LimitLearner::operator=(LimitLearner&&) noexcept = default;

LimitLearner::Lesson* LimitLearner::learn(std::uint32_t index, Instant now) {
  if (index >= slots_.size()) return nullptr;
  if (Lesson* known = lesson(index)) {
    known->touched = now;
    return known;
  }
  std::size_t place = lessons_.size();
  if (place < kLearned) {
    lessons_.push_back(std::make_unique<Lesson>());
  } else {
    for (std::size_t tries = 0; tries < kSought; ++tries) {
      hand_ = (hand_ + 1) % lessons_.size();
      if (now.ms - lessons_[hand_]->touched.ms < kLessonMs) continue;
      place = hand_;
      break;
    }
    if (place == lessons_.size()) return nullptr;
    slots_[lessons_[place]->index].lesson = 0;
    *lessons_[place] = Lesson{};
  }
  Slot& slot = slots_[index];
  slot.lesson = static_cast<std::uint32_t>(place + 1);
  Lesson& made = *lessons_[place];
  made.index = index;
  made.touched = now;
  made.sent.at = now;
  made.sent.requests = slot.sent;  // marks given out before stay comparable
  const auto span = static_cast<std::uint32_t>(now.ms / 1000) - slot.then_s;
  const std::uint32_t before = slot.sent - slot.sent_then;
  made.counted_from = now - milliseconds(1000 * std::int64_t{std::clamp<std::uint32_t>(span, 1, 60)});
  made.requests.add(now, before);
  return &made;
}

void LimitLearner::forget(std::uint32_t index, Instant now) {
  Lesson* known = lesson(index);
  if (known == nullptr) return;
  const SentMark sent = known->sent;  // marks given out before stay comparable
  *known = Lesson{};
  known->index = index;
  known->sent = sent;
  known->touched = known->counted_from = clock(sane(now));
}

LimitLearner::Look LimitLearner::look(const Lesson& known, CallTokens tokens, Instant now) const {
  const Instant at = clock(sane(now));
  const std::int64_t input = capped(tokens.input);
  const std::int64_t output = capped(tokens.output);
  const std::int64_t need[] = {1, input + output, input, output};  // by LimitUnit
  Look out{now};
  const auto take = [&](Instant until, std::int64_t share) {
    if (until > at) out.until = std::max(out.until, until);
    out.share_left_micros = std::min(out.share_left_micros, share);
  };
  for (std::size_t i = 0; i < known.count; ++i) {
    const ShadowBucket& bucket = known.buckets[i];
    if (!bucket.live(at)) continue;
    const auto view = bucket.view(need[static_cast<std::size_t>(bucket.unit())], known.sent,
                                  known.recent(bucket.unit()), at);
    take(view.until, view.share_left_micros);
  }
  if (known.cubic_live(at)) {
    const Instant forgotten = known.limited_at + milliseconds(kLessonMs);
    take(std::min(known.cubic.until(at), forgotten), known.cubic.share_left_micros(at));
  }
  return out;
}

SentMark LimitLearner::sent(std::uint32_t index, CallTokens tokens, Instant now) {
  now = last_ = clock(sane(now));
  if (index >= slots_.size()) return {now};
  Lesson* known = lesson(index);
  if (known == nullptr) {
    Slot& slot = slots_[index];
    const auto second = static_cast<std::uint32_t>(now.ms / 1000);
    const std::uint32_t span = second - slot.then_s;
    if (slot.sent == slot.sent_then || span > 2 * kSpanS) {
      slot.then_s = second;
      slot.sent_then = slot.sent;
    } else if (span >= kSpanS) {  // the older half fades
      slot.then_s += span / 2;
      slot.sent_then += (slot.sent - slot.sent_then) / 2;
    }
    ++slot.sent;
    return {now, slot.sent};
  }
  tokens = capped(tokens);
  known->touched = now;
  for (std::size_t i = 0; i < known->count; ++i) known->buckets[i].roll(known->sent, now);
  known->requests.add(now, 1);
  known->tokens.add(now, tokens.input + tokens.output);
  known->cubic.sent(known->measured(now), now);
  SentMark& all = known->sent;
  all.at = now;
  all.requests = std::min(all.requests + 1, kMostEver);
  all.input = std::min(all.input + tokens.input, kMostEver);
  all.output = std::min(all.output + tokens.output, kMostEver);
  slots_[index].sent = static_cast<std::uint32_t>(all.requests);
  return all;
}

void LimitLearner::heard(std::uint32_t index, const SentMark& call, const SaidLimits& said, Instant now) {
  now = last_ = clock(sane(now));
  for (const SaidLimit& limit : said.all()) {
    if (limit.remaining == kNotSaid) continue;
    Lesson* known = learn(index, now);
    if (known == nullptr) return;
    SentMark from = call;
    from.at = std::min(sane(from.at), now);
    ShadowBucket* slot = nullptr;
    ShadowBucket* oldest = &known->buckets[0];
    for (std::size_t i = 0; i < known->count; ++i) {
      ShadowBucket& bucket = known->buckets[i];
      if (bucket.unit() == limit.unit && bucket.window_ms() == limit.window_ms) slot = &bucket;
      if (bucket.heard_at() < oldest->heard_at()) oldest = &bucket;
    }
    if (slot != nullptr && slot->live(now)) {
      slot->hear(limit, from, known->sent, known->recent(limit.unit), now);
      continue;
    }
    if (slot == nullptr) slot = known->count < kBuckets ? &known->buckets[known->count++] : oldest;
    *slot = ShadowBucket(limit, from, known->sent, now);
  }
}

void LimitLearner::limited(std::uint32_t index, const SentMark& call, CallTokens tokens,
                           std::optional<Duration> stated, Instant now) {
  now = last_ = clock(sane(now));
  Lesson* known = learn(index, now);
  if (known == nullptr) return;
  known->requests.take_back(call.at, 1);
  known->tokens.take_back(call.at, capped(tokens).input + capped(tokens).output);
  known->limited_at = now;
  const bool waits = stated && stated->ms > 0;
  // Where the provider has stated no limit so few calls show none: the wait that follows every 429 is enough.
  const bool few =
      known->count == 0 && !known->cubic.started() && known->requests.last_minute(now) < kFewestCalls;
  if (waits && !few) known->cubic.hold(now + milliseconds(std::min(stated->ms, kLessonMs)));
  const SentMark need = one(capped(tokens));
  bool said = false;
  for (std::size_t i = 0; i < known->count; ++i) {
    ShadowBucket& bucket = known->buckets[i];
    bucket.refused(need);
    if (!bucket.live(now)) continue;
    // The headers have said why.
    said = said ||
           bucket.view(need.of(bucket.unit()), known->sent, known->recent(bucket.unit()), now).until > now;
  }
  if (said) return;
  const bool after = call.requests > known->cut_at;
  const bool first = !known->cubic.started();
  if (few) return;
  if (first || after) {
    known->cubic.cut(known->measured(now), first || known->succeeded_since, now);
    if (!waits) known->cubic.back_off(now);
    known->cut_at = known->sent.requests;
    known->succeeded_since = false;
  }
}

void LimitLearner::succeeded(std::uint32_t index, const SentMark& call, Instant now) {
  last_ = clock(sane(now));
  Lesson* known = lesson(index);
  if (known == nullptr || call.requests <= known->cut_at) return;
  known->succeeded_since = true;
  known->cubic.succeeded();
}

void LimitLearner::settled(std::uint32_t index, CallTokens estimated, CallTokens used) {
  Lesson* known = lesson(index);
  if (known == nullptr) return;
  estimated = capped(estimated);
  used = capped(used);
  SentMark& all = known->sent;
  all.input = std::min(all.input + std::max<std::int64_t>(used.input - estimated.input, 0), kMostEver);
  all.output = std::min(all.output + std::max<std::int64_t>(used.output - estimated.output, 0), kMostEver);
}

std::size_t LimitLearner::memory() const {
  return sizeof(*this) + slots_.capacity() * sizeof(Slot) + lessons_.capacity() * sizeof(lessons_[0]) +
         lessons_.size() * sizeof(Lesson);
}

std::size_t LimitLearner::learned() const { return lessons_.size(); }

}  // namespace shunt::admit
