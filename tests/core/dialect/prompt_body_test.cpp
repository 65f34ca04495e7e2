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
       R"({"model":"m","prompt":"hi","max_tokens":5,"stream":true,"stream_options":{"include_usage":true}})"},
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
       R"({"model":"m","store":false,"input":"hi","system_prompt":"s","max_output_tokens":5,"reasoning":"on"})"},
      {"two of them", kLmStudio,
       R"({"messages":[{"role":"system","content":"s"},{"role":"system","content":"t"},
           {"role":"user","content":"hi"}]})",
       R"({"model":"m","store":false,"input":"hi","system_prompt":"s\n\nt"})"},
  });
}

TEST(PromptBody, UsageIsAskedForWhereItCanBe) {
  const Translated got = translate_to(kCompletions, DialectId::openai_chat, "{" HI R"(,"stream":true})",
                                      {"m", static_cast<Quirks>(Quirk::no_stream_options), {}});
  EXPECT_EQ(got.body, Json::parse(R"({"model":"m","prompt":"hi","stream":true})"));
}

}  // namespace
}  // namespace shunt::dialect::testing
