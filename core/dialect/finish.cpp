// Why an answer ended, as rows. See finish.h.
#include "dialect/finish.h"

#include <span>

#include "dialect/words.h"

namespace shunt::dialect {
namespace {

// Words beyond OpenAI's five come from servers that speak its dialect: eos (AI21, Together), model_length
// (Mistral), tool_call (Fireworks), sensitive and network_error (Zhipu), insufficient_system_resource
// (DeepSeek), error (OpenRouter, Mistral).
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

FinishReason find(std::span<const Word> words, std::string_view raw) {
  const int known = find_word(words, raw);
  return known == kNoWord ? FinishReason::unknown : static_cast<FinishReason>(known);
}

}  // namespace

FinishReason finish_of_openai(std::string_view raw) { return find(kOpenAi, raw); }

std::string_view finish_to_openai(FinishReason reason) {
  return reason == FinishReason::unknown ? "stop" : name_of(reason);
}

FinishReason finish_of_anthropic(std::string_view raw) { return find(kAnthropic, raw); }

std::string_view finish_to_anthropic(FinishReason reason, std::string_view raw) {
  if (reason == FinishReason::unknown) reason = FinishReason::stop;
  std::string_view first;
  for (const Word& word : kAnthropic) {
    if (static_cast<FinishReason>(word.id) != reason) continue;
    if (word.text == raw) return word.text;
    if (first.empty()) first = word.text;
  }
  return first;
}

}  // namespace shunt::dialect
