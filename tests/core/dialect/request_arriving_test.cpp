// Bodies that are sent on while they arrive: what was written from a part is a prefix of what is written from
// the whole.
#include "core/dialect/request_testing.h"

#include "catalog/quirks.h"
#include "dialect/adapt.h"

namespace shunt::dialect::testing {
namespace {

using Piece = BodyPieces::Piece;

// Everything up to and with the last range, which may grow, of `part` is the beginning of `whole`.
void expect_prefix(const BodyPieces& part, const BodyPieces& whole, const std::string& where) {
  ASSERT_LE(part.pieces.size(), whole.pieces.size()) << where;
  EXPECT_TRUE(whole.text.starts_with(part.text)) << where << "\n"
                                                 << part.text << "\n"
                                                 << whole.text.substr(0, 2000);
  for (std::size_t i = 0; i < part.pieces.size(); ++i) {
    const Piece& a = part.pieces[i];
    const Piece& b = whole.pieces[i];
    const bool last = i + 1 == part.pieces.size();
    EXPECT_EQ(a.literal, b.literal) << where;
    EXPECT_EQ(a.offset, b.offset) << where;
    EXPECT_TRUE(last ? a.length <= b.length : a.length == b.length) << where << " piece " << i;
  }
}

struct Arrival {
  std::size_t streamed = 0;  // the most bytes of the target's body that could be sent before the end
  std::size_t body = 0;      // of the target's body in all
  std::size_t memory = 0;    // the most the outline held
};

// Feeds `body` in slices of `step`; at each, reads and writes what has come.
Arrival arrive(DialectId from, DialectId to, const std::string& body, std::size_t step,
               const RequestTarget& target = {"target-model", 0, {}}) {
  Arrival result;
  const auto run = [&](const json::Outline& outline, BodyPieces& out) {
    Request request;
    RequestProblem problem;
    if (!read(from, outline, request, problem)) return false;
    return from != to ? write_adapted(*find(to), request, target, out, problem)
                      : splice_request(outline, request, target, from, out, problem);
  };
  BodyPieces whole;
  EXPECT_TRUE(run(outline_of(body, from), whole));
  result.body = whole.size();
  json::Outline outline(request_outline_options(from));
  std::uint64_t before = 0;
  for (std::size_t at = 0; at < body.size(); at += step) {
    const std::string_view slice = std::string_view(body).substr(at, step);
    outline.feed(slice, at + step >= body.size());
    result.memory = std::max(result.memory, outline.memory());
    BodyPieces part;
    if (at + step >= body.size() || !run(outline, part) || part.pieces.empty()) continue;
    expect_prefix(part, whole, "after " + std::to_string(at + step));
    const Piece& last = part.pieces.back();
    EXPECT_LE(last.literal ? 0 : last.offset + last.length, outline.bytes_read());
    EXPECT_GE(part.size(), before) << "what was given once is given again";
    before = part.size();
    result.streamed = std::max(result.streamed, static_cast<std::size_t>(part.size()));
  }
  return result;
}

std::string big(std::size_t size, char c = 'A') { return std::string(size, c); }

// Bodies as SDKs order them, with strings that are too long to keep.
std::vector<std::string> openai_bodies() {
  return {
      R"({"model":"a","messages":[{"role":"system","content":")" + big(9000) +
          R"("},{"role":"user","content":")" + big(20000) +
          R"("},{"role":"user","content":"short"},{"role":"assistant","content":")" + big(7000) +
          R"("}],"stream":true})",
      R"({"messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url",
           "image_url":{"url":"data:image/png;base64,)" +
          big(30000) + R"("}},{"type":"text","text":")" + big(12000) +
          R"(","cache_control":{"type":"ephemeral"}}]},
          {"role":"user","content":[{"type":"file","file":{"filename":"a.pdf",
           "file_data":"data:application/pdf;base64,)" +
          big(15000) +
          R"("}}]}],"max_tokens":9,"tools":[{"type":"function","function":{"name":"f","description":")" +
          big(9000) + R"("}}],"stream":true,"stream_options":{"include_usage":false},"model":"a"})",
      R"({"messages":[{"role":"user","content":"q"},{"role":"assistant",
           "content":null,"tool_calls":[{"id":"c","type":"function",
          "function":{"name":"f","arguments":"{\"a\":\")" +
          big(9000) + R"(\"}"}}]},{"role":"tool","content":")" + big(9000) +
          R"(","tool_call_id":"c"},{"role":"tool","tool_call_id":"d","content":")" + big(9000) +
          R"("},{"role":"user","content":"go"}],"model":"a","x":")" + big(9000) + R"("})",
  };
}

