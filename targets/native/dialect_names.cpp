// What people and recordings call a dialect.
#include "native/dialect_names.h"

namespace shunt::native {
namespace {

// What recordings call a wire API, where that is not the dialect's own name.
struct Alias {
  std::string_view name;
  DialectId dialect;
};
constexpr Alias kAliases[] = {
    {"chat.completions", DialectId::openai_chat},   {"zhipu_v3", DialectId::openai_chat},
    {"messages", DialectId::anthropic_messages},    {"messages.vertex", DialectId::anthropic_messages},
    {"responses", DialectId::openai_responses},     {"generateContent", DialectId::gemini_generate},
    {"converse", DialectId::bedrock_converse},      {"cohere.chat.v1", DialectId::cohere_chat},
    {"cohere.chat.v2", DialectId::cohere_chat},     {"cohere.generate", DialectId::cohere_chat},
    {"ollama.chat", DialectId::ollama_chat},        {"ollama.generate", DialectId::ollama_chat},
    {"completions", DialectId::openai_completions},
};

// Bedrock's InvokeModel speaks the model's own API: by what is in the model's name. The first that fits
// counts.
constexpr Alias kInvoked[] = {
    {"claude-v2", DialectId::openai_completions},
    {"claude-instant", DialectId::openai_completions},
    {"claude", DialectId::anthropic_messages},
    {"amazon.nova", DialectId::bedrock_converse},
    {"cohere.command-", DialectId::cohere_chat},
    {"openai.", DialectId::openai_chat},
    {"jamba", DialectId::openai_chat},
};

}  // namespace

DialectId dialect_of_invoked(std::string_view model) {
  for (const Alias& family : kInvoked) {
    if (model.find(family.name) != std::string_view::npos) return family.dialect;
  }
  return DialectId::openai_completions;
}

std::optional<DialectId> dialect_called(std::string_view name) {
  for (const Alias& alias : kAliases) {
    if (alias.name == name) return alias.dialect;
  }
  return dialect_named(name);
}

}  // namespace shunt::native
