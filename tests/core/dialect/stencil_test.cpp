// Frames told by comparing bytes say what a full reading says, whatever follows whatever.
#include "dialect/stencil.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dialect/anthropic_reader.h"
#include "dialect/openai_chat_reader.h"
#include "event_text.h"

namespace shunt::dialect::test {
namespace {

wire::Frame frame_of(std::string_view data, std::string_view event = "") {
  wire::Frame frame;
  frame.event = event;
  frame.data = data;
  return frame;
}

std::string text_of(const EventList& events) {
  std::string text;
  for (const Event& event : events) text += event_text(event) + "\n";
  return text;
}

// Learns `first`, whose text delta is `word`, and asks of `next`: the event's line, or "no".
std::string asked(std::string_view first, std::string_view word, std::string_view next,
                  std::string_view padding = {}) {
  Stencil stencil;
  EventList events;
  const auto view = [first](std::string_view part) {
    return part.empty() ? part : first.substr(first.find(part), part.size());
  };
  events.push_back(event::TextDelta{3, view(word)});
  stencil.learn(frame_of(first), events, 0, view(padding));
  events.clear();
  return stencil.match(frame_of(next), events) ? text_of(events) : "no";
}

TEST(Stencil, AFrameThatDiffersInItsTextAloneIsKnown) {
  const std::string_view first = R"({"i":3,"t":"word","end":null})";
  EXPECT_EQ(asked(first, "word", R"({"i":3,"t":"another one","end":null})"), "text 3 another one\n");
  EXPECT_EQ(asked(first, "word", R"({"i":3,"t":"w","end":null})"), "text 3 w\n");
  EXPECT_EQ(asked(first, "word", R"({"i":3,"t":"字é","end":null})"), "text 3 字é\n");
  EXPECT_EQ(asked(first, "word", R"({"i":3,"t":"a\n\"b\\","end":null})"), "text 3 a\n\"b\\\n");
}

TEST(Stencil, AnyOtherDifferenceMeansReading) {
  const std::string_view first = R"({"i":3,"t":"word","end":null})";
  for (const std::string_view next :
       {R"({"i":4,"t":"word","end":null})", R"({"i":3,"t":"word","end":true})",
        R"({"i":3,"t":"word","end":null)", R"({"i":3,"t":"word","end":null}})", R"({"i":3,"t":"word)",
        R"({"i":3,"t":"","end":null})", "{", "", R"({"i":3,"t":"\ud83d","end":null})",
        R"({"i":3,"t":"\x","end":null})", "{\"i\":3,\"t\":\"\xFF\",\"end\":null}",
        "{\"i\":3,\"t\":\"a\nb\",\"end\":null}", R"({"i":3,"t":null,"end":null})"}) {
    EXPECT_EQ(asked(first, "word", next), "no") << next;
  }
  Stencil stencil;
  EventList events{event::TextDelta{0, first.substr(12, 4)}};
  stencil.learn(frame_of(first, "delta"), events, 0, {});
  EXPECT_TRUE(stencil.match(frame_of(first, "delta"), events));
  EXPECT_FALSE(stencil.match(frame_of(first, "other"), events));
  wire::Frame stray = frame_of(first, "delta");
  stray.kind = wire::Frame::Kind::stray;
  EXPECT_FALSE(stencil.match(stray, events));
}

