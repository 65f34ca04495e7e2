// Buckets by windows of bytes, one behind the other. Knows no rule.
#include "classify/phrase_index.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/simd.h"
#include "base/strings.h"

namespace shunt::classify {
namespace {

// The byte at the lowest address is the lowest of the number, on every target.
std::uint64_t load(const char* bytes, std::size_t size = sizeof(std::uint64_t)) {
  std::uint64_t window = 0;
  std::memcpy(&window, bytes, size);
  return window;
}

// The first byte of a character beyond ASCII, which may be a word of its own.
constexpr bool is_alone(char c) { return static_cast<unsigned char>(c) >= 0xC0; }

// Where a phrase may be found by: not by a word of one or two letters, which every sentence is full of.
bool begins_word(std::string_view text, std::size_t at) {
  if (is_alone(text[at])) return true;
  return (at == 0 || !is_word(text[at - 1])) && at + 2 < text.size() && is_word(text[at]) &&
         is_word(text[at + 1]) && is_word(text[at + 2]);
}

constexpr std::size_t kStretch = 64;  // bytes of text looked at together: a bit each

// Bit n: text[n] is of a word, and of `alone`: it is one by itself.
std::uint64_t words_of(const char* text, std::uint64_t& alone) {
  std::uint64_t words = 0;
  alone = 0;
  for (std::size_t at = 0; at < kStretch; at += simd::kBlock) {
    const auto block = simd::Block::load(text + at);
    const auto letters = (block | simd::Block::of(' ')).within('a', 'z');
    words |= std::uint64_t{(letters | block.within('0', '9')).bits()} << at;
    if (block.bits() != 0) alone |= std::uint64_t{block.within(0xC0, 0xFF).bits()} << at;
  }
  return words;
}

void set(std::span<std::uint32_t> bits, std::size_t id) { bits[id / 32] |= 1U << id % 32; }
void set(std::span<std::uint64_t> bits, std::size_t id) { bits[id / 64] |= std::uint64_t{1} << id % 64; }
std::uint32_t has(std::span<const std::uint32_t> bits, std::size_t id) {
  return bits.data()[id / 32] >> id % 32 & 1U;
}
bool has(std::span<const std::uint64_t> bits, std::size_t id) {
  return (bits.data()[id / 64] >> id % 64 & 1U) != 0;
}

// No word is cut in two where it begins.
bool begins_well(std::string_view text, std::size_t at) {
  return at == 0 || !is_word(text[at]) || !is_word(text[at - 1]);
}

}  // namespace

bool stands_in(std::string_view text, std::string_view phrase, Begins begins) {
  for (std::size_t at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
    if (begins == Begins::anywhere || begins_well(text, at)) return true;
  }
  return false;
}

// Of as many bytes at the front of a window, to 15 bits.
constexpr std::size_t hash_of(std::uint64_t window, std::size_t bytes) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;  // 2^64 / phi: Knuth's multiplicative hash
  return static_cast<std::size_t>((window << (64U - 8U * bytes)) * kGolden >> 49U);
}

bool PhraseIndex::add(std::string_view phrase, std::uint16_t id) {
  if (phrase.empty() || phrase.size() > kLongest || entries_.size() >= 0xFFFF) return false;
  Entry entry;
  entry.text = static_cast<std::uint32_t>(texts_.size());
  entry.id = id;
  entry.size = static_cast<std::uint8_t>(phrase.size());
  entries_.push_back(entry);
  texts_ += phrase;
  return true;
}

// Calls visit(where, kind, window) for each place of a phrase at which a walk can meet it.
template <typename Visit>
void PhraseIndex::each_window(const Entry& entry, Visit visit) const {
  const std::string_view phrase = text_of(entry);
  for (std::size_t at = 0; at + kLeast <= phrase.size(); ++at) {
    if (begins_ == Begins::at_words && !begins_word(phrase, at)) continue;
    const std::size_t size = std::min(kWindow, phrase.size() - at);
    visit(at, size == kWindow ? 0 : 1, load(phrase.data() + at, size));
  }
}

