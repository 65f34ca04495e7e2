// Buckets by three bytes, chained. Knows no rule.
#include "classify/phrase_index.h"

namespace shunt::classify {

std::size_t PhraseIndex::bucket_of(const char* bytes) {
  const auto byte = [bytes](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at]));
  };
  constexpr std::uint32_t kGolden = 2654435761U;  // 2^32 / phi: Knuth's multiplicative hash
  return ((byte(0) | byte(1) << 8U | byte(2) << 16U) * kGolden) >> (32U - kBits);
}

bool PhraseIndex::add(std::string_view phrase, std::uint16_t id) {
  if (phrase.size() < kShortest || phrase.size() > kLongest || entries_.size() >= 0xFFFF) return false;
  std::size_t best = 0;
  std::size_t fewest = entries_.size() + 1;
  for (std::size_t at = 0; at + kShortest <= phrase.size() && fewest > 0; ++at) {
    std::size_t chain = 0;
    for (auto entry = buckets_[bucket_of(phrase.data() + at)]; entry != 0; entry = entries_[entry - 1U].next)
      ++chain;
    if (chain >= fewest) continue;
    fewest = chain;
    best = at;
  }
  std::uint16_t& bucket = buckets_[bucket_of(phrase.data() + best)];
  entries_.push_back({static_cast<std::uint32_t>(texts_.size()), id, bucket,
                      static_cast<std::uint8_t>(phrase.size()), static_cast<std::uint8_t>(best)});
  bucket = static_cast<std::uint16_t>(entries_.size());
  texts_ += phrase;
  return true;
}

void PhraseIndex::find_in(std::string_view text, std::span<std::uint64_t> found) const {
  for (std::size_t at = 0; at + kShortest <= text.size(); ++at) {
    for (auto next = buckets_[bucket_of(text.data() + at)]; next != 0;) {
      const Entry& entry = entries_[next - 1U];
      next = entry.next;
      if (entry.at > at) continue;
      const std::string_view phrase(texts_.data() + entry.text, entry.size);
      if (text.substr(at - entry.at).starts_with(phrase)) found[entry.id / 64U] |= std::uint64_t{1} << entry.id % 64U;
    }
  }
}

std::size_t PhraseIndex::memory() const {
  return buckets_.capacity() * sizeof(std::uint16_t) + entries_.capacity() * sizeof(Entry) + texts_.capacity();
}

}  // namespace shunt::classify
