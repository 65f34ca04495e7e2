// AWS event streams: messages, headers, every way to be damaged; at every split of their bytes.
#include "wire/aws_event_stream.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/wire/aws_message.h"
#include "core/wire/harness.h"

namespace shunt::wire {
namespace {

using namespace std::string_literals;
using test::aws_event;
using test::aws_exception;
using test::aws_header;
using test::aws_message;
using test::aws_message_of;
using test::aws_text;
using test::Reading;

// The log of `bytes`, which is the same however they are cut.
std::string log_of(std::string_view bytes, std::size_t max_payload = limits::kAwsPayloadBytes) {
  const Reading whole = test::run_framer(AwsFramer(max_payload), bytes, {});
  for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
    EXPECT_EQ(test::run_framer(AwsFramer(max_payload), bytes, {cut}).log, whole.log) << "cut at " << cut;
  }
  const std::vector<std::size_t> ones(bytes.size(), 1);
  EXPECT_EQ(test::run_framer(AwsFramer(max_payload), bytes, ones).log, whole.log);
  return whole.log;
}

TEST(AwsEventStream, AMessageIsAFrameUnderItsEventType) {
  const std::string stream = aws_event("messageStart", "{\"role\":\"assistant\"}") + aws_event("chunk", "{}");
  EXPECT_EQ(log_of(stream),
            "event name=\"messageStart\" data=\"{\\\"role\\\":\\\"assistant\\\"}\"\n"
            "event name=\"chunk\" data=\"{}\"\nend\n");
}

TEST(AwsEventStream, RawsAndTailAddUpToTheStream) {
  const std::string stream = aws_event("a", "one") + aws_event("b", "two");
  for (const std::size_t dropped : {0, 1, 20}) {
    const std::string_view bytes = std::string_view{stream}.substr(0, stream.size() - dropped);
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
      EXPECT_EQ(test::run_framer(AwsFramer(), bytes, {cut}).total, bytes) << cut;
    }
  }
}

TEST(AwsEventStream, MessageInsideOneChunkIsViewsOfTheChunk) {
  const std::string chunk = aws_event("a", "payload");
  AwsFramer framer;
  framer.feed(chunk);
  Frame frame;
  ASSERT_TRUE(framer.next(frame));
  EXPECT_EQ(frame.raw.data(), chunk.data());
  EXPECT_EQ(frame.data.data(), chunk.data() + chunk.find("payload"));
}

TEST(AwsEventStream, WithoutHeadersItIsAnEventWithoutAName) {
  EXPECT_EQ(log_of(aws_message("", "")), "event data=\"\"\nend\n");
  // What is not text names nothing.
  EXPECT_EQ(log_of(aws_message(aws_header(":event-type", 4, "\0\0\0\1"s), "x")), "event data=\"x\"\nend\n");
}

TEST(AwsEventStream, ExceptionsAndErrorsAreTheTransportsOwn) {
  EXPECT_EQ(log_of(aws_exception("throttlingException", "{\"message\":\"slow\"}")),
            "exception name=\"throttlingException\" data=\"{\\\"message\\\":\\\"slow\\\"}\"\nend\n");
  const std::string error = aws_text(":message-type", "error") + aws_text(":error-code", "InternalFailure") +
                            aws_text(":error-message", "boom");
  EXPECT_EQ(log_of(aws_message(error, "")), "exception name=\"InternalFailure\" data=\"boom\"\nend\n");
}

TEST(AwsEventStream, EveryTypeOfHeaderIsRead) {
  const std::string headers =
      aws_header("yes", 0, "") + aws_header("no", 1, "") + aws_header("i8", 2, "\xFF") +
      aws_header("i16", 3, "\x80\x00"s) + aws_header("i32", 4, "\xFF\xFF\xFF\xFE") +
      aws_header("i64", 5, "\x80\x00\x00\x00\x00\x00\x00\x00"s) + aws_header("bytes", 6, "\0\2ab"s) +
      aws_text("text", "\xC3\xA4") + aws_header("time", 8, "\0\0\0\0\0\x84\x5F\xED"s) +
      aws_header("uuid", 9, "0123456789abcdef");
  AwsFramer framer;
  const std::string message = aws_message(headers, "");
  framer.feed(message);
  Frame frame;
  ASSERT_TRUE(framer.next(frame));
  AwsHeaders reader(framer.headers());
  std::vector<AwsHeader> read;
  for (AwsHeader header; reader.next(header);) read.push_back(header);
  ASSERT_TRUE(reader.ok());
  ASSERT_EQ(read.size(), 10u);
  for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(static_cast<std::size_t>(read[i].type), i);
  EXPECT_EQ(aws_integer(read[2].value), -1);
  EXPECT_EQ(aws_integer(read[3].value), -32768);
  EXPECT_EQ(aws_integer(read[4].value), -2);
  EXPECT_EQ(aws_integer(read[5].value), INT64_MIN);
  EXPECT_EQ(read[6].value, "ab");
  EXPECT_EQ(read[7].value, "\xC3\xA4");
  EXPECT_EQ(aws_integer(read[8].value), 8675309);
  EXPECT_EQ(read[9].value, "0123456789abcdef");
  EXPECT_EQ(read[9].name, "uuid");
}

