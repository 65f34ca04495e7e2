// What the dialects of the tables say: a stream or an answer, and its events side by side. Fixtures are
// written from the providers' API references.
#include <gtest/gtest.h>

#include "event_text.h"

namespace shunt::dialect::test {
namespace {

struct Case {
  const char* name;
  DialectId dialect;
  std::string stream;
  const char* events;
};

std::string sse(std::string_view event, std::string_view json) {
  return "event: " + std::string(event) + "\ndata: " + std::string(json) + "\n\n";
}
std::string data(std::string_view json) { return "data: " + std::string(json) + "\n\n"; }
std::string line(std::string_view json) { return std::string(json) + "\n"; }

// What an AWS event stream holds, each event under its name as the JSON form of the API has it.
std::string converse(std::string_view event, std::string_view json) {
  return "{\"" + std::string(event) + "\":" + std::string(json) + "}\n";
}

// A stream reads the same in one piece and byte by byte.
void expect_events(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    EXPECT_EQ(event_lines(c.dialect, c.stream), c.events) << c.name;
    std::string bytewise;
    const auto decoder = find(c.dialect)->make_decoder(0);
    each_frame(*decoder, c.stream, {1}, [&](const EventList& events) {
      for (const Event& event : events) bytewise += event_text(event) + "\n";
    });
    EXPECT_EQ(bytewise, c.events) << c.name;
  }
}

std::string answer_lines(DialectId dialect, std::string_view body) {
  std::string text, scratch;
  EventList events;
  find(dialect)->decode_answer(body, 0, events, scratch);
  for (const Event& event : events) text += event_text(event) + "\n";
  return text;
}

TEST(Tables, BedrockConverseStreams) {
  constexpr auto kId = DialectId::bedrock_converse;
  expect_events({
      {"text blocks have no start, usage follows the stop and leaves cached tokens out", kId,
       converse("messageStart", R"({"p":"abc","role":"assistant"})") +
           converse("contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"text":"Hi"},"p":"ab"})") +
           converse("contentBlockStop", R"({"contentBlockIndex":0})") +
           converse("messageStop", R"({"stopReason":"end_turn"})") +
           converse("metadata", R"({"metrics":{"latencyMs":5},"usage":{"inputTokens":3,"outputTokens":4,)"
                                R"("totalTokens":12,"cacheReadInputTokens":5,"cacheWriteInputTokens":0}})"),
       "start 0\ntext 0 Hi\nfinish 0 stop (end_turn)\nextra 0 native.metrics {\"latencyMs\":5}\nusage 8+4\n"},
      {"reasoning, its signature, a sealed part, then calls whose indexes are the blocks'", kId,
       converse("contentBlockDelta",
                R"({"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"hm"}}})") +
           converse("contentBlockDelta",
                    R"({"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"s"}}})") +
           converse("contentBlockDelta",
                    R"({"contentBlockIndex":1,"delta":{"reasoningContent":{"redactedContent":"r"}}})") +
           converse("contentBlockStart",
                    R"({"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"a","name":"f"}}})") +
           converse("contentBlockDelta",
                    R"({"contentBlockIndex":2,"delta":{"toolUse":{"input":"{\"x\""}}})") +
           converse("contentBlockDelta", R"({"contentBlockIndex":2,"delta":{"toolUse":{"input":":1}"}}})") +
           converse("contentBlockStop", R"({"contentBlockIndex":2})") +
           converse("contentBlockStart",
                    R"({"contentBlockIndex":3,"start":{"toolUse":{"toolUseId":"b","name":"g"}}})") +
           converse("contentBlockStop", R"({"contentBlockIndex":3})") +
           converse("messageStop", R"({"stopReason":"tool_use"})"),
       "start 0\nreasoning 0 text=hm\nreasoning 0 signature=s\nreasoning 0 redacted=r\n"
       "call 0.0 id=a name=f\nargs 0.0 {\"x\"\nargs 0.0 :1}\ncall-end 0.0\n"
       "call 0.1 id=b name=g\ncall-end 0.1\nfinish 0 tool_calls (tool_use)\n"},
      {"an exception as a member", kId, converse("throttlingException", R"({"message":"slow down"})"),
       "finish 0 error ()\nerror type=throttlingException message=slow down\n"},
  });
}