std::vector<std::string> anthropic_bodies() {
  return {
      R"({"model":"a","max_tokens":5,"system":[{"type":"text","text":")" + big(9000) +
          R"("}],"messages":[{"role":"user","content":[
          {"type":"image","source":{"type":"base64","media_type":"image/png","data":")" +
          big(30000) + R"("}},{"type":"text","text":")" + big(9000) +
          R"("}]},{"role":"assistant","content":[{"type":"thinking","thinking":")" + big(9000) +
          R"(","signature":"s"},{"type":"text","text":")" + big(9000) +
          R"("},{"type":"tool_use","id":"c","name":"f","input":{"a":")" + big(9000) +
          R"("}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":")" +
          big(9000) +
          R"("},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":")" +
          big(9000) + R"("},"title":"t"}]}],"tools":[{"name":"f","input_schema":{"d":")" + big(9000) +
          R"("}}],"stream":true})",
      R"({"system":"s","messages":[{"role":"user","content":")" + big(20000) +
          R"("}],"model":"a","max_tokens":5})",
  };
}

std::vector<std::string> responses_bodies() {
  return {
      R"({"model":"a","instructions":")" + big(9000) +
          R"(","input":[{"role":"user","content":[{"type":"input_text","text":")" + big(20000) +
          R"("},{"type":"input_image","image_url":"data:image/png;base64,)" + big(30000) +
          R"("}]},{"role":"assistant","content":")" + big(7000) +
          R"("},{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":\")" + big(9000) +
          R"(\"}"},{"type":"function_call_output","call_id":"c","output":")" + big(9000) +
          R"("},{"role":"user","content":"go"}],"stream":true})",
      R"({"instructions":"s","input":")" + big(20000) + R"(","model":"a"})",
  };
}

std::vector<std::string> gemini_bodies() {
  return {
      R"({"systemInstruction":{"parts":[{"text":")" + big(9000) +
          R"("}]},"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":")" +
          big(90000) + R"("}},{"text":")" + big(20000) +
          R"("}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":")" + big(9000) +
          R"("}},"thoughtSignature":")" + big(9000) +
          R"("}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":")" +
          big(9000) + R"("}}},{"text":")" + big(9000) +
          R"("}]}],"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"d":")" + big(9000) +
          R"("}}]}]})",
      R"({"system_instruction":{"parts":{"text":"s"}},"contents":{"role":"user","parts":[{"text":")" +
          big(20000) + R"("}]},"generationConfig":{"maxOutputTokens":5}})",
  };
}

std::vector<std::string> bodies_of(DialectId from) {
  if (from == DialectId::gemini_generate) return gemini_bodies();
  if (from == DialectId::openai_responses) return responses_bodies();
  return from == DialectId::openai_chat ? openai_bodies() : anthropic_bodies();
}

constexpr DialectId kAll[] = {DialectId::openai_chat, DialectId::openai_responses,
                              DialectId::anthropic_messages, DialectId::gemini_generate};

TEST(RequestArriving, WhatIsWrittenEarlyIsAPrefix) {
  for (const DialectId from : kAll) {
    for (const std::string& body : bodies_of(from)) {
      for (const std::size_t step : {1024U, 997U}) {
        for (const DialectId to : kAll) {
          const Arrival got = arrive(from, to, body, step);
          EXPECT_GT(got.streamed, got.body / 4) << "messages stream: " << body.substr(0, 60);
        }
      }
    }
  }
}

TEST(RequestArriving, AdaptedToo) {
  const std::vector<std::pair<std::string, std::string>> params = {
      {"temperature", "0.5"}, {"x", R"({"a":[1]})"}, {"max_tokens", "7"}, {"generationConfig", "{}"}};
  const std::vector<std::string> drop = {"tools", "stream_options"};
  const RequestTarget target{"target-model", 0, {}, "A prefix \"quoted\".\n", params, drop};
  for (const DialectId from : kAll) {
    for (const std::string& body : bodies_of(from)) {
      for (const DialectId to : kAll) {
        const Arrival got = arrive(from, to, body, 1021, target);
        EXPECT_GT(got.streamed, got.body / 4) << "messages stream: " << body.substr(0, 60);
      }
    }
  }
}

