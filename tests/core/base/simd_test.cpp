// The machine's blocks against their scalar twin, and both against the plain question.
#include "base/simd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace shunt::simd {
namespace {

struct Random {
  std::uint32_t state = 3;
  std::uint32_t below(std::uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
  }
};

std::string random_block(Random& random) {
  std::string out(kBlock, '\0');
  for (char& c : out)
    c = static_cast<char>(random.below(2) == 0 ? random.below(256) : '\n' + random.below(4));
  return out;
}

template <typename Block, typename Asked>
void check(const Block& answer, const std::string& text, Asked asked) {
  std::uint32_t want = 0;
  for (std::size_t i = 0; i < kBlock; ++i) want |= static_cast<std::uint32_t>(asked(text[i], i)) << i;
  ASSERT_EQ(answer.bits(), want);
}

template <typename Block>
void check_all(const std::string& a, const std::string& b, char c, std::uint8_t bound) {
  const Block block = Block::load(a.data());
  const Block other = Block::load(b.data());
  const auto byte = [](char of) { return static_cast<std::uint8_t>(of); };
  check(block, a, [&](char at, std::size_t) { return byte(at) >= 0x80; });
  check(block.equal_to(c), a, [&](char at, std::size_t) { return at == c; });
  check(block.below(bound), a, [&](char at, std::size_t) { return byte(at) < bound; });
  const auto [first, last] = std::minmax({byte(c), bound});
  check(block.within(first, last), a,
        [&, low = first, high = last](char at, std::size_t) { return byte(at) >= low && byte(at) <= high; });
  check(block.equal_to(other), a, [&](char at, std::size_t i) { return at == b[i]; });
  check(block.equal_to(c) | block.below(bound), a,
        [&](char at, std::size_t) { return at == c || byte(at) < bound; });
  check(block.equal_to(c) & block.below(bound), a,
        [&](char at, std::size_t) { return at == c && byte(at) < bound; });
  check((block | Block::of(' ')).equal_to(c), a,
        [&](char at, std::size_t) { return static_cast<char>(at | ' ') == c; });
}

TEST(Simd, BlocksAnswerAsTheirTwinDoes) {
  Random random;
  for (int round = 0; round < 20000; ++round) {
    const std::string a = random_block(random);
    const std::string b = random.below(4) == 0 ? a : random_block(random);
    const char c = a[random.below(kBlock)];
    const auto bound = static_cast<std::uint8_t>(1 + random.below(255));
    check_all<Block>(a, b, c, bound);
    check_all<ScalarBlock>(a, b, c, bound);
  }
}

TEST(Simd, TheLastBlockOfATextEndsInZeros) {
  const std::string text = "0123456789abcdefXYZ";
  const std::string exact(text.begin() + 16, text.end());  // nothing lies behind it
  for (const auto& [of, at] : {std::pair<std::string_view, std::size_t>{text, 0}, {text, 16}, {exact, 0}}) {
    const Block block = next_block(of, at);
    const std::string_view part = of.substr(at, kBlock);
    check(block.within(1, 255), std::string(part) + std::string(kBlock - part.size(), '\0'),
          [&](char, std::size_t i) { return i < part.size(); });
  }
}

TEST(Simd, JoinedBitsAreInOrder) { EXPECT_EQ(joined(0x1, 0x2, 0x4, 0x8000), 0x8000'0004'0002'0001u); }

TEST(Simd, EqualSeesEveryByteAndNoOther) {
  for (std::size_t size = 0; size < 70; ++size) {
    const std::string text(size, 'x');
    std::string other = "<" + text + ">";
    EXPECT_TRUE(equal(text.data(), other.data() + 1, size));
    for (std::size_t at = 0; at < size; ++at) {
      other[1 + at] = 'y';
      EXPECT_FALSE(equal(text.data(), other.data() + 1, size)) << size << " " << at;
      other[1 + at] = 'x';
    }
  }
  EXPECT_FALSE(equal("a", "ab"));
  EXPECT_TRUE(equal("", ""));
}

}  // namespace
}  // namespace shunt::simd
