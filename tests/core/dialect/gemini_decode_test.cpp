// gemini_generate frames, one trap a row.
#include "dialect/gemini_decode.h"

#include <gtest/gtest.h>

#include "event_text.h"
#include "invariants.h"

namespace shunt::dialect::test {
namespace {

constexpr DialectId kId = DialectId::gemini_generate;

struct Case {
  const char* name;
  const char* stream;
  const char* events;
};

#define PARTS(parts) R"(data: {"candidates":[{"content":{"role":"model","parts":[)" parts "]}}]}\r\n\r\n"
#define FINISH(word) R"(data: {"candidates":[{"finishReason":")" word "\"}]}\r\n\r\n"
#define START "start 0\n"

constexpr Case kCases[] = {
    {"texts, usage and names",
     R"(data: {"candidates":[{"index":0,"content":{"parts":[{"text":"He\u0301"}],"role":"model"}}],)"
     R"("usageMetadata":{"promptTokenCount":4,"totalTokenCount":4},"modelVersion":"gemini-x","responseId":"r"})"
     "\r\n\r\n"
     R"(data: {"candidates":[{"content":{"parts":[{"text":"y"}]},"finishReason":"STOP","index":0}],)"
     R"("usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":2,"thoughtsTokenCount":3}})"
     "\r\n\r\n",
     "start id=r model=gemini-x 0\ntext 0 He\xCC\x81\nusage 4+-1\ntext 0 y\nfinish 0 stop (STOP)\nusage "
     "4+5\n"},
    {"thoughts, sealed by the text after them",
     PARTS(R"({"text":"plan","thought":true})") PARTS(R"({"text":"ok","thoughtSignature":"S"})"),
     START
     "reasoning 0 text=plan\nextra 0 part.thoughtSignature \"S\"\nreasoning 0 signature=S\ntext 0 ok\n"},
    {"a signature alone, without thoughts", PARTS(R"({"text":"ok"},{"text":"","thoughtSignature":"S"})"),
     START "text 0 ok\nextra 0 part {\"text\":\"\",\"thoughtSignature\":\"S\"}\n"},
    {"calls come whole",
     PARTS(R"({"functionCall":{"name":"f","args":{"a": 1}},"thoughtSignature":"S"},)"
           R"({"functionCall":{"id":"c","name":"g"}})") FINISH("STOP"),
     START "extra 0 part.thoughtSignature \"S\"\ncall 0.0 name=f\nargs 0.0 {\"a\":1}\ncall-end 0.0\n"
           "call 0.1 id=c name=g\nargs 0.1 {}\ncall-end 0.1\nfinish 0 stop (STOP)\n"},
    {"arguments in patches",
     PARTS(R"({"functionCall":{"name":"f","willContinue":true}})")
         PARTS(R"({"functionCall":{"partialArgs":[{"jsonPath":"$.c","stringValue":"B","willContinue":true}],)"
               R"("willContinue":true}})")
             PARTS(R"({"functionCall":{"partialArgs":[{"jsonPath":"$.c","stringValue":"os"},)"
                   R"({"jsonPath":"$.n","nullValue":"NULL_VALUE"},{"jsonPath":"$.b","boolValue":false}],)"
                   R"("willContinue":true}})") PARTS(R"({"functionCall":{}})") FINISH("STOP"),
     START "call 0.0 name=f\nargs 0.0 {\"c\":\"Bos\",\"n\":null,\"b\":false}\ncall-end 0.0\n"
           "finish 0 stop (STOP)\n"},
    {"patches whose end is missing",
     PARTS(R"({"functionCall":{"name":"f","willContinue":true}})") PARTS(
         R"({"functionCall":{"partialArgs":[{"jsonPath":"$.n","numberValue":0.5}],"willContinue":true}})")
         PARTS(R"({"functionCall":{"name":"g","willContinue":true}})") FINISH("STOP"),
     START "call 0.0 name=f\nargs 0.0 {\"n\":0.5}\ncall-end 0.0\ncall 0.1 name=g\n"
           "args 0.1 {}\ncall-end 0.1\nfinish 0 stop (STOP)\n"},
    {"patches that fit nowhere",
     PARTS(R"({"functionCall":{"name":"f","partialArgs":[{"jsonPath":"c","stringValue":"x"},)"
           R"({"jsonPath":"$.n[9]","numberValue":1}]}})"),
     START "call 0.0 name=f\nerror type=protocol_error message=partialArgs that cannot be put together\n"},
    {"an end of no call", PARTS(R"({"functionCall":{}})"), START},
    {"STOP before the text", FINISH("STOP") PARTS(R"({"text":"x"})") FINISH("MAX_TOKENS"),
     START "finish 0 stop (STOP)\ntext 0 x\nfinish 0 length (MAX_TOKENS)\n"},
    {"other parts and members travel raw",
     R"(data: {"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"AA=="}},)"
     R"({"text":""},{"text":"x","partMetadata":{"k":1}}]},"groundingMetadata":{},"finishMessage":null}],)"
     R"("createTime":"t"})"
     "\r\n\r\n",
     START "extra -1 response.createTime \"t\"\n"
           "extra 0 part {\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"AA==\"}}\n"
           "extra 0 part.partMetadata {\"k\":1}\ntext 0 x\nextra 0 candidate.groundingMetadata {}\n"},
    {"several candidates, with and without index",
     R"(data: {"candidates":[{"content":{"parts":[{"text":"a"}]}},{"content":{"parts":[{"text":"b"}]}},)"
     R"({"index":7,"content":null},{"index":-1},{"index":128}]})"
     "\r\n\r\n",
     START "text 0 a\ntext 1 b\nextra -1 response.candidate {\"index\":-1}\n"
           "extra -1 response.candidate {\"index\":128}\n"},
    {"enumerations as numbers",
     R"(data: {"candidates":[{"finishReason":2}]})"
     "\n\n",
     START "finish 0 length (2)\n"},
    {"a prompt that was refused",
     R"(data: {"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":4}})"
     "\n\n",
     START "extra -1 response.promptFeedback {\"blockReason\":\"SAFETY\"}\nfinish 0 content_filter (SAFETY)\n"
           "usage 4+-1\n"},
    {"Code Assist's envelope",
     R"(data: {"response":{"candidates":[{"content":{"parts":[{"text":"x"}]}}],)"
     R"("responseId":"r"},"traceId":"t"})"
     "\n\n",
     "start id=r 0\ntext 0 x\n"},
    {"elements of an array",
     "data: [{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]},"
     "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"b\"}]}}]}]\n\n",
     START "text 0 a\ntext 0 b\n"},
    {"errors",
     R"(data: {"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED"}})"
     "\r\n\r\n"
     R"(data: [{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}])"
     "\r\n\r\nevent: error\ndata: gone\n\nerror: {\"error\":\"lost\"}\n\n",
     "error type=RESOURCE_EXHAUSTED code=429 message=Quota status=429\n"
     "error type=UNAVAILABLE code=503 message=busy status=503\nerror message=gone\nerror message=lost\n"},
    {"comments, a proxy's [DONE] and nothing", ": x\n\ndata: [DONE]\n\ndata: {}\n\ndata: 7\n\n", "ping\n"},
    {"not JSON", "data: {\"candidates\":[\n\ndata: [{\"candidates\":[]}\n\n", "bad frame\nbad frame\n"},
};

