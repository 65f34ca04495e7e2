// Finds which of many phrases stand in a text, at the cost of the text's length and not of their number. Knows
// no rule.
//
// Each phrase lies in a bucket by three of its bytes, those whose bucket was the emptiest when it was added;
// a walk over the text looks into the bucket of each three bytes and compares what it finds there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shunt::classify {

class PhraseIndex {
 public:
  static constexpr std::size_t kShortest = 3;  // bytes of a phrase
  static constexpr std::size_t kLongest = 255;

  PhraseIndex() : buckets_(kBuckets) {}

  // False and nothing done: the phrase is too short or too long, or 65,535 phrases are in.
  bool add(std::string_view phrase, std::uint16_t id);

  // Sets bit `id` of `found` for each phrase that stands in the text; `found` has a bit for every id.
  void find_in(std::string_view text, std::span<std::uint64_t> found) const;

  std::size_t memory() const;

 private:
  static constexpr unsigned kBits = 12;
  static constexpr std::size_t kBuckets = std::size_t{1} << kBits;

  struct Entry {
    std::uint32_t text = 0;  // offset in texts_
    std::uint16_t id = 0;
    std::uint16_t next = 0;  // one more than its index; 0 = none
    std::uint8_t size = 0;
    std::uint8_t at = 0;  // where in the phrase its three bytes stand
  };

  static std::size_t bucket_of(const char* three_bytes);

  std::vector<std::uint16_t> buckets_;  // one more than the index of the first entry; 0 = none
  std::vector<Entry> entries_;
  std::string texts_;
};

}  // namespace shunt::classify
