// The scanner: verdicts, located errors, and the same tokens however the bytes are cut.
#include <gtest/gtest.h>

#include "base/json.h"
#include "core/base/json_documents.h"

namespace shunt::json {
namespace {

std::vector<std::string_view> bytes_of(std::string_view text) {
  std::vector<std::string_view> pieces;
  for (std::size_t i = 0; i < text.size(); ++i) pieces.push_back(text.substr(i, 1));
  pieces.push_back({});
  return pieces;
}

TEST(JsonScanner, AcceptsGoodDocuments) {
  for (const std::string_view text : kGoodDocuments) {
    Error error;
    EXPECT_TRUE(valid(text, &error)) << text << " at " << error.offset << ": " << error.what;
  }
}

TEST(JsonScanner, LocatesEveryError) {
  for (const BadDocument& bad : kBadDocuments) {
    Error error;
    EXPECT_FALSE(valid(bad.text, &error)) << bad.text;
    EXPECT_EQ(error.offset, bad.offset) << bad.text;
    EXPECT_STREQ(error.what, bad.what) << bad.text;
  }
}

TEST(JsonScanner, ByteByByteIsTheSame) {
  for (const std::string_view text : all_documents())
    EXPECT_EQ(token_stream(bytes_of(text)), token_stream({text}));
}

TEST(JsonScanner, EverySplitInTwoIsTheSame) {
  for (const std::string_view text : all_documents()) {
    const std::string whole = token_stream({text});
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      ASSERT_EQ(token_stream({text.substr(0, cut), text.substr(cut)}), whole) << text << " cut at " << cut;
      ASSERT_EQ(token_stream({text.substr(0, cut), {}, text.substr(cut), {}}), whole)
          << text << " cut at " << cut;
    }
  }
}

TEST(JsonScanner, EverySplitInThreeIsTheSame) {
  for (const std::string_view text : all_documents()) {
    if (text.size() > 40) continue;
    const std::string whole = token_stream({text});
    for (std::size_t a = 0; a <= text.size(); ++a) {
      for (std::size_t b = a; b <= text.size(); ++b) {
        ASSERT_EQ(token_stream({text.substr(0, a), text.substr(a, b - a), text.substr(b)}), whole) << text;
      }
    }
  }
}

TEST(JsonScanner, TokensSpanTheirBytes) {
  EXPECT_EQ(token_stream({R"( {"a\n": [12, "x"]} )"}),
            "2 1-2 depth 1\n6 2-7 depth 1 escaped a\\n\n4 9-10 depth 2\n8 10-12 depth 2 12\n"
            "7 14-17 depth 2 x\n5 17-18 depth 1\n3 18-19 depth 0\n1");
}

TEST(JsonScanner, NestsToTheLimitAndNoDeeper) {
  const auto nested = [](int depth) {
    const auto count = static_cast<std::size_t>(depth);
    return std::string(count, '[') + std::string(count, ']');
  };
  EXPECT_TRUE(valid(nested(limits::kJsonDepth)));
  Error error;
  EXPECT_FALSE(valid(nested(limits::kJsonDepth + 1), &error));
  EXPECT_EQ(error, (Error{limits::kJsonDepth, lex::kTooDeep}));
}

TEST(JsonScanner, RemembersKindsAtEveryDepth) {
  std::string opened;
  std::string closed;
  for (int depth = 0; depth < limits::kJsonDepth; ++depth) {
    const bool object = (depth * 7) % 3 == 0;
    opened += object ? "{\"k\":" : "[";
    closed.insert(0, 1, object ? '}' : ']');
  }
  EXPECT_TRUE(valid(opened + "1" + closed));
  for (std::size_t i = 0; i < closed.size(); ++i) {
    std::string wrong = closed;
    wrong[i] = wrong[i] == '}' ? ']' : '}';
    EXPECT_FALSE(valid(opened + "1" + wrong));
  }
}

// A string at the limit is gathered; one byte more makes it a range.
TEST(JsonScanner, LongStringsBecomeRanges) {
  for (const std::size_t size : {limits::kTokenBytes, limits::kTokenBytes + 1}) {
    const std::string content(size, 'x');
    const std::string text = "[\"" + content + "\"]";
    for (const std::size_t cut : {std::size_t{2}, std::size_t{100}, text.size() - 3, text.size() - 2}) {
      Scanner scanner;
      scanner.feed(std::string_view(text).substr(0, cut), false);
      EXPECT_EQ(scanner.next(), Token::array_begin);
      EXPECT_EQ(scanner.next(), Token::need_more);
      EXPECT_EQ(scanner.in_long_string(), cut - 2 > limits::kTokenBytes);
      scanner.feed(std::string_view(text).substr(cut), true);
      EXPECT_EQ(scanner.next(), Token::string);
      EXPECT_FALSE(scanner.in_long_string());
      EXPECT_EQ(scanner.whole(), size == limits::kTokenBytes);
      EXPECT_EQ(scanner.text(), std::string(limits::kTokenBytes, 'x'));
      EXPECT_EQ(scanner.begin(), 1U);
      EXPECT_EQ(scanner.end(), size + 3);
      EXPECT_EQ(scanner.next(), Token::array_end);
      EXPECT_EQ(scanner.next(), Token::end);
    }
  }
}

TEST(JsonScanner, AStringInsideOneSliceIsAViewOfAnyLength) {
  const std::string text = '"' + std::string(100000, 'x') + "\"";
  Scanner scanner;
  scanner.feed(text, true);
  EXPECT_EQ(scanner.next(), Token::string);
  EXPECT_TRUE(scanner.whole());
  EXPECT_EQ(scanner.text().data(), text.data() + 1);
  EXPECT_EQ(scanner.text().size(), 100000U);
}

// Whatever stands at the cut, the head of a long string is content that can be unescaped and shown.
TEST(JsonScanner, HeadsEndBetweenCharacters) {
  for (const std::string_view unit :
       {"\\u00e9"sv, "\\\\"sv, "\\n"sv, "\xE4\xBD\xA0"sv, "\xF0\x9F\x98\x80"sv, "a\\\\\\u0041"sv}) {
    for (std::size_t shift = 0; shift < 12; ++shift) {
      std::string content(shift, 'x');
      while (content.size() < 2 * limits::kTokenBytes) content += unit;
      const std::string text = '"' + content + "\"";
      Scanner scanner;
      scanner.feed(std::string_view(text).substr(0, 7000), false);
      EXPECT_EQ(scanner.next(), Token::need_more);
      ASSERT_TRUE(scanner.in_long_string());
      const std::string head(scanner.long_string_head());
      EXPECT_EQ(content.substr(0, head.size()), head);
      EXPECT_GT(head.size(), limits::kTokenBytes - 6);
      EXPECT_TRUE(valid('"' + head + "\"")) << unit << " shifted by " << shift;
      scanner.feed(std::string_view(text).substr(7000), true);
      EXPECT_EQ(scanner.next(), Token::string);
      EXPECT_EQ(scanner.text(), head);
    }
  }
}

TEST(JsonScanner, LongKeysAndNumbersAreRefusedHoweverTheyArrive) {
  const std::string digits(limits::kTokenBytes, '1');
  const std::string key = "{\"" + std::string(limits::kTokenBytes, 'k');
  for (const bool cut : {false, true}) {
    const auto stream = [cut](std::string_view text) {
      return cut ? token_stream({text.substr(0, 3000), text.substr(3000)}) : token_stream({text});
    };
    EXPECT_EQ(stream(digits).substr(0, 2), "8 ");
    EXPECT_EQ(stream(digits + "1"), "12 @0 key or number too long");
    EXPECT_EQ(stream(key + "\":1}").find("@"), std::string::npos);
    EXPECT_NE(stream(key + "k\":1}").find("@1 key or number too long"), std::string::npos);
  }
}

TEST(JsonScanner, AWordEndsOnlyWhenItsEndIsKnown) {
  Scanner scanner;
  scanner.feed("12", false);
  EXPECT_EQ(scanner.next(), Token::need_more);
  scanner.feed("", false);
  EXPECT_EQ(scanner.next(), Token::need_more);
  scanner.feed("3", true);
  EXPECT_EQ(scanner.next(), Token::number);
  EXPECT_EQ(scanner.text(), "123");
  EXPECT_EQ(scanner.next(), Token::end);
}

TEST(JsonScanner, AnErrorIsFinal) {
  Scanner scanner;
  scanner.feed("[1,}", false);
  while (scanner.next() != Token::error) {
  }
  scanner.feed("2]", true);
  EXPECT_EQ(scanner.next(), Token::error);
  EXPECT_EQ(scanner.error(), (Error{3, lex::kUnexpected}));
}

}  // namespace
}  // namespace shunt::json
