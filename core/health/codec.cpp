// Bytes from a store or a file: anything may stand in them.
#include "health/codec.h"

namespace shunt::health {

Reader Reader::of(std::string_view bytes, std::string_view magic) {
  Reader none{{}};
  none.refuse();
  if (bytes.size() < magic.size() + kCheckBytes) return none;
  const std::string_view body = bytes.substr(0, bytes.size() - kCheckBytes);
  if (Reader(bytes.substr(body.size())).number(kCheckBytes) != check_of(body)) return none;
  Reader in(body);
  return in.take(magic.size()) == magic ? in : none;
}

std::uint64_t Reader::number(std::size_t bytes) {
  const std::string_view text = take(bytes);
  std::uint64_t value = 0;
  for (std::size_t i = text.size(); i > 0; --i) value = value << 8U | static_cast<unsigned char>(text[i - 1]);
  return value;
}

// One spelling for each value: no more than nine bytes, and no zero to end a longer one.
std::uint64_t Reader::short_number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    const std::uint8_t next = byte();
    value |= std::uint64_t{next & 0x7FU} << shift;
    if (next >= 0x80) continue;
    if (next == 0 && shift > 0) break;
    return value;
  }
  good_ = false;
  return 0;
}

std::uint8_t Reader::byte_below(int bound) {
  const std::uint8_t value = byte();
  if (value >= bound) good_ = false;
  return value;
}

std::string_view Reader::take(std::size_t bytes) {
  if (!good_ || rest_.size() < bytes) {
    good_ = false;
    return {};
  }
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
}

}  // namespace shunt::health
