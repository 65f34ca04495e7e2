// What a Chat Completions body becomes at LM Studio and for legacy completions: pairs from the APIs'
// references.
#include "target_testing.h"

namespace shunt::dialect::testing {
namespace {

constexpr DialectId kLmStudio = DialectId::lmstudio_native, kCompletions = DialectId::openai_completions;

#define HI R"("messages":[{"role":"user","content":"hi"}])"

TEST(PromptBody, TakesOnePrompt) {
  check_targets({
      {"a plain text", kCompletions, "{" HI R"(,"max_tokens":5,"stream":true})",
       R"({"model":"m","prompt":"hi","max_tokens":5,"stream":true})"},
      {"a system prompt has no place", kCompletions,
       R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":"hi"}]})", ""},
      {"nor has a conversation", kCompletions,
       R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},
           {"role":"user","content":"c"}]})",
       ""},
      {"nor have tools", kCompletions, "{" HI R"(,"tools":[{"type":"function","function":{"name":"f"}}]})",
       ""},
      {"nor has nothing", kCompletions, R"({"messages":[]})", ""},
      {"a system prompt", kLmStudio,
       R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":"hi"}],"max_tokens":5,
           "reasoning_effort":"high"})",
       R"({"model":"m","input":"hi","system_prompt":"s","max_output_tokens":5,"reasoning":"on"})"},
      {"two of them", kLmStudio,
       R"({"messages":[{"role":"system","content":"s"},{"role":"system","content":"t"},
           {"role":"user","content":"hi"}]})",
       R"({"model":"m","input":"hi","system_prompt":"s\n\nt"})"},
  });
}

}  // namespace
}  // namespace shunt::dialect::testing
