// The laws of the merge, case by case and over generated records, and its bytes.
#include "health/record.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "base/rng.h"

namespace shunt::health {
namespace {

constexpr std::uint64_t kCases = 120'000;

// Few values, so that epochs, stamps and ends often tie.
Record record(std::uint64_t seed) {
  Record r{};
  for (std::size_t i = 0; i < r.size(); ++i)
    r[i] = static_cast<std::int64_t>(draw_below(seed, Draw::route, i, seed % 2 == 0 ? 3 : 1'000'000));
  return r;
}

class EveryKind : public testing::TestWithParam<Kind> {
 protected:
  Record merge(const Record& a, const Record& b) const { return join(GetParam(), a, b); }
};

TEST_P(EveryKind, MergeIsCommutative) {
  for (std::uint64_t i = 0; i < kCases; ++i) {
    const Record a = record(2 * i), b = record(2 * i + i % 3);
    ASSERT_EQ(merge(a, b), merge(b, a)) << i;
  }
}

TEST_P(EveryKind, MergeIsAssociative) {
  for (std::uint64_t i = 0; i < kCases; ++i) {
    const Record a = record(i), b = record(i + kCases), c = record(i + 2 * kCases);
    ASSERT_EQ(merge(merge(a, b), c), merge(a, merge(b, c))) << i;
  }
}

TEST_P(EveryKind, MergeIsIdempotentAndNothingIsItsZero) {
  for (std::uint64_t i = 0; i < kCases; ++i) {
    const Record a = record(i), b = record(i + kCases);
    ASSERT_EQ(merge(a, a), a) << i;
    ASSERT_EQ(merge(merge(a, b), b), merge(a, b)) << i;
    ASSERT_EQ(merge(a, Record{}), a) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Record, EveryKind, testing::Values(Kind::own, Kind::orders));

TEST(Record, WithinAnEpochEndsAreMaxima) {
  EXPECT_EQ(join(Kind::own, {5, 10, 0, 30, 0, 0}, {5, 8, 20, 40, 1, 1}), (Record{5, 10, 20, 40, 1, 1}));
}

TEST(Record, AHigherEpochSpeaksAloneHoweverLateTheLowerEnds) {
  EXPECT_EQ(join(Kind::key, {6, 0, 0, 0, 99, 0}, {5, 1000, 1000, 1000, 0, 1}), (Record{6, 0, 0, 0, 99, 0}));
}

TEST(Record, OrdersAreSeparateRegistersOfTheNewestStamp) {
  EXPECT_EQ(join(Kind::orders, {10, 1, 5, 3, 0, 0}, {9, 2, 6, 4, 1, 8}), (Record{10, 1, 6, 4, 1, 8}));
  EXPECT_EQ(join(Kind::orders, {10, 1, 0, 0, 0, 0}, {10, 2, 0, 0, 0, 0}), (Record{10, 2, 0, 0, 0, 0}))
      << "of one stamp the greater value, wherever it is merged";
}

std::vector<Entry> entries(std::uint64_t seed) {
  static constexpr std::string_view kLines[] = {"a", "gpt-4o@openai", "x:y/z_0"};
  std::vector<Entry> all;
  for (std::uint64_t i = 0; i < seed % 5; ++i) {
    const std::uint64_t r = mix64(seed + i);
    all.push_back(
        {kLines[r % 3], static_cast<Kind>((r >> 8U) % 6), static_cast<std::uint8_t>(r >> 16U), record(r)});
    all.back().record[1] = static_cast<std::int64_t>(r >> 2U);
  }
  return all;
}

// In a buffer of its own size, so that a sanitizer sees a read past the end.
bool decode_exact(const std::string& bytes, std::vector<Entry>& out, std::unique_ptr<char[]>& keep) {
  keep = std::make_unique<char[]>(bytes.size());
  if (!bytes.empty()) std::memcpy(keep.get(), bytes.data(), bytes.size());
  return decode({keep.get(), bytes.size()}, out);
}

TEST(Codec, EveryDocumentComesBackAndIsSpeltOneWay) {
  std::unique_ptr<char[]> keep;
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    const std::string bytes = encode(entries(seed));
    std::vector<Entry> back;
    ASSERT_TRUE(decode_exact(bytes, back, keep));
    ASSERT_EQ(back, entries(seed));
    ASSERT_EQ(encode(back), bytes);
  }
}

TEST(Codec, AnEntryIsCompact) {
  // An open line: 13 bytes of id, three of place, an end in ms of today, five numbers of nothing.
  const std::size_t empty = encode({}).size();
  EXPECT_EQ(empty, 12U);
  EXPECT_EQ(encode({{"gpt-4o@openai", Kind::own, 0, {0, 1'800'000'000'000, 0, 0, 0, 0}}}).size(),
            empty + 13 + 3 + 6 + 5);
}

TEST(Codec, RefusesEveryTruncationEveryChangedByteAndOtherVersions) {
  const std::string bytes = encode(entries(4));
  std::unique_ptr<char[]> keep;
  std::vector<Entry> back;
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(decode_exact(bytes.substr(0, n), back, keep));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {1, 0x80, 0xFF}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      EXPECT_FALSE(decode_exact(changed, back, keep)) << i;
    }
  }
  EXPECT_FALSE(decode_exact(bytes + "x", back, keep));
}

TEST(Codec, WithAForgedCheckWhatIsReadIsStillNumbersThatAreNotNegative) {
  std::unique_ptr<char[]> keep;
  int accepted = 0;
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    std::string forged = encode(entries(4));
    forged.resize(forged.size() - 8);
    for (std::uint64_t i = 0; i <= seed % 3; ++i) {
      const std::uint64_t r = mix64(seed * 8 + i);
      forged[4 + (r >> 16U) % (forged.size() - 4)] = static_cast<char>(r);
    }
    if (seed % 5 == 0) forged.resize(4 + mix64(seed) % (forged.size() - 4));
    put_check(forged, 0);
    std::vector<Entry> back;
    if (!decode_exact(forged, back, keep)) continue;
    ++accepted;
    for (const Entry& entry : back) {
      for (const std::int64_t number : entry.record) ASSERT_GE(number, 0);
    }
    ASSERT_EQ(encode(back), forged) << "accepted is spelt as it would be written";
  }
  EXPECT_GT(accepted, 10'000);
}

}  // namespace
}  // namespace shunt::health
