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

constexpr std::size_t kWindow = sizeof(std::uint64_t);

// The byte at the lowest address is the lowest of the number, on every target.
std::uint64_t load(const char* bytes, std::size_t size = kWindow) {
  std::uint64_t window = 0;
  std::memcpy(&window, bytes, size);
  return window;
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
    const std::uint64_t word =
        (block.within('a', 'z') | block.within('A', 'Z') | block.within('0', '9')).bits();
    const std::uint64_t beyond = block.within(0xC0, 0xFF).bits();
    words |= word << at;
    alone |= beyond << at;
  }
  return words;
}

void set(std::span<std::uint64_t> bits, std::size_t id) { bits[id / 64] |= std::uint64_t{1} << id % 64; }

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

// Of 15 bits.
inline std::size_t PhraseIndex::hash_of(std::uint64_t window) const {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;  // 2^64 / phi: Knuth's multiplicative hash
  return static_cast<std::size_t>((window << (64U - 8U * key_size())) * kGolden >> 49U);
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

// Calls visit(where, hash) for each place of a phrase at which a walk can meet it.
template <typename Visit>
void PhraseIndex::each_window(const Entry& entry, Visit visit) const {
  const std::string_view phrase = text_of(entry);
  for (std::size_t at = 0; at + key_size() <= phrase.size(); ++at) {
    if (begins_ == Begins::at_words && !begins_word(phrase, at)) continue;
    visit(at, hash_of(load(phrase.data() + at, key_size())));
  }
}

void PhraseIndex::close() {
  std::array<std::uint16_t, 4096> phrases{};  // with these bytes, or others that fall together with them
  const auto others = [&phrases](std::size_t hash) -> std::uint16_t& {
    return phrases[hash % phrases.size()];
  };
  for (const Entry& entry : entries_)
    each_window(entry, [&](std::size_t, std::size_t hash) { ++others(hash); });
  used_.fill(0);
  buckets_.fill(0);
  searched_ = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    std::size_t best = kHashes;
    each_window(entry, [&](std::size_t at, std::size_t hash) {
      if (best < kHashes && others(hash) > others(best)) return;
      best = hash;
      entry.at = static_cast<std::uint8_t>(at);
    });
    const std::size_t size = std::min<std::size_t>(kWindow, entry.size - entry.at);
    entry.window = load(texts_.data() + entry.text + entry.at, size);
    entry.unused = static_cast<std::uint8_t>(8 * (kWindow - size));
    if (best < kHashes) set(used_, best);
    std::uint16_t& first = best < kHashes ? buckets_[best % kBuckets] : searched_;
    entry.next = first;
    first = static_cast<std::uint16_t>(i + 1);
  }
}

std::string_view PhraseIndex::text_of(const Entry& entry) const {
  return std::string_view(texts_).substr(entry.text, entry.size);
}

// Marks the phrases whose window stands at `at`.
void PhraseIndex::look(std::string_view text, std::size_t at, std::uint64_t window,
                       std::span<std::uint64_t> found) const {
  for (auto next = buckets_.data()[hash_of(window) % kBuckets]; next != 0;) {
    const Entry& entry = entries_.data()[next - 1U];
    next = entry.next;
    if ((entry.window ^ window) << entry.unused != 0 || entry.at > at) continue;
    const std::size_t from = at - entry.at;
    if (entry.size > text.size() - from ||
        !simd::equal(text.data() + from, texts_.data() + entry.text, entry.size))
      continue;
    if (begins_ == Begins::anywhere || begins_well(text, from)) set(found, entry.id);
  }
}

void PhraseIndex::find_in(std::string_view text, std::span<std::uint64_t> found) const {
  char last[kStretch + kWindow];  // where less than so much is left: the rest, and blanks
  std::uint64_t inside = 0;       // the byte before is of a word
  const std::uint64_t* const used = used_.data();
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
      places &= (words & ~(words << 1U | inside)) | alone;
      inside = words >> (kStretch - 1);
    }
    std::uint64_t met = 0;  // gathered first, without a branch for each: nobody can predict which they are
    for (; places != 0; places &= places - 1) {
      const std::size_t hash = hash_of(load(stretch + std::countr_zero(places)));
      met |= places & (~places + 1) & (~(used[hash / 64] >> hash % 64 & 1U) + 1);
    }
    for (; met != 0; met &= met - 1) {
      const auto n = static_cast<std::size_t>(std::countr_zero(met));
      look(text, from + n, load(stretch + n), found);
    }
  }
  for (auto next = searched_; next != 0; next = entries_[next - 1U].next) {
    const Entry& entry = entries_[next - 1U];
    if (stands_in(text, text_of(entry), begins_)) set(found, entry.id);
  }
}

std::size_t PhraseIndex::memory() const { return entries_.capacity() * sizeof(Entry) + texts_.capacity(); }

}  // namespace shunt::classify
