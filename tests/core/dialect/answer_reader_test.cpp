// What a body is told to be, what comes out of it in which place, and what is said of its end.
#include "dialect/answer_reader.h"

#include <gtest/gtest.h>

#include "event_text.h"

namespace shunt::dialect::test {
namespace {

using Place = AnswerReader::Place;

constexpr char kText[] = R"(data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]})"
                         "\n\n";
constexpr char kFinish[] = R"(data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"
                           "\n\n";
constexpr char kPlain[] =
    R"({"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]})";

struct Seen {
  Folded folded;
  std::vector<Place> places;
  bool streamed = false, faulty = false, truncated = false;
};

Seen read(std::string_view body, std::size_t chunk = 0, DialectId id = DialectId::openai_chat,
          std::string_view content_type = {}, std::size_t most = limits::kAnswerBytes) {
  Seen seen;
  AnswerReader reader(*find(id), 0, content_type, most);
  const auto drain = [&] {
    while (reader.step()) {
      seen.folded.add(reader.events());
      seen.places.push_back(reader.place());
    }
  };
  if (chunk == 0) chunk = std::max<std::size_t>(body.size(), 1);
  for (std::size_t at = 0; at < body.size(); at += chunk) {
    const std::string piece(body.substr(at, chunk));  // its bytes die with the piece
    reader.feed(piece);
    drain();
  }
  reader.finish();
  drain();
  EXPECT_FALSE(reader.step());
  seen.streamed = reader.streamed();
  seen.faulty = reader.faulty();
  seen.truncated = reader.truncated();
  return seen;
}

TEST(AnswerReader, AStreamGivesItsFramesWhateverTheyAreCutInto) {
  for (const std::size_t chunk : {0U, 1U, 3U, 64U}) {
    const Seen seen = read(std::string(kText) + kFinish + "data: [DONE]\n\n", chunk);
    EXPECT_TRUE(seen.streamed);
    EXPECT_FALSE(seen.faulty || seen.truncated);
    EXPECT_EQ(seen.folded.choices.at(0).text, "Hi");
    EXPECT_EQ(seen.places, std::vector<Place>(3, Place::frame));
  }
}

TEST(AnswerReader, APlainAnswerIsReadWholeAtItsEnd) {
  for (const std::size_t chunk : {0U, 1U, 7U}) {
    const Seen seen = read(kPlain, chunk);
    EXPECT_FALSE(seen.streamed || seen.faulty || seen.truncated);
    EXPECT_EQ(seen.places, std::vector<Place>{Place::whole});
    EXPECT_EQ(seen.folded.choices.at(0).text, "Hi");
  }
}

TEST(AnswerReader, AStreamThatNamesNoReasonIsCutButWhereReasonsAreNeverGiven) {
  EXPECT_TRUE(read(kText).truncated);
  EXPECT_TRUE(read(std::string(kText) + "data: [DONE]\n\n").truncated);
  EXPECT_FALSE(
      read("data: {\"response\":\"Hi\"}\n\ndata: [DONE]\n\n", 0, DialectId::workers_ai_native).truncated);
  EXPECT_TRUE(read("").truncated);
}

TEST(AnswerReader, WhatIsNoAnswerIsAnErrorInItsOwnWords) {
  for (const char* body : {"<html><h1>502 Bad Gateway</h1></html>", "upstream is gone", R"({"detail":"no"})",
                           "data: {\"detail\":\"no\"}\n\n"}) {
    const Seen seen = read(body);
    EXPECT_EQ(seen.faulty, std::string_view(body).find("detail") == std::string_view::npos) << body;
    ASSERT_EQ(seen.folded.errors.size(), 1U) << body;
  }
}

TEST(AnswerReader, LinesTheStandardDropsStandApart) {
  const Seen seen = read(std::string(kText) + "error: {\"message\":\"out of memory\"}\n\n" + kFinish);
  EXPECT_EQ(seen.places.at(1), Place::stray);
  EXPECT_EQ(seen.folded.errors.size(), 1U);
}

TEST(AnswerReader, ValuesBehindOneAnotherAreAStreamHoweverLateThatShows) {
  const std::string first = R"({"model":"m","message":{"role":"assistant","content":")" +
                            std::string(9000, 'a') + R"("},"done":false})";
  const std::string last = R"({"model":"m","message":{"content":""},"done":true,"done_reason":"stop"})";
  const Seen seen = read(first + "\n" + last, 100, DialectId::ollama_chat, "application/json");
  EXPECT_EQ(seen.folded.choices.at(0).text.size(), 9000U);
  EXPECT_FALSE(seen.faulty || seen.truncated);
}

TEST(AnswerReader, APlainAnswerOverItsLimitIsFaulty) {
  EXPECT_TRUE(read(kPlain, 0, DialectId::openai_chat, {}, 20).faulty);
}

}  // namespace
}  // namespace shunt::dialect::test
