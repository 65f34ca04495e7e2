// Why an answer ended, in OpenAI's words; the provider's own word is always kept beside it.
#pragma once

#include <cstdint>

namespace shunt {

enum class FinishReason : std::uint8_t { unknown, stop, length, tool_calls, content_filter, error };

constexpr const char* name_of(FinishReason reason) {
  switch (reason) {
    case FinishReason::unknown: return "unknown";
    case FinishReason::stop: return "stop";
    case FinishReason::length: return "length";
    case FinishReason::tool_calls: return "tool_calls";
    case FinishReason::content_filter: return "content_filter";
    case FinishReason::error: return "error";
  }
  return "unknown";
}

}  // namespace shunt
