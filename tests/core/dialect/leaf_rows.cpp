// Which members events have, by dialect, from the providers' documents: whatever stands in no row is an
// extra.
#include <iterator>
#include <span>

#include "leaf_ledger.h"

namespace shunt::dialect::test {
namespace {

constexpr bool kAgain = true;  // said whole what came in pieces, or under two names

constexpr Row kOpenAiChat[] = {
    {"id", Fate::id, {}, kAgain},
    {"object", Fate::fixed, R"("chat.completion"|"chat.completion.chunk"|"chat.completion.done"|"")"},
    {"created", Fate::created, {}, kAgain},
    {"model", Fate::model},
    {"usage", Fate::usage},
    {"x_groq/usage", Fate::usage},
    {"obfuscation", Fate::padding},
    {"p", Fate::padding},
    {"choices/*/index", Fate::place},
    {"choices/*/finish_reason", Fate::finish},
    {"choices/*/usage", Fate::usage},
    {"choices/*/text", Fate::text, {}, kAgain},
    {"choices/*/delta/role", Fate::fixed, R"("assistant"|"")"},
    {"choices/*/delta/content", Fate::text},
    {"choices/*/delta/content/*/type", Fate::fixed, R"("text"|"thinking")"},
    {"choices/*/delta/content/*/text", Fate::text},
    {"choices/*/delta/content/*/thinking", Fate::reasoning},
    {"choices/*/delta/content/*/thinking/*/text", Fate::reasoning},
    {"choices/*/delta/content/*/thinking/*/type", Fate::fixed, R"("text")"},
    {"choices/*/delta/refusal", Fate::refusal},
    {"choices/*/delta/reasoning_content", Fate::reasoning, {}, kAgain},
    {"choices/*/delta/reasoning", Fate::reasoning, {}, kAgain},
    {"choices/*/delta/reasoning_details/*/text", Fate::reasoning, {}, kAgain},
    {"choices/*/delta/reasoning_details/*/summary", Fate::reasoning, {}, kAgain},
    {"choices/*/delta/reasoning_details/*/data", Fate::reasoning, {}, kAgain},
    {"choices/*/delta/reasoning_details/*/signature", Fate::reasoning, {}, kAgain},
    {"choices/*/delta/tool_calls/*/index", Fate::place},
    {"choices/*/delta/tool_calls/*/id", Fate::call_id},
    {"choices/*/delta/tool_calls/*/type", Fate::fixed, R"("function"|"")"},
    {"choices/*/delta/tool_calls/*/function/name", Fate::call_name},
    {"choices/*/delta/tool_calls/*/function/arguments", Fate::arguments},
    {"choices/*/delta/function_call/name", Fate::call_name},
    {"choices/*/delta/function_call/arguments", Fate::arguments},
    {"choices/*/message/role", Fate::fixed, R"("assistant"|"")"},
    {"choices/*/message/content", Fate::text, {}, kAgain},
    {"choices/*/message/content/*/type", Fate::fixed, R"("text"|"thinking")"},
    {"choices/*/message/content/*/text", Fate::text},
    {"choices/*/message/content/*/thinking", Fate::reasoning},
    {"choices/*/message/content/*/thinking/*/text", Fate::reasoning},
    {"choices/*/message/content/*/thinking/*/type", Fate::fixed, R"("text")"},
    {"choices/*/message/refusal", Fate::refusal},
    {"choices/*/message/reasoning_content", Fate::reasoning, {}, kAgain},
    {"choices/*/message/reasoning", Fate::reasoning, {}, kAgain},
    {"choices/*/message/reasoning_details/*/text", Fate::reasoning, {}, kAgain},
    {"choices/*/message/reasoning_details/*/summary", Fate::reasoning, {}, kAgain},
    {"choices/*/message/reasoning_details/*/data", Fate::reasoning, {}, kAgain},
    {"choices/*/message/reasoning_details/*/signature", Fate::reasoning, {}, kAgain},
    {"choices/*/message/tool_calls/*/index", Fate::place},
    {"choices/*/message/tool_calls/*/id", Fate::call_id},
    {"choices/*/message/tool_calls/*/type", Fate::fixed, R"("function")"},
    {"choices/*/message/tool_calls/*/function/name", Fate::call_name},
    {"choices/*/message/tool_calls/*/function/arguments", Fate::arguments, {}, kAgain},
    {"choices/*/message/tool_calls/*/custom/name", Fate::call_name},
    {"choices/*/message/tool_calls/*/custom/input", Fate::arguments},
    {"choices/*/message/function_call/name", Fate::call_name},
    {"choices/*/message/function_call/arguments", Fate::arguments},
};

constexpr Row kAnthropic[] = {
    {"type", Fate::fixed,
     R"("message"|"message_start"|"content_block_start"|"content_block_delta"|"content_block_stop"|)"
     R"("message_delta"|"message_stop"|"ping"|"vertex_event")"},
    {"index", Fate::place},
    {"message/id", Fate::id},
    {"message/model", Fate::model},
    {"message/type", Fate::fixed, R"("message")"},
    {"message/role", Fate::fixed, R"("assistant")"},
    {"message/usage", Fate::usage},
    {"message/stop_reason", Fate::finish},
    {"message/content", Fate::fixed, "[]"},
    {"content_block/citations", Fate::fixed, "[]"},
    {"content_block/type", Fate::fixed, R"("text"|"thinking"|"redacted_thinking"|"tool_use")"},
    {"content_block/text", Fate::text},
    {"content_block/thinking", Fate::reasoning},
    {"content_block/signature", Fate::reasoning},
    {"content_block/data", Fate::reasoning},
    {"content_block/id", Fate::call_id},
    {"content_block/name", Fate::call_name},
    {"content_block/input", Fate::arguments},
    {"delta/type", Fate::fixed,
     R"("text_delta"|"thinking_delta"|"signature_delta"|"input_json_delta"|"citations_delta")"},
    {"delta/text", Fate::text},
    {"delta/thinking", Fate::reasoning},
    {"delta/signature", Fate::reasoning},
    {"delta/partial_json", Fate::arguments},
    {"delta/stop_reason", Fate::finish},
    {"usage", Fate::usage},
    {"id", Fate::id},
    {"model", Fate::model},
    {"role", Fate::fixed, R"("assistant")"},
    {"stop_reason", Fate::finish},
    {"content/*/type", Fate::fixed, R"("text"|"thinking"|"redacted_thinking"|"tool_use")"},
    {"content/*/text", Fate::text},
    {"content/*/thinking", Fate::reasoning},
    {"content/*/signature", Fate::reasoning},
    {"content/*/data", Fate::reasoning},
    {"content/*/id", Fate::call_id},
    {"content/*/name", Fate::call_name},
    {"content/*/input", Fate::arguments},
};

constexpr Row kGemini[] = {
    {"responseId", Fate::id},
    {"modelVersion", Fate::model},
    {"usageMetadata", Fate::usage},
    {"candidates/*/index", Fate::place},
    {"candidates/*/finishReason", Fate::finish},
    {"candidates/*/content/role", Fate::fixed, R"("model")"},
    {"candidates/*/content/parts/*/text", Fate::any},
    {"candidates/*/content/parts/*/thought", Fate::fixed, "true|false"},
    {"candidates/*/content/parts/*/thoughtSignature", Fate::reasoning},
    {"candidates/*/content/parts/*/functionCall/id", Fate::call_id},
    {"candidates/*/content/parts/*/functionCall/name", Fate::call_name},
    {"candidates/*/content/parts/*/functionCall/args", Fate::arguments},
    {"candidates/*/content/parts/*/functionCall/willContinue", Fate::fixed, "true|false"},
    {"candidates/*/content/parts/*/functionCall/partialArgs/*/jsonPath", Fate::patch},
    {"candidates/*/content/parts/*/functionCall/partialArgs/*/stringValue", Fate::patch},
    {"candidates/*/content/parts/*/functionCall/partialArgs/*/numberValue", Fate::patch},
    {"candidates/*/content/parts/*/functionCall/partialArgs/*/boolValue", Fate::patch},
    {"candidates/*/content/parts/*/functionCall/partialArgs/*/willContinue", Fate::fixed, "true|false"},
};

// Items, parts and the Response stand in extras whole where they are first told; what is said of them later
// must be the same.
constexpr Row kResponses[] = {
    {"type", Fate::fixed,
     R"("response.created"|"response.queued"|"response.in_progress"|"response.completed"|)"
     R"("response.incomplete"|"response.failed"|"response.output_item.added"|"response.output_item.done"|)"
     R"("response.content_part.added"|"response.content_part.done"|"response.output_text.delta"|)"
     R"("response.output_text.done"|"response.refusal.delta"|"response.refusal.done"|)"
     R"("response.reasoning_text.delta"|"response.reasoning_text.done"|)"
     R"("response.reasoning_summary_part.added"|"response.reasoning_summary_part.done"|)"
     R"("response.reasoning_summary_text.delta"|"response.reasoning_summary_text.done"|)"
     R"("response.function_call_arguments.delta"|"response.function_call_arguments.done"|)"
     R"("response.custom_tool_call_input.delta"|"response.custom_tool_call_input.done"|)"
     R"("response.output_text.annotation.added"|"response.reasoning_part.added"|)"
     R"("response.reasoning_part.done")"},
    {"sequence_number", Fate::place},
    {"output_index", Fate::place},
    {"content_index", Fate::place},
    {"summary_index", Fate::place},
    {"annotation_index", Fate::place},
    {"item_id", Fate::place, {}, kAgain},
    {"response/id", Fate::id, {}, kAgain},
    {"item/id", Fate::place, {}, kAgain},
    {"logprobs/*/logprob", Fate::near},
    {"obfuscation", Fate::padding},
    {"logprobs", Fate::fixed, "[]"},
    {"name", Fate::call_name},
    {"delta", Fate::any},
    {"text", Fate::any, {}, kAgain},
    {"refusal", Fate::refusal, {}, kAgain},
    {"arguments", Fate::arguments, {}, kAgain},
    {"input", Fate::arguments, {}, kAgain},
    {"item/type", Fate::fixed, R"("message"|"reasoning"|"function_call"|"custom_tool_call")"},
    {"item/role", Fate::fixed, R"("assistant")"},
    {"item/status", Fate::fixed, R"("completed"|"in_progress"|"incomplete")"},
    {"item/call_id", Fate::call_id},
    {"item/name", Fate::call_name},
    {"item/arguments", Fate::arguments, {}, kAgain},
    {"item/input", Fate::arguments, {}, kAgain},
    {"item/encrypted_content", Fate::reasoning, {}, kAgain},
    {"item/content/*/type", Fate::fixed, R"("output_text"|"refusal"|"reasoning_text")"},
    {"item/content/*/text", Fate::any, {}, kAgain},
    {"item/content/*/refusal", Fate::refusal, {}, kAgain},
    {"item/content/*/annotations", Fate::fixed, "[]"},
    {"item/content/*/logprobs", Fate::fixed, "[]"},
    {"item/summary/*/type", Fate::fixed, R"("summary_text")"},
    {"item/summary/*/text", Fate::reasoning, {}, kAgain},
    {"part/type", Fate::fixed, R"("output_text"|"refusal"|"reasoning_text"|"summary_text")"},
    {"part/text", Fate::any, {}, kAgain},
    {"part/refusal", Fate::refusal, {}, kAgain},
    {"part/annotations", Fate::fixed, "[]"},
    {"part/logprobs", Fate::fixed, "[]"},
};

constexpr Row kBedrock[] = {
    {"p", Fate::padding},
    {"messageStart/p", Fate::padding},
    {"messageStart/role", Fate::fixed, R"("assistant")"},
    {"contentBlockStart/p", Fate::padding},
    {"contentBlockStart/contentBlockIndex", Fate::place},
    {"contentBlockStart/start/toolUse/toolUseId", Fate::call_id},
    {"contentBlockStart/start/toolUse/name", Fate::call_name},
    {"contentBlockDelta/p", Fate::padding},
    {"contentBlockDelta/contentBlockIndex", Fate::place},
    {"contentBlockDelta/delta/text", Fate::text},
    {"contentBlockDelta/delta/toolUse/input", Fate::arguments},
    {"contentBlockDelta/delta/reasoningContent/text", Fate::reasoning},
    {"contentBlockDelta/delta/reasoningContent/signature", Fate::reasoning},
    {"contentBlockDelta/delta/reasoningContent/redactedContent", Fate::reasoning},
    {"contentBlockStop/p", Fate::padding},
    {"contentBlockStop/contentBlockIndex", Fate::place},
    {"messageStop/p", Fate::padding},
    {"messageStop/stopReason", Fate::finish},
    {"metadata/p", Fate::padding},
    {"metadata/usage", Fate::usage},
    {"usage", Fate::usage},
    {"stopReason", Fate::finish},
    {"output/message/role", Fate::fixed, R"("assistant")"},
    {"output/message/content/*/text", Fate::text},
    {"output/message/content/*/toolUse/toolUseId", Fate::call_id},
    {"output/message/content/*/toolUse/name", Fate::call_name},
    {"output/message/content/*/toolUse/input", Fate::arguments},
    {"output/message/content/*/reasoningContent/reasoningText/text", Fate::reasoning},
    {"output/message/content/*/reasoningContent/reasoningText/signature", Fate::reasoning},
    {"output/message/content/*/reasoningContent/redactedContent", Fate::reasoning},
    {"output/message/content/*/citationsContent/content/*/text", Fate::text},
};

constexpr Row kCohere[] = {
    // Version 2.
    {"type", Fate::fixed,
     R"("message-start"|"content-start"|"content-delta"|"content-end"|"tool-plan-delta"|"tool-call-start"|)"
     R"("tool-call-delta"|"tool-call-end"|"citation-end"|"message-end")"},
    {"id", Fate::id},
    {"index", Fate::place},
    {"finish_reason", Fate::finish, {}, kAgain},
    {"usage", Fate::usage},
    {"delta/finish_reason", Fate::finish},
    {"delta/usage", Fate::usage},
    {"delta/message/role", Fate::fixed, R"("assistant")"},
    {"delta/message/content/type", Fate::fixed, R"("text"|"thinking")"},
    {"delta/message/content/text", Fate::text},
    {"delta/message/content/thinking", Fate::reasoning},
    {"delta/message/tool_plan", Fate::reasoning},
    {"delta/message/tool_calls/id", Fate::call_id},
    {"delta/message/tool_calls/type", Fate::fixed, R"("function")"},
    {"delta/message/tool_calls/function/name", Fate::call_name},
    {"delta/message/tool_calls/function/arguments", Fate::arguments},
    {"message/role", Fate::fixed, R"("assistant")"},
    {"message/tool_plan", Fate::reasoning},
    {"message/content/*/type", Fate::fixed, R"("text"|"thinking")"},
    {"message/content/*/text", Fate::text},
    {"message/content/*/thinking", Fate::reasoning},
    {"message/tool_calls/*/id", Fate::call_id},
    {"message/tool_calls/*/type", Fate::fixed, R"("function")"},
    {"message/tool_calls/*/function/name", Fate::call_name},
    {"message/tool_calls/*/function/arguments", Fate::arguments},
    // Version 1 and generate.
    {"event_type", Fate::fixed,
     R"("stream-start"|"text-generation"|"tool-calls-chunk"|"tool-calls-generation"|"stream-end")"},
    {"is_finished", Fate::fixed, "true|false"},
    {"generation_id", Fate::id},
    {"text", Fate::any},
    {"tool_calls/*/name", Fate::call_name},
    {"tool_calls/*/parameters", Fate::arguments, {}, kAgain},
    {"tool_call_delta/index", Fate::place},
    {"tool_call_delta/name", Fate::call_name},
    {"tool_call_delta/parameters", Fate::arguments},
    {"meta", Fate::usage},
    {"response/id", Fate::id},
    {"response/generation_id", Fate::id},
    {"response/text", Fate::text, {}, kAgain},
    {"response/finish_reason", Fate::finish, {}, kAgain},
    {"response/meta", Fate::usage},
    {"response/tool_calls/*/name", Fate::call_name},
    {"response/tool_calls/*/parameters", Fate::arguments, {}, kAgain},
    {"generations/*/text", Fate::text},
    {"generations/*/finish_reason", Fate::finish},
    {"generations/*/index", Fate::place},
    {"response/generations/*/text", Fate::text, {}, kAgain},
    {"response/generations/*/finish_reason", Fate::finish, {}, kAgain},
    {"response/generations/*/index", Fate::place},
};

constexpr Row kOllama[] = {
    {"model", Fate::model},
    {"message/role", Fate::fixed, R"("assistant")"},
    {"message/content", Fate::text},
    {"message/thinking", Fate::reasoning},
    {"message/tool_calls/*/id", Fate::call_id},
    {"message/tool_calls/*/function/index", Fate::place},
    {"message/tool_calls/*/function/name", Fate::call_name},
    {"message/tool_calls/*/function/arguments", Fate::arguments},
    {"response", Fate::text},
    {"thinking", Fate::reasoning},
    {"done", Fate::fixed, "true|false"},
    {"done_reason", Fate::finish},
    {"prompt_eval_count", Fate::counts},
    {"eval_count", Fate::counts},
};

// OpenAI's, and what others say in words of their own: Anthropic, Aleph Alpha, Writer; under Bedrock's
// InvokeModel Llama, Mistral, Titan.
constexpr Row kCompletions[] = {
    {"id", Fate::id},
    {"object", Fate::fixed,
     R"("text_completion"|"chat.completion"|"chat.completion.chunk"|"completion.chunk"|"text.completion"|"")"},
    {"created", Fate::created},
    {"model", Fate::model},
    {"usage", Fate::usage},
    {"obfuscation", Fate::padding},
    {"p", Fate::padding},
    {"type", Fate::fixed, R"("completion")"},
    {"index", Fate::place},
    {"choices/*/index", Fate::place},
    {"choices/*/text", Fate::text},
    {"choices/*/finish_reason", Fate::finish},
    {"choices/*/delta/role", Fate::fixed, R"("assistant")"},
    {"choices/*/delta/content", Fate::text},
    {"choices/*/message/role", Fate::fixed, R"("assistant")"},
    {"choices/*/message/content", Fate::text},
    {"completions/*/completion", Fate::text},
    {"completions/*/finish_reason", Fate::finish},
    {"completion", Fate::text},
    {"stop_reason", Fate::finish},
    {"value", Fate::text},
    {"token/text", Fate::text},
    {"generation", Fate::text},
    {"outputs/*/text", Fate::text},
    {"outputs/*/stop_reason", Fate::finish},
    {"results/*/outputText", Fate::text},
    {"results/*/completionReason", Fate::finish},
    {"outputText", Fate::text},
    {"completionReason", Fate::finish},
};

constexpr struct {
  DialectId dialect;
  std::span<const Row> rows;
} kRows[] = {
    {DialectId::openai_chat, kOpenAiChat},   {DialectId::anthropic_messages, kAnthropic},
    {DialectId::gemini_generate, kGemini},   {DialectId::openai_responses, kResponses},
    {DialectId::bedrock_converse, kBedrock}, {DialectId::cohere_chat, kCohere},
    {DialectId::ollama_chat, kOllama},       {DialectId::openai_completions, kCompletions},
};

constexpr Whole kWholes[] = {
    {DialectId::openai_chat, "chunk.x_groq", "its usage is read; ids and errors beside it have no event"},
    {DialectId::openai_chat, "delta.reasoning_details", "format, id and index belong to an entry's text"},
    {DialectId::openai_chat, "reasoning_details", "the same of text alone, which is not written again"},
    {DialectId::openai_chat, "delta.content", "a part of another kind"},
    {DialectId::anthropic_messages, "content_block",
     "a block of another kind; an empty one says that a text block begins behind another",
     R"({"text":"","type":"text"})"},
    {DialectId::anthropic_messages, "content_block_delta", "of a block of another kind"},
    {DialectId::anthropic_messages, "citation", "whole, as the block has it or a delta"},
    {DialectId::gemini_generate, "part", "of another kind, or an empty text that carries a signature"},
    {DialectId::gemini_generate, "part.thoughtSignature", "on which part it sits"},
    {DialectId::gemini_generate, "choice.logprobs", "in everyone's form, made of logprobsResult", "*"},
    {DialectId::gemini_generate, "response.promptFeedback", "ratings belong to the reason"},
    {DialectId::openai_responses, "responses.response", "settings of the Response among what it repeats"},
    {DialectId::openai_responses, "responses.item", "an item as it begins, with its id"},
    {DialectId::openai_responses, "responses.event", "of another type"},
    {DialectId::openai_responses, "responses.output", "an item of another type"},
    {DialectId::openai_responses, "responses.annotation", "whole, as its part has it or an event"},
    {DialectId::cohere_chat, "citation-start", "with its place in the text"},
};

}  // namespace

std::span<const Row> rows_of(DialectId dialect) {
  for (const auto& each : kRows) {
    if (each.dialect == dialect) return each.rows;
  }
  return {};
}

std::span<const Whole> wholes() { return kWholes; }

}  // namespace shunt::dialect::test
