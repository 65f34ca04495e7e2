// The dialects that a table describes, from the providers' own API references. Rows named like a frame read
// the frame; the others are members of a plain answer, or of a line. Rows say in which order events come:
// reasoning before text, text before calls.
#include "dialect/tables.h"

namespace shunt::dialect {
namespace {

constexpr Field kEnd{};

// {"text":…} in lists of parts, and the same of a model that thinks.
constexpr Field kPart[] = {{"thinking", Means::reasoning}, {"text", Means::text}, kEnd};

// A function call as OpenAI words it, with Cohere v1's parameters and ERNIE's bare form.
constexpr Field kFunction[] = {{"name", Means::call_name},
                               {"arguments", Means::call_arguments},
                               {"parameters", Means::call_arguments},
                               {"index", Means::index},
                               kEnd};
constexpr Field kCall[] = {{"index", Means::index},
                           {"id", Means::call_id},
                           {"type", Means::ignored},
                           {"function", Means::object, kFunction},
                           {"name", Means::call_name},
                           {"arguments", Means::call_arguments},
                           {"parameters", Means::call_arguments},
                           kEnd};
constexpr Field kMessage[] = {{"role", Means::ignored},
                              {"tool_plan", Means::reasoning},
                              {"thinking", Means::reasoning},
                              {"reasoning_content", Means::reasoning},
                              {"content", Means::text, kPart},
                              {"tool_calls", Means::calls, kCall},
                              kEnd};
constexpr Field kChoice[] = {{"index", Means::ignored},          {"message", Means::object, kMessage},
                             {"delta", Means::object, kMessage}, {"text", Means::text},
                             {"finish_reason", Means::finish},   kEnd};

// ---- bedrock_converse ----

constexpr Field kToolUse[] = {{"toolUseId", Means::call_id},
                              {"name", Means::call_name},
                              {"input", Means::call_arguments},
                              {"type", Means::extra},  // of tools that the provider runs itself
                              kEnd};
constexpr Field kReasoningText[] = {{"text", Means::reasoning}, {"signature", Means::signature}, kEnd};
constexpr Field kReasoningContent[] = {{"reasoningText", Means::object, kReasoningText},
                                       {"text", Means::reasoning},
                                       {"signature", Means::signature},
                                       {"redactedContent", Means::redacted},
                                       kEnd};
constexpr Field kCited[] = {{"content", Means::object, kPart}, kEnd};
// A block of an answer, the start of one, or a delta.
constexpr Field kBlock[] = {{"reasoningContent", Means::object, kReasoningContent},
                            {"text", Means::text},
                            {"citationsContent", Means::object, kCited},
                            {"toolUse", Means::calls, kToolUse},
                            kEnd};
constexpr Field kBlockEvent[] = {{"p", Means::ignored},
                                 {"contentBlockIndex", Means::index},
                                 {"start", Means::object, kBlock},
                                 {"delta", Means::object, kBlock},
                                 kEnd};
constexpr Field kBlockStop[] = {{"p", Means::ignored}, {"contentBlockIndex", Means::call_end}, kEnd};
constexpr Field kRole[] = {{"p", Means::ignored}, {"role", Means::ignored}, kEnd};
constexpr Field kMessageStop[] = {{"p", Means::ignored}, {"stopReason", Means::finish}, kEnd};
constexpr Field kMetadata[] = {{"p", Means::ignored}, {"usage", Means::usage_apart}, kEnd};
constexpr Field kConverseMessage[] = {{"role", Means::ignored}, {"content", Means::object, kBlock}, kEnd};
constexpr Field kConverseOutput[] = {{"message", Means::object, kConverseMessage}, kEnd};

// ---- cohere_chat: v2 (`type`), v1 (`event_type`), generate ----

constexpr Field kCohereDelta[] = {{"message", Means::object, kMessage},
                                  {"finish_reason", Means::finish},
                                  {"usage", Means::usage},
                                  {"error", Means::error},
                                  kEnd};
constexpr Field kCohereEvent[] = {
    {"id", Means::id}, {"index", Means::index}, {"delta", Means::object, kCohereDelta}, kEnd};
constexpr Field kCohereCallEnd[] = {{"index", Means::call_end}, kEnd};
constexpr Field kCohereBegin[] = {{"generation_id", Means::id}, {"is_finished", Means::ignored}, kEnd};
constexpr Field kCohereText[] = {{"text", Means::text}, {"is_finished", Means::ignored}, kEnd};
constexpr Field kCohereCalls[] = {{"is_finished", Means::ignored},
                                  {"text", Means::reasoning},
                                  {"tool_call_delta", Means::calls, kCall},
                                  {"tool_calls", Means::calls, kCall},
                                  kEnd};
constexpr Field kGeneration[] = {
    {"index", Means::ignored}, {"text", Means::text}, {"finish_reason", Means::finish}, kEnd};
constexpr Field kCohereWhole[] = {{"id", Means::id},
                                  {"generation_id", Means::id},
                                  {"generations", Means::choices, kGeneration},
                                  {"text", Means::text},
                                  {"tool_calls", Means::calls, kCall},
                                  {"finish_reason", Means::ignored},
                                  {"meta", Means::usage},
                                  kEnd};
constexpr Field kCohereEnd[] = {{"is_finished", Means::ignored},
                                {"response", Means::again, kCohereWhole},
                                {"finish_reason", Means::finish},
                                kEnd};

// ---- dashscope_native ----

constexpr Field kDashscopeChoice[] = {{"index", Means::ignored},
                                      {"logprobs", Means::logprobs},
                                      {"message", Means::object, kMessage},
                                      {"finish_reason", Means::finish},
                                      kEnd};
constexpr Field kDashscopeOutput[] = {{"choices", Means::choices, kDashscopeChoice},
                                      {"text", Means::text},
                                      {"finish_reason", Means::finish},
                                      kEnd};

// ---- workers_ai_native ----

constexpr Field kWorkersResult[] = {{"p", Means::ignored},
                                    {"response", Means::text},
                                    {"tool_calls", Means::calls, kCall},
                                    {"choices", Means::choices, kChoice},
                                    {"usage", Means::usage},
                                    kEnd};

// ---- lmstudio_native ----

constexpr Field kLmReasoning[] = {{"content", Means::reasoning}, kEnd};
constexpr Field kLmText[] = {{"content", Means::text}, kEnd};
constexpr Field kLmItem[] = {
    {"reasoning", Means::object, kLmReasoning}, {"message", Means::object, kLmText}, kEnd};
constexpr Field kLmResult[] = {{"model_instance_id", Means::model},
                               {"response_id", Means::id},
                               {"output", Means::typed, kLmItem},
                               {"stats", Means::usage},
                               kEnd};
constexpr Field kLmStart[] = {{"model_instance_id", Means::model}, kEnd};
constexpr Field kLmEnd[] = {{"result", Means::again, kLmResult}, kEnd};

// ---- openai_completions ----

constexpr Field kCompletion[] = {{"completion", Means::text},
                                 {"text", Means::text},
                                 {"outputText", Means::text},
                                 {"finish_reason", Means::finish},
                                 {"stop_reason", Means::finish},
                                 {"completionReason", Means::finish},
                                 kEnd};
constexpr Field kToken[] = {{"text", Means::text}, kEnd};

}  // namespace

const Field kBedrockTable[] = {{"p", Means::ignored},  // padding against length analysis
                               {"messageStart", Means::object, kRole},
                               {"contentBlockStart", Means::object, kBlockEvent},
                               {"contentBlockDelta", Means::object, kBlockEvent},
                               {"contentBlockStop", Means::object, kBlockStop},
                               {"messageStop", Means::object, kMessageStop},
                               {"metadata", Means::object, kMetadata},
                               {"output", Means::object, kConverseOutput},
                               {"stopReason", Means::finish},
                               {"usage", Means::usage_apart},
                               kEnd};

const Field kCohereTable[] = {{"message-start", Means::object, kCohereEvent},
                              {"content-start", Means::object, kCohereEvent},
                              {"content-delta", Means::object, kCohereEvent},
                              {"content-end", Means::ignored},
                              {"tool-plan-delta", Means::object, kCohereEvent},
                              {"tool-call-start", Means::object, kCohereEvent},
                              {"tool-call-delta", Means::object, kCohereEvent},
                              {"tool-call-end", Means::object, kCohereCallEnd},
                              {"citation-start", Means::extra},
                              {"citation-end", Means::ignored},
                              {"message-end", Means::last, kCohereEvent},
                              {"stream-start", Means::object, kCohereBegin},
                              {"text-generation", Means::object, kCohereText},
                              {"tool-calls-chunk", Means::object, kCohereCalls},
                              {"tool-calls-generation", Means::again, kCohereCalls},
                              {"stream-end", Means::last, kCohereEnd},
                              {"id", Means::id},
                              {"generation_id", Means::id},
                              {"message", Means::object, kMessage},
                              {"generations", Means::choices, kGeneration},
                              {"text", Means::text},
                              {"tool_calls", Means::calls, kCall},
                              {"finish_reason", Means::finish},
                              {"usage", Means::usage},
                              {"meta", Means::usage},
                              {"is_finished", Means::ignored},
                              kEnd};

const Field kOllamaTable[] = {{"model", Means::model},
                              {"logprobs", Means::logprobs},
                              {"message", Means::object, kMessage},
                              {"thinking", Means::reasoning},
                              {"response", Means::text},
                              {"prompt_eval_count", Means::counts},
                              {"eval_count", Means::counts},
                              {"done", Means::ended},
                              {"done_reason", Means::finish},
                              {"error", Means::error},
                              kEnd};

const Field kDashscopeTable[] = {
    {"usage", Means::usage},  // first: its counts tell a repeated text from a new one
    {"request_id", Means::id},       {"output", Means::object, kDashscopeOutput},
    {"status_code", Means::ignored}, {"code", Means::ignored},  // of a success empty, like the message
    {"message", Means::ignored},     kEnd};

const Field kWorkersAiTable[] = {{"p", Means::ignored},
                                 {"response", Means::text},
                                 {"tool_calls", Means::calls, kCall},
                                 {"choices", Means::choices, kChoice},
                                 {"usage", Means::usage},
                                 {"result", Means::object, kWorkersResult},
                                 {"success", Means::ignored},
                                 {"errors", Means::ignored},
                                 {"messages", Means::ignored},
                                 kEnd};

const Field kLmStudioTable[] = {{"chat.start", Means::object, kLmStart},
                                {"model_load.progress", Means::ping},
                                {"prompt_processing.progress", Means::ping},
                                {"reasoning.delta", Means::object, kLmReasoning},
                                {"message.delta", Means::object, kLmText},
                                {"chat.end", Means::last, kLmEnd},
                                {"model_instance_id", Means::model},
                                {"response_id", Means::id},
                                {"output", Means::typed, kLmItem},
                                {"stats", Means::usage},
                                kEnd};

const Field kErnieTable[] = {{"id", Means::id},
                             {"object", Means::ignored},
                             {"created", Means::created},
                             {"model", Means::model},
                             {"sentence_id", Means::ignored},
                             {"result", Means::text},
                             {"function_call", Means::calls, kFunction},
                             {"is_end", Means::ended},  // its finish_reason is there from the first chunk on
                             {"is_truncated", Means::truncated},
                             {"finish_reason", Means::finish},
                             {"usage", Means::usage},
                             kEnd};

// Others than OpenAI say it in words of their own: Anthropic (completion, stop_reason), Aleph Alpha
// (completions), Writer (value), and under Bedrock's InvokeModel Llama (generation), Mistral (outputs) and
// Titan (outputText, results).
const Field kCompletionsTable[] = {{"p", Means::ignored},  // padding: Mistral's, and OpenAI's
                                   {"obfuscation", Means::ignored},
                                   {"id", Means::id},
                                   {"object", Means::ignored},
                                   {"created", Means::created},
                                   {"model", Means::model},
                                   {"choices", Means::choices, kChoice},
                                   {"completions", Means::choices, kCompletion},
                                   {"completion", Means::text},
                                   {"value", Means::text},
                                   {"token", Means::object, kToken},
                                   {"generation", Means::text},
                                   {"outputs", Means::choices, kCompletion},
                                   {"results", Means::choices, kCompletion},
                                   {"outputText", Means::text},
                                   {"index", Means::ignored},
                                   {"stop_reason", Means::finish},
                                   {"completionReason", Means::finish},
                                   {"usage", Means::usage},
                                   kEnd};

}  // namespace shunt::dialect
