// Every recorded stream through every encoder: the invariants of the client's dialect hold, and what it says
// is what came in.
#include <gtest/gtest.h>

#include <set>

#include "dialect/finish.h"
#include "exchanges.h"
#include "invariants.h"

namespace shunt::dialect::test {
namespace {

constexpr DialectId kAll[] = {DialectId::openai_chat, DialectId::openai_responses,
                              DialectId::anthropic_messages, DialectId::gemini_generate};

FinishReason settled(const FoldedChoice& choice) {
  const FinishReason reason = choice.finish == FinishReason::unknown ? FinishReason::stop : choice.finish;
  return with_calls(reason, !choice.calls.empty());
}

// Arguments are a string in the one dialect and an object in the other.
nlohmann::json as_object(const std::string& arguments) {
  nlohmann::json object = nlohmann::json::parse(arguments, nullptr, false);
  if (object.is_object()) return object;
  if (arguments.find_first_not_of(" \t\r\n") == std::string::npos) return nlohmann::json::object();
  return {{"raw_arguments", arguments}};
}

// Dialects whose answers have more than one choice.
bool has_choices(DialectId to) { return to == DialectId::openai_chat || to == DialectId::gemini_generate; }

// What survives any crossing. Ids the provider left out are made, so only given ones compare.
void expect_same_choice(FoldedChoice in, const FoldedChoice& out, DialectId to, const std::string& id) {
  if ((to == DialectId::anthropic_messages || to == DialectId::gemini_generate) && !in.refusal.empty()) {
    // a refusal is text there, and the reason says so
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
    if (to == DialectId::gemini_generate) {
      EXPECT_EQ(as_object(in.calls[i].arguments), as_object(out.calls[i].arguments)) << id;
    } else {
      EXPECT_EQ(in.calls[i].arguments, out.calls[i].arguments) << id;
    }
  }
  EXPECT_STREQ(name_of(settled(in)), name_of(settled(out))) << id;
}

void cross(const Exchange& exchange, DialectId to) {
  const std::string id = exchange.id + " -> " + std::string(name_of(to));
  Folded in = fold_stream(exchange.dialect, exchange.body);
  const bool broken = !in.errors.empty();
  const std::string bytes = encode_stream(exchange.dialect, exchange.body, to, {{}, {}, 1, true});
  const std::string breach = breach_of(to, bytes, broken);
  EXPECT_EQ(breach, "") << id;
  if (broken || !breach.empty()) return;
  const Folded out = fold_stream(to, bytes);
  EXPECT_EQ(in.usage.prompt.value_or(0), out.usage.prompt.value_or(0)) << id;
  EXPECT_EQ(in.usage.completion.value_or(0), out.usage.completion.value_or(0)) << id;
  if (in.choices.empty()) in.choices.resize(1);
  const std::size_t choices = has_choices(to) ? in.choices.size() : 1;
  for (std::size_t i = 0; i < choices; ++i) {
    if (i < out.choices.size()) {
      expect_same_choice(in.choices[i], out.choices[i], to, id);
    } else {
      EXPECT_FALSE(has_choices(to)) << id;  // an answer of nothing has no blocks there
    }
  }
}

TEST(CrossEncoding, RecordedStreamsKeepTheirMeaningAndTheInvariantsHold) {
  const std::vector<Exchange> all = exchanges();
  if (all.empty()) GTEST_SKIP() << "no recorded traffic here";
  for (const Exchange& exchange : all) {
    if (!exchange.stream) continue;
    for (const DialectId to : kAll) cross(exchange, to);
  }
}

TEST(CrossEncoding, RecordedAnswersKeepTheirMeaning) {
  const std::vector<Exchange> all = exchanges();
  if (all.empty()) GTEST_SKIP() << "no recorded traffic here";
  for (const Exchange& exchange : all) {
    if (exchange.stream) continue;
    const Folded in = fold_answer(exchange.dialect, exchange.body);
    if (!in.errors.empty() || in.choices.empty()) continue;
    for (const DialectId to : kAll) {
      std::string body;
      find(to)->encode_answer(in, {"made-id", "made-model", 1, false}, body);
      const Folded out = fold_answer(to, body);
      EXPECT_EQ(out.bad_frames, 0U) << exchange.id << body;
      // An answer that ended in an error is a failed one there.
      const bool failed = to == DialectId::openai_responses && in.choices[0].finish == FinishReason::error;
      EXPECT_EQ(out.errors.size(), failed ? 1U : 0U) << exchange.id << body;
      if (failed) {
        EXPECT_NE(out.errors[0].message.find(in.choices[0].finish_raw), std::string::npos) << body;
        continue;
      }
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
    const auto kept = [](const std::string& extra) {
      for (const char* beside :
           {"message", "event.", "content_block."})  // of the frames, which are made anew
        if (extra.rfind(beside, 0) == 0) return false;
      return true;
    };
    std::vector<std::string> before, after;
    std::copy_if(in.choices[0].extras.begin(), in.choices[0].extras.end(), std::back_inserter(before), kept);
    std::copy_if(out.choices[0].extras.begin(), out.choices[0].extras.end(), std::back_inserter(after), kept);
    EXPECT_EQ(before, after) << exchange.id;
  }
}

// What a response and a candidate hold beside the parts goes out with the next one, once.
std::set<std::string> different(const std::vector<std::string>& extras) {
  return {extras.begin(), extras.end()};
}

// Signatures, images, code, grounding and what else a response holds.
TEST(CrossEncoding, GeminiToGeminiLosesNothing) {
  const std::vector<Exchange> all = exchanges();
  if (all.empty()) GTEST_SKIP() << "no recorded traffic here";
  std::size_t sealed = 0;
  for (const Exchange& exchange : all) {
    if (!exchange.stream || exchange.dialect != DialectId::gemini_generate) continue;
    const Folded in = fold_stream(exchange.dialect, exchange.body);
    if (!in.errors.empty()) continue;
    const Folded out =
        fold_stream(exchange.dialect, encode_stream(exchange.dialect, exchange.body, exchange.dialect));
    EXPECT_EQ(different(in.extras), different(out.extras)) << exchange.id;
    ASSERT_EQ(std::max<std::size_t>(in.choices.size(), 1), out.choices.size()) << exchange.id;
    for (std::size_t i = 0; i < in.choices.size(); ++i) {
      EXPECT_EQ(in.choices[i].text, out.choices[i].text) << exchange.id;
      EXPECT_EQ(in.choices[i].reasoning, out.choices[i].reasoning) << exchange.id;
      EXPECT_EQ(in.choices[i].calls, out.choices[i].calls) << exchange.id;
      EXPECT_EQ(different(in.choices[i].extras), different(out.choices[i].extras)) << exchange.id;
      EXPECT_EQ(in.choices[i].finished ? in.choices[i].finish_raw : "STOP", out.choices[i].finish_raw)
          << exchange.id;
      for (const std::string& extra : in.choices[i].extras)
        sealed += extra.find("thoughtSignature") != std::string::npos;
    }
  }
  EXPECT_GT(sealed, 10U);
}

// What stands in an extra of openai_responses besides numbers of its place and what events say.
nlohmann::json kept(const std::string& extra) {
  const std::size_t end = extra.find('\n');
  nlohmann::json value = nlohmann::json::parse(extra.substr(end + 1));
  if (!value.is_object()) return value;
  for (const char* key : {"sequence_number", "output_index", "status", "content", "summary", "arguments",
                          "input", "encrypted_content"}) {
    value.erase(key);
  }
  return {extra.substr(0, end), value};
}

// Steps of the provider, annotations, items with their ids and what only this dialect says of them.
TEST(CrossEncoding, ResponsesToResponsesLosesNothing) {
  const std::vector<Exchange> all = exchanges();
  if (all.empty()) GTEST_SKIP() << "no recorded traffic here";
  for (const Exchange& exchange : all) {
    if (!exchange.stream || exchange.dialect != DialectId::openai_responses) continue;
    const Folded in = fold_stream(exchange.dialect, exchange.body);
    if (!in.errors.empty()) continue;
    const Folded out =
        fold_stream(exchange.dialect, encode_stream(exchange.dialect, exchange.body, exchange.dialect));
    ASSERT_FALSE(in.choices.empty());
    ASSERT_FALSE(out.choices.empty()) << exchange.id;
    const FoldedChoice& before = in.choices[0];
    const FoldedChoice& after = out.choices[0];
    EXPECT_EQ(before.reasoning, after.reasoning) << exchange.id;
    EXPECT_EQ(before.finish_raw, after.finish_raw) << exchange.id;
    EXPECT_EQ(in.usage, out.usage) << exchange.id;
    const auto told = [](const FoldedChoice& choice) {
      nlohmann::json extras = nlohmann::json::array();
      for (const std::string& extra : choice.extras) {
        const bool beside = extra.rfind("responses.logprobs", 0) == 0 || extra.rfind("event.", 0) == 0;
        if (!beside) extras.push_back(kept(extra));
      }
      return extras;
    };
    EXPECT_EQ(told(before), told(after)) << exchange.id;
  }
}

}  // namespace
}  // namespace shunt::dialect::test
