// Token counts of the dialects. See usage.h.
#include "dialect/usage.h"

#include <algorithm>
#include <span>

#include "base/json.h"
#include "dialect/fill.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

using Count = std::optional<std::int64_t>;

// A count that says something overwrites; a zero only fills a gap. Negative counts are nobody's.
void put(Count& field, const Count& value) {
  if (value && *value >= 0 && (*value != 0 || !field)) field = value;
}

// The counts of Usage, then the objects inside of a usage object that hold some.
enum CountId : std::uint8_t {
  kPrompt,
  kCompletion,
  kTotal,
  kCached,
  kCacheWrite,
  kReasoning,
  kPromptDetails,
  kCachedDetails,
  kReasoningDetails,
  kThinkingDetails,
  kSumDetails,
};
constexpr Count Usage::* kCounts[] = {&Usage::prompt, &Usage::completion,  &Usage::total,
                                      &Usage::cached, &Usage::cache_write, &Usage::reasoning};

constexpr Word kPromptWords[] = {{"cached_tokens", kCached},
                                 {"cache_write_tokens", kCacheWrite},
                                 {"cache_creation_tokens", kCacheWrite},
                                 {"cache_creation_input_tokens", kCacheWrite}};  // Qwen
constexpr Word kCachedWords[] = {{"cached_tokens", kCached}};
constexpr Word kReasoningWords[] = {{"reasoning_tokens", kReasoning}};
constexpr Word kThinkingWords[] = {{"thinking_tokens", kReasoning}};
constexpr Word kSumWords[] = {{"input_tokens", kPrompt}, {"output_tokens", kCompletion}};
constexpr std::span<const Word> kDetails[] = {kPromptWords, kCachedWords, kReasoningWords, kThinkingWords,
                                              kSumWords};

constexpr Word kOpenAi[] = {{"prompt_tokens", kPrompt},
                            {"completion_tokens", kCompletion},
                            {"total_tokens", kTotal},
                            {"prompt_tokens_details", kPromptDetails},
                            {"completion_tokens_details", kReasoningDetails},
                            {"prompt_token_details", kCachedDetails},  // Mistral
                            {"num_cached_tokens", kCached},            // Mistral
                            {"prompt_cache_hit_tokens", kCached},      // DeepSeek
                            {"cached_tokens", kCached},                // Moonshot
                            {"cache_creation_input_tokens", kCacheWrite},
                            {"cache_read_input_tokens", kCached},
                            {"reasoning_tokens", kReasoning},  // Perplexity
                            {"input_tokens", kPrompt},
                            {"output_tokens", kCompletion},
                            {"input_tokens_details", kPromptDetails},
                            {"output_tokens_details", kReasoningDetails},
                            {"inputTokens", kPrompt},  // Bedrock
                            {"outputTokens", kCompletion},
                            {"totalTokens", kTotal},
                            {"cacheReadInputTokens", kCached},
                            {"cacheWriteInputTokens", kCacheWrite},
                            {"billed_units", kSumDetails},  // Cohere: what it bills, then what it used
                            {"tokens", kSumDetails},
                            {"prompt_eval_count", kPrompt},  // Ollama
                            {"eval_count", kCompletion},
                            {"total_output_tokens", kCompletion},  // LM Studio
                            {"reasoning_output_tokens", kReasoning}};

constexpr Word kAnthropic[] = {{"input_tokens", kPrompt},  // without cached tokens
                               {"cache_creation_input_tokens", kCacheWrite},
                               {"cache_read_input_tokens", kCached},
                               {"output_tokens", kCompletion},
                               {"output_tokens_details", kThinkingDetails}};

constexpr Word kGemini[] = {{"promptTokenCount", kPrompt},      {"candidatesTokenCount", kCompletion},
                            {"totalTokenCount", kTotal},        {"cachedContentTokenCount", kCached},
                            {"thoughtsTokenCount", kReasoning}, {"toolUsePromptTokenCount", kCacheWrite}};

// The sum of what was said; unset when neither was.
Count sum(const Count& a, const Count& b) {
  return a || b ? Count(a.value_or(0) + b.value_or(0)) : std::nullopt;
}

void read_counts(json::Cursor& cursor, std::span<const Word> words, Usage& out) {
  std::string_view key;
  if (!cursor.enter_object()) return;
  while (cursor.next_key(key)) {
    const int id = find_word(words, key);
    if (id >= kPromptDetails) {
      read_counts(cursor, kDetails[id - kPromptDetails], out);
    } else if (id != kNoWord) {
      put(out.*kCounts[id], cursor.read_int());
    }
  }
}

}  // namespace

Usage read_openai_usage(std::string_view raw, Quirks quirks) {
  Usage usage;
  json::Cursor cursor(raw);
  read_counts(cursor, kOpenAi, usage);
  if (has(quirks, Quirk::completion_excludes_reasoning)) {
    // xAI: completion leaves reasoning out; cached tokens beyond the prompt are not in it.
    if (usage.completion && usage.reasoning) *usage.completion += *usage.reasoning;
    if (usage.prompt && usage.cached && *usage.cached > *usage.prompt) *usage.prompt += *usage.cached;
  }
  // ERNIE: its last chunk may count no completion, its total always does.
  if (usage.total && usage.prompt && usage.completion.value_or(0) == 0)
    usage.completion = std::max<std::int64_t>(*usage.total - *usage.prompt, 0);
  if (!usage.total && usage.prompt && usage.completion) usage.total = *usage.prompt + *usage.completion;
  return usage;
}