TEST(RequestArriving, AdaptedSplicesArePrefixesAtEveryByte) {
  struct Case {
    DialectId dialect;
    const char* body;
  };
  const std::vector<std::pair<std::string, std::string>> params = {{"max_tokens", "7"}, {"x", "1"}};
  const std::vector<std::string> drop = {"n", "top_k"};
  const RequestTarget target{"m", 0, {}, "Be \"brief\".", params, drop};
  for (
      const Case& c :
      {Case{
           DialectId::openai_chat,
           R"({"n":1, "top_k":2,"model":"a","max_tokens":1,"messages" : [ {"content":"x","role":"system"},{"role":"user","content":"u"}],"max_completion_tokens":2})"},
       {DialectId::openai_chat,
        R"({"messages":[ {"role":"developer","content": [ {"type":"text","text":"x"}]}],"n":2})"},
       {DialectId::openai_chat, R"({"messages":[{"role":"system","content":[]}]})"},
       {DialectId::openai_chat, R"({"messages":[{"role":"system","content":null}],"x":2})"},
       {DialectId::openai_chat, R"({"messages":[{"content":"u","role":"user"}],"x":{"y":2} })"},
       {DialectId::openai_chat, R"({"messages":[ ],"n":3})"},
       {DialectId::anthropic_messages, R"({"messages":[],"system":"","top_k":1,"max_tokens":3})"},
       {DialectId::anthropic_messages, R"({"system":[ ],"messages":[],"top_k":1})"},
       {DialectId::anthropic_messages, R"({"top_k":1,"system":[{"type":"text","text":"s"}],"messages":[]})"},
       {DialectId::anthropic_messages, R"({"system":null,"messages":[]})"},
       {DialectId::openai_responses, R"({"instructions":"i","input":"x"})"},
       {DialectId::openai_responses, R"({"input":"x","instructions":null,"n":1})"},
       {DialectId::gemini_generate,
        R"({"system_instruction":{"parts":[ {"text":"s"} ]},"contents":[],"topK":2})"},
       {DialectId::gemini_generate,
        R"({"systemInstruction":{"role":"x","parts":{"text":"s"}},"contents":[],"X":2})"},
       {DialectId::gemini_generate, R"({"systemInstruction":{"role":"x"},"contents":[]})"},
       {DialectId::gemini_generate, R"({"systemInstruction":{},"contents":[]})"},
       {DialectId::gemini_generate, R"({"systemInstruction":{"parts":[]},"contents":[]})"}}) {
    const std::string body = c.body;
    Request facts;
    RequestProblem problem;
    BodyPieces whole;
    const json::Outline complete = outline_of(body, c.dialect);
    ASSERT_TRUE(read(c.dialect, complete, facts, problem)) << body << problem.what;
    ASSERT_TRUE(splice_request(complete, facts, target, c.dialect, whole, problem)) << body;
    const std::string expected = put_together(whole, body);
    EXPECT_FALSE(Json::parse(expected, nullptr, false).is_discarded()) << expected;
    for (std::size_t size = 1; size < body.size(); ++size) {
      const std::string part = body.substr(0, size);
      const json::Outline outline = outline_of(part, c.dialect, 1, false);
      BodyPieces pieces;
      if (!read(c.dialect, outline, facts, problem)) continue;
      ASSERT_TRUE(splice_request(outline, facts, target, c.dialect, pieces, problem)) << part;
      EXPECT_TRUE(expected.starts_with(put_together(pieces, part))) << part << "\n"
                                                                    << put_together(pieces, part);
    }
  }
}

