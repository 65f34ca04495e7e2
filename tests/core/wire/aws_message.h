// Builds AWS event-stream messages, right or wrong in one place, from a checksum of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shunt::wire::test {

inline std::uint32_t slow_crc32(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xEDB88320 & (0 - (crc & 1)));
  }
  return ~crc;
}

inline std::string big_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> 8 * i & 0xFF);
  return out;
}

inline std::string aws_header(std::string_view name, int type, std::string_view value) {
  return big_endian(name.size(), 1) + std::string{name} + big_endian(static_cast<std::uint64_t>(type), 1) +
         std::string{value};
}

inline std::string aws_text(std::string_view name, std::string_view value) {
  return aws_header(name, 7, big_endian(value.size(), 2) + std::string{value});
}

// A message whose lengths are what they are said to be, with right checksums over them.
inline std::string aws_message_of(std::uint64_t total, std::uint64_t headers_size, std::string_view rest) {
  std::string out = big_endian(total, 4) + big_endian(headers_size, 4);
  out += big_endian(slow_crc32(out), 4);
  out += rest;
  return out + big_endian(slow_crc32(out), 4);
}

inline std::string aws_message(std::string_view headers, std::string_view payload) {
  return aws_message_of(16 + headers.size() + payload.size(), headers.size(),
                        std::string{headers} + std::string{payload});
}

inline std::string aws_event(std::string_view type, std::string_view payload) {
  return aws_message(aws_text(":event-type", type) + aws_text(":content-type", "application/json") +
                         aws_text(":message-type", "event"),
                     payload);
}

inline std::string aws_exception(std::string_view type, std::string_view payload) {
  return aws_message(aws_text(":exception-type", type) + aws_text(":message-type", "exception"), payload);
}

}  // namespace shunt::wire::test