TEST(Tables, BedrockConverseAnswers) {
  EXPECT_EQ(
      answer_lines(
          DialectId::bedrock_converse,
          R"({"output":{"message":{"role":"assistant","content":[)"
          R"({"reasoningContent":{"reasoningText":{"text":"hm","signature":"s"}}},{"text":"Hi"},)"
          R"({"toolUse":{"toolUseId":"a","name":"f","input":{"x": 1}}},)"
          R"({"citationsContent":{"content":[{"text":"cited"}],"citations":[{"title":"t"}]}}]}},)"
          R"("stopReason":"guardrail_intervened","usage":{"inputTokens":1,"outputTokens":2,"totalTokens":3}})"),
      "start 0\nreasoning 0 text=hm\nreasoning 0 signature=s\ntext 0 Hi\n"
      "call 0.0 id=a name=f\nargs 0.0 {\"x\":1}\nextra 0 native.citations [{\"title\":\"t\"}]\ntext 0 cited\n"
      "finish 0 content_filter (guardrail_intervened)\nusage 1+2\n");
  EXPECT_EQ(answer_lines(DialectId::bedrock_converse, R"({"message":"no such model"})"),
            "finish 0 error ()\nerror message=no such model\n");
}

TEST(Tables, CohereVersion2) {
  constexpr auto kId = DialectId::cohere_chat;
  const auto event = [](std::string_view type, const std::string& members) {
    return sse(type, "{\"type\":\"" + std::string(type) + "\"" + members + "}");
  };
  expect_events({
      {"a plan is reasoning, calls are objects, tokens count and not what is billed", kId,
       event("message-start",
             R"(,"id":"i","delta":{"message":{"role":"assistant","content":[],"tool_calls":[]}})") +
           event("tool-plan-delta", R"(,"delta":{"message":{"tool_plan":"I will"}})") +
           event("tool-call-start",
                 R"(,"index":0,"delta":{"message":{"tool_calls":{"id":"a","type":"function",)"
                 R"("function":{"name":"f","arguments":""}}}})") +
           event("tool-call-delta",
                 R"(,"index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{}"}}}})") +
           event("tool-call-end", R"(,"index":0)") +
           event("message-end",
                 R"(,"delta":{"finish_reason":"TOOL_CALL","usage":{"billed_units":{"input_tokens":1,)"
                 R"("output_tokens":2},"tokens":{"input_tokens":10,"output_tokens":20}}})"),
       "start id=i 0\nreasoning 0 text=I will\ncall 0.0 id=a name=f\nargs 0.0 {}\ncall-end 0.0\n"
       "finish 0 tool_calls (TOOL_CALL)\nusage 10+20\ndone\n"},
      {"thinking, text, a citation, an event of tomorrow", kId,
       event("content-start",
             R"(,"index":0,"delta":{"message":{"content":{"type":"thinking","thinking":""}}})") +
           event("content-delta", R"(,"index":0,"delta":{"message":{"content":{"thinking":"hm"}}})") +
           event("content-end", R"(,"index":0)") +
           event("content-delta", R"(,"index":1,"delta":{"message":{"content":{"text":"Hi"}}})") +
           event("citation-start", R"(,"index":0)") + event("debug", R"(,"prompt":"p")") +
           event("message-end", R"(,"delta":{"finish_reason":"MAX_TOKENS"})") + data("[DONE]"),
       "start 0\nreasoning 0 text=hm\ntext 0 Hi\n"
       "extra 0 citation-start {\"type\":\"citation-start\",\"index\":0}\nextra 0 native.type "
       "\"debug\"\nextra 0 native.prompt \"p\"\n"
       "finish 0 length (MAX_TOKENS)\ndone\ndone\n"},
      {"an error ends the answer", kId,
       event("message-end", R"(,"delta":{"finish_reason":"ERROR","error":"internal"})"),
       "start 0\nfinish 0 error (ERROR)\nerror message=internal\ndone\n"},
  });
  EXPECT_EQ(answer_lines(kId, R"({"id":"i","finish_reason":"COMPLETE","message":{"role":"assistant",)"
                              R"("tool_plan":"plan","content":[{"type":"text","text":"Hi"}]},)"
                              R"("usage":{"tokens":{"input_tokens":1,"output_tokens":2}}})"),
            "start id=i 0\nreasoning 0 text=plan\ntext 0 Hi\nfinish 0 stop (COMPLETE)\nusage 1+2\n");
}

