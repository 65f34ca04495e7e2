// Finds which of many phrases stand in a text, at the cost of the text's length and not of their number.
// Knows no rule.
//
// Each phrase lies in a bucket by eight of its bytes, or by four where it is short, those that are rarest in
// prose; a walk over the text looks into the buckets of what stands at each place and compares what it finds
// there. The few phrases without such bytes are searched one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shunt::classify {

// Where a phrase may stand: anywhere, or only where no word is cut in two at its beginning.
enum class Begins : std::uint8_t { anywhere, at_words };

// Whether a phrase stands in a text: the meaning of the index, for one phrase.
bool stands_in(std::string_view text, std::string_view phrase, Begins begins);

class PhraseIndex {
 public:
  static constexpr std::size_t kLongest = 255;  // bytes of a phrase

  explicit PhraseIndex(Begins begins) : begins_(begins), buckets_(kBuckets) {}

  // False and nothing done: the phrase is empty or too long, or 65,535 phrases are in.
  bool add(std::string_view phrase, std::uint16_t id);

  // Sets bit `id` of `found` for each phrase that stands in the text; `found` has a bit for every id.
  void find_in(std::string_view text, std::span<std::uint64_t> found) const;

  std::size_t memory() const;

 private:
  static constexpr unsigned kBits = 12;
  static constexpr std::size_t kBuckets = std::size_t{1} << kBits;

  struct Entry {
    std::uint64_t window = 0;  // the bytes it is found by; 0 where there are none
    std::uint32_t text = 0;    // offset in texts_
    std::uint16_t id = 0;
    std::uint16_t next = 0;  // one more than its index; 0 = none
    std::uint8_t size = 0;
    std::uint8_t at = 0;  // where in the phrase its window stands
  };

  static std::size_t bucket_of(std::uint64_t window);
  std::optional<std::size_t> best_window(std::string_view phrase, std::size_t size) const;
  std::string_view text_of(const Entry& entry) const;
  bool stands_at(std::string_view text, std::size_t at, const Entry& entry) const;
  void look(std::string_view text, std::size_t at, std::uint64_t window,
            std::span<std::uint64_t> found) const;

  Begins begins_;

  std::vector<std::uint16_t> buckets_;  // one more than the index of the first entry; 0 = none
  std::vector<Entry> entries_;
  std::vector<Entry> searched_;  // without a window
  std::string texts_;
};

}  // namespace shunt::classify
