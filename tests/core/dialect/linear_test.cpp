// Every decoder and encoder, over one frame as long as the answer and over many small ones, streamed and
// plain: time is linear in the bytes, whatever a provider repeats. The same for requests, whatever a client
// repeats.
#include <gtest/gtest.h>

#include <array>
#include <span>

#include "core/linear.h"
#include "dialect/normalizer.h"
#include "dialect/request_common.h"

namespace shunt::dialect {
namespace {

constexpr DialectId kWritten[] = {DialectId::openai_chat, DialectId::openai_responses,
                                  DialectId::anthropic_messages, DialectId::gemini_generate};

// `before`, `unit` as often as there is room, `after`; # is the unit's number.
struct Shape {
  const char *before, *unit, *after;
};

void check(DialectId from, std::span<const Shape> shapes) {
  for (const Shape& each : shapes) {
    for (const DialectId to : kWritten) {
      expect_linear(
          std::string(name_of(from)) + " to " + std::string(name_of(to)) + ": " + each.before + " (" +
              each.unit + ")* " + each.after,
          [&](std::size_t bytes) { return repeated(each.before, each.unit, each.after, bytes); },
          [&](const std::string& body) {
            Normalizer normalizer({find(from), 0, {}}, *find(to), {"id", "model", 1, true});
            std::string out;
            constexpr std::size_t kChunk = 16'384;
            for (std::size_t at = 0; at < body.size(); at += kChunk)
              normalizer.feed(std::string_view(body).substr(at, kChunk), out);
            normalizer.end(out);
            EXPECT_LE(out.size(), 10'000 + 40 * body.size());
          });
    }
  }
}

#define CHUNK(delta) "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{" delta "}}]}\n\n"
#define CALL(index, more) "{\"index\":" index ",\"function\":{" more "}}"

TEST(DialectLinear, OpenAiChat) {
  check(
      DialectId::openai_chat,
      std::to_array<Shape>({
          {"", CHUNK("\"content\":\"x\""), "data: [DONE]\n\n"},
          {"", CHUNK("\"content\":\"\\u00e9\""), ""},
          {"", CHUNK("\"content\":\"\\ud83d\""), ""},  // half a pair, and another
          {"", CHUNK("\"reasoning\":\"x\""), ""},
          {"", CHUNK("\"reasoning\":\"x\"") CHUNK("\"content\":\"y\""), ""},
          {"", CHUNK("\"reasoning_details\":[{\"type\":\"reasoning.encrypted\",\"data\":\"x\"}]"), ""},
          {"", CHUNK("\"refusal\":\"x\""), ""},
          {"", CHUNK("\"tool_calls\":[" CALL("0", "\"name\":\"f\",\"arguments\":\"x\"") "]"), ""},
          {"", CHUNK("\"tool_calls\":[" CALL("#", "\"name\":\"f\",\"arguments\":\"x\"") "]"), ""},
          {"",
           CHUNK(
               "\"tool_calls\":[" CALL("0", "\"arguments\":\"x\"") "," CALL("1", "\"arguments\":\"y\"") "]"),
           ""},
          {"", CHUNK("\"tool_calls\":[{\"id\":\"#\",\"function\":{\"name\":\"f\"}}]"), ""},
          {"", CHUNK("\"function_call\":{\"name\":\"f\",\"arguments\":\"x\"}"), ""},
          {"", CHUNK("\"odd\":[#]"), ""},
          {"", "data: {\"odd#\":1,\"choices\":[]}\n\n", ""},
          {"", "data: {\"choices\":[{\"index\":#,\"delta\":{\"content\":\"x\"}}]}\n\n", ""},
          {"", "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":#}}\n\n", ""},
          {"", "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n", ""},
          {"", "data: {\"error\":{\"message\":\"m\"}}\n\n", ""},
          {"", "data: not json\n\n", ""},
          {"", ": ping\n\n", ""},
          {"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"", "x", "\"}}]}\n\n"},
          {"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"", "\\n", "\"}}]}\n\n"},
          {"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":[", "{\"type\":\"text\",\"text\":\"x\"},",
           "{}]}}]}\n\n"},
          {"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[",
           CALL("0", "\"name\":\"f\",\"arguments\":\"x\"") ",", "{}]}}]}\n\n"},
          {"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[",
           CALL("#", "\"name\":\"f\",\"arguments\":\"x\"") ",", "{}]}}]}\n\n"},
          {"data: "
           "{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":{\"a\":[",
           "1, ", "2]}}}]}}]}\n\n"},
          {"data: {\"choices\":[{\"index\":0,\"delta\":{", "\"odd#\":[1],", "\"content\":\"x\"}}]}\n\n"},
          {"data: {\"choices\":[{", "\"odd#\":[1],", "\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n"},
          {"data: {", "\"odd#\":1,", "\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n"},
          {"data: {\"choices\":[", "{\"delta\":{\"content\":\"x\"},\"index\":#},", "{}]}\n\n"},
          {"data: {\"choices\":[", "{\"delta\":{\"tool_calls\":[{\"id\":\"i\"}]},\"index\":0},", "{}]}\n\n"},
          {"{\"choices\":[{\"index\":0,\"message\":{\"content\":\"", "x", "\"}}]}"},
          {"{\"choices\":[{\"index\":0,\"message\":{\"tool_calls\":[",
           CALL("#", "\"name\":\"f\",\"arguments\":\"{}\"") ",", "{}]}}]}"},
          {"{\"choices\":[", "{\"message\":{\"content\":\"x\"}},", "{}]}"},
          {"{", "\"odd#\":1,", "\"choices\":[{\"index\":0,\"message\":{\"content\":\"x\"}}]}"},
          {"{\"choices\":", "[", ""},
      }));
}

#define EVENT(type, more) "event: " type "\ndata: {\"type\":\"" type "\"," more "}\n\n"
#define BEGUN EVENT("message_start", "\"message\":{\"id\":\"m\",\"content\":[]}")
#define START(index, block) EVENT("content_block_start", "\"index\":" index ",\"content_block\":{" block "}")
#define DELTA(index, delta) EVENT("content_block_delta", "\"index\":" index ",\"delta\":{" delta "}")
#define STOP(index) EVENT("content_block_stop", "\"index\":" index)
#define TOOL "\"type\":\"tool_use\",\"id\":\"t#\",\"name\":\"f\",\"input\":{}"

TEST(DialectLinear, Anthropic) {
  check(
      DialectId::anthropic_messages,
      std::to_array<Shape>({
          {BEGUN START("0", "\"type\":\"text\""), DELTA("0", "\"type\":\"text_delta\",\"text\":\"x\""), ""},
          {BEGUN START("0", "\"type\":\"text\""), DELTA("0", "\"type\":\"text_delta\",\"text\":\"\\u00e9\""),
           ""},
          {BEGUN START("0", "\"type\":\"thinking\""),
           DELTA("0", "\"type\":\"thinking_delta\",\"thinking\":\"x\""), ""},
          {BEGUN START("0", "\"type\":\"thinking\""),
           DELTA("0", "\"type\":\"signature_delta\",\"signature\":\"x\""), ""},
          {BEGUN START("0", TOOL), DELTA("0", "\"type\":\"input_json_delta\",\"partial_json\":\"x\""), ""},
          {BEGUN, START("#", TOOL), ""},            // never closed
          {BEGUN, START("#", TOOL) STOP("#"), ""},  //
          {BEGUN, START("#", "\"type\":\"text\",\"text\":\"x\""), ""},
          {BEGUN, START("#", "\"type\":\"text\",\"text\":\"x\"") STOP("#"), ""},
          {BEGUN, START("#", "\"type\":\"odd\""), ""},
          {BEGUN, START("#", "\"type\":\"odd\"") STOP("#"), ""},
          {BEGUN START("0", TOOL) START("1", TOOL),
           DELTA("0", "\"type\":\"input_json_delta\",\"partial_json\":\"x\"")
               DELTA("1", "\"type\":\"input_json_delta\",\"partial_json\":\"y\""),
           ""},
          {BEGUN START("0", TOOL) START("1", "\"type\":\"text\""),
           DELTA("0", "\"type\":\"input_json_delta\",\"partial_json\":\"x\"")
               DELTA("1", "\"type\":\"text_delta\",\"text\":\"y\""),
           ""},
          {BEGUN START("0", "\"type\":\"text\""),
           DELTA("0", "\"type\":\"citations_delta\",\"citation\":{\"n\":#}"), ""},
          {BEGUN START("0", "\"type\":\"odd\""), DELTA("0", "\"type\":\"odd_delta\",\"n\":#"), ""},
          {BEGUN,
           EVENT("message_delta", "\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":#}"),
           ""},
          {BEGUN, EVENT("message_delta", "\"delta\":{\"odd#\":1},\"odd#\":1"), ""},
          {BEGUN, EVENT("ping", "\"n\":#"), ""},
          {BEGUN, EVENT("odd", "\"n\":#"), ""},
          {"", BEGUN, ""},
          {BEGUN "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{", "\"odd#\":1,",
           "\"stop_reason\":\"end_turn\"}}\n\n"},
          {BEGUN "event: content_block_start\ndata: "
                 "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\","
                 "\"citations\":[",
           "{\"n\":#},", "{}]}}\n\n"},
          {"{\"content\":[", "{\"type\":\"text\",\"text\":\"x\"},", "{}]}"},
          {"{\"content\":[", "{\"type\":\"tool_use\",\"id\":\"#\",\"name\":\"f\",\"input\":{\"a\":1}},",
           "{}]}"},
          {"{\"content\":[{\"type\":\"thinking\",\"thinking\":\"", "\\n", "\"}]}"},
          {"{", "\"odd#\":1,", "\"content\":[]}"},
      }));
}

#define PARTS(parts) "data: {\"candidates\":[{\"content\":{\"parts\":[" parts "]}}]}\r\n\r\n"
#define PATCH \
  "{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.a#\",\"numberValue\":1}],\"willContinue\":true}}"
#define TO_LIST                                                                                            \
  "{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.a[#]\",\"stringValue\":\"x\"}],\"willContinue\":" \
  "true}}"

TEST(DialectLinear, Gemini) {
  check(DialectId::gemini_generate,
        std::to_array<Shape>({
            {"", PARTS("{\"text\":\"x\"}"), ""},
            {"", PARTS("{\"text\":\"x\",\"thought\":true}"), ""},
            {"", PARTS("{\"text\":\"x\",\"thoughtSignature\":\"s#\"}"), ""},
            {"", PARTS("{\"functionCall\":{\"name\":\"f\",\"args\":{\"a\":#}}}"), ""},
            {PARTS("{\"functionCall\":{\"name\":\"f\",\"willContinue\":true}}"), PARTS(PATCH), ""},
            {PARTS("{\"functionCall\":{\"name\":\"f\",\"willContinue\":true}}"), PARTS(TO_LIST), ""},
            {PARTS("{\"functionCall\":{\"name\":\"f\",\"willContinue\":true}}"),
             PARTS("{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.a\",\"stringValue\":\"x\","
                   "\"willContinue\":true}],\"willContinue\":true}}"),
             ""},
            {"", PARTS("{\"inlineData\":{\"n\":#}}"), ""},
            {"", PARTS("{\"text\":\"x\",\"odd#\":1}"), ""},
            {"", "data: {\"candidates\":[{\"odd#\":1}]}\r\n\r\n", ""},
            {"", "data: {\"candidates\":[],\"odd#\":1}\r\n\r\n", ""},
            {"", "data: {\"candidates\":[{\"index\":#,\"content\":{\"parts\":[{\"text\":\"x\"}]}}]}\r\n\r\n",
             ""},
            {"",
             "data: "
             "{\"candidates\":[{\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":#}}"
             "\r\n\r\n",
             ""},
            {"data: {\"candidates\":[{\"content\":{\"parts\":[", "{\"text\":\"x\"},", "{}]}}]}\r\n\r\n"},
            {"data: {\"candidates\":[{\"content\":{\"parts\":[", "{\"text\":\"x\",\"odd#\":1},",
             "{}]}}]}\r\n\r\n"},
            {"data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"", "\\n", "\"}]}}]}\r\n\r\n"},
            {"data: {", "\"odd#\":1,", "\"candidates\":[]}\r\n\r\n"},
            {"data: {\"candidates\":[{", "\"odd#\":1,",
             "\"content\":{\"parts\":[{\"text\":\"x\"}]}}]}\r\n\r\n"},
            {"data: {\"candidates\":[{\"content\":{\"parts\":[{", "\"odd#\":1,",
             "\"text\":\"x\"}]}}]}\r\n\r\n"},
            {"data: "
             "{\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\",\"partialArgs\":[",
             "{\"jsonPath\":\"$.a#\",\"numberValue\":1},", "{}]}}]}}]}\r\n\r\n"},
            {"[", "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"x\"}]}}]},", "{}]"},
            {"{\"candidates\":[", "{\"content\":{\"parts\":[{\"text\":\"x\"}]}},", "{}]}"},
            {"{", "\"odd#\":1,", "\"candidates\":[]}"},
        }));
}

#define ITEM(stage, item) EVENT("response.output_item." stage, "\"output_index\":#,\"item\":{" item "}")
#define CREATED EVENT("response.created", "\"response\":{\"id\":\"r\",\"output\":[]}")

TEST(DialectLinear, OpenAiResponses) {
  check(
      DialectId::openai_responses,
      std::to_array<Shape>({
          {CREATED, EVENT("response.output_text.delta", "\"output_index\":0,\"delta\":\"x\""), ""},
          {CREATED, EVENT("response.output_text.delta", "\"item_id\":\"i\",\"delta\":\"x\""), ""},
          {CREATED, EVENT("response.output_text.delta", "\"output_index\":#,\"delta\":\"x\""), ""},
          {CREATED, EVENT("response.reasoning_summary_text.delta", "\"output_index\":0,\"delta\":\"x\""), ""},
          {CREATED, EVENT("response.function_call_arguments.delta", "\"output_index\":0,\"delta\":\"x\""),
           ""},
          {CREATED, EVENT("response.function_call_arguments.delta", "\"output_index\":#,\"delta\":\"x\""),
           ""},
          {CREATED,
           EVENT("response.output_text.done", "\"output_index\":0,\"content_index\":#,\"text\":\"x\""), ""},
          {CREATED,
           EVENT("response.output_text.annotation.added", "\"output_index\":0,\"annotation\":{\"n\":#}"), ""},
          {CREATED, ITEM("added", "\"type\":\"function_call\",\"call_id\":\"c#\",\"name\":\"f\""), ""},
          {CREATED,
           ITEM("added", "\"type\":\"message\",\"id\":\"m#\"") ITEM(
               "done",
               "\"type\":\"message\",\"id\":\"m#\",\"content\":[{\"type\":\"output_text\",\"text\":\"x\"}]"),
           ""},
          {CREATED, ITEM("added", "\"type\":\"odd\",\"id\":\"m#\""), ""},
          {CREATED, ITEM("done", "\"type\":\"odd\",\"id\":\"m#\""), ""},
          {CREATED, EVENT("response.odd", "\"output_index\":#,\"n\":1"), ""},
          {CREATED, EVENT("response.output_text.delta", "\"output_index\":0,\"delta\":\"x\",\"odd\":#"), ""},
          {CREATED,
           EVENT("response.output_text.delta", "\"output_index\":0,\"delta\":\"x\",\"logprobs\":[{\"n\":#}]"),
           ""},
          {"", CREATED, ""},
          {"", EVENT("response.completed", "\"response\":{\"status\":\"completed\",\"output\":[]}") CREATED,
           ""},
          {CREATED
           "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[",
           "{\"type\":\"message\",\"id\":\"m#\",\"content\":[{\"type\":\"output_text\",\"text\":\"x\"}]},",
           "{}]}}\n\n"},
          {CREATED
           "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[",
           "{\"type\":\"odd\",\"id\":\"m#\"},", "{}]}}\n\n"},
          {CREATED "data: "
                   "{\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{"
                   "\"type\":\"message\",\"content\":[",
           "{\"type\":\"output_text\",\"text\":\"x\",\"annotations\":[{\"n\":#}]},", "{}]}]}}\n\n"},
          {CREATED "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"", "\\n",
           "\"}\n\n"},
          {CREATED "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,", "\"odd#\":1,",
           "\"delta\":\"x\"}\n\n"},
          {"{\"status\":\"completed\",\"output\":[",
           "{\"type\":\"function_call\",\"call_id\":\"c#\",\"name\":\"f\",\"arguments\":\"{}\"},", "{}]}"},
          {"{\"status\":\"completed\",\"output\":[", "{\"type\":\"odd\",\"id\":\"m#\"},", "{}]}"},
          {"{\"status\":\"completed\",", "\"odd#\":1,", "\"output\":[]}"},
      }));
}

TEST(DialectLinear, Tables) {
  check(DialectId::ollama_chat,
        std::to_array<Shape>({
            {"", "{\"message\":{\"content\":\"x\"},\"created_at\":\"#\"}\n", "{\"done\":true}\n"},
            {"", "{\"message\":{\"thinking\":\"x\"}}\n", ""},
            {"", "{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":#}}}]}}\n",
             ""},
            {"{\"message\":{\"tool_calls\":[", "{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":#}}},",
             "{}]}}\n"},
            {"{\"message\":{\"content\":\"", "x", "\"}}\n"},
            {"{", "\"odd#\":1,", "\"response\":\"x\"}\n"},
        }));
  check(DialectId::cohere_chat,
        std::to_array<Shape>({
            {"", EVENT("content-delta", "\"index\":0,\"delta\":{\"message\":{\"content\":{\"text\":\"x\"}}}"),
             ""},
            {"",
             EVENT("tool-call-start",
                   "\"index\":#,\"delta\":{\"message\":{\"tool_calls\":{\"id\":\"i#\",\"function\":{\"name\":"
                   "\"f\"}}}}"),
             ""},
            {"", EVENT("citation-start", "\"index\":#"), ""},
            {"", EVENT("odd", "\"index\":#"), ""},
            {"{\"generations\":[", "{\"id\":\"#\",\"text\":\"x\"},", "{}]}"},
        }));
  check(DialectId::dashscope_native,
        std::to_array<Shape>({
            {"",
             "data:{\"output\":{\"choices\":[{\"message\":{\"content\":\"x\"}}]},\"usage\":{\"output_"
             "tokens\":#}}\n\n",
             ""},
            {"data:{\"output\":{\"choices\":[", "{\"message\":{\"content\":\"x\"}},", "{}]}}\n\n"},
            {"data:{\"output\":{\"text\":\"", "\\n", "\"}}\n\n"},
        }));
  check(DialectId::openai_completions,
        std::to_array<Shape>({
            {"", "data: {\"id\":\"#\",\"choices\":[{\"text\":\"x\"}]}\n\n", "data: [DONE]\n\n"},
            {"data: {\"choices\":[", "{\"index\":#,\"text\":\"x\"},", "{}]}\n\n"},
        }));
  check(DialectId::bedrock_converse,
        std::to_array<Shape>({
            {"{\"output\":{\"message\":{\"content\":[",
             "{\"text\":\"x\"},{\"toolUse\":{\"toolUseId\":\"#\",\"name\":\"f\",\"input\":{}}},", "{}]}}}"},
            {"{\"output\":{\"message\":{\"content\":[",
             "{\"reasoningContent\":{\"reasoningText\":{\"text\":\"x\",\"signature\":\"s\"}}},", "{}]}}}"},
        }));
  for (const DialectId dialect :
       {DialectId::workers_ai_native, DialectId::ernie_native, DialectId::lmstudio_native}) {
    check(dialect,
          std::to_array<Shape>({
              {"",
               "data: {\"response\":\"x\",\"result\":\"x\",\"content\":\"x\",\"type\":\"message.delta\"}\n\n",
               ""},
              {"data: {", "\"odd#\":1,", "\"response\":\"x\",\"result\":\"x\"}\n\n"},
          }));
  }
}

// A request of one dialect, read and written for every other: as many values as an outline holds.
void check_requests(DialectId from, std::span<const Shape> shapes) {
  for (const Shape& each : shapes) {
    for (std::size_t to = 0; to < kDialectNames.size(); ++to) {
      const auto target = static_cast<DialectId>(to);
      expect_linear(
          std::string(name_of(from)) + " for " + std::string(name_of(target)) + ": " + each.before + " (" +
              each.unit + ")*",
          [&](std::size_t bytes) { return repeated(each.before, each.unit, each.after, bytes * 4 / 10); },
          [&](const std::string& body) {
            json::Outline outline(request_outline_options(from));
            ASSERT_EQ(outline.feed(body, true), json::Outline::State::done);
            Request request;
            RequestProblem problem;
            BodyPieces pieces;
            ASSERT_TRUE(find(from)->read_request(outline, request, problem)) << problem.what;
            find(target)->write_request(request, {"m", 0, {}}, pieces, problem);
          });
    }
  }
}

#define CHAT_CALL(id, more) R"({"role":"assistant","tool_calls":[{"id":")" id R"(",)" more "}]},"
#define CHAT_RESULT(id) R"({"role":"tool","tool_call_id":")" id R"(","content":"r"},)"
#define FUNCTION R"("type":"function","function":{"name":"f","arguments":"{}"})"
#define CUSTOM R"("type":"custom","custom":{"name":"f","input":"t"})"

TEST(DialectLinear, Requests) {
  constexpr const char* kChat = R"({"messages":[{"role":"user","content":"q"},)";
  constexpr const char* kChatEnd = R"({"role":"user","content":"q"}]})";
  check_requests(DialectId::openai_chat, std::to_array<Shape>({
                                             {kChat, CHAT_RESULT("#"), kChatEnd},
                                             {kChat, CHAT_CALL("#", FUNCTION) CHAT_RESULT("x#"), kChatEnd},
                                             {kChat, CHAT_CALL("#", CUSTOM) CHAT_RESULT("x#"), kChatEnd},
                                             {kChat, CHAT_CALL("1", FUNCTION) CHAT_RESULT("1"), kChatEnd},
                                             {kChat, R"({"role":"user","content":"q"},)", kChatEnd},
                                             {kChat, R"({"role":"system","content":"q"},)", kChatEnd},
                                         }));
  constexpr const char* kItems = R"({"input":[)";
  constexpr const char* kItemsEnd = R"({"role":"user","content":"q"}]})";
#define OUTPUT R"({"type":"custom_tool_call_output","call_id":"x#","output":"r"},)"
  check_requests(
      DialectId::openai_responses,
      std::to_array<Shape>({
          {kItems, OUTPUT, kItemsEnd},
          {kItems, R"({"type":"custom_tool_call","call_id":"#","name":"f","input":"t"},)" OUTPUT, kItemsEnd},
          {kItems, R"({"type":"function_call","call_id":"#","name":"f","arguments":"{}"},)" OUTPUT,
           kItemsEnd},
      }));
  check_requests(
      DialectId::anthropic_messages,
      std::to_array<Shape>({
          {R"({"max_tokens":1,"messages":[)",
           R"({"role":"assistant","content":[{"type":"tool_use","id":"#","name":"f","input":{}}]},)"
           R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"x#","content":"r"}]},)",
           kItemsEnd},
      }));
  check_requests(DialectId::gemini_generate,
                 std::to_array<Shape>({
                     {R"({"contents":[)",
                      R"({"role":"model","parts":[{"functionCall":{"name":"f#","args":{}}}]},)"
                      R"({"role":"user","parts":[{"functionResponse":{"name":"g#","response":{}}}]},)",
                      R"({"parts":[{"text":"q"}]}]})"},
                 }));
}

}  // namespace
}  // namespace shunt::dialect