TEST(Tables, CohereVersion1) {
  constexpr auto kId = DialectId::cohere_chat;
  expect_events({
      {"the end repeats the text", kId,
       line(R"({"is_finished":false,"event_type":"stream-start","generation_id":"g"})") +
           line(R"({"is_finished":false,"event_type":"text-generation","text":"Hi"})") +
           line(
               R"({"is_finished":true,"event_type":"stream-end","response":{"text":"Hi","generation_id":"g",)"
               R"("meta":{"tokens":{"input_tokens":3,"output_tokens":1}}},"finish_reason":"COMPLETE"})"),
       "start id=g 0\ntext 0 Hi\nusage 3+1\nfinish 0 stop (COMPLETE)\ndone\n"},
      {"calls come in pieces and whole once more", kId,
       line(R"({"event_type":"tool-calls-chunk","text":"plan"})") +
           line(R"({"event_type":"tool-calls-chunk","tool_call_delta":{"index":0,"name":"f"}})") +
           line(
               R"({"event_type":"tool-calls-chunk","tool_call_delta":{"index":0,"parameters":"{\"x\":1}"}})") +
           line(R"({"event_type":"tool-calls-generation","tool_calls":[{"name":"f","parameters":{"x":1}}]})"),
       "start 0\nreasoning 0 text=plan\ncall 0.0 name=f\nargs 0.0 {\"x\":1}\n"},
      {"only whole", kId,
       line(R"({"event_type":"tool-calls-generation","tool_calls":[{"name":"f","parameters":{"x": 1}}]})") +
           line(R"({"event_type":"stream-end","finish_reason":"COMPLETE"})"),
       "start 0\ncall 0.0 name=f\nargs 0.0 {\"x\":1}\nfinish 0 stop (COMPLETE)\ndone\n"},
  });
  EXPECT_EQ(
      answer_lines(kId, R"({"id":"i","generations":[{"text":"a","finish_reason":"COMPLETE"},{"text":"b"}]})"),
      "start id=i 0\ntext 0 a\nfinish 0 stop (COMPLETE)\ntext 1 b\n");
}

TEST(Tables, Ollama) {
  constexpr auto kId = DialectId::ollama_chat;
  expect_events({
      {"thinking, text, counts in the last line", kId,
       line(R"({"model":"m","message":{"role":"assistant","content":"","thinking":"hm"},"done":false})") +
           line(R"({"model":"m","message":{"role":"assistant","content":"Hi"},"done":false})") +
           line(
               R"({"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"length",)"
               R"("prompt_eval_count":3,"eval_count":4})"),
       "start model=m 0\nreasoning 0 text=hm\ntext 0 Hi\nusage 3+4\nfinish 0 length (length)\ndone\n"},
      {"calls without ids; a cached prompt is not counted; the end without a reason", kId,
       line(R"({"message":{"content":"","tool_calls":[{"function":{"name":"f","arguments":{"x":1}}},)"
            R"({"function":{"index":1,"name":"g","arguments":{}}}]},"done":false})") +
           line(R"({"message":{"content":""},"done":true,"eval_count":4})"),
       "start 0\ncall 0.0 name=f\nargs 0.0 {\"x\":1}\ncall 0.1 name=g\nargs 0.1 {}\nusage -1+4\n"
       "finish 0 stop ()\ndone\n"},
      {"probabilities of the tokens of a text", kId,
       line(R"({"message":{"content":"Hi"},"logprobs":[{"token":"Hi","logprob":-0.5}],"done":false})"),
       "start 0\nextra 0 choice.logprobs [{\"token\":\"Hi\",\"logprob\":-0.5}]\ntext 0 Hi\n"},
      {"generate", kId,
       line(R"({"response":"Hi","done":false})") +
           line(R"({"response":"","done":true,"done_reason":"stop"})"),
       "start 0\ntext 0 Hi\nfinish 0 stop (stop)\ndone\n"},
      {"an error after the first byte", kId,
       line(R"({"message":{"content":"Hi"},"done":false})") + line(R"({"error":"out of memory"})"),
       "start 0\ntext 0 Hi\nfinish 0 error ()\nerror message=out of memory\n"},
      {"a line that is no JSON harms no other", kId,
       line(R"({"response":"a","done":false})") + line("oops") + line(R"({"response":"b","done":false})"),
       "start 0\ntext 0 a\nbad frame\ntext 0 b\n"},
  });
}

