// Any bytes, cut anywhere, are an answer or an error in every dialect, and come out in every other the same
// however they were cut. SHUNT_FUZZ_RUNS sets how many; the default is short.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

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
constexpr std::string_view kPieces[] = {
    "{",        "}",    "[",      "]",    "\"",         "\\",         "\\u0000", "\\ud800", "\xFF",
    "\xE9\x99", "null", "1e99",   "-1",   "\"index\":", "data: ",     "\n\n",    "\r",      "[DONE]",
    ",",        ":",    "999999", "true", "\"id\"",     "event: x\n", "error",   "\"\"",    "[[[[[[[[[[[[[[",
    "{\"a\":"};
constexpr DialectId kWritten[] = {DialectId::openai_chat, DialectId::openai_responses,
                                  DialectId::anthropic_messages, DialectId::gemini_generate};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>((state_ >> 33U) % bound);
  }
  template <typename T, std::size_t N>
  const T& of(const T (&values)[N]) {
    return values[below(N)];
  }

 private:
  std::uint64_t state_;
};

std::string mutated(Dice& dice) {
  std::string body(dice.of(kSeeds));
  for (std::size_t left = dice.below(7); left > 0; --left) {
    const std::size_t at = dice.below(body.size() + 1);
    switch (dice.below(5)) {
      case 0: body.insert(at, dice.of(kPieces)); break;
      case 1: body.erase(at, dice.below(12)); break;
      case 2: body.resize(at); break;
      case 3: body.insert(at, dice.of(kSeeds)); break;
      default: body.insert(at, 1, static_cast<char>(dice.below(256))); break;
    }
  }
  return body;
}

std::string normalized(const std::string& body, DialectId from, DialectId to, std::size_t chunk) {
  Normalizer normalizer({find(from), 0, {}}, *find(to), {"made-id", "made-model", 1, true});
  std::string out;
  for (std::size_t at = 0; at < body.size(); at += chunk) {
    const std::string piece = body.substr(at, chunk);
    normalizer.feed(piece, out);
  }
  normalizer.end(out);
  return out;
}

TEST(DialectFuzz, AnyBytesAreSaidTheSameInEveryDialectHoweverTheyAreCut) {
  const char* asked = std::getenv("SHUNT_FUZZ_RUNS");
  const std::uint64_t runs = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 4000;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    Dice dice(seed);
    const std::string body = mutated(dice);
    const auto from = static_cast<DialectId>(dice.below(kDialectNames.size()));
    const DialectId to = dice.of(kWritten);
    const std::string whole = normalized(body, from, to, std::max<std::size_t>(body.size(), 1));
    const std::string cut = normalized(body, from, to, 1 + dice.below(9));
    ASSERT_EQ(whole, cut) << "seed " << seed << ' ' << name_of(from) << " to " << name_of(to) << '\n' << body;
    ASSERT_LE(whole.size(), 20'000 + 40 * body.size()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace shunt::dialect::test
