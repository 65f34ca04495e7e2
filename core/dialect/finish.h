// Why an answer ended, between the words of the dialects and the canonical five. Rows; the raw word is kept
// by whoever reads it.
#pragma once

#include <string_view>

#include "canonical/finish.h"

namespace shunt::dialect {

// openai_chat and everything that speaks it.
FinishReason finish_of_openai(std::string_view raw);
std::string_view finish_to_openai(FinishReason reason);

FinishReason finish_of_anthropic(std::string_view raw);
// `raw` is kept when it is one of anthropic's own words for `reason` (stop_sequence, pause_turn, …).
std::string_view finish_to_anthropic(FinishReason reason, std::string_view raw);

FinishReason finish_of_gemini(std::string_view raw);
// As with anthropic; calls have no word of their own.
std::string_view finish_to_gemini(FinishReason reason, std::string_view raw);

// Many servers say "stop" after tool calls. Only that is relabelled: never length, filter or an unknown word.
constexpr FinishReason with_calls(FinishReason reason, bool called) {
  return called && reason == FinishReason::stop ? FinishReason::tool_calls : reason;
}

// What a client is told, who needs one of its own words: an answer that was let end for no reason we know has
// stopped.
constexpr FinishReason told(FinishReason reason, bool called) {
  return with_calls(reason == FinishReason::unknown ? FinishReason::stop : reason, called);
}

}  // namespace shunt::dialect
