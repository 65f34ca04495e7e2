// Numbers as bytes and back, and the check that ends a document. Knows nothing of what they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/rng.h"

namespace shunt::health {

inline constexpr std::size_t kCheckBytes = 8;

// Little-endian.
inline void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xFFU));
}

// Seven bits a byte, the last without the high bit.
inline void put_short(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) put(out, value | 0x80U, 1);
  put(out, value, 1);
}

inline std::uint64_t check_of(std::string_view bytes) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return mix64(hash);
}

inline void put_check(std::string& out, std::size_t start) {
  put(out, check_of(std::string_view(out).substr(start)), static_cast<int>(kCheckBytes));
}

// Reads forward; once anything is missing, `good` stays false and every value reads as zero.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  // The body of a document that begins with `magic` and ends with its check; not good when it does not.
  static Reader of(std::string_view bytes, std::string_view magic);

  std::uint64_t number(std::size_t bytes);
  std::uint64_t short_number();
  std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }
  std::uint8_t byte_below(int bound);
  std::string_view take(std::size_t bytes);

  bool good() const { return good_; }
  bool at_end() const { return rest_.empty(); }
  void refuse() { good_ = false; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace shunt::health