TEST(Tables, Dashscope) {
  constexpr auto kId = DialectId::dashscope_native;
  const auto result = [](std::string_view message, std::string_view finish, int tokens) {
    return "id:1\nevent:result\n:HTTP_STATUS/200\ndata:{\"output\":{\"choices\":[{\"message\":" +
           std::string(message) + ",\"finish_reason\":\"" + std::string(finish) +
           "\"}]},\"usage\":{\"input_tokens\":2,\"output_tokens\":" + std::to_string(tokens) +
           "},\"request_id\":\"q\"}\n\n";
  };
  const auto text = [&](std::string_view content, std::string_view finish, int tokens) {
    return result("{\"role\":\"assistant\",\"content\":\"" + std::string(content) + "\"}", finish, tokens);
  };
  expect_events({
      {"incremental; the word null is no reason", kId, text("He", "null", 1) + text("y", "stop", 2),
       "ping\nstart id=q 0\nusage 2+1\ntext 0 He\nping\nusage 2+2\ntext 0 y\nfinish 0 stop (stop)\n"},
      {"probabilities of the tokens of a text", kId,
       "data:{\"output\":{\"choices\":[{\"message\":{\"content\":\"Hi\"},\"logprobs\":{\"content\":"
       "[{\"token\":\"Hi\",\"logprob\":-0.5}]},\"index\":0,\"finish_reason\":\"stop\"}]}}\n\n",
       "start 0\nextra 0 choice.logprobs {\"content\":[{\"token\":\"Hi\",\"logprob\":-0.5}]}\ntext 0 Hi\n"
       "finish 0 stop (stop)\n"},
      {"cumulative: only what is new", kId,
       text("He", "null", 1) + text("Hey", "null", 2) + text("Hey", "stop", 2),
       "ping\nstart id=q 0\nusage 2+1\ntext 0 He\nping\nusage 2+2\ntext 0 y\nping\nusage 2+2\n"
       "finish 0 stop (stop)\n"},
      {"a word said twice is said twice when tokens were counted for it", kId,
       text("ha", "null", 1) + text("ha", "null", 2) + text("ha", "stop", 3),
       "ping\nstart id=q 0\nusage 2+1\ntext 0 ha\nping\nusage 2+2\ntext 0 ha\nping\nusage 2+3\ntext 0 ha\n"
       "finish 0 stop (stop)\n"},
      {"cumulative arguments", kId,
       result(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]})", "null",
              1) +
           result(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}]})",
                  "tool_calls", 2),
       "ping\nstart id=q 0\nusage 2+1\ncall 0.0 id=a name=f\nargs 0.0 {\"x\"\nping\nusage 2+2\nargs 0.0 :1}\n"
       "finish 0 tool_calls (tool_calls)\n"},
      {"parts and the old form", kId,
       result(R"({"reasoning_content":"hm","content":[{"text":"Hi"}]})", "null", 1) +
           "data:{\"output\":{\"text\":\"!\",\"finish_reason\":\"stop\"}}\n\n",
       "ping\nstart id=q 0\nusage 2+1\nreasoning 0 text=hm\ntext 0 Hi\ntext 0 !\nfinish 0 stop (stop)\n"},
      {"an error event", kId,
       "event:error\n:HTTP_STATUS/"
       "400\ndata:{\"code\":\"InvalidParameter\",\"message\":\"bad\",\"request_id\":\"q\"}\n\n",
       "ping\nfinish 0 error ()\nerror code=InvalidParameter message=bad\n"},
  });
}

TEST(Tables, WorkersAi) {
  constexpr auto kId = DialectId::workers_ai_native;
  expect_events({
      {"no ids and no reasons", kId,
       data(R"({"response":"Hi","p":"abcd"})") +
           data(
               R"({"response":"","usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7},"p":"a"})") +
           data("[DONE]"),
       "start 0\ntext 0 Hi\nusage 5+2\ndone\n"},
      {"a call", kId,
       data(R"({"response":null,"tool_calls":[{"name":"f","arguments":{"x":1}}]})") + data("[DONE]"),
       "start 0\ncall 0.0 name=f\nargs 0.0 {\"x\":1}\ndone\n"},
  });
  EXPECT_EQ(answer_lines(
                kId, R"({"result":{"response":{"a": 1},"usage":{"prompt_tokens":1,"completion_tokens":2}},)"
                     R"("success":true,"errors":[],"messages":[]})"),
            "start 0\ntext 0 {\"a\": 1}\nusage 1+2\n");
  EXPECT_EQ(
      answer_lines(kId, R"({"result":null,"success":false,"errors":[{"code":7000,"message":"No route"}]})"),
      "finish 0 error ()\nerror code=7000 message=No route\n");
}