void write_openai_usage(const Usage& usage, std::string& out) {
  const std::int64_t prompt = usage.prompt.value_or(0);
  const std::int64_t completion = usage.completion.value_or(0);
  fill(out, R"({"prompt_tokens":$)", prompt);
  fill(out, R"(,"completion_tokens":$)", completion);
  fill(out, R"(,"total_tokens":$)", usage.total.value_or(prompt + completion));
  if (usage.cached || usage.cache_write) {
    fill(out, R"(,"prompt_tokens_details":{"cached_tokens":$)", usage.cached.value_or(0));
    if (usage.cache_write) fill(out, R"(,"cache_write_tokens":$)", *usage.cache_write);
    out += '}';
  }
  if (usage.reasoning) fill(out, R"(,"completion_tokens_details":{"reasoning_tokens":$})", *usage.reasoning);
  out += '}';
}

// Clients count on both details.
void write_responses_usage(const Usage& usage, std::string& out) {
  const std::int64_t prompt = usage.prompt.value_or(0);
  const std::int64_t completion = usage.completion.value_or(0);
  fill(out, R"({"input_tokens":$,"input_tokens_details":{"cached_tokens":)", prompt);
  fill(out, "$", usage.cached.value_or(0));
  if (usage.cache_write) fill(out, R"(,"cache_write_tokens":$)", *usage.cache_write);
  fill(out, R"(},"output_tokens":$,"output_tokens_details":{"reasoning_tokens":)", completion);
  fill(out, R"($},"total_tokens":)", usage.reasoning.value_or(0));
  fill(out, "$}", usage.total.value_or(prompt + completion));
}

void AnthropicUsage::read(std::string_view raw, bool begins) {
  json::Cursor cursor(raw);
  Usage now;
  read_counts(cursor, kAnthropic, now);
  if (begun_ && now.completion) said_.completion.reset();
  for (const UsageField& each : kUsageFields) put(said_.*each.count, now.*each.count);
  said_.settled = !begins;
  begun_ = begins;
}

Usage AnthropicUsage::sums() const {
  Usage usage = said_;
  if (said_.prompt || said_.cache_write || said_.cached) {
    usage.prompt = said_.prompt.value_or(0) + said_.cache_write.value_or(0) + said_.cached.value_or(0);
  }
  if (usage.prompt && usage.completion) usage.total = *usage.prompt + *usage.completion;
  return usage;
}

void write_anthropic_usage(const Usage& usage, std::string& out) {
  // The parts must add up to the prompt, and some servers count more cached tokens than prompt tokens.
  const std::int64_t prompt = usage.prompt.value_or(usage.cached.value_or(0) + usage.cache_write.value_or(0));
  const std::int64_t cached = std::min(usage.cached.value_or(0), prompt);
  const std::int64_t written = std::min(usage.cache_write.value_or(0), prompt - cached);
  fill(out, R"({"input_tokens":$)", prompt - cached - written);
  if (usage.cache_write) fill(out, R"(,"cache_creation_input_tokens":$)", written);
  if (usage.cached) fill(out, R"(,"cache_read_input_tokens":$)", cached);
  fill(out, R"(,"output_tokens":$)", usage.completion.value_or(0));
  if (usage.reasoning) fill(out, R"(,"output_tokens_details":{"thinking_tokens":$})", *usage.reasoning);
  out += '}';
}

void GeminiUsage::read(std::string_view raw) {
  json::Cursor cursor(raw);
  read_counts(cursor, kGemini, said_);
}

Usage GeminiUsage::sums() const {
  Usage usage = said_;
  usage.cache_write.reset();
  usage.prompt = sum(said_.prompt, said_.cache_write);
  usage.completion = sum(said_.completion, said_.reasoning);
  if (!usage.total && usage.prompt && usage.completion) usage.total = *usage.prompt + *usage.completion;
  return usage;
}

void write_gemini_usage(const Usage& usage, std::string& out) {
  const std::int64_t prompt = usage.prompt.value_or(0);
  const std::int64_t completion = usage.completion.value_or(0);
  const std::int64_t thoughts = std::min(usage.reasoning.value_or(0), completion);
  fill(out, R"({"promptTokenCount":$)", prompt);
  fill(out, R"(,"candidatesTokenCount":$)", completion - thoughts);
  fill(out, R"(,"totalTokenCount":$)", usage.total.value_or(prompt + completion));
  if (usage.cached) fill(out, R"(,"cachedContentTokenCount":$)", *usage.cached);
  if (usage.reasoning) fill(out, R"(,"thoughtsTokenCount":$)", thoughts);
  out += '}';
}

}  // namespace shunt::dialect
