// Why an answer ended, as rows. See finish.h.
#include "dialect/finish.h"

#include <span>

#include "base/strings.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

// Words beyond OpenAI's five come from servers that speak its dialect: eos (AI21, Together), model_length
// (Mistral), tool_call (Fireworks), sensitive and network_error (Zhipu), insufficient_system_resource
// (DeepSeek), error (OpenRouter, Mistral). The words of smaller dialects stand behind them: Bedrock's,
// Cohere's in capitals, load and unload (Ollama).
constexpr Word kOpenAi[] = {
    {"stop", FinishReason::stop},
    {"length", FinishReason::length},
    {"tool_calls", FinishReason::tool_calls},
    {"content_filter", FinishReason::content_filter},
    {"function_call", FinishReason::tool_calls},
    {"tool_call", FinishReason::tool_calls},
    {"tool_use", FinishReason::tool_calls},
    {"eos", FinishReason::stop},
    {"eos_token", FinishReason::stop},
    {"stop_sequence", FinishReason::stop},
    {"end_turn", FinishReason::stop},
    {"completed", FinishReason::stop},
    {"normal", FinishReason::stop},
    {"STOP", FinishReason::stop},
    {"max_tokens", FinishReason::length},
    {"model_length", FinishReason::length},
    {"MAX_TOKENS", FinishReason::length},
    {"sensitive", FinishReason::content_filter},
    {"SAFETY", FinishReason::content_filter},
    {"error", FinishReason::error},
    {"insufficient_system_resource", FinishReason::error},
    {"network_error", FinishReason::error},
    {"guardrail_intervened", FinishReason::content_filter},
    {"content_filtered", FinishReason::content_filter},
    {"model_context_window_exceeded", FinishReason::length},
    {"malformed_model_output", FinishReason::error},
    {"malformed_tool_use", FinishReason::error},
    {"COMPLETE", FinishReason::stop},
    {"STOP_SEQUENCE", FinishReason::stop},
    {"TOOL_CALL", FinishReason::tool_calls},
    {"ERROR_TOXIC", FinishReason::content_filter},
    {"ERROR_LIMIT", FinishReason::length},
    {"ERROR", FinishReason::error},
    {"TIMEOUT", FinishReason::error},
    {"FINISH", FinishReason::stop},  // Titan
    {"LENGTH", FinishReason::length},
    {"CONTENT_FILTERED", FinishReason::content_filter},
    {"load", FinishReason::stop},
    {"unload", FinishReason::stop},
};

// The first row of a reason is the word written for it.
constexpr Word kAnthropic[] = {
    {"end_turn", FinishReason::stop},
    {"max_tokens", FinishReason::length},
    {"tool_use", FinishReason::tool_calls},
    {"refusal", FinishReason::content_filter},
    {"stop_sequence", FinishReason::stop},
    {"pause_turn", FinishReason::stop},
    {"model_context_window_exceeded", FinishReason::length},
    {"compaction", FinishReason::length},
    {"error", FinishReason::error},
};

// https://ai.google.dev/api/generate-content#FinishReason and Vertex AI's own (MODEL_ARMOR). The numbers are
// the enumeration's under $alt=json;enum-encoding=int, as far as both APIs count alike. Providers disagree on
// OTHER
// ("unknown reason"): an answer it ends is let stand.
constexpr Word kGemini[] = {
    {"STOP", FinishReason::stop},
    {"MAX_TOKENS", FinishReason::length},
    {"SAFETY", FinishReason::content_filter},
    {"OTHER", FinishReason::stop},
    {"NO_IMAGE", FinishReason::stop},
    {"CONTINUATION", FinishReason::stop},
    {"FINISH_REASON_UNSPECIFIED", FinishReason::stop},
    {"RECITATION", FinishReason::content_filter},
    {"LANGUAGE", FinishReason::content_filter},
    {"BLOCKLIST", FinishReason::content_filter},
    {"PROHIBITED_CONTENT", FinishReason::content_filter},
    {"SPII", FinishReason::content_filter},
    {"MODEL_ARMOR", FinishReason::content_filter},
    {"JAILBREAK", FinishReason::content_filter},
    {"IMAGE_SAFETY", FinishReason::content_filter},
    {"IMAGE_PROHIBITED_CONTENT", FinishReason::content_filter},
    {"IMAGE_RECITATION", FinishReason::content_filter},
    {"IMAGE_OTHER", FinishReason::content_filter},
    {"MALFORMED_FUNCTION_CALL", FinishReason::error},
    {"UNEXPECTED_TOOL_CALL", FinishReason::error},
    {"TOO_MANY_TOOL_CALLS", FinishReason::error},
    {"MALFORMED_RESPONSE", FinishReason::error},
    {"MISSING_THOUGHT_SIGNATURE", FinishReason::error},
    {"1", FinishReason::stop},
    {"2", FinishReason::length},
    {"3", FinishReason::content_filter},
    {"4", FinishReason::content_filter},
    {"5", FinishReason::stop},
};

FinishReason find(std::span<const Word> words, std::string_view raw) {
  const int known = find_word(words, raw);
  return known == kNoWord ? FinishReason::unknown : static_cast<FinishReason>(known);
}

// The provider's own word if it is one of these and means `reason`, else the first that does.
std::string_view word_for(std::span<const Word> words, FinishReason reason, std::string_view raw) {
  if (reason == FinishReason::unknown) reason = FinishReason::stop;
  std::string_view first;
  for (const Word& word : words) {
    if (static_cast<FinishReason>(word.id) != reason) continue;
    if (word.text == raw) return word.text;
    if (first.empty()) first = word.text;
  }
  return first;
}

}  // namespace

FinishReason finish_of_openai(std::string_view raw) { return find(kOpenAi, raw); }

std::string_view finish_to_openai(FinishReason reason) {
  return reason == FinishReason::unknown ? "stop" : name_of(reason);
}

FinishReason finish_of_anthropic(std::string_view raw) { return find(kAnthropic, raw); }

std::string_view finish_to_anthropic(FinishReason reason, std::string_view raw) {
  return word_for(kAnthropic, reason, raw);
}

FinishReason finish_of_gemini(std::string_view raw) { return find(kGemini, raw); }

std::string_view finish_to_gemini(FinishReason reason, std::string_view raw) {
  if (reason == FinishReason::tool_calls) reason = FinishReason::stop;
  // Its words for errors blame the model; another provider's failure is none of them.
  if (reason == FinishReason::error && finish_of_gemini(raw) != reason) return "OTHER";
  const bool number = !raw.empty() && is_digit(raw[0]);
  return word_for(kGemini, reason, number ? std::string_view{} : raw);
}

}  // namespace shunt::dialect
