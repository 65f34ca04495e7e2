// Any bytes, cut anywhere, give the same frames, and the raws of all frames and the tail are the bytes: every
// framer. SHUNT_FUZZ_RUNS sets how many; the default is short.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "aws_message.h"
#include "core/fuzz.h"
#include "harness.h"
#include "wire/framer.h"

namespace shunt::wire {
namespace {

constexpr std::size_t kMostBytes = 2000;  // of a frame: small, so that the limit is met
constexpr std::uint64_t kRuns = 3000;

struct Cut {
  std::string log, total;
  bool failed = false;
  friend bool operator==(const Cut&, const Cut&) = default;
};

Cut framed(BodyShape shape, SseProfile profile, std::string_view bytes, std::size_t step) {
  Framer framer(shape, profile, kMostBytes);
  Cut out;
  Frame frame;
  const auto drain = [&] {
    while (framer.next(frame)) {
      out.log += test::log_line(frame) + "\n";
      out.total += frame.raw;
    }
  };
  std::unique_ptr<std::string> piece;  // each of its own memory, gone when the next one has come
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    auto next = std::make_unique<std::string>(bytes.substr(at, step));
    framer.feed(*next);
    piece = std::move(next);
    drain();
  }
  framer.finish();
  drain();
  out.total += framer.tail();
  out.failed = framer.failed();
  return out;
}

void check(BodyShape shape, SseProfile profile, const std::string& body, Dice& dice) {
  const Cut whole = framed(shape, profile, body, std::max<std::size_t>(body.size(), 1));
  const Cut pieces = framed(shape, profile, body, 1 + dice.below(9));
  ASSERT_EQ(whole.log, pieces.log);
  ASSERT_EQ(whole.failed, pieces.failed);
  // Nothing can be found behind a damaged AWS message.
  const bool damaged = shape == BodyShape::aws_eventstream && whole.log.find("broken") != std::string::npos;
  if (whole.failed || damaged) return;
  ASSERT_EQ(whole.total, body);
  ASSERT_EQ(pieces.total, body);
}

constexpr std::string_view kSsePieces[] = {
    "\n",      "\r",   "\r\n",     "\n\n",         ":",    " ",        "data",     "data: ",
    "event: ", "id: ", "retry: 5", "\xEF\xBB\xBF", "\xFF", "\xE2\x80", "\xF0\x9F", std::string_view("\0", 1),
    "[DONE]",  "{",    "\xC2\x85"};
TEST(WireFuzz, SseWhatwg) {
  fuzz("sse", kSsePieces, kRuns, [](const Seed&, const std::string& body, Dice& dice) {
    check(BodyShape::sse, SseProfile::whatwg, body, dice);
  });
}

TEST(WireFuzz, SseLlm) {
  fuzz("sse", kSsePieces, kRuns, [](const Seed&, const std::string& body, Dice& dice) {
    check(BodyShape::sse, SseProfile::llm, body, dice);
  });
}

constexpr std::string_view kJsonPieces[] = {"\n",           "\r\n", " ", "{", "}", "[",    "]",  "\"",
                                            "\\",           "\\\"", ",", ":", "1", "true", "{}", "[]",
                                            "\xEF\xBB\xBF", "\xFF", "x"};
TEST(WireFuzz, JsonLines) {
  fuzz("json_values", kJsonPieces, kRuns, [](const Seed&, const std::string& body, Dice& dice) {
    check(BodyShape::ndjson, SseProfile::llm, body, dice);
  });
}

TEST(WireFuzz, JsonValuesAndArrays) {
  fuzz("json_values", kJsonPieces, kRuns, [](const Seed&, const std::string& body, Dice& dice) {
    check(BodyShape::json_array, SseProfile::llm, body, dice);
  });
}

constexpr std::string_view kAwsPieces[] = {std::string_view("\0\0\0\0", 4),
                                           "\xFF\xFF\xFF\xFF",
                                           std::string_view("\0\0\0\x20", 4),
                                           ":event-type",
                                           "\x07",
                                           "{}"};
// A mutated message is right again in its lengths and checksums now and then, or nothing behind them is met.
std::string mended(const std::string& body, Dice& dice) {
  std::string out;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t headers = dice.below(60);
    const std::string rest = body.substr(at, 12 + dice.below(120));
    at += rest.size();
    out += test::aws_message_of(16 + rest.size(), std::min(headers, rest.size()), rest);
  }
  return out;
}

TEST(WireFuzz, AwsEventStream) {
  fuzz("aws_event_stream", kAwsPieces, kRuns, [](const Seed&, const std::string& body, Dice& dice) {
    std::string stream;
    for (std::string_view left = body;
         !left.empty();) {  // the corpus is text: a name, a tab, a payload a line
      const std::size_t end = std::min(left.find('\n'), left.size() - 1);
      const std::string_view line = left.substr(0, end);
      const std::size_t tab = std::min(line.find('\t'), line.size());
      stream += test::aws_event(line.substr(0, tab), line.substr(std::min(tab + 1, line.size())));
      left.remove_prefix(end + 1);
    }
    const std::size_t how = dice.below(4);
    if (how == 1) stream = body;
    if (how == 2) stream = mended(body, dice);
    if (how == 3 && !stream.empty())
      stream[dice.below(stream.size())] ^= static_cast<char>(1 + dice.below(255));
    check(BodyShape::aws_eventstream, SseProfile::llm, stream, dice);
  });
}

}  // namespace
}  // namespace shunt::wire
