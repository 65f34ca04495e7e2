// Buckets by windows of bytes, chained. Knows no rule.
#include "classify/phrase_index.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "base/simd.h"
#include "base/strings.h"

namespace shunt::classify {
namespace {

constexpr std::size_t kShort = 4;  // bytes of a window
constexpr std::size_t kLong = 8;

// The byte at the lowest address is the lowest of the number, on every target.
template <typename T>
T load(const char* bytes, std::size_t size = sizeof(T)) {
  T value = 0;
  std::memcpy(&value, bytes, size);
  return value;
}

constexpr std::uint64_t short_of(std::uint64_t window) { return window & 0xFFFFFFFFU; }

// How seldom bytes stand together in English prose; more is rarer.
std::size_t rarity_of(std::string_view bytes) {
  constexpr std::string_view kCommonest = " etaoinsrhldcumfpgwybvkxjqz";
  std::size_t rarity = 1;
  for (const char c : bytes) rarity += std::min(kCommonest.find(c), kCommonest.size());
  return rarity;
}

// The first byte of a character beyond ASCII, which may be a word of its own.
constexpr bool is_alone(char c) { return static_cast<unsigned char>(c) >= 0xC0; }

bool begins_word(std::string_view text, std::size_t at) {
  return is_alone(text[at]) || (is_word(text[at]) && (at == 0 || !is_word(text[at - 1])));
}

constexpr std::size_t kStretch = 64;  // bytes of text looked at together: a bit each

// Bit n: text[n] is of a word, and of `alone`: it is one by itself.
std::uint64_t words_of(const char* text, std::uint64_t& alone) {
  std::uint64_t words = 0;
  alone = 0;
  for (std::size_t at = 0; at < kStretch; at += simd::kBlock) {
    const auto block = simd::Block::load(text + at);
    const auto within = [&](char first, char last) {
      return block.below(static_cast<std::uint8_t>(last + 1)).bits() &
             ~block.below(static_cast<std::uint8_t>(first)).bits();
    };
    const std::uint64_t word = within('a', 'z') | within('A', 'Z') | within('0', '9');
    const std::uint64_t beyond = ~block.below(0xC0).bits() & 0xFFFFU;
    words |= word << at;
    alone |= beyond << at;
  }
  return words;
}

void set(std::span<std::uint64_t> bits, std::size_t id) { bits[id / 64] |= std::uint64_t{1} << id % 64; }

}  // namespace

bool stands_in(std::string_view text, std::string_view phrase, Begins begins) {
  for (std::size_t at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
    if (begins == Begins::anywhere || at == 0 || !is_word(text[at]) || !is_word(text[at - 1])) return true;
  }
  return false;
}

std::size_t PhraseIndex::bucket_of(std::uint64_t window) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;  // 2^64 / phi: Knuth's multiplicative hash
  return static_cast<std::size_t>((window * kGolden) >> (64U - kBits));
}

bool PhraseIndex::add(std::string_view phrase, std::uint16_t id) {
  if (phrase.empty() || phrase.size() > kLongest || entries_.size() >= 0xFFFF) return false;
  std::size_t size = kLong;
  auto at = best_window(phrase, kLong);
  if (!at) at = best_window(phrase, size = kShort);
  Entry entry{at ? load<std::uint64_t>(phrase.data() + *at, size) : 0,
              static_cast<std::uint32_t>(texts_.size()),
              id,
              0,
              static_cast<std::uint8_t>(phrase.size()),
              static_cast<std::uint8_t>(at.value_or(0))};
  texts_ += phrase;
  if (!at) {
    searched_.push_back(entry);
    return true;
  }
  std::uint16_t& bucket = buckets_[bucket_of(entry.window)];
  entry.next = bucket;
  entries_.push_back(entry);
  bucket = static_cast<std::uint16_t>(entries_.size());
  return true;
}

// The rarest window that a walk can meet, rather in a bucket of few; none in a phrase without.
std::optional<std::size_t> PhraseIndex::best_window(std::string_view phrase, std::size_t size) const {
  constexpr std::ptrdiff_t kAsRare = 32;  // one entry less in the bucket is worth so much
  std::optional<std::size_t> best;
  std::ptrdiff_t most = 0;
  for (std::size_t at = 0; at + size <= phrase.size(); ++at) {
    if (begins_ == Begins::at_words && !begins_word(phrase, at)) continue;
    std::ptrdiff_t entries = 0;
    for (auto next = buckets_[bucket_of(load<std::uint64_t>(phrase.data() + at, size))]; next != 0; ++entries)
      next = entries_[next - 1U].next;
    const auto worth = static_cast<std::ptrdiff_t>(rarity_of(phrase.substr(at, size))) - kAsRare * entries;
    if (best && worth <= most) continue;
    most = worth;
    best = at;
  }
  return best;
}

std::string_view PhraseIndex::text_of(const Entry& entry) const {
  return std::string_view(texts_).substr(entry.text, entry.size);
}

bool PhraseIndex::stands_at(std::string_view text, std::size_t at, const Entry& entry) const {
  if (!text.substr(at).starts_with(text_of(entry))) return false;
  return begins_ == Begins::anywhere || at == 0 || !is_word(text[at]) || !is_word(text[at - 1]);
}

// Marks the phrases whose window stands at `at`.
inline void PhraseIndex::look(std::string_view text, std::size_t at, std::uint64_t window,
                              std::span<std::uint64_t> found) const {
  auto next = buckets_.data()[bucket_of(window)];
  while (next != 0) [[unlikely]] {
    const Entry& entry = entries_.data()[next - 1U];
    next = entry.next;
    if (entry.window != window || entry.at > at) continue;
    if (at - entry.at < text.size() && stands_at(text, at - entry.at, entry)) set(found, entry.id);
  }
}

void PhraseIndex::find_in(std::string_view text, std::span<std::uint64_t> found) const {
  std::string padded;
  padded.reserve(text.size() + kStretch + kLong);
  padded += text;
  padded.resize(text.size() + kStretch + kLong, ' ');
  std::uint64_t inside = 0;  // the byte before is of a word
  for (std::size_t from = 0; from < text.size(); from += kStretch) {
    const char* const stretch = padded.data() + from;
    std::uint64_t places = ~std::uint64_t{0};
    if (begins_ == Begins::at_words) {
      std::uint64_t alone = 0;
      const std::uint64_t words = words_of(stretch, alone);
      places = (words & ~(words << 1U | inside)) | alone;
      inside = words >> (kStretch - 1);
    }
    for (; places != 0; places &= places - 1) {
      const auto n = static_cast<std::size_t>(std::countr_zero(places));
      const auto window = load<std::uint64_t>(stretch + n);
      look(text, from + n, window, found);
      look(text, from + n, short_of(window), found);
    }
  }
  for (const Entry& entry : searched_) {
    if (stands_in(text, text_of(entry), begins_)) set(found, entry.id);
  }
}

std::size_t PhraseIndex::memory() const {
  return buckets_.capacity() * sizeof(std::uint16_t) +
         (entries_.capacity() + searched_.capacity()) * sizeof(Entry) + texts_.capacity();
}

}  // namespace shunt::classify