TEST(AwsEventStream, AFlippedBitAnywhereIsFound) {
  const std::string good = aws_event("chunk", "{\"bytes\":\"e30=\"}");
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 1 << bit);
      const Reading run = test::run_framer(AwsFramer(), bad, {});
      const std::string want = at < 12 ? "broken name=\"prelude_crc\"" : "broken name=\"message_crc\"";
      EXPECT_EQ(run.log, want + " data=\"\"\nend\n") << at;
    }
  }
}

TEST(AwsEventStream, NothingFollowsADamagedMessage) {
  std::string bad = aws_event("b", "x");
  bad.back() ^= 1;
  EXPECT_EQ(log_of(aws_event("a", "1") + bad + aws_event("c", "3")),
            "event name=\"a\" data=\"1\"\nbroken name=\"message_crc\" data=\"\"\nend\n");
}

TEST(AwsEventStream, LengthsThatContradictEachOtherAreRefusedAtThePrelude) {
  const auto first = [](std::uint64_t total, std::uint64_t headers) {
    const std::string prelude = aws_message_of(total, headers, "").substr(0, 12);
    return log_of(prelude);
  };
  const std::string bad = "broken name=\"bad_lengths\" data=\"\"\nend\n";
  EXPECT_EQ(first(15, 0), bad);
  EXPECT_EQ(first(0, 0), bad);
  EXPECT_EQ(first(16, 1), bad);
  EXPECT_EQ(first(61, 0xFF000102), bad);
  EXPECT_EQ(first(1 << 20, limits::kAwsHeaderBytes + 1), bad);
  const std::string cut = "broken name=\"incomplete\" data=\"\"\nend\n";
  EXPECT_EQ(first(1 << 20, limits::kAwsHeaderBytes), cut);
  EXPECT_EQ(first(16 + limits::kAwsPayloadBytes, 0), cut);
  EXPECT_EQ(first(17 + limits::kAwsPayloadBytes, 0), "broken name=\"payload_too_long\" data=\"\"\nend\n");
}

TEST(AwsEventStream, ThePayloadLimitIsExact) {
  EXPECT_EQ(log_of(aws_message("", "12345"), 5), "event data=\"12345\"\nend\n");
  EXPECT_EQ(log_of(aws_message("", "123456"), 5), "broken name=\"payload_too_long\" data=\"\"\nend\n");
}

TEST(AwsEventStream, HeadersThatAreNoneAreBadLengths) {
  for (const std::string& headers : {"\x05name\x07"s, "\x01n\x0A"s, "\x01n\x07\x00\x05"s + "four", "\x01n"s,
                                     "\x01n\x05\0\0\0"s, "\x01n\x06\0"s, "\xFF"s}) {
    EXPECT_EQ(log_of(aws_message(headers, "{}")), "broken name=\"bad_lengths\" data=\"\"\nend\n");
  }
}

TEST(AwsEventStream, DuplicateAndCountlessHeadersAreRefused) {
  EXPECT_EQ(log_of(aws_message(aws_text("a", "1") + aws_text("b", "2") + aws_text("a", "1"), "")),
            "broken name=\"duplicate_header\" data=\"\"\nend\n");
  std::string headers;
  for (std::size_t i = 0; i < limits::kAwsHeaders; ++i) headers += aws_header(test::big_endian(i, 1), 0, "");
  const auto first = [](const std::string& bytes) { return test::run_framer(AwsFramer(), bytes, {}).log; };
  EXPECT_EQ(first(aws_message(headers, "")), "event data=\"\"\nend\n");
  EXPECT_EQ(first(aws_message(headers + aws_header("one more", 0, ""), "")),
            "broken name=\"too_many_headers\" data=\"\"\nend\n");
}

TEST(AwsEventStream, TheEndInsideAMessageIsBroken) {
  const std::string stream = aws_event("a", "1") + aws_event("b", "2");
  const std::size_t first = aws_event("a", "1").size();
  for (std::size_t size = 1; size < stream.size(); ++size) {
    const Reading run = test::run_framer(AwsFramer(), std::string_view{stream}.substr(0, size), {});
    const bool whole = size == first;
    EXPECT_EQ(run.log.find("incomplete") == std::string::npos, whole) << size;
    if (whole) continue;
    EXPECT_EQ(run.raws.back().size(), size < first ? size : size - first);
  }
}

TEST(AwsEventStream, MegabytesByteByByteTakeLinearTime) {
  // A rescan of the carry would need 8e12 steps here.
  const std::string message = aws_message("", std::string(4 * 1024 * 1024, 'p'));
  AwsFramer framer;
  Frame frame;
  for (std::size_t i = 0; i < message.size(); ++i) {
    framer.feed(std::string_view{message}.substr(i, 1));
    ASSERT_EQ(framer.next(frame), i + 1 == message.size());
  }
  EXPECT_EQ(frame.raw, message);
}

}  // namespace
}  // namespace shunt::wire