TEST(RequestArriving, SplicingIsAPrefixAtEveryByte) {
  const std::string body =
      R"({"stream_options":{"x":1},"model":"a","messages":[{"role":"user","content":"hi"}],
           "max_tokens":6,"max_completion_tokens":5,"stream":true})";
  for (const Quirks quirks :
       {Quirks{0}, with(with(0, Quirk::no_stream_options), Quirk::max_completion_tokens)}) {
    const RequestTarget target{"m", quirks, {}};
    Request facts;
    RequestProblem problem;
    BodyPieces whole;
    const json::Outline complete = outline_of(body, DialectId::openai_chat);
    ASSERT_TRUE(read_openai_chat(complete, facts, problem));
    ASSERT_TRUE(splice_request(complete, facts, target, DialectId::openai_chat, whole, problem));
    const std::string expected = put_together(whole, body);
    for (std::size_t size = 1; size < body.size(); ++size) {
      const std::string part = body.substr(0, size);
      const json::Outline outline = outline_of(part, DialectId::openai_chat, 1, false);
      BodyPieces pieces;
      if (!read_openai_chat(outline, facts, problem)) continue;
      ASSERT_TRUE(splice_request(outline, facts, target, DialectId::openai_chat, pieces, problem));
      EXPECT_TRUE(expected.starts_with(put_together(pieces, part))) << part << "\n"
                                                                    << put_together(pieces, part);
    }
  }
}

// The orders of keys that make a translated body wait for its end; they are translated all the same.
TEST(RequestArriving, SomeKeyOrdersWait) {
  const std::string text = big(20000);
  struct {
    const char* rule;
    DialectId from;
    std::string body;
  } const cases[] = {
      {"role after content", DialectId::openai_chat,
       R"({"messages":[{"content":")" + text + R"(","role":"user"}]})"},
      {"type after the text", DialectId::openai_chat,
       R"({"messages":[{"role":"user","content":[{"text":")" + text + R"(","type":"text"}]}]})"},
      {"the only long text is a system message, which goes to the end", DialectId::openai_chat,
       R"({"messages":[{"role":"system","content":")" + text + R"("}]})"},
      {"systemInstruction after contents", DialectId::gemini_generate,
       R"({"contents":[{"role":"user","parts":[{"text":")" + text + R"("}]}],"systemInstruction":{}})"},
      {"role after parts", DialectId::gemini_generate,
       R"({"systemInstruction":{},"contents":[{"parts":[{"text":")" + text + R"("}],"role":"user"}]})"},
      {"system after messages", DialectId::anthropic_messages,
       R"({"messages":[{"role":"user","content":")" + text + R"("}],"system":"s"})"},
      {"media_type after data", DialectId::anthropic_messages,
       R"({"system":"s","messages":[{"role":"user","content":[{"type":"image","source":{"data":")" + text +
           R"(","type":"base64","media_type":"image/png"}}]}]})"},
  };
  for (const auto& row : cases) {
    const Arrival got = arrive(row.from, other(row.from), row.body, 1024);
    EXPECT_EQ(got.streamed, 0U) << row.rule;
    EXPECT_GT(got.body, 20000U) << row.rule;
  }
}

TEST(RequestArriving, AnImageOf20MegabytesCostsTheCoreNothing) {
  const std::string image = big(20U << 20U);
  const std::string openai =
      R"({"messages":[{"role":"user","content":[{"type":"text","text":"what is this?"},
           {"type":"image_url","image_url":{"url":"data:image/png;base64,)" +
      image + R"("}}]}],"stream":true,"model":"a"})";
  const std::string anthropic =
      R"({"system":"s","max_tokens":5,"messages":[{"role":"user","content":[{"type":"image",
           "source":{"type":"base64","media_type":"image/png","data":")" +
      image + R"("}},{"type":"text","text":"what is this?"}]}],"stream":true,"model":"a"})";
  const std::string responses =
      R"({"instructions":"s","input":[{"role":"user","content":[{"type":"input_image",
           "image_url":"data:image/png;base64,)" +
      image + R"("},{"type":"input_text","text":"what is this?"}]}],"stream":true,"model":"a"})";
  const std::string gemini =
      R"({"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"inlineData":{
           "mimeType":"image/png","data":")" +
      image + R"("}},{"text":"what is this?"}]}]})";
  for (const DialectId to : kAll) {
    for (const DialectId from : kAll) {
      const std::string& body = from == DialectId::openai_chat          ? openai
                                : from == DialectId::openai_responses   ? responses
                                : from == DialectId::anthropic_messages ? anthropic
                                                                        : gemini;
      const Arrival got = arrive(from, to, body, limits::kSliceBytes);
      EXPECT_LT(got.memory, 256U * 1024) << "one node, not the image";
      EXPECT_GT(got.streamed, image.size() - 2 * limits::kSliceBytes);
      EXPECT_GT(got.body, image.size());
      EXPECT_LT(got.body, image.size() + 400);
    }
  }
}

}  // namespace
}  // namespace shunt::dialect::testing
