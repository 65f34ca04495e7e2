// The wire APIs Shunt knows by name. Which of them have a decoder or encoder yet is dialect's business.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace shunt {

enum class DialectId : std::uint8_t {
  openai_chat,
  openai_responses,
  anthropic_messages,
  gemini_generate,
  bedrock_converse,
  cohere_chat,
  ollama_chat,
  dashscope_native,
  workers_ai_native,
  lmstudio_native,
  ernie_native,
  openai_completions,
};

inline constexpr std::array<std::string_view, 12> kDialectNames = {
    "openai_chat",       "openai_responses", "anthropic_messages", "gemini_generate",
    "bedrock_converse",  "cohere_chat",      "ollama_chat",        "dashscope_native",
    "workers_ai_native", "lmstudio_native",  "ernie_native",       "openai_completions"};

constexpr std::string_view name_of(DialectId id) { return kDialectNames[static_cast<std::size_t>(id)]; }

constexpr std::optional<DialectId> dialect_named(std::string_view name) {
  for (std::size_t i = 0; i < kDialectNames.size(); ++i) {
    if (kDialectNames[i] == name) return static_cast<DialectId>(i);
  }
  return std::nullopt;
}

enum class Framing : std::uint8_t { sse, ndjson, json_array, aws_eventstream };

}  // namespace shunt
