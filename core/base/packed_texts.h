// Tables of short texts -> bytes at compile time: each text stands behind its length. As string_views they
// are addresses for a good part, which do not compress.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace shunt {

// Reads bytes and texts in the order they were written in.
class PackedTexts {
 public:
  constexpr PackedTexts(const char* begin, std::size_t size) : at_(begin), end_(begin + size) {}
  template <std::size_t N>
  constexpr PackedTexts(const std::array<char, N>& bytes) : PackedTexts(bytes.data(), N) {}

  bool empty() const { return at_ == end_; }
  unsigned byte() { return static_cast<unsigned char>(*at_++); }
  std::string_view text() {
    const std::size_t size = byte();
    at_ += size;
    return {at_ - size, size};
  }

 private:
  const char* at_;
  const char* end_;
};

namespace pack {

struct Counter {
  std::size_t size = 0;
  constexpr void byte(unsigned) { ++size; }
  constexpr void text(std::string_view text) { size += 1 + text.size(); }
};

struct Writer {
  char* at;
  constexpr void byte(unsigned value) { *at++ = static_cast<char>(value); }
  constexpr void text(std::string_view text) {
    byte(static_cast<unsigned>(text.size()));
    for (const char c : text) *at++ = c;
  }
};

}  // namespace pack

// Calls take(text) for each part of a list "a|b|c".
template <typename Take>
constexpr void each_part(std::string_view list, Take take) {
  for (std::size_t from = 0; from < list.size();) {
    const std::size_t end = list.find('|', from) < list.size() ? list.find('|', from) : list.size();
    take(list.substr(from, end - from));
    from = end + 1;
  }
}

// A table of such a list's parts.
template <const std::string_view& List>
struct ListTable {
  template <typename Out>
  static constexpr void write(Out& out) {
    each_part(List, [&out](std::string_view part) { out.text(part); });
  }
};

// What Table::write(out) gives to out.byte() and out.text(); a text has at most 255 bytes.
template <typename Table>
constexpr auto packed_texts() {
  constexpr std::size_t kSize = [] {
    pack::Counter counter;
    Table::write(counter);
    return counter.size;
  }();
  std::array<char, kSize> out{};
  pack::Writer writer{out.data()};
  Table::write(writer);
  return out;
}

}  // namespace shunt
