// CRC-32 as zlib and IEEE 802.3 have it, for the checksums of AWS event streams.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace shunt::wire {

// By half bytes: a table of 64 bytes is worth its place in a small module, one of a kilobyte is not.
inline constexpr std::array<std::uint32_t, 16> kCrc32 = [] {
  constexpr std::uint32_t kPolynomial = 0xEDB88320;
  std::array<std::uint32_t, 16> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 4; ++bit) crc = crc >> 1U ^ (kPolynomial & (0U - (crc & 1U)));
    table[i] = crc;
  }
  return table;
}();

inline std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    crc = crc >> 4U ^ kCrc32[crc & 15U];
    crc = crc >> 4U ^ kCrc32[crc & 15U];
  }
  return ~crc;
}

}  // namespace shunt::wire
