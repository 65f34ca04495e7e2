// Any bytes, cut anywhere, are an answer or an error in every dialect, and come out in every other the same
// however they were cut. SHUNT_FUZZ_RUNS sets how many; the default is short.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "core/dice.h"
#include "dialect/normalizer.h"
#include "exchanges.h"
#include "invariants.h"

namespace shunt::dialect::test {
namespace {

constexpr std::string_view kSeeds[] = {
    "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"H\\u00e9\"}}]}\n\n"
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":"
    "{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":\"}}]}}]}\n\n"
    "data: "
    "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1}}"
    "\n\ndata: [DONE]\n\n",
    R"({"id":"c","choices":[{"index":0,"message":{"content":"Hi","reasoning":"r"},"finish_reason":"length"}]})",
    "event: response.output_item.added\ndata: "
    "{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":"
    "{\"type\":\"function_call\",\"call_id\":\"k\",\"name\":\"f\",\"arguments\":\"\"}}\n\n"
    "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"output_index\":1,"
    "\"delta\":\"Hi\"}\n\n"
    "event: response.completed\ndata: "
    "{\"type\":\"response.completed\",\"response\":{\"status\":\"completed\","
    "\"output\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}}\n\n",
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"content\":[]}}\n\n"
    "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
    "{\"type\":\"thinking\",\"thinking\":\"\"}}\n\n"
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
    "{\"type\":\"signature_delta\",\"signature\":\"s\"}}\n\n"
    "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n"
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\",\"thought\":true},{\"functionCall\":"
    "{\"name\":\"f\",\"args\":{\"x\":[1,2]}}}]},\"finishReason\":\"STOP\"}]}\r\n\r\n",
    "[{\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\",\"willContinue\":true}},"
    "{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.a[0].b\",\"numberValue\":1}]}}]}}]},\r\n{"
    "\"error\":"
    "{\"code\":429}}]",
    "event: content-delta\ndata: {\"type\":\"content-delta\",\"delta\":{\"message\":{\"content\":{\"text\":"
    "\"Hi\"}}}}\n\nevent: message-end\ndata: {\"type\":\"message-end\",\"delta\":{\"finish_reason\":"
    "\"COMPLETE\"}}\n\n",
    "{\"model\":\"m\",\"message\":{\"content\":\"Hi\",\"tool_calls\":[{\"function\":{\"name\":\"f\","
    "\"arguments\":{}}}"
    "]},\"done\":false}\n{\"done\":true,\"done_reason\":\"stop\",\"eval_count\":3}\n",
    "id:1\nevent:result\n:HTTP_STATUS/200\ndata:{\"output\":{\"choices\":[{\"message\":{\"content\":\"H\"},"
    "\"finish_reason\":\"null\"}]},\"usage\":{\"input_tokens\":1}}\n\n",
    "data: {\"response\":\"Hi\",\"p\":\"x\"}\n\ndata: [DONE]\n\n",
    "data: {\"result\":\"Hi\",\"sentence_id\":0,\"is_end\":true}\n\n",
    "event: message.delta\ndata: {\"type\":\"message.delta\",\"content\":\"Hi\"}\n\n"
    "event: chat.end\ndata: {\"type\":\"chat.end\",\"result\":{\"stats\":{\"input_tokens\":1}}}\n\n",
    "{\"output\":{\"message\":{\"content\":[{\"toolUse\":{\"toolUseId\":\"t\",\"name\":\"f\",\"input\":{}}}]}"
    "},"
    "\"stopReason\":\"tool_use\"}",
    "data: {\"choices\":[{\"text\":\"Hi\",\"finish_reason\":\"stop\"}]}\n\n",
    "<html>502</html>",
};
// What each seed is written in, in their order.
constexpr DialectId kSpoken[] = {
    DialectId::openai_chat,        DialectId::openai_chat,        DialectId::openai_responses,
    DialectId::anthropic_messages, DialectId::gemini_generate,    DialectId::gemini_generate,
    DialectId::cohere_chat,        DialectId::ollama_chat,        DialectId::dashscope_native,
    DialectId::workers_ai_native,  DialectId::ernie_native,       DialectId::lmstudio_native,
    DialectId::bedrock_converse,   DialectId::openai_completions, DialectId::openai_chat};
static_assert(std::size(kSpoken) == std::size(kSeeds));

constexpr std::string_view kPieces[] = {
    "{",        "}",    "[",      "]",    "\"",         "\\",         "\\u0000", "\\ud800", "\xFF",
    "\xE9\x99", "null", "1e99",   "-1",   "\"index\":", "data: ",     "\n\n",    "\r",      "[DONE]",
    ",",        ":",    "999999", "true", "\"id\"",     "event: x\n", "error",   "\"\"",    "[[[[[[[[[[[[[[",
    "{\"a\":"};
constexpr DialectId kWritten[] = {DialectId::openai_chat, DialectId::openai_responses,
                                  DialectId::anthropic_messages, DialectId::gemini_generate};

struct Said {
  std::string bytes;
  bool streamed = false;
};

Said normalized(const std::string& body, DialectId from, DialectId to, std::size_t chunk) {
  Normalizer normalizer({find(from), 0, {}}, *find(to), {"made-id", "made-model", 1, true});
  Said out;
  for (std::size_t at = 0; at < body.size(); at += chunk) {
    const std::string piece = body.substr(at, chunk);
    normalizer.feed(piece, out.bytes);
  }
  normalizer.end(out.bytes);
  out.streamed = normalizer.streamed();
  return out;
}

TEST(DialectFuzz, AnyBytesAreSaidTheSameInEveryDialectHoweverTheyAreCut) {
  const char* asked = std::getenv("SHUNT_FUZZ_RUNS");
  const std::uint64_t runs = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 4000;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    Dice dice(seed);
    const std::size_t seeded = dice.below(std::size(kSeeds));
    const std::string body = mutated(std::string(kSeeds[seeded]), dice, 7, kPieces, kSeeds);
    // Mostly by its own reader, at times by another's.
    const DialectId from = dice.below(4) > 0 ? kSpoken[seeded] : dice.of(kSpoken);
    const DialectId to = dice.of(kWritten);
    const Said whole = normalized(body, from, to, std::max<std::size_t>(body.size(), 1));
    const std::string where = std::to_string(seed) + " " + std::string(name_of(from)) + " to " +
                              std::string(name_of(to)) + "\n" + body + "\n";
    ASSERT_EQ(whole.bytes, normalized(body, from, to, 1 + dice.below(9)).bytes) << where;
    ASSERT_LE(whole.bytes.size(), 20'000 + 40 * body.size()) << where;
    // Within one dialect what no event says goes out as it came, broken or not.
    if (!whole.streamed || from == to) continue;
    const bool broken = !fold_stream(to, whole.bytes).errors.empty();
    ASSERT_EQ(breach_of(to, whole.bytes, broken), "") << where << whole.bytes;
  }
}

}  // namespace
}  // namespace shunt::dialect::test
