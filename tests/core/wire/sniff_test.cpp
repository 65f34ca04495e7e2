// Which shape a body has, by content type and first bytes, and that a verdict never changes as bytes arrive.
#include "wire/sniff.h"

#include <gtest/gtest.h>

#include <string>

namespace shunt::wire {
namespace {

using namespace std::string_literals;

struct Case {
  std::string content_type;
  std::string body;
  BodyShape shape;
};

// The prelude of an 16-byte message without headers: lengths, then CRC-32 of the eight bytes before it.
const std::string kAwsMessage = "\x00\x00\x00\x10\x00\x00\x00\x00\x05\xC2\x48\xEB\x7D\x98\xC8\xFF"s;

std::vector<Case> cases() {
  return {
      {"text/event-stream", "data: {}\n\n", BodyShape::sse},
      {"Text/Event-Stream; charset=utf-8", ": ping\n\n", BodyShape::sse},
      {"text/event-stream", "foo: bar\n", BodyShape::sse},
      {"text/event-stream", "{\"error\":{\"message\":\"no\"}}", BodyShape::json},
      {"text/event-stream", "{\"error\":1}\n\ndata: [DONE]\n\n", BodyShape::sse},
      {"text/event-stream", "<!DOCTYPE html>", BodyShape::html},
      {"text/event-stream", "\n\n", BodyShape::empty},
      {"application/json", "{\"id\":\"x\",\"s\":\"}{\\\"\"}", BodyShape::json},
      {"application/json; charset=utf-8", "\n\n  {\n \"a\": [1, {}]\n}\n", BodyShape::json},
      {"application/json", "[{\"candidates\":[]}\n,\r\n", BodyShape::json_array},
      {"application/json", "{\"a\":1}\n{\"a\":2}\n", BodyShape::ndjson},
      {"application/json", "data: {}\n\n", BodyShape::sse},
      {"application/json", "<html>", BodyShape::html},
      {"application/json", "null", BodyShape::json},
      {"application/problem+json", "{}", BodyShape::json},
      {"application/x-ndjson", "{\"done\":false}\n", BodyShape::ndjson},
      {"application/jsonl", "{", BodyShape::ndjson},
      {"text/html; charset=utf-8", "<html>", BodyShape::html},
      {"text/html", "Bad gateway", BodyShape::html},
      {"application/xml", "<?xml version=\"1.0\"?><Error/>", BodyShape::html},
      {"text/plain", "upstream connect error or disconnect/reset before headers", BodyShape::text},
      {"text/plain", "database is locked", BodyShape::text},
      {"text/plain", "{\"error\":\"x\"}", BodyShape::json},
      {"", "event: a\ndata: b\n\n", BodyShape::sse},
      {"", "id\ndata: b\n\n", BodyShape::sse},
      {"",
       "\xEF\xBB\xBF"
       "retry: 5\n",
       BodyShape::sse},
      {"", "da", BodyShape::text},
      {"", "", BodyShape::empty},
      {"application/json", "", BodyShape::empty},
      {"application/vnd.amazon.eventstream", kAwsMessage, BodyShape::aws_eventstream},
      {"application/vnd.amazon.eventstream", "{\"message\":\"denied\"}", BodyShape::json},
      {"application/octet-stream", kAwsMessage, BodyShape::aws_eventstream},
      {"application/octet-stream", "\x00\x00\x00\x10\x00\x00\x00\x00\x05\xC2\x48\xEC"s, BodyShape::text},
      {"application/octet-stream", "\x00\x01"s, BodyShape::text},
  };
}

TEST(Sniff, WholeBodyHasItsShape) {
  for (const Case& c : cases()) {
    EXPECT_EQ(sniff(c.content_type, c.body, BodyHead::whole), c.shape) << c.content_type << " | " << c.body;
  }
}

TEST(Sniff, VerdictFromAPrefixIsTheVerdictOfTheWhole) {
  for (const Case& c : cases()) {
    for (std::size_t size = 0; size <= c.body.size(); ++size) {
      const auto shape = sniff(c.content_type, c.body.substr(0, size), BodyHead::partial);
      if (shape) {
        EXPECT_EQ(*shape, c.shape) << c.content_type << " | " << c.body << " | " << size;
      }
    }
  }
}

TEST(Sniff, EventStreamIsSettledByItsFirstByte) {
  EXPECT_EQ(sniff("text/event-stream", "d", BodyHead::partial), BodyShape::sse);
  EXPECT_EQ(sniff("text/event-stream", ":", BodyHead::partial), BodyShape::sse);
  EXPECT_EQ(sniff("", "d", BodyHead::partial), std::nullopt);
}

TEST(Sniff, IsSettledWithinItsBound) {
  const std::string blank(kSniffBytes, '\n');
  EXPECT_EQ(sniff("application/json", blank, BodyHead::partial), BodyShape::json);
  EXPECT_EQ(sniff("text/event-stream", blank, BodyHead::partial), BodyShape::sse);
  EXPECT_EQ(sniff("", blank, BodyHead::partial), BodyShape::text);
  const std::string open = "{\"a\":\"" + std::string(kSniffBytes, 'x');
  EXPECT_EQ(sniff("application/json", open, BodyHead::partial), BodyShape::json);
  EXPECT_EQ(sniff("", open.substr(0, kSniffBytes - 1), BodyHead::partial), std::nullopt);
}

}  // namespace
}  // namespace shunt::wire
