// One framer for every shape: the right framing is chosen, random bytes and splits change nothing.
#include "wire/framer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/wire/aws_message.h"
#include "core/wire/harness.h"

namespace shunt::wire {
namespace {

using test::Reading;

constexpr BodyShape kShapes[] = {
    BodyShape::sse,  BodyShape::json, BodyShape::json_array, BodyShape::ndjson, BodyShape::aws_eventstream,
    BodyShape::html, BodyShape::text, BodyShape::empty};

struct Random {
  std::uint32_t state = 1;
  std::size_t below(std::size_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
  }
};

TEST(Framer, ShapeChoosesTheFraming) {
  const auto log = [](BodyShape shape, std::string_view bytes) {
    return test::run_framer(Framer(shape), bytes, {}).log;
  };
  EXPECT_EQ(log(BodyShape::sse, "data: {}\n\n"), "event data=\"{}\"\nend\n");
  EXPECT_EQ(log(BodyShape::json, "{}"), "event data=\"{}\"\nend\n");
  EXPECT_EQ(log(BodyShape::json_array, "[1,2]"), "event data=\"1\"\nevent data=\"2\"\nend\n");
  EXPECT_EQ(log(BodyShape::ndjson, "[1,2]\n"), "event data=\"[1,2]\"\nend\n");
  EXPECT_EQ(log(BodyShape::aws_eventstream, test::aws_event("a", "{}")),
            "event name=\"a\" data=\"{}\"\nend\n");
  EXPECT_EQ(log(BodyShape::text, "oops\n"), "stray \"oops\"\nend\n");
  EXPECT_EQ(test::run_framer(Framer(BodyShape::sse, SseProfile::whatwg), ": c\n", {}).log, "end\n");
}

TEST(Framer, LimitHoldsForEveryShape) {
  for (const BodyShape shape : kShapes) {
    Framer framer(shape, SseProfile::llm, 1000);
    Reading run;
    const std::string bytes = shape == BodyShape::aws_eventstream
                                  ? test::aws_message("", std::string(2000, 'x'))
                                  : "{\"a\":\"" + std::string(2000, 'x');
    for (std::size_t at = 0; at < bytes.size(); at += 7) test::feed(framer, bytes.substr(at, 7), run);
    EXPECT_TRUE(framer.failed() || run.log == "broken name=\"payload_too_long\" data=\"\"\n")
        << static_cast<int>(shape);
    EXPECT_LE(framer.tail().size(), 1000u);
  }
}

// Pieces that a reader of any of the framings finds interesting.
std::string random_stream(Random& random) {
  static const std::vector<std::string> kPieces = {"data: {\"a\":1}\n\n",
                                                   "data:b\r\n\r\n",
                                                   "event: y\ndata: 1\n\n",
                                                   "event:y\ndata: 2\n\n",
                                                   "event: longer\r\ndata:3\r\n\r\n",
                                                   "event: x\n",
                                                   "\r",
                                                   "\n",
                                                   "{\"a\":\"",
                                                   "\"}",
                                                   "{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   ",",
                                                   "\\",
                                                   "\"",
                                                   "-1",
                                                   "true",
                                                   "nul",
                                                   ": c\n",
                                                   "id: 1\n",
                                                   "\xEF\xBB\xBF",
                                                   "\xFF",
                                                   test::aws_event("e", "{}"),
                                                   test::aws_exception("x", ""),
                                                   test::big_endian(16, 4),
                                                   std::string(1, '\0'),
                                                   std::string(70, 'x')};
  std::string out;
  for (std::size_t i = random.below(12); i > 0; --i) out += kPieces[random.below(kPieces.size())];
  for (std::size_t i = random.below(4); i > 0 && !out.empty(); --i) {
    out[random.below(out.size())] = static_cast<char>(random.below(256));
  }
  return out;
}

TEST(Framer, RandomBytesReadTheSameHoweverTheyAreCut) {
  Random random;
  for (int round = 0; round < 4000; ++round) {
    const std::string bytes = random_stream(random);
    std::vector<std::size_t> sizes;
    for (std::size_t i = random.below(6); i > 0; --i) sizes.push_back(random.below(bytes.size() + 1));
    for (const BodyShape shape : kShapes) {
      const Reading whole = test::run_framer(Framer(shape), bytes, {});
      const Reading cut = test::run_framer(Framer(shape), bytes, sizes);
      ASSERT_EQ(cut.log, whole.log) << test::quoted(bytes);
      // After a damaged message of AWS nothing is kept of later chunks.
      if (shape == BodyShape::aws_eventstream && whole.log.find("broken") != std::string::npos) continue;
      ASSERT_EQ(whole.total, bytes);
      ASSERT_EQ(cut.total, bytes);
    }
  }
}

}  // namespace
}  // namespace shunt::wire
