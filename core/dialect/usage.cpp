// Token counts of the dialects. See usage.h.
#include "dialect/usage.h"

#include <algorithm>
#include <array>

#include "base/json.h"

namespace shunt::dialect {
namespace {

using Count = std::optional<std::int64_t>;

// A count that says something overwrites; a zero only fills a gap. Negative counts are nobody's.
void put(Count& field, const Count& value) {
  if (value && *value >= 0 && (*value != 0 || !field)) field = value;
}

struct Row {
  std::string_view parent;  // "" = the usage object itself
  std::string_view key;
  Count Usage::* field;
};

// Details first: where a provider repeats a count outside of them, both agree.
constexpr std::array<Row, 19> kOpenAi = {{
    {"", "prompt_tokens", &Usage::prompt},
    {"", "completion_tokens", &Usage::completion},
    {"", "total_tokens", &Usage::total},
    {"prompt_tokens_details", "cached_tokens", &Usage::cached},
    {"prompt_tokens_details", "cache_write_tokens", &Usage::cache_write},
    {"prompt_tokens_details", "cache_creation_tokens", &Usage::cache_write},
    {"prompt_tokens_details", "cache_creation_input_tokens", &Usage::cache_write},  // Qwen
    {"completion_tokens_details", "reasoning_tokens", &Usage::reasoning},
    {"prompt_token_details", "cached_tokens", &Usage::cached},  // Mistral
    {"", "num_cached_tokens", &Usage::cached},                  // Mistral
    {"", "prompt_cache_hit_tokens", &Usage::cached},            // DeepSeek
    {"", "cached_tokens", &Usage::cached},                      // Moonshot
    {"", "cache_creation_input_tokens", &Usage::cache_write},
    {"", "cache_read_input_tokens", &Usage::cached},
    {"", "reasoning_tokens", &Usage::reasoning},  // Perplexity
    {"", "input_tokens", &Usage::prompt},
    {"", "output_tokens", &Usage::completion},
    {"input_tokens_details", "cached_tokens", &Usage::cached},
    {"output_tokens_details", "reasoning_tokens", &Usage::reasoning},
}};

bool is_parent(std::string_view key) {
  for (const Row& row : kOpenAi) {
    if (!row.parent.empty() && row.parent == key) return true;
  }
  return false;
}

void read_members(json::Cursor& cursor, std::string_view parent, Usage& out) {
  std::string_view key;
  while (cursor.next_key(key)) {
    if (parent.empty() && is_parent(key) && cursor.peek() == json::Kind::object) {
      // Keys die at the next key; the rows' own names do not.
      std::string_view name;
      for (const Row& row : kOpenAi) {
        if (row.parent == key) name = row.parent;
      }
      cursor.enter_object();
      read_members(cursor, name, out);
      continue;
    }
    const Row* found = nullptr;
    for (const Row& row : kOpenAi) {
      if (row.parent == parent && row.key == key) found = &row;
    }
    if (found != nullptr) put(out.*(found->field), cursor.read_int());
  }
}

}  // namespace

Usage read_openai_usage(std::string_view raw, Quirks quirks) {
  Usage usage;
  json::Cursor cursor(raw);
  if (!cursor.enter_object()) return usage;
  read_members(cursor, "", usage);
  if (has(quirks, Quirk::completion_excludes_reasoning)) {
    // xAI: completion leaves reasoning out; cached tokens beyond the prompt are not in it.
    if (usage.completion && usage.reasoning) *usage.completion += *usage.reasoning;
    if (usage.prompt && usage.cached && *usage.cached > *usage.prompt) *usage.prompt += *usage.cached;
  }
  if (!usage.total && usage.prompt && usage.completion) usage.total = *usage.prompt + *usage.completion;
  return usage;
}

void write_openai_usage(const Usage& usage, json::Writer& out) {
  const std::int64_t prompt = usage.prompt.value_or(0);
  const std::int64_t completion = usage.completion.value_or(0);
  out.begin_object().field("prompt_tokens", prompt).field("completion_tokens", completion);
  out.field("total_tokens", usage.total.value_or(prompt + completion));
  if (usage.cached || usage.cache_write) {
    out.key("prompt_tokens_details").begin_object().field("cached_tokens", usage.cached.value_or(0));
    if (usage.cache_write) out.field("cache_write_tokens", *usage.cache_write);
    out.end_object();
  }
  if (usage.reasoning) {
    out.key("completion_tokens_details")
        .begin_object()
        .field("reasoning_tokens", *usage.reasoning)
        .end_object();
  }
  out.end_object();
}

void AnthropicUsage::read(std::string_view raw) {
  json::Cursor cursor(raw);
  if (!cursor.enter_object()) return;
  std::string_view key;
  while (cursor.next_key(key)) {
    if (key == "input_tokens") {
      put(input_, cursor.read_int());
    } else if (key == "cache_creation_input_tokens") {
      put(cache_write_, cursor.read_int());
    } else if (key == "cache_read_input_tokens") {
      put(cache_read_, cursor.read_int());
    } else if (key == "output_tokens") {
      put(output_, cursor.read_int());
    } else if (key == "output_tokens_details" && cursor.enter_object()) {
      std::string_view detail;
      while (cursor.next_key(detail)) {
        if (detail == "thinking_tokens") put(thinking_, cursor.read_int());
      }
    }
  }
}

Usage AnthropicUsage::sums() const {
  Usage usage;
  if (input_ || cache_write_ || cache_read_) {
    usage.prompt = input_.value_or(0) + cache_write_.value_or(0) + cache_read_.value_or(0);
  }
  usage.completion = output_;
  if (usage.prompt && usage.completion) usage.total = *usage.prompt + *usage.completion;
  usage.cached = cache_read_;
  usage.cache_write = cache_write_;
  usage.reasoning = thinking_;
  return usage;
}

void write_anthropic_usage(const Usage& usage, json::Writer& out) {
  // The parts must add up to the prompt, and some servers count more cached tokens than prompt tokens.
  const std::int64_t prompt = usage.prompt.value_or(usage.cached.value_or(0) + usage.cache_write.value_or(0));
  const std::int64_t cached = std::min(usage.cached.value_or(0), prompt);
  const std::int64_t written = std::min(usage.cache_write.value_or(0), prompt - cached);
  out.begin_object().field("input_tokens", prompt - cached - written);
  if (usage.cache_write) out.field("cache_creation_input_tokens", written);
  if (usage.cached) out.field("cache_read_input_tokens", cached);
  out.field("output_tokens", usage.completion.value_or(0));
  if (usage.reasoning) {
    out.key("output_tokens_details").begin_object().field("thinking_tokens", *usage.reasoning).end_object();
  }
  out.end_object();
}

}  // namespace shunt::dialect
