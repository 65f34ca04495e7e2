// The incoming side of an attempt: what the answer turns out to be, and what has been seen of it.
#include "exchange/upstream.h"

#include <gtest/gtest.h>

#include <utility>

#include "core/wire/aws_message.h"

namespace shunt::exchange {
namespace {

Upstream openai() { return Upstream({}, *dialect::find(DialectId::openai_chat), 0, Instant{100}); }

TEST(Upstream, TheBytesDecideTheShapeWhateverTheLabelSays) {
  struct Case {
    int status;
    const char* type;
    const char* bytes;
    Shape shape;
  };
  const Case cases[] = {
      {200, "text/event-stream", "data: {}\n\n", Shape::stream},
      {200, "text/event-stream", "{\"error\":{\"message\":\"no\"}}", Shape::whole},
      {200, "application/json", "{\"id\":1}", Shape::whole},
      {200, "text/html", "<html></html>", Shape::whole},
      {200, "", "data: {}\n\n", Shape::stream},
      {200, "application/x-ndjson", "{\"done\":false}\n{\"done\":true}\n", Shape::stream},
      {200, "application/json", "[{\"a\":1}\n,{\"a\":2}]", Shape::stream},
      {200, "application/vnd.amazon.eventstream", "\1", Shape::stream},
      {500, "text/event-stream", "data: {}\n\n", Shape::failure},
      {302, "", "", Shape::failure},
  };
  for (const Case& each : cases) {
    Upstream up = openai();
    up.on_head(each.status, std::string("content-type: ") + each.type + "\n", {150});
    up.on_bytes(each.bytes, {160});
    up.on_end();
    EXPECT_EQ(up.shape(), each.shape) << each.type << ' ' << each.bytes;
    EXPECT_EQ(up.first_byte(), Duration{50});
  }
}

TEST(Upstream, AShapeThatCannotBeToldYetLosesNothing) {
  const std::string stream =
      ": hi\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\ndata: [DONE]\n\n";
  Upstream up = openai();
  up.on_head(200, "content-type: text/plain\n", {150});
  bool content = false;
  for (const char& c : stream) {
    up.on_bytes({&c, 1}, {160});
    Step step;
    while (up.step(step)) content = content || up.content();
  }
  up.on_end();
  Step step;
  while (up.step(step)) content = content || up.content();
  EXPECT_TRUE(content);
  EXPECT_TRUE(up.done());
  EXPECT_FALSE(up.finished());
}

TEST(Upstream, AStreamInAnyFramingIsReadFrameByFrame) {
  const std::string delta = R"({"choices":[{"index":0,"delta":{"content":"x"}}]})";
  const std::string finish = R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";
  const std::pair<const char*, std::string> streams[] = {
      {"application/x-ndjson", delta + "\n" + finish},
      {"application/json", "[" + delta + "\n,\r\n" + finish + "]"},
      {"application/vnd.amazon.eventstream",
       wire::test::aws_event("chunk", delta) + wire::test::aws_event("chunk", finish)},
  };
  for (const auto& [type, bytes] : streams) {
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
      Upstream up = openai();
      up.on_head(200, std::string("content-type: ") + type + "\n", {150});
      int frames = 0;
      Step step;
      const auto drain = [&] {
        for (; up.step(step); ++frames) EXPECT_FALSE(step.sse) << type;
      };
      for (std::size_t at = 0; at < bytes.size(); at += chunk) {
        up.on_bytes(std::string_view(bytes).substr(at, chunk), {160});
        drain();
      }
      up.on_end();
      drain();
      EXPECT_EQ(frames, 2) << type;
      EXPECT_TRUE(up.content() && up.finished()) << type;
    }
  }
}

TEST(Upstream, AFailuresBodyIsReadToItsLimitOnly) {
  Upstream up = openai();
  up.on_head(500, "", {150});
  EXPECT_TRUE(up.on_bytes(std::string(limits::kErrorBodyBytes, 'x'), {160}));
  EXPECT_FALSE(up.on_bytes("y", {160}));
  EXPECT_EQ(up.body().size(), limits::kErrorBodyBytes);
}

TEST(Upstream, TheTimeInWhichTheClientDoesNotReadIsNobodys) {
  const std::string piece = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n";
  Upstream up = openai();
  up.on_head(200, "content-type: text/event-stream\n", {150});
  const auto comes = [&](std::int64_t at) {
    up.on_bytes(piece, {at});
    Step step;
    while (up.step(step)) {
    }
  };
  EXPECT_EQ(up.inter_token_micros(), 0);
  comes(200);
  EXPECT_EQ(up.inter_token_micros(), 0) << "one piece has no gap";
  comes(210);
  up.client_paused({215});
  EXPECT_EQ(up.took({9000}), Duration{115}) << "time stands";
  up.client_ready({9000});
  up.client_ready({9001});
  comes(9010);
  EXPECT_EQ(up.first_token(), Duration{100});
  EXPECT_EQ(up.inter_token_micros(), (10 + 5 + 10) * 1000 / 2);
  EXPECT_EQ(up.took({9020}), Duration{135});
}

}  // namespace
}  // namespace shunt::exchange
