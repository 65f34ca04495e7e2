// Numbers survive; what is cut, long or spelt twice does not pass.
#include "health/codec.h"

#include <gtest/gtest.h>

namespace shunt::health {
namespace {

TEST(Codec, ShortNumbersSurviveAndTakeSevenBitsAByte) {
  for (unsigned bits = 0; bits <= 62; ++bits) {
    for (const std::int64_t off : {-1, 0, 1}) {
      const std::uint64_t value = (std::uint64_t{1} << bits) + static_cast<std::uint64_t>(off);
      std::string out;
      put_short(out, value);
      Reader in(out);
      EXPECT_EQ(in.short_number(), value);
      EXPECT_TRUE(in.good() && in.at_end());
      EXPECT_LE(out.size(), bits / 7 + 1);
    }
  }
}

TEST(Codec, AShortNumberHasOneSpelling) {
  for (const std::string_view bytes :
       {std::string_view("\x80\x00", 2), std::string_view("\xFF\x00", 2), std::string_view("\x80", 1),
        std::string_view("", 0), std::string_view("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 10)}) {
    Reader in(bytes);
    EXPECT_EQ(in.short_number(), 0U);
    EXPECT_FALSE(in.good());
  }
}

TEST(Codec, OnceAnythingIsMissingEverythingReadsAsZero) {
  Reader in("\x01\x02\x03");
  EXPECT_EQ(in.number(2), 0x0201U);
  EXPECT_EQ(in.number(2), 0U);
  EXPECT_EQ(in.byte(), 0U);
  EXPECT_EQ(in.take(1), "");
  EXPECT_FALSE(in.good());
}

TEST(Codec, ADocumentNeedsItsMagicAndItsCheck) {
  std::string out = "ABCD";
  put(out, 77, 1);
  put_check(out, 0);
  Reader in = Reader::of(out, "ABCD");
  EXPECT_EQ(in.byte(), 77U);
  EXPECT_TRUE(in.good() && in.at_end());
  EXPECT_FALSE(Reader::of(out, "ABCE").good());
  for (std::size_t n = 0; n < out.size(); ++n) EXPECT_FALSE(Reader::of(out.substr(0, n), "ABCD").good());
  out[4] = 78;
  EXPECT_FALSE(Reader::of(out, "ABCD").good());
}

}  // namespace
}  // namespace shunt::health
