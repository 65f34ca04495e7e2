// A provider's answer comes out in another dialect as it goes in, and ends as that one's clients expect.
#include "dialect/normalizer.h"

#include <gtest/gtest.h>

#include "exchanges.h"

namespace shunt::dialect::test {
namespace {

constexpr DialectId kWritten[] = {DialectId::openai_chat, DialectId::openai_responses,
                                  DialectId::anthropic_messages, DialectId::gemini_generate};

constexpr char kText[] = R"(data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]})"
                         "\n\n";
constexpr char kFinish[] = R"(data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"
                           "\n\n";

std::string translate(std::string_view body, DialectId to, std::size_t chunk = 0,
                      DialectId from = DialectId::openai_chat) {
  Normalizer normalizer({find(from), 0, {}}, *find(to), {"made-id", "made-model", 1, true});
  std::string out;
  if (chunk == 0) chunk = std::max<std::size_t>(body.size(), 1);
  for (std::size_t at = 0; at < body.size(); at += chunk) {
    const std::string piece(body.substr(at, chunk));
    normalizer.feed(piece, out);
  }
  normalizer.end(out);
  return out;
}

TEST(Normalizer, SaysAStreamInEveryDialectWhateverItIsCutInto) {
  const std::string body = std::string(kText) + kFinish + "data: [DONE]\n\n";
  for (const DialectId to : kWritten) {
    const std::string whole = translate(body, to);
    for (const std::size_t chunk : {1U, 5U, 50U}) EXPECT_EQ(translate(body, to, chunk), whole);
    const Folded out = fold_stream(to, whole);
    EXPECT_EQ(out.choices.at(0).text, "Hi") << name_of(to);
    EXPECT_TRUE(out.choices.at(0).finished) << name_of(to);
    EXPECT_EQ(out.id, "c") << name_of(to);
    EXPECT_EQ(out.model, "made-model") << name_of(to);
  }
}

TEST(Normalizer, WhatComesGoesOutBeforeTheEnd) {
  Normalizer normalizer({find(DialectId::openai_chat), 0, {}}, *find(DialectId::anthropic_messages), {});
  std::string out;
  normalizer.feed(kText, out);
  EXPECT_NE(out.find("\"text\":\"Hi\""), std::string::npos);
  EXPECT_TRUE(normalizer.streamed());
}

TEST(Normalizer, ACutAnErrorAndWhatIsNoAnswerEndInTheDialectsError) {
  const std::string error = R"(data: {"error":{"message":"boom","type":"server_error"}})"
                            "\n\n";
  for (const DialectId to : kWritten) {
    for (const std::string& body : {std::string(kText), kText + error, error, std::string(": ping\n\n")}) {
      const Folded out = fold_stream(to, translate(body, to));
      EXPECT_EQ(out.errors.size(), 1U) << name_of(to) << body;
      // A failed Response is that one's terminator.
      EXPECT_TRUE(!out.done || to == DialectId::openai_responses) << name_of(to) << body;
    }
    for (const char* body : {R"({"error":{"message":"boom"}})", "<html>502</html>", ""}) {
      EXPECT_EQ(fold_answer(to, translate(body, to)).errors.size(), 1U) << name_of(to) << body;
    }
  }
}

}  // namespace
}  // namespace shunt::dialect::test
