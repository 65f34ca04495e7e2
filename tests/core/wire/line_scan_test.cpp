// The block-wise scan against a byte-wise one, with the bytes that tempt it next to each other.
#include "wire/line_scan.h"

#include <gtest/gtest.h>

#include <string>

namespace shunt::wire {
namespace {

LineScan slow_scan(std::string_view text) {
  LineScan scan{0, true};
  for (; scan.end < text.size() && text[scan.end] != '\n' && text[scan.end] != '\r'; ++scan.end) {
    if (static_cast<unsigned char>(text[scan.end]) >= 0x80) scan.ascii = false;
  }
  return scan;
}

TEST(LineScan, AgreesWithAByteWiseScan) {
  // Neighbours of LF and CR in value, and both with the high bit set.
  constexpr std::string_view kTempting = "\n\r\x0B\x0E\x09\x0C\x8A\x8D\x80\xFF";
  std::uint32_t random = 1;
  const auto below = [&random](std::size_t bound) {
    random = random * 1664525u + 1013904223u;
    return (random >> 8) % bound;
  };
  for (int round = 0; round < 100000; ++round) {
    std::string text(1 + below(160), 'x');
    for (std::size_t i = below(6); i > 0; --i) text[below(text.size())] = kTempting[below(10)];
    const LineScan slow = slow_scan(text);
    for (const LineScan& fast : {scan_line(text), scan_line<simd::ScalarBlock>(text)}) {
      ASSERT_EQ(fast.end, slow.end) << text;
      ASSERT_EQ(fast.ascii, slow.ascii) << text;
    }
  }
}

TEST(LineScan, EmptyTextHasNoLineEnd) {
  EXPECT_EQ(scan_line("").end, 0u);
  EXPECT_TRUE(scan_line("").ascii);
}

}  // namespace
}  // namespace shunt::wire
