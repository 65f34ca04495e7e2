// For tests of targets that no client speaks: a client's body, and what it becomes there.
#pragma once

#include "dialect/dialect.h"
#include "request_testing.h"

namespace shunt::dialect::testing {

inline Translated translate_to(DialectId to, DialectId from, std::string_view body,
                               RequestTarget target = {"m", 0, {}}) {
  Translated result;
  Request request;
  BodyPieces pieces;
  const json::Outline outline = outline_of(body, from);
  result.ok = find(from)->read_request(outline, request, result.problem) &&
              find(to)->write_request(request, target, pieces, result.problem);
  if (!result.ok) return result;
  result.text = put_together(pieces, body);
  result.body = Json::parse(result.text, nullptr, false);
  result.dropped = pieces.dropped;
  EXPECT_FALSE(result.body.is_discarded()) << result.text;
  return result;
}

struct TargetCase {
  const char* rule;
  DialectId to;
  const char* from;  // openai_chat
  const char* body;  // empty = refused
  std::vector<std::string> dropped = {};
};

inline void check_targets(const std::vector<TargetCase>& cases) {
  for (const TargetCase& c : cases) {
    const Translated got = translate_to(c.to, DialectId::openai_chat, c.from);
    EXPECT_EQ(got.ok, *c.body != '\0') << c.rule << ": " << got.problem.what;
    if (!got.ok) {
      EXPECT_FALSE(got.problem.where.empty() || got.problem.what.empty()) << c.rule;
      EXPECT_EQ(got.problem.status, 400) << c.rule;
    } else if (*c.body != '\0') {
      EXPECT_EQ(got.body, Json::parse(c.body)) << c.rule << "\n" << got.text;
      EXPECT_EQ(got.dropped, c.dropped) << c.rule;
    }
  }
}

// Everything that people, models and tools said in recorded requests is said to the target too, in order.
inline void check_recorded_texts(DialectId to, std::size_t at_least) {
  std::size_t written = 0;
  for (const Recorded& recorded : recorded_requests("-chat.completions.jsonl")) {
    Request request;
    BodyPieces pieces;
    RequestProblem problem;
    const json::Outline outline = outline_of(recorded.body, DialectId::openai_chat);
    if (!find(DialectId::openai_chat)->read_request(outline, request, problem)) continue;
    if (!find(to)->write_request(request, {"m", 0, {}}, pieces, problem)) continue;
    const Json body = Json::parse(put_together(pieces, recorded.body), nullptr, false);
    ASSERT_FALSE(body.is_discarded()) << recorded.id;
    ++written;
    const Json source = Json::parse(recorded.body);
    for (const Json& message : source["messages"]) {
      if (!message.contains("content") || !message["content"].is_string()) continue;
      const std::string text = message["content"].dump();
      const std::string whole = text.substr(1, text.size() - 2);
      EXPECT_NE(body.dump().find(whole), std::string::npos) << recorded.id;
    }
  }
  EXPECT_TRUE(written == 0 || written >= at_least) << written;
}

}  // namespace shunt::dialect::testing
