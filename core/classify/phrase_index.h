// Finds which of many phrases stand in a text, at the cost of the text's length and not of their number.
// Knows no rule.
//
// Each phrase lies in a bucket by eight of its bytes, the rarest there are, or by three where it has no
// eight; a walk over the text looks into the bucket of what stands at each place, if a bit says that
// something like it is there, and compares. Words of one or two letters are passed over; phrases of nothing
// else are searched one by one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
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

  explicit PhraseIndex(Begins begins) : begins_(begins) {}

  // False and nothing done: the phrase is empty or too long, or 65,535 phrases are in.
  bool add(std::string_view phrase, std::uint16_t id);
  // After all are in: they are found from here on.
  void close();

  // Sets bit `id` of `found` for each phrase that stands in the text; `found` has a bit for every id.
  void find_in(std::string_view text, std::span<std::uint64_t> found) const;

  std::size_t memory() const;  // besides its own size

 private:
  static constexpr std::size_t kWindow = sizeof(std::uint64_t);
  static constexpr std::size_t kLeast = 3;  // bytes of a window
  // Windows of eight bytes, and shorter ones: how many of their bytes a bit tells, and how many a bucket.
  // What stands behind three bytes is anything.
  static constexpr std::array<std::size_t, 2> kTold = {kWindow, 4};
  static constexpr std::array<std::size_t, 2> kPlaced = {kWindow, kLeast};
  static constexpr std::size_t kHashes = std::size_t{1} << 15U;
  static constexpr std::size_t kBuckets = 1024;

  struct Entry {
    std::uint64_t window = 0;  // the bytes it is found by and those behind them, eight if it has so many
    std::uint32_t text = 0;    // offset in texts_
    std::uint16_t id = 0;
    std::uint8_t size = 0;
    std::uint8_t at = 0;  // where in the phrase its window stands

    unsigned window_size() const { return std::min<unsigned>(kWindow, size - at); }
  };
  using Bits = std::array<std::uint32_t, kHashes / 32>;
  struct Search {
    std::string_view text;
    std::span<std::uint64_t> found;
  };

  template <typename Visit>
  void each_window(const Entry& entry, Visit visit) const;
  std::string_view text_of(const Entry& entry) const;
  void look(const Search& search, std::size_t at, std::uint64_t window, std::size_t kind) const;

  Begins begins_;

  // For each of kTold, bits of the hashes that windows have: nearly all of a text stops here.
  std::array<Bits, kTold.size()> known_{};
  Bits beyond_{};  // and of three bytes that they begin with: most characters beyond ASCII stop here
  // Where the entries of each bucket begin; behind them, those without a window, and the end.
  std::array<std::uint16_t, kBuckets + 2> buckets_{};
  std::vector<Entry> entries_;
  std::string texts_;
};

}  // namespace shunt::classify
