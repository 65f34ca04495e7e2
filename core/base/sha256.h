// SHA-256 (FIPS 180-4), for signing requests and naming contents; knows no keys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace shunt {

class Sha256 {
 public:
  void update(std::string_view bytes);
  // Ends the message. The object is used up.
  std::array<std::uint8_t, 32> digest();

 private:
  void block(const std::uint8_t* bytes);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,
                                         0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U};
  std::array<std::uint8_t, 64> buffer_{};
  std::size_t buffered_ = 0;
  std::uint64_t bytes_ = 0;
};

// The digest in 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace shunt
