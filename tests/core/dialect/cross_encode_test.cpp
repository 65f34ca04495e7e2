// Every recorded stream through every encoder: the invariants of the client's dialect hold, and what it says
// is what came in.
#include <gtest/gtest.h>

#include "dialect/finish.h"
#include "exchanges.h"
#include "invariants.h"

namespace shunt::dialect::test {
namespace {

constexpr DialectId kBoth[] = {DialectId::openai_chat, DialectId::anthropic_messages};

FinishReason settled(const FoldedChoice& choice) {
  const FinishReason reason = choice.finish == FinishReason::unknown ? FinishReason::stop : choice.finish;
  return with_calls(reason, !choice.calls.empty());
}

// What survives any crossing. Ids the provider left out are made, so only given ones compare.
void expect_same_choice(FoldedChoice in, const FoldedChoice& out, DialectId to, const std::string& id) {
  if (to == DialectId::anthropic_messages &&
      !in.refusal.empty()) {  // a refusal is text there, and the reason says so
    in.text += in.refusal;
    in.refusal.clear();
    in.finish = FinishReason::content_filter;
  }
  EXPECT_EQ(in.text, out.text) << id;
  EXPECT_EQ(in.reasoning_text(), out.reasoning_text()) << id;
  EXPECT_EQ(in.refusal, out.refusal) << id;
  ASSERT_EQ(in.calls.size(), out.calls.size()) << id;
  for (std::size_t i = 0; i < in.calls.size(); ++i) {
    EXPECT_TRUE(in.calls[i].id.empty() || in.calls[i].id == out.calls[i].id) << id;
    EXPECT_EQ(in.calls[i].name, out.calls[i].name) << id;
    EXPECT_EQ(in.calls[i].arguments, out.calls[i].arguments) << id;
  }
  EXPECT_STREQ(name_of(settled(in)), name_of(settled(out))) << id;
}

void cross(const Exchange& exchange, DialectId to) {
  const std::string id = exchange.id + " -> " + std::string(name_of(to));
  Folded in = fold_stream(exchange.dialect, exchange.body);
  const bool broken = !in.errors.empty();
  const std::string bytes = encode_stream(exchange.dialect, exchange.body, to, {{}, {}, 1, true});
  const std::string breach = to == DialectId::openai_chat ? breach_of_openai(bytes, !broken, broken)
                                                          : breach_of_anthropic(bytes, broken);
  EXPECT_EQ(breach, "") << id;
  if (broken || !breach.empty()) return;
  const Folded out = fold_stream(to, bytes);
  EXPECT_EQ(in.usage.prompt.value_or(0), out.usage.prompt.value_or(0)) << id;
  EXPECT_EQ(in.usage.completion.value_or(0), out.usage.completion.value_or(0)) << id;
  if (in.choices.empty()) in.choices.resize(1);
  const std::size_t choices = to == DialectId::openai_chat ? in.choices.size() : 1;
  for (std::size_t i = 0; i < choices; ++i) {
    if (i < out.choices.size()) {
      expect_same_choice(in.choices[i], out.choices[i], to, id);
    } else {
      EXPECT_EQ(to, DialectId::anthropic_messages) << id;  // an answer of nothing has no blocks there
    }
  }
}

TEST(CrossEncoding, RecordedStreamsKeepTheirMeaningAndTheInvariantsHold) {
  const std::vector<Exchange> all = exchanges();
  if (all.empty()) GTEST_SKIP() << "no recorded traffic here";
  for (const Exchange& exchange : all) {
    if (!exchange.stream) continue;
    for (const DialectId to : kBoth) cross(exchange, to);
  }
}

TEST(CrossEncoding, RecordedAnswersKeepTheirMeaning) {
  const std::vector<Exchange> all = exchanges();
  if (all.empty()) GTEST_SKIP() << "no recorded traffic here";
  for (const Exchange& exchange : all) {
    if (exchange.stream) continue;
    const Folded in = fold_answer(exchange.dialect, exchange.body);
    if (!in.errors.empty() || in.choices.empty()) continue;
    for (const DialectId to : kBoth) {
      std::string body;
      find(to)->encode_answer(in, {"made-id", "made-model", 1, false}, body);
      const Folded out = fold_answer(to, body);
      EXPECT_EQ(out.bad_frames + out.errors.size(), 0U) << exchange.id << body;
      ASSERT_FALSE(out.choices.empty()) << exchange.id;
      EXPECT_EQ(in.choices[0].text + in.choices[0].refusal, out.choices[0].text + out.choices[0].refusal)
          << exchange.id;
      EXPECT_EQ(in.choices[0].calls.size(), out.choices[0].calls.size()) << exchange.id;
      EXPECT_EQ(in.usage.prompt.value_or(0), out.usage.prompt.value_or(0)) << exchange.id;
    }
  }
}

// Server tools, citations, stop_sequence and the borders of text blocks come out again where the client
// speaks the same dialect.
TEST(CrossEncoding, AnthropicToAnthropicLosesNothing) {
  const std::vector<Exchange> all = exchanges();
  if (all.empty()) GTEST_SKIP() << "no recorded traffic here";
  for (const Exchange& exchange : all) {
    if (!exchange.stream || exchange.dialect != DialectId::anthropic_messages) continue;
    Folded in = fold_stream(exchange.dialect, exchange.body);
    if (!in.errors.empty()) continue;
    const Folded out =
        fold_stream(exchange.dialect, encode_stream(exchange.dialect, exchange.body, exchange.dialect));
    ASSERT_FALSE(in.choices.empty());
    ASSERT_FALSE(out.choices.empty()) << exchange.id;
    EXPECT_EQ(in.choices[0].reasoning, out.choices[0].reasoning) << exchange.id;
    EXPECT_EQ(in.choices[0].finish_raw, out.choices[0].finish_raw) << exchange.id;
    const auto kept = [](const std::string& extra) { return extra.rfind("message", 0) != 0; };
    std::vector<std::string> before, after;
    std::copy_if(in.choices[0].extras.begin(), in.choices[0].extras.end(), std::back_inserter(before), kept);
    std::copy_if(out.choices[0].extras.begin(), out.choices[0].extras.end(), std::back_inserter(after), kept);
    EXPECT_EQ(before, after) << exchange.id;
  }
}

}  // namespace
}  // namespace shunt::dialect::test
