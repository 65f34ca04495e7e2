// Log probabilities of tokens in each form.
#include "dialect/logprobs.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "event_text.h"
#include "invariants.h"

namespace shunt::dialect::test {
namespace {

using Json = nlohmann::json;

std::string openai_of(std::string_view result) { return openai_tokens(result); }

std::string gemini_of(std::string_view tokens) {
  std::string out;
  append_gemini_logprobs(out, tokens);
  return out;
}

constexpr char kResult[] =
    R"({"topCandidates":[{"candidates":[{"token":"Hi","tokenId":1,"logProbability":-0.25},
        {"token":"Ho","logProbability":-2}]},{"candidates":[]}],
        "chosenCandidates":[{"token":"Hi","tokenId":1,"logProbability":-0.25},{"token":"\u00e9\n"}],
        "logProbabilitySum":-0.25})";
constexpr char kTokens[] =
    R"({"token":"Hi","logprob":-0.25,"bytes":[72,105],"top_logprobs":[)"
    R"({"token":"Hi","logprob":-0.25,"bytes":[72,105]},{"token":"Ho","logprob":-2,"bytes":[72,111]}]},)"
    R"({"token":"\u00e9\n","logprob":0,"bytes":[195,169,10],"top_logprobs":[]})";

// https://platform.openai.com/docs/api-reference/chat/object (choices[].logprobs)
TEST(Logprobs, OfGeminiInOpenAisForm) {
  EXPECT_EQ(openai_of(kResult), "[" + std::string(kTokens) + "]");
  EXPECT_EQ(openai_of(R"({"chosenCandidates":[{"token":"","logProbability":-1}]})"),
            R"([{"token":"","logprob":-1,"bytes":[],"top_logprobs":[]}])");
  EXPECT_EQ(openai_of("{}"), "[]");
  EXPECT_EQ(openai_of(R"({"chosenCandidates":[1]})"),
            R"([{"token":"","logprob":0,"bytes":[],"top_logprobs":[]}])");
}

TEST(Logprobs, OfOpenAiInGeminisForm) {
  EXPECT_EQ(
      gemini_of(kTokens),
      R"(,"logprobsResult":{"chosenCandidates":[{"token":"Hi","logProbability":-0.25},)"
      R"({"token":"\u00e9\n","logProbability":0}],"topCandidates":[{"candidates":[)"
      R"({"token":"Hi","logProbability":-0.25},{"token":"Ho","logProbability":-2}]},{"candidates":[]}]})");
  EXPECT_EQ(gemini_of(""), "");
}

TEST(Logprobs, TokensAreJoined) {
  std::string tokens;
  for (const char* const told : {"[]", "[ 1,\n2 ]", " [ ]", R"({"refusal":[4],"content":[3]})"})
    EXPECT_TRUE(append_tokens(tokens, told)) << told;
  join_tokens(tokens, "5,6");
  join_tokens(tokens, "");
  EXPECT_EQ(tokens, "1, 2,3,5,6");
  for (const char* const none :
       {"", "5,6", "[1", "[-1{}]", "[1,]", "{}", R"({"content":null,"refusal":[{}]})",
        R"({"tokens":["a"],"token_logprobs":[-1]})"})
    EXPECT_FALSE(append_tokens(tokens, none)) << none;
  EXPECT_EQ(tokens, "1, 2,3,5,6");
}

// ---- through the dialects ----

constexpr DialectId kChat = DialectId::openai_chat;
constexpr DialectId kResponses = DialectId::openai_responses;
constexpr DialectId kGemini = DialectId::gemini_generate;

#define T1 R"({"token":"Hi","logprob":-0.25,"bytes":[72,105],"top_logprobs":[]})"
#define T2 R"({"token":"!","logprob":-1,"bytes":[33],"top_logprobs":[]})"

// Two pieces of text, each with its token's, as each API documents its stream.
std::string stream_of(DialectId id) {
  if (id == kChat) {
    const std::string head = R"(data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",)";
    return head + R"("choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,)" +
           "\"finish_reason\":null}]}\n\n" + head +
           R"("choices":[{"index":0,"delta":{"content":"Hi"},"logprobs":{"content":[)" T1
           R"(],"refusal":null},"finish_reason":null}]})" +
           "\n\n" + head +
           R"("choices":[{"index":0,"delta":{"content":"!"},"logprobs":{"content":[)" T2
           R"(],"refusal":null},"finish_reason":null}]})" +
           "\n\n" + head + R"("choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]})" +
           "\n\ndata: [DONE]\n\n";
  }
  if (id == kGemini) {
    const std::string tail = R"(,"modelVersion":"m","responseId":"r"})";
    return R"(data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Hi"}]},)"
           R"("logprobsResult":{"chosenCandidates":[{"token":"Hi","logProbability":-0.25}],)"
           R"("topCandidates":[{"candidates":[]}]}}])" +
           tail + "\r\n\r\n" +
           R"(data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"!"}]},)"
           R"("finishReason":"STOP","logprobsResult":{"chosenCandidates":[{"token":"!","logProbability":-1}],)"
           R"("topCandidates":[{"candidates":[]}]}}])" +
           tail + "\r\n\r\n";
  }
  return encode_stream(kChat, stream_of(kChat), kResponses, {"r", "m", 1, true});
}

// Pieces of text and tokens in the order in which they are told.
std::string told(DialectId id, std::string_view bytes) {
  std::string text;
  const auto decoder = find(id)->make_decoder(0);
  each_frame(*decoder, bytes, {}, [&](const EventList& events) {
    for (const Event& event : events) {
      if (const auto* delta = std::get_if<event::TextDelta>(&event)) text += std::string(delta->text) + " ";
      const auto* extra = std::get_if<event::Extra>(&event);
      if (extra == nullptr || extra->key != kLogprobsKey) continue;
      std::string tokens;
      append_tokens(tokens, extra->raw);
      for (const Json& token : Json::parse("[" + tokens + "]"))
        text += "(" + token["token"].get<std::string>() + ") ";
    }
  });
  return text;
}

