// Every framer, over one frame as long as the stream and over many small ones, whole and in pieces: time is
// linear in the bytes.
#include <gtest/gtest.h>

#include "aws_message.h"
#include "core/linear.h"
#include "wire/framer.h"

namespace shunt::wire {
namespace {

constexpr std::size_t kPieces[] = {16'384, 7};

std::size_t bytes_framed(Framer& framer, std::string_view stream, std::size_t piece) {
  std::size_t bytes = 0;
  const auto drain = [&] {
    for (Frame frame; framer.next(frame);) bytes += frame.raw.size();
  };
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    framer.feed(stream.substr(at, piece));
    drain();
  }
  framer.finish();
  drain();
  return bytes + framer.tail().size();
}

// `make(bytes)`: a stream of about that size.
template <typename Make>
void check(BodyShape shape, SseProfile profile, const std::string& what, const Make& make) {
  for (const std::size_t piece : kPieces) {
    expect_linear(what + ", pieces of " + std::to_string(piece), make, [&](const std::string& stream) {
      Framer framer(shape, profile);
      EXPECT_LE(bytes_framed(framer, stream, piece), stream.size()) << what;
    });
  }
}

struct Shape {
  const char *before, *unit, *after;
};

void check(BodyShape shape, SseProfile profile, const Shape& each) {
  check(shape, profile, std::string(each.before) + " (" + each.unit + ")* " + each.after,
        [&](std::size_t bytes) { return repeated(each.before, each.unit, each.after, bytes); });
}

constexpr Shape kSse[] = {
    {"data: ", "x", "\n\n"},                 // one line
    {"", "data: {\"a\":#}\n\n", ""},         // many
    {"", "data: x\r\n\r\n", ""},             //
    {"", "data: x\r\r", ""},                 //
    {"", "data: x\n", "\n"},                 // many lines of one event
    {"", "data\n", "\n"},                    //
    {"", ":\n", "\n"},                       // comments inside a block, and between blocks
    {"", ": keep-alive\n\n", ""},            //
    {"", "\n", ""},                          // nothing at all
    {"", "\r", ""},                          //
    {"", "event: x\n\n", ""},                // blocks without data
    {"", "id: #\n\n", ""},                   //
    {"", "id: #\n", "\n"},                   //
    {"id: ", "x", "\n\ndata: x\n\n"},        // an id that stays in force
    {"", "retry: 1\n", "data: x\n\n"},       //
    {"", "stray\n", ""},                     //
    {"", "stray\n\n", ""},                   //
    {"", "s", "\n"},                         //
    {"data: ", "\xFF", "\n\n"},              // ill-formed, each byte a character of three
    {"data: ", "\xE2\x80", "\n\n"},          //
    {"", "data: \xF0\x9F\n\n", ""},          //
    {"data: x\n", "event: y\n", "\n"},       //
    {"", "data: x\ndata: y\n\n: c\n\n", ""}  //
};
TEST(WireLinear, Sse) {
  for (const SseProfile profile : {SseProfile::whatwg, SseProfile::llm}) {
    for (const Shape& each : kSse) check(BodyShape::sse, profile, each);
  }
}

constexpr Shape kJson[] = {
    {"{\"a\":\"", "x", "\"}\n"},      // one line
    {"", "{\"a\":#}\n", ""},          // many
    {"", "{}", ""},                   // one behind the other
    {"", "1 ", ""},                   //
    {"", "\"\\\"\" ", ""},            //
    {"[", "{\"a\":#},", "{}]"},       // an array that arrives over time
    {"[", "[", ""},                   //
    {"[\"", "\\\\", "\"]"},           //
    {"[", " ", "]"},                  //
    {"", " \n", ""},                  //
    {"", "garbage\n", ""},            //
    {"", "garbage ", "\n"},           //
    {"", "}", "\n"},                  //
    {"", "]\n", ""},                  //
    {"{\"a\":[", "[\"}\"],", "[]]}"}  //
};
TEST(WireLinear, JsonValues) {
  for (const BodyShape shape : {BodyShape::json_array, BodyShape::ndjson}) {
    for (const Shape& each : kJson) check(shape, SseProfile::llm, each);
  }
}

std::string one_message(std::size_t bytes) { return test::aws_event("chunk", std::string(bytes, 'x')); }
std::string many_messages(std::size_t bytes) {
  const std::string message = test::aws_event("contentBlockDelta", R"({"delta":{"text":"x"}})");
  std::string out;
  while (out.size() < bytes) out += message;
  return out;
}
std::string many_headers(std::size_t bytes) {
  std::string headers;
  for (int i = 0; i < 100; ++i) headers += test::aws_text("h" + std::to_string(i), "v");
  std::string out;
  while (out.size() < bytes) out += test::aws_message(headers, "{}");
  return out;
}
std::string no_messages(std::size_t bytes) { return std::string(bytes, '\0'); }

TEST(WireLinear, AwsEventStream) {
  check(BodyShape::aws_eventstream, SseProfile::llm, "one message", one_message);
  check(BodyShape::aws_eventstream, SseProfile::llm, "many messages", many_messages);
  check(BodyShape::aws_eventstream, SseProfile::llm, "many headers", many_headers);
  check(BodyShape::aws_eventstream, SseProfile::llm, "no messages", no_messages);
}

TEST(WireLinear, Sniffing) {
  for (const char* unit : {" ", "{", "{\"a\":1}", "x", "<", "[", "\n", "data: x\n\n"}) {
    expect_linear(
        unit, [&](std::size_t bytes) { return repeated("", unit, "", bytes); },
        [](const std::string& body) { sniff({}, body, BodyHead::whole); });
  }
}

}  // namespace
}  // namespace shunt::wire