TEST(GeminiDecode, FramesGiveTheseEvents) {
  for (const Case& c : kCases) EXPECT_EQ(event_lines(kId, c.stream), c.events) << c.name;
}

TEST(GeminiDecode, PatchesOutliveTheFramesTheyCameIn) {
  std::string stream = PARTS(R"({"functionCall":{"name":"f","willContinue":true}})");
  std::string expected;
  for (int i = 0; i < 300; ++i) {
    const std::string key = "k" + std::to_string(i);
    stream += R"(data: {"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.)" +
              key + R"(","stringValue":")" + std::string(100, 'x') +
              R"("}],"willContinue":true}}]}}]})"
              "\r\n\r\n";
    expected += (i == 0 ? "{\"" : ",\"") + key + "\":\"" + std::string(100, 'x') + "\"";
  }
  stream += PARTS(R"({"functionCall":{}})");
  const Folded folded = fold_stream(kId, stream);
  ASSERT_EQ(folded.choices.size(), 1U);
  EXPECT_EQ(folded.choices[0].calls, (std::vector<FoldedCall>{{"", "f", expected + "}"}}));
}

TEST(GeminiDecode, AnswersAreOneResponseOrAnArrayOfThem) {
  const Folded one = fold_answer(
      kId, R"({"candidates":[{"content":{"parts":[{"text":"a"},{"functionCall":{"name":"f","args":{}}}]},)"
           R"("finishReason":"STOP"}],"responseId":"r","modelVersion":"m"})");
  ASSERT_EQ(one.choices.size(), 1U);
  EXPECT_EQ(one.id + one.model + one.choices[0].text, "rma");
  EXPECT_EQ(one.choices[0].calls.size(), 1U);
  const Folded pieces = fold_answer(
      kId,
      "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\r\n,\r\n"
      "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"b\"}]},\"finishReason\":\"STOP\"}]}]");
  ASSERT_EQ(pieces.choices.size(), 1U);
  EXPECT_EQ(pieces.choices[0].text, "ab");
  EXPECT_EQ(fold_answer(kId, R"([{"error":{"code":429,"message":"Quota"}}])").errors.size(), 1U);
  EXPECT_EQ(fold_answer(kId, R"({"message":"Forbidden"})").errors.size(), 1U);
  EXPECT_EQ(fold_answer(kId, "<html>").bad_frames, 1U);
}

