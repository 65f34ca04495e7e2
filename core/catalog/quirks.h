// Named deviations of a provider from its dialect: a bit set, each bit with the one thing it changes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace shunt {

enum class Quirk : std::uint32_t {
  none = 0,
  no_stream_options = 1U << 0U,  // refuses or ignores stream_options: usage comes unasked or not at all
  completion_excludes_reasoning = 1U << 1U,  // xAI chat: completion_tokens leaves reasoning_tokens out
  max_completion_tokens =
      1U << 2U,        // wants max_completion_tokens in place of max_tokens (OpenAI's newer models)
  no_done = 1U << 3U,  // its streams end without [DONE]
  gateway = 1U << 4U,  // another Shunt, which makes further attempts of its own: it shares our budgets
  // Clouds that wrap anthropic_messages: see catalog/envelopes.h.
  bedrock_invoke = 1U << 5U,
  vertex_predict = 1U << 6U,
};

using Quirks = std::uint32_t;
constexpr bool has(Quirks set, Quirk quirk) { return (set & static_cast<Quirks>(quirk)) != 0; }
constexpr Quirks with(Quirks set, Quirk quirk) { return set | static_cast<Quirks>(quirk); }

struct QuirkName {
  Quirk quirk;
  std::string_view name;
};
inline constexpr std::array<QuirkName, 7> kQuirkNames = {
    {{Quirk::no_stream_options, "no_stream_options"},
     {Quirk::completion_excludes_reasoning, "completion_excludes_reasoning"},
     {Quirk::max_completion_tokens, "max_completion_tokens"},
     {Quirk::no_done, "no_done"},
     {Quirk::gateway, "gateway"},
     {Quirk::bedrock_invoke, "bedrock_invoke"},
     {Quirk::vertex_predict, "vertex_predict"}}};

}  // namespace shunt
