// Token counts between the usage objects of the dialects and the canonical sums. Knows each provider's way of
// summing.
#pragma once

#include <string>
#include <string_view>

#include "canonical/usage.h"
#include "catalog/quirks.h"

namespace shunt::dialect {

// A usage object of openai_chat, as raw JSON. Total is the provider's own, else computed.
Usage read_openai_usage(std::string_view raw, Quirks quirks);
void write_openai_usage(const Usage& usage, std::string& out);
void write_responses_usage(const Usage& usage, std::string& out);  // the same in the words of Responses

// Anthropic's own counts. Its usage is cumulative and comes in pieces: each field overwrites what it said
// before, a zero placeholder does not, and the sums follow.
class AnthropicUsage {
 public:
  // `begins`: of a message that has only begun, whose completion is what had come by then (mostly 1).
  void read(std::string_view raw, bool begins);
  Usage sums() const;

 private:
  Usage said_;          // its prompt leaves cached tokens out
  bool begun_ = false;  // its completion is not settled
};
void write_anthropic_usage(const Usage& usage, std::string& out);

// Gemini's usageMetadata: cumulative in every chunk, the first ones without what is not counted yet. Thoughts
// stand beside the candidates' tokens, the results of its own tools beside the prompt.
class GeminiUsage {
 public:
  void read(std::string_view raw);
  Usage sums() const;

 private:
  Usage said_;  // cache_write holds toolUsePromptTokenCount: this dialect counts no writes
};
void write_gemini_usage(const Usage& usage, std::string& out);

}  // namespace shunt::dialect
