// JSON values out of a stream: lines, values, the elements of an array; at every split of their bytes.
#include "wire/json_values.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "core/wire/harness.h"

namespace shunt::wire {
namespace {

using test::Reading;
using Strings = std::vector<std::string>;

constexpr JsonFraming kValues = JsonFraming::values;
constexpr JsonFraming kLines = JsonFraming::lines;

// The frames of `bytes`, which are the same however they are cut: their data, behind their fault if any.
Strings frames_of(JsonFraming framing, std::string_view bytes) {
  const Reading whole = test::run_framer(JsonFramer(framing), bytes, {});
  EXPECT_EQ(whole.total, bytes);
  const std::vector<std::size_t> ones(bytes.size(), 1);
  EXPECT_EQ(test::run_framer(JsonFramer(framing), bytes, ones).log, whole.log);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    const Reading run = test::run_framer(JsonFramer(framing), bytes, {cut});
    EXPECT_EQ(run.log, whole.log) << "cut at " << cut;
    EXPECT_EQ(run.total, bytes);
  }
  Strings out;
  JsonFramer framer(framing);
  framer.feed(bytes);
  Frame frame;
  const auto drain = [&] {
    while (framer.next(frame)) {
      const bool broken = frame.kind == Frame::Kind::broken;
      out.push_back((broken ? std::string{frame.event} + ": " : "") + std::string{frame.data});
    }
  };
  drain();
  framer.finish();
  drain();
  return out;
}

TEST(JsonLines, AValueALine) {
  EXPECT_EQ(frames_of(kLines, "{\"a\":1}\n{\"b\":[2,3]}\n"), (Strings{"{\"a\":1}", "{\"b\":[2,3]}"}));
  EXPECT_EQ(frames_of(kLines, "{\"a\":1}\r\n\r\n \n{\"b\":2}\r\n"), (Strings{"{\"a\":1}", "{\"b\":2}"}));
  EXPECT_EQ(frames_of(kLines, "1\n\"x\"\nnull\n[1,2]\n"), (Strings{"1", "\"x\"", "null", "[1,2]"}));
}

TEST(JsonLines, TheLastLineCountsWithoutItsEnd) {
  EXPECT_EQ(frames_of(kLines, "{\"a\":1}\n{\"done\":true}"), (Strings{"{\"a\":1}", "{\"done\":true}"}));
  EXPECT_EQ(frames_of(kLines, "12"), (Strings{"12"}));
  EXPECT_EQ(frames_of(kLines, ""), (Strings{}));
}

TEST(JsonLines, TwoValuesOnALineAreTwo) {
  EXPECT_EQ(frames_of(kLines, "{\"a\":1}{\"b\":2} {\"c\":3}\n"),
            (Strings{"{\"a\":1}", "{\"b\":2}", "{\"c\":3}"}));
}

TEST(JsonLines, ABadLineHarmsNoOther) {
  EXPECT_EQ(frames_of(kLines, "{\"a\":\"cut\n{\"b\":2}\nupstream error: x\n{\"c\":3}\n"),
            (Strings{"{\"a\":\"cut", "{\"b\":2}", "upstream error: x", "{\"c\":3}"}));
  EXPECT_EQ(frames_of(kLines, "not found\n}{\n[1\n2\n"), (Strings{"not found", "}{", "[1", "2"}));
}

TEST(JsonLines, TheEndInsideALineIsBroken) {
  EXPECT_EQ(frames_of(kLines, "{\"a\":1}\n{\"b\":"), (Strings{"{\"a\":1}", "incomplete: {\"b\":"}));
}

TEST(JsonLines, LineEndsInsideStringsAreEscaped) {
  EXPECT_EQ(frames_of(kLines, "{\"a\":\"x\\n\\\"}\\\\\"}\n{}\n"),
            (Strings{"{\"a\":\"x\\n\\\"}\\\\\"}", "{}"}));
}

TEST(JsonValues, ASingleValueIsOneFrame) {
  EXPECT_EQ(frames_of(kValues, "{\n  \"a\": [1, {\"b\": \"]}\\\"\"}]\n}\n"),
            (Strings{"{\n  \"a\": [1, {\"b\": \"]}\\\"\"}]\n}"}));
  EXPECT_EQ(frames_of(kValues, "\xEF\xBB\xBF{}"), (Strings{"{}"}));
  EXPECT_EQ(frames_of(kValues, " true"), (Strings{"true"}));
  EXPECT_EQ(frames_of(kValues, "\"a\\\"b\""), (Strings{"\"a\\\"b\""}));
}

TEST(JsonValues, ValuesNeedNoSpaceBetween) {
  EXPECT_EQ(frames_of(kValues, "{}{\"a\":1}[1]\"s\"2{} 3 null"),
            (Strings{"{}", "{\"a\":1}", "[1]", "\"s\"", "2", "{}", "3", "null"}));
}

TEST(JsonValues, TheElementsOfAnArrayAreTheFrames) {
  const std::string stream =
      "[{\n  \"candidates\": [{\"text\": \"a, ]\"}]\n}\n,\r\n{\n  \"candidates\": []\n}\n]\n";
  EXPECT_EQ(frames_of(kValues, stream),
            (Strings{"{\n  \"candidates\": [{\"text\": \"a, ]\"}]\n}", "{\n  \"candidates\": []\n}"}));
  EXPECT_EQ(frames_of(kValues, "[]"), (Strings{}));
  EXPECT_EQ(frames_of(kValues, "[[1],\"x\",2]"), (Strings{"[1]", "\"x\"", "2"}));
}

TEST(JsonValues, AnElementComesWithItsLastByte) {
  JsonFramer framer(kValues);
  Frame frame;
  framer.feed("[{\"a\":1}");
  ASSERT_TRUE(framer.next(frame));
  EXPECT_EQ(frame.data, "{\"a\":1}");
  EXPECT_EQ(frame.raw, "[{\"a\":1}");
  EXPECT_FALSE(framer.next(frame));
  framer.feed(",{\"b\":2}");
  ASSERT_TRUE(framer.next(frame));
  EXPECT_EQ(frame.raw, ",{\"b\":2}");
}

TEST(JsonValues, WhatIsNoJsonIsBrokenUpToItsLineEnd) {
  EXPECT_EQ(frames_of(kValues, "upstream {error}\n{\"a\":1}\n"),
            (Strings{"not_json: upstream {error}", "{\"a\":1}"}));
  EXPECT_EQ(frames_of(kValues, "not found"), (Strings{"not_json: not found"}));
  EXPECT_EQ(frames_of(kValues, "{\"a\":1}]\n[2]"), (Strings{"{\"a\":1}", "not_json: ]", "[2]"}));
  EXPECT_EQ(frames_of(kValues, "-\n1"), (Strings{"not_json: -", "1"}));
  EXPECT_EQ(frames_of(kValues, "tru"), (Strings{"not_json: tru"}));
}

TEST(JsonValues, TheEndInsideAValueIsBroken) {
  EXPECT_EQ(frames_of(kValues, "[{\"a\":1},{\"b\":\"x"), (Strings{"{\"a\":1}", "incomplete: {\"b\":\"x"}));
  EXPECT_EQ(frames_of(kValues, "\"abc"), (Strings{"incomplete: \"abc"}));
  EXPECT_EQ(frames_of(kValues, "[{\"a\":1}"), (Strings{"{\"a\":1}"}));
}

TEST(JsonValues, AFrameInsideOneChunkIsViewsOfTheChunk) {
  const std::string chunk = "[{\"a\":1},{\"b\":2}";
  JsonFramer framer(kValues);
  framer.feed(chunk);
  Frame frame;
  ASSERT_TRUE(framer.next(frame));
  EXPECT_EQ(frame.data.data(), chunk.data() + 1);
  ASSERT_TRUE(framer.next(frame));
  EXPECT_EQ(frame.raw.data(), chunk.data() + 8);
}

TEST(JsonValues, AValueBeyondTheLimitFails) {
  for (const JsonFraming framing : {kValues, kLines}) {
    JsonFramer framer(framing, 10);
    Reading run;
    test::feed(framer, "{\"a\":1}\n", run);
    test::feed(framer, "{\"a\":1234", run);
    test::feed(framer, "5678}\n{}\n", run);
    test::finish(framer, run);
    EXPECT_TRUE(run.failed);
    EXPECT_EQ(run.raws.size(), 1u);
    EXPECT_EQ(run.tail, "");
  }
}

TEST(JsonValues, MegabytesByteByByteTakeLinearTime) {
  // A rescan of the carry would need 8e12 steps here.
  const std::string value = "{\"a\":\"" + std::string(4 * 1024 * 1024, '[') + "\"}";
  JsonFramer framer(kValues);
  Frame frame;
  for (std::size_t i = 0; i < value.size(); ++i) {
    framer.feed(std::string_view{value}.substr(i, 1));
    ASSERT_EQ(framer.next(frame), i + 1 == value.size());
  }
  EXPECT_EQ(frame.data, value);
}

TEST(JsonValues, AllShortStreamsAreTheSameAtEverySplit) {
  constexpr std::array<std::string_view, 8> kTokens = {"{", "}", "[", "]", "\"", "\\", "\n", "1"};
  for (std::size_t length = 0; length <= 5; ++length) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < length; ++i) count *= kTokens.size();
    for (std::size_t code = 0; code < count; ++code) {
      std::string text;
      for (std::size_t i = 0, rest = code; i < length; ++i, rest /= kTokens.size())
        text += kTokens[rest % kTokens.size()];
      for (const JsonFraming framing : {kValues, kLines}) {
        const Reading whole = test::run_framer(JsonFramer(framing), text, {});
        ASSERT_EQ(whole.total, text);
        for (std::size_t cut = 1; cut < length; ++cut) {
          const Reading run = test::run_framer(JsonFramer(framing), text, {cut});
          ASSERT_EQ(run.log, whole.log) << test::quoted(text) << " cut " << cut;
          ASSERT_EQ(run.total, text);
        }
      }
    }
  }
}

}  // namespace
}  // namespace shunt::wire