void PhraseIndex::close() {
  // A phrase is found by what few others have. Short windows are met too often, as if many had them. The
  // weights are those with which the bodies of bench classify were judged fastest.
  const auto often_met = [](std::size_t size) -> std::size_t {
    return size >= kWindow ? 0 : size > kLeast ? 40 : 400;
  };
  std::array<std::uint16_t, 8192> phrases{};  // with these bytes, or others that fall together with them
  const auto others = [&phrases](std::uint64_t window, std::size_t bytes) -> std::uint16_t& {
    return phrases[hash_of(window, bytes) % phrases.size()];
  };
  for (const Entry& entry : entries_)
    each_window(entry, [&](std::size_t, std::size_t kind, std::uint64_t window) {
      ++others(window, kPlaced[kind]);
      if (kPlaced[kind] != kLeast) ++others(window, kLeast);
    });
  known_ = {};
  beyond_ = {};
  buckets_.fill(0);
  std::vector<std::uint16_t> bucket(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    constexpr std::size_t kNone = SIZE_MAX;
    std::size_t best = kNone;
    each_window(entry, [&](std::size_t at, std::size_t kind, std::uint64_t window) {
      const std::size_t rank =
          16 * others(window, kPlaced[kind]) + others(window, kLeast) + often_met(entry.size - at);
      if (rank >= best) return;
      best = rank;
      entry.at = static_cast<std::uint8_t>(at);
    });
    entry.window = load(texts_.data() + entry.text + entry.at, entry.window_size());
    const std::size_t kind = entry.window_size() == kWindow ? 0 : 1;
    const unsigned tails = best == kNone ? 0 : entry.window_size() == kLeast ? 256 : 1;
    for (std::uint64_t tail = 0; tail < tails; ++tail) {
      const std::size_t hash = hash_of(entry.window | tail << 8 * kLeast, kTold[kind]);
      set(known_[kind], hash);
    }
    if (best != kNone) set(beyond_, hash_of(entry.window, kLeast));
    bucket[i] = static_cast<std::uint16_t>(best == kNone ? kBuckets
                                                         : hash_of(entry.window, kPlaced[kind]) % kBuckets);
    ++buckets_[bucket[i] + 1U];
  }
  for (std::size_t i = 1; i < buckets_.size(); ++i)
    buckets_[i] = static_cast<std::uint16_t>(buckets_[i] + buckets_[i - 1]);
  std::vector<Entry> sorted(entries_.size());
  std::array<std::uint16_t, kBuckets + 2> free = buckets_;
  for (std::size_t i = 0; i < entries_.size(); ++i) sorted[free[bucket[i]]++] = entries_[i];
  entries_ = std::move(sorted);
}

std::string_view PhraseIndex::text_of(const Entry& entry) const {
  return std::string_view(texts_).substr(entry.text, entry.size);
}

// Marks the phrases whose window stands at `at`, of those that lie where windows of this kind do.
void PhraseIndex::look(const Search& search, std::size_t at, std::uint64_t window, std::size_t kind) const {
  const std::size_t bucket = hash_of(window, kPlaced[kind]) % kBuckets;
  const Entry* const end = entries_.data() + buckets_.data()[bucket + 1];
  for (const Entry* entry = entries_.data() + buckets_.data()[bucket]; entry != end; ++entry) {
    const std::size_t unused = 8 * (kWindow - entry->window_size());  // bits, the highest
    if ((entry->window ^ window) << unused != 0 || entry->at > at || has(search.found, entry->id)) continue;
    const std::size_t from = at - entry->at;
    if (entry->size > search.text.size() - from ||
        !simd::equal(search.text.data() + from, texts_.data() + entry->text, entry->size))
      continue;
    if (begins_ == Begins::anywhere || begins_well(search.text, from)) set(search.found, entry->id);
  }
}

void PhraseIndex::find_in(std::string_view text, std::span<std::uint64_t> found) const {
  char last[kStretch + kWindow];  // where less than so much is left: the rest, and blanks
  std::uint64_t inside = 0;       // the byte before is of a word
  for (std::size_t from = 0; from < text.size(); from += kStretch) {
    const char* stretch = text.data() + from;
    std::uint64_t places = ~std::uint64_t{0};
    if (const std::size_t left = text.size() - from; left < sizeof last) {
      std::memset(last, ' ', sizeof last);
      std::memcpy(last, stretch, left);
      stretch = last;
      if (left < kStretch) places = ~(places << left);
    }
    if (begins_ == Begins::at_words) {
      std::uint64_t alone = 0;
      const std::uint64_t words = words_of(stretch, alone);
      constexpr std::uint64_t kUnknown = std::uint64_t{3} << (kStretch - 2);  // what follows the last two
      const std::uint64_t begin = words & ~(words << 1U | inside);
      std::uint64_t begins = begin & (words >> 1U | kUnknown) & (words >> 2U | kUnknown);
      for (; alone != 0; alone &= alone - 1) {
        const int n = std::countr_zero(alone);
        begins |= std::uint64_t{has(beyond_, hash_of(load(stretch + n), kLeast))} << n;
      }
      places &= begins;
      inside = words >> (kStretch - 1);
    }
    // Gathered first, without a branch for each: nobody can predict which they are.
    std::array<std::array<std::uint8_t, kStretch>, kTold.size()> met;
    std::array<std::size_t, kTold.size()> count{};
    for (; places != 0; places &= places - 1) {
      const int n = std::countr_zero(places);
      const std::uint64_t window = load(stretch + n);
      for (std::size_t kind = 0; kind < kTold.size(); ++kind) {
        const std::size_t hash = hash_of(window, kTold[kind]);
        met[kind].data()[count[kind]] = static_cast<std::uint8_t>(n);
        count[kind] += has(known_[kind], hash);
      }
    }
    for (std::size_t kind = 0; kind < kTold.size(); ++kind) {
      for (std::size_t i = 0; i < count[kind]; ++i) {
        const std::size_t n = met[kind].data()[i];
        look({text, found}, from + n, load(stretch + n), kind);
      }
    }
  }
  for (std::size_t i = buckets_[kBuckets]; i < entries_.size(); ++i) {
    if (stands_in(text, text_of(entries_[i]), begins_)) set(found, entries_[i].id);
  }
}

std::size_t PhraseIndex::memory() const { return entries_.capacity() * sizeof(Entry) + texts_.capacity(); }

}  // namespace shunt::classify