TEST(Tables, LmStudio) {
  constexpr auto kId = DialectId::lmstudio_native;
  expect_events({
      {"the end says everything again", kId,
       sse("chat.start", R"({"type":"chat.start","model_instance_id":"m"})") +
           sse("prompt_processing.progress", R"({"type":"prompt_processing.progress","progress":0.5})") +
           sse("reasoning.delta", R"({"type":"reasoning.delta","content":"hm"})") +
           sse("message.delta", R"({"type":"message.delta","content":"Hi"})") +
           sse("chat.end", R"({"type":"chat.end","result":{"output":[{"type":"reasoning","content":"hm"},)"
                           R"({"type":"message","content":"Hi"}],"stats":{"input_tokens":3,)"
                           R"("total_output_tokens":2,"reasoning_output_tokens":1}}})"),
       "start model=m 0\nping\nreasoning 0 text=hm\ntext 0 Hi\nusage 3+2\nfinish 0 stop (chat.end)\ndone\n"},
      {"an error", kId,
       sse("error", R"({"type":"error","error":{"type":"invalid_request","message":"no model","code":"c"}})"),
       "finish 0 error ()\nerror type=invalid_request code=c message=no model\n"},
  });
  EXPECT_EQ(answer_lines(kId, R"({"model_instance_id":"m","response_id":"r","output":[{"type":"message",)"
                              R"("content":"Hi"},{"type":"tool_call","tool":"t"}],)"
                              R"("stats":{"input_tokens":3,"total_output_tokens":2}})"),
            "start id=r model=m 0\ntext 0 Hi\nextra 0 native.item {\"type\":\"tool_call\",\"tool\":\"t\"}\n"
            "usage 3+2\n");
}

TEST(Tables, Ernie) {
  constexpr auto kId = DialectId::ernie_native;
  expect_events({
      {"a reason on each chunk counts on the last", kId,
       data(R"({"id":"i","created":7,"result":"Hi","is_end":false,"finish_reason":"normal"})") +
           data(R"({"id":"i","created":7,"result":"!","is_end":true,"finish_reason":"normal",)"
                R"("usage":{"prompt_tokens":2,"completion_tokens":0,"total_tokens":5}})"),
       "start id=i 7\ntext 0 Hi\ntext 0 !\nfinish 0 stop (normal)\nusage 2+3\ndone\n"},
      {"cut for its length", kId,
       data(R"({"result":"Hi","is_end":true,"is_truncated":true,"finish_reason":"normal"})"),
       "start 0\ntext 0 Hi\nfinish 0 length (normal)\ndone\n"},
      {"a call; its thoughts are nobody's", kId,
       data(R"({"result":"","is_end":true,"finish_reason":"function_call",)"
            R"("function_call":{"name":"f","thoughts":"t","arguments":"{}"}})"),
       "start 0\nextra 0 native.thoughts \"t\"\ncall 0.0 name=f\nargs 0.0 {}\n"
       "finish 0 tool_calls (function_call)\ndone\n"},
  });
  EXPECT_EQ(answer_lines(kId, R"({"error_code":336003,"error_msg":"bad"})"),
            "finish 0 error ()\nerror code=336003 message=bad\n");
}

TEST(Tables, Completions) {
  constexpr auto kId = DialectId::openai_completions;
  expect_events({
      {"choices in any order", kId,
       data(R"({"id":"i","model":"m","choices":[{"text":"b","index":1}]})") +
           data(R"({"id":"i","choices":[{"index":0,"text":"a","finish_reason":"length"}]})") + data("[DONE]"),
       "start id=i model=m 0\ntext 1 b\ntext 0 a\nfinish 0 length (length)\ndone\n"},
      {"Llama's and Titan's", kId,
       data(R"({"generation":"Hi","stop_reason":null})") +
           data(R"({"outputText":"!","index":0,"completionReason":"LENGTH"})"),
       "start 0\ntext 0 Hi\ntext 0 !\nfinish 0 length (LENGTH)\n"},
      {"Mistral's and Titan's whole", kId,
       data(R"({"outputs":[{"text":"Hi","stop_reason":"stop"}]})") +
           data(R"({"results":[{"outputText":"!","completionReason":"FINISH"}]})"),
       "start 0\ntext 0 Hi\nfinish 0 stop (stop)\ntext 0 !\nfinish 0 stop (FINISH)\n"},
      {"Anthropic's", kId,
       sse("completion", R"({"type":"completion","completion":" Hi","stop_reason":null})") +
           sse("completion", R"({"type":"completion","completion":"","stop_reason":"stop_sequence"})"),
       "start 0\ntext 0  Hi\nfinish 0 stop (stop_sequence)\n"},
  });
  EXPECT_EQ(answer_lines(kId, R"({"choices":[{"index":500,"text":"far"}]})"),
            "start 0\nextra -1 native.choice {\"index\":500,\"text\":\"far\"}\n");
}

}  // namespace
}  // namespace shunt::dialect::test