TEST(Logprobs, EachTextOfAStreamKeepsItsOwn) {
  for (const DialectId from : {kChat, kResponses, kGemini}) {
    for (const DialectId to : {kChat, kResponses, kGemini}) {
      const std::string bytes = encode_stream(from, stream_of(from), to, {"r", "m", 1, true});
      EXPECT_EQ(told(to, bytes), "(Hi) Hi (!) ! ") << name_of(from) << " -> " << name_of(to) << "\n" << bytes;
      const Folded folded = fold_stream(to, bytes);
      ASSERT_EQ(folded.choices.size(), 1U);
      EXPECT_EQ(Json::parse("[" + folded.choices[0].logprobs + "]"), Json::parse("[" T1 "," T2 "]"));
    }
  }
}

// https://platform.openai.com/docs/api-reference/responses-streaming/response/output_text/delta
TEST(Logprobs, AreSaidAgainWhereAPartOfAResponseEnds) {
  const std::string bytes = stream_of(kResponses);
  EXPECT_NE(bytes.find(R"("delta":"Hi","logprobs":[)" T1 "]}"), std::string::npos) << bytes;
  EXPECT_NE(bytes.find(R"("delta":"!","logprobs":[)" T2 "]}"), std::string::npos);
  EXPECT_NE(bytes.find(R"("text":"Hi!","logprobs":[)" T1 "," T2 "]}"),
            std::string::npos);  // output_text.done
  std::size_t parts = 0;
  for (std::size_t at = 0;
       (at = bytes.find(R"("annotations":[],"logprobs":[)" T1 "," T2 "]}", at)) != std::string::npos; ++at) {
    ++parts;
  }
  EXPECT_EQ(parts, 3U);  // content_part.done, output_item.done, response.completed
}

std::string crossed(DialectId from, std::string_view body, DialectId to) {
  std::string out;
  find(to)->encode_answer(fold_answer(from, body), {"r", "m", 1, true}, out);
  return out;
}

TEST(Logprobs, OfWholeAnswers) {
  const char* const answers[] = {
      R"({"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{
          "role":"assistant","content":"Hi!"},"logprobs":{"content":[)" T1 "," T2
      R"(],"refusal":null},"finish_reason":"stop"}]})",
      R"({"id":"r","object":"response","created_at":1,"status":"completed","model":"m","output":[{"id":"m1",
          "type":"message","status":"completed","role":"assistant","content":[{"type":"output_text",
          "text":"Hi!","annotations":[],"logprobs":[)" T1 "," T2 "]}]}]}",
      R"({"candidates":[{"content":{"role":"model","parts":[{"text":"Hi!"}]},"finishReason":"STOP",
          "logprobsResult":{"chosenCandidates":[{"token":"Hi","logProbability":-0.25},
          {"token":"!","logProbability":-1}],"topCandidates":[{"candidates":[]},{"candidates":[]}]}}]})"};
  const DialectId ids[] = {kChat, kResponses, kGemini};
  for (std::size_t from = 0; from < 3; ++from) {
    for (const DialectId to : ids) {
      const std::string answer = crossed(ids[from], answers[from], to);
      const Folded folded = fold_answer(to, answer);
      ASSERT_EQ(folded.choices.size(), 1U) << answer;
      EXPECT_EQ(Json::parse("[" + folded.choices[0].logprobs + "]"), Json::parse("[" T1 "," T2 "]"))
          << answer;
    }
  }
}

// What only its own dialect can say of a choice's tokens stays there.
TEST(Logprobs, OfARefusalAreForClientsOfItsDialect) {
  const std::string lines = event_lines(
      kChat,
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"No\"},\"logprobs\":{\"content\":null,"
      "\"refusal\":[{}]}}]}\n\n");
  EXPECT_EQ(lines, "start 0\nextra 0 choice.logprobs {\"content\":null,\"refusal\":[{}]}\nrefusal 0 No\n");
  const char* const refusal =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"No\"},\"logprobs\":{\"content\":null,"
      "\"refusal\":[" T1
      "]}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
      "data: [DONE]\n\n";
  for (const DialectId to : {kChat, kResponses, kGemini}) {
    const std::string bytes = encode_stream(kChat, refusal, to, {"r", "m", 1, true});
    const bool said = bytes.find("\"logprobs\":{\"content\":null,\"refusal\":[" T1 "]}") != std::string::npos;
    EXPECT_EQ(said, to == kChat) << bytes;
    EXPECT_EQ(fold_stream(to, bytes).choices[0].logprobs, "") << bytes;
  }
}

// A reader looks at brackets and strings of what it hands on; what another dialect is told is JSON.
TEST(Logprobs, ThatAreNoJsonAreNotHandedOn) {
  const std::string good = "[" T1 "]";
  for (const DialectId from : {kChat, kResponses, kGemini}) {
    std::string stream = stream_of(from);
    const std::size_t at = stream.find(from == kGemini ? "\"chosenCandidates\":[" : T1);
    ASSERT_NE(at, std::string::npos);
    stream.insert(from == kGemini ? at + 20 : at, "-1");
    for (const DialectId to : {kChat, kResponses, kGemini}) {
      if (from == to) continue;
      const std::string bytes = encode_stream(from, stream, to, {"r", "m", 1, true});
      EXPECT_EQ(breach_of(to, bytes, false), "") << name_of(from) << " -> " << name_of(to) << "\n" << bytes;
    }
  }
}

}  // namespace
}  // namespace shunt::dialect::test