TEST(Stencil, PaddingMayDiffer) {
  const std::string_view first = R"({"t":"word","pad":"x9","end":1})";
  EXPECT_EQ(asked(first, "word", R"({"t":"two","pad":"longer one","end":1})", "x9"), "text 3 two\n");
  EXPECT_EQ(asked(first, "word", R"({"t":"two","pad":"","end":1})", "x9"), "text 3 two\n");
  EXPECT_EQ(asked(first, "word", R"({"t":"two","pad":"a","end":2})", "x9"), "no");
  EXPECT_EQ(asked(first, "word", R"({"t":"two","pad":"a)", "x9"), "no");
  // Padding in front of the text is not looked for.
  EXPECT_EQ(asked(R"({"pad":"x9","t":"word"})", "word", R"({"pad":"x9","t":"two"})", "x9"), "no");
}

TEST(Stencil, SpacesBeforeTheLastBracketsMayDiffer) {
  const std::string_view first = R"({"d":{"t":"word"}   })";
  EXPECT_EQ(asked(first, "word", R"({"d":{"t":"two"}})"), "text 3 two\n");
  EXPECT_EQ(asked(first, "word", R"({"d":{"t":"two"}          })"), "text 3 two\n");
  EXPECT_EQ(asked(first, "word", R"({"d":{"t":"two"})"), "no");
  EXPECT_EQ(asked(first, "word", R"({"d":{"t":"two"]})"), "no");
  // Between words a space is not nothing.
  EXPECT_EQ(asked(R"({"t":"word","n":12})", "word", R"({"t":"two","n":1 2})"), "no");
}

TEST(Stencil, OnlyOneDeltaWithItsTextAsSentIsLearnt) {
  const std::string_view first = R"({"t":"word"})";
  const std::string elsewhere = "word";
  const std::string_view text = first.substr(6, 4);
  const auto learns = [&](EventList events, std::size_t mark) {
    Stencil stencil;
    stencil.learn(frame_of(first), events, mark, {});
    EventList out;
    return stencil.match(frame_of(first), out);
  };
  EXPECT_TRUE(learns({event::TextDelta{0, text}}, 0));
  EXPECT_TRUE(learns({event::Ping{}, event::ReasoningDelta{0, text, {}, {}}}, 1));
  EXPECT_TRUE(learns({event::ToolCallArguments{0, 0, text}}, 0));
  EXPECT_FALSE(learns({event::TextDelta{0, elsewhere}}, 0));
  EXPECT_FALSE(learns({event::TextDelta{0, first.substr(7, 3)}}, 0)) << "not the whole string";
  EXPECT_FALSE(learns({event::TextDelta{0, text}, event::Ping{}}, 0));
  EXPECT_FALSE(learns({event::ReasoningDelta{0, text, "signature", {}}}, 0));
  EXPECT_FALSE(learns({event::Finish{0, FinishReason::stop, text}}, 0));
  EXPECT_FALSE(learns({}, 0));
}

struct Random {
  std::uint32_t state = 7;
  std::size_t below(std::size_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
  }
  std::string_view one_of(const std::vector<std::string_view>& list) { return list[below(list.size())]; }
};

const std::vector<std::string_view> kTexts = {"word",
                                              "a",
                                              "",
                                              "\\n",
                                              "\\\"q\\\"",
                                              "字",
                                              "é",
                                              "\\ud83d",
                                              "\\ude00",
                                              "\\u00e9",
                                              "two words",
                                              "\\\\",
                                              "\xFF",
                                              "\\x",
                                              "a longer text than the sixteen bytes of a block",
                                              "{}",
                                              "\\ud83d\\ude00"};

// Runs of frames of a few shapes, each shape often enough in a row to be learnt.
std::vector<std::string> frames_of(Random& random, const std::vector<std::vector<std::string_view>>& shapes) {
  std::vector<std::string> out;
  for (int runs = 0; runs < 12; ++runs) {
    const auto& shape = shapes[random.below(shapes.size())];
    for (std::size_t i = random.below(6); i > 0; --i) {
      std::string frame;
      for (const std::string_view part : shape) frame += part == "*" ? random.one_of(kTexts) : part;
      out.push_back(std::move(frame));
    }
  }
  return out;
}

template <typename Reader>
void same_as_reading(DialectId id, Reader& reader, const std::vector<std::string>& frames) {
  const auto decoder = find(id)->make_decoder(0);
  for (const std::string& frame : frames) {
    EventList read;
    EventList decoded;
    if (!reader.read(frame, read)) read.push_back(event::BadFrame{});
    const std::string want = text_of(read);
    decoder->decode(frame_of(frame), decoded);
    ASSERT_EQ(text_of(decoded), want) << frame;
  }
}

TEST(Stencil, OpenAiStreamsDecodeAsTheyAreRead) {
  const std::vector<std::vector<std::string_view>> shapes = {
      {R"({"id":"c","choices":[{"index":0,"delta":{"content":")", "*",
       R"("},"finish_reason":null}],"obfuscation":")", "*", "\"}"},
      {R"({"id":"c","choices":[{"index":0,"delta":{"content":")", "*", R"("}}]})"},
      {R"({"id":"c","choices":[{"index":1,"delta":{"content":")", "*", R"("}}]})"},
      {R"({"id":"c","choices":[{"index":0,"delta":{"reasoning_content":")", "*", R"("}}],"p":")", "*", "\"}"},
      {R"({"id":"c","choices":[{"index":0,"delta":{"reasoning":")", "*",
       R"(","reasoning_details":[{"type":"reasoning.text","text":")", "*", "\"}]}}]}"},
      {R"({"id":"c","choices":[{"index":0,"delta":{"refusal":")", "*", R"("}}]})"},
      {R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":")",
       "*", R"("}}]}}]})"},
      {R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":")", "*",
       R"("}}]}}]})"},
      {R"({"choices":[{"index":0,"delta":{"tool_calls":[{"id":")", "*",
       R"(","function":{"arguments":"x"}}]}}]})"},
      {R"({"choices":[{"index":0,"message":{"content":")", "*", R"("}}]})"},
      {R"({"choices":[{"index":0,"delta":{"content":"same"},"finish_reason":")", "*", R"("}],"x":")", "*",
       "\"}"},
      {R"({"choices":[{"index":0,"text":")", "*", R"("}]})"},
      {R"({"error":{"message":")", "*", R"("}})"},
      {R"({"choices":[{"index":0,"delta":{"content":")", "*",
       R"("}}],"usage":{"prompt_tokens":1,"completion_tokens":2}})"},
  };
  Random random;
  for (int round = 0; round < 3000; ++round) {
    std::string block;
    OpenAiChatReader reader(0, block);
    same_as_reading(DialectId::openai_chat, reader, frames_of(random, shapes));
  }
}

TEST(Stencil, AnthropicStreamsDecodeAsTheyAreRead) {
  const std::vector<std::vector<std::string_view>> shapes = {
      {R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")", "*", "\"}}"},
      {R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")", "*", "\"}    }"},
      {R"({"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":")", "*",
       "\"}}"},
      {R"({"type":"content_block_delta","index":1,"delta":{"type":"signature_delta","signature":")", "*",
       "\"}}"},
      {R"({"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}})"},
      {R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":")", "*",
       "\"}}"},
      {R"({"type":"content_block_stop","index":2})"},
      {R"({"type":"ping"})"},
      {R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":")", "*", "\"}}"},
  };
  Random random;
  for (int round = 0; round < 3000; ++round) {
    std::string block;
    AnthropicReader reader(block);
    same_as_reading(DialectId::anthropic_messages, reader, frames_of(random, shapes));
  }
}

}  // namespace
}  // namespace shunt::dialect::test