// Whatever is broken in a stream, what is written of it holds its dialect's invariants.
TEST(GeminiDecode, MutatedStreamsAreReadToTheirEnd) {
  const std::string stream = PARTS(R"({"text":"t","thought":true},{"text":"a","thoughtSignature":"S"})")
      PARTS(R"({"functionCall":{"name":"f","willContinue":true}})") PARTS(
          R"({"functionCall":{"partialArgs":[{"jsonPath":"$.c[0].k","stringValue":"B"}]}})") R"(data: {"candidates":[{"index":1,"finishReason":"STOP","content":{"parts":[{"inlineData":{}}]}}],)"
                                                                                             R"("usageMetadata":{"promptTokenCount":1},"createTime":"t"})"
                                                                                             "\r\n\r\n";
  constexpr std::string_view kBytes = "{}[]\",:$.0n\\";
  for (std::size_t at = 0; at < stream.size(); ++at) {
    for (const char byte : kBytes) {
      std::string mutated = stream;
      mutated[at] = byte;
      for (const DialectId to : {DialectId::openai_chat, DialectId::anthropic_messages, kId}) {
        const bool broken = !fold_stream(kId, mutated).errors.empty();
        const std::string bytes = encode_stream(kId, mutated, to, {{}, {}, 1, true});
        if (to == DialectId::openai_chat) {
          EXPECT_EQ(breach_of_openai(bytes, !broken, broken), "") << mutated;
        } else if (to == kId) {
          // A part of no kind that we know is handed on as it came.
          const std::string breach = breach_of_gemini(bytes, broken);
          EXPECT_TRUE(breach.empty() || breach.rfind("a part", 0) == 0) << breach << mutated;
        } else {
          EXPECT_EQ(breach_of_anthropic(bytes, broken), "") << mutated;
        }
      }
    }
  }
}

}  // namespace
}  // namespace shunt::dialect::test
