// Same-dialect relay: which bytes change, and that no other does.
#include "core/dialect/request_testing.h"

#include "catalog/quirks.h"

namespace shunt::dialect::testing {
namespace {

struct Case {
  const char* rule;
  const char* from;
  const char* to;  // the exact bytes
  Quirks quirks = 0;
};

constexpr Quirks kQuiet = with(0, Quirk::no_stream_options);
constexpr Quirks kRenamed = with(0, Quirk::max_completion_tokens);

TEST(Splice, OpenaiChat) {
  const Case cases[] = {
      {"only the model's value", R"({ "model" : "a\n" , "messages":[ ],"x":1.50 })",
       R"({ "model" : "m" , "messages":[ ],"x":1.50 })"},
      {"as the last key", R"({"messages":[],"model":"a"})", R"({"messages":[],"model":"m"})"},
      {"no model: it is added", R"({"messages":[] })", R"({"messages":[] ,"model":"m"})"},
      {"white space around the body stays", " {\"messages\":[],\"model\":\"a\"}\n",
       " {\"messages\":[],\"model\":\"m\"}\n"},
      {"a model deeper down is no model", R"({"messages":[],"model":"a","metadata":{"model":"a"}})",
       R"({"messages":[],"model":"m","metadata":{"model":"a"}})"},
      {"streams ask for usage", R"({"model":"a","messages":[],"stream":true})",
       R"({"model":"m","messages":[],"stream":true,"stream_options":{"include_usage":true}})"},
      {"also where the client said no",
       R"({"stream_options":{"include_usage":false,"x":1},"messages":[],"model":"a","stream":true})",
       R"({"stream_options":{"include_usage":true,"x":1},"messages":[],"model":"m","stream":true})"},
      {"or nothing of it", R"({"stream_options":{ "x":1},"messages":[],"model":"a","stream":true})",
       R"({"stream_options":{"include_usage":true, "x":1},"messages":[],"model":"m","stream":true})"},
      {"or nothing at all", R"({"stream_options":{},"messages":[],"model":"a","stream":true})",
       R"({"stream_options":{"include_usage":true},"messages":[],"model":"m","stream":true})"},
      {"or null", R"({"stream_options":null,"messages":[],"model":"a","stream":true})",
       R"({"stream_options":{"include_usage":true},"messages":[],"model":"m","stream":true})"},
      {"unless the provider refuses that", R"({"model":"a","messages":[],"stream":true})",
       R"({"model":"m","messages":[],"stream":true})", kQuiet},
      {"then it is taken out: between", R"({"model":"a","stream_options":{},"messages":[]})",
       R"({"model":"m","messages":[]})", kQuiet},
      {"at the beginning", R"({"stream_options":{}, "model":"a","messages":[]})",
       R"({"model":"m","messages":[]})", kQuiet},
      {"at the end", R"({"model":"a","messages":[] , "stream_options":{} })",
       R"({"model":"m","messages":[] })", kQuiet},
      {"max_tokens is renamed", R"({"model":"a","max_tokens" : 5,"messages":[]})",
       R"({"model":"m","max_completion_tokens":5,"messages":[]})", kRenamed},
      {"of both names the first stays",
       R"({"model":"a","max_completion_tokens":6,"messages":[],"max_tokens":5})",
       R"({"model":"m","max_completion_tokens":6,"messages":[]})", kRenamed},
      {"two members taken out at the end",
       R"({"model":"a","messages":[],"max_tokens":6,"max_completion_tokens":5,"stream_options":{}})",
       R"({"model":"m","messages":[],"max_completion_tokens":6})", kRenamed | kQuiet},
      {"max_tokens stays where it is known", R"({"model":"a","max_tokens":5,"messages":[]})",
       R"({"model":"m","max_tokens":5,"messages":[]})"},
  };
  for (const Case& row : cases) {
    const Translated got = splice(DialectId::openai_chat, row.from, {"m", row.quirks, {}});
    ASSERT_TRUE(got.ok) << row.rule << ": " << got.problem.what;
    EXPECT_EQ(got.text, row.to) << row.rule;
  }
}

TEST(Splice, AnthropicMessages) {
  const Case cases[] = {
      {"only the model", R"({"model":"a","max_tokens":1,"messages":[],"stream":true})",
       R"({"model":"m","max_tokens":1,"messages":[],"stream":true})"},
      {"max_tokens is added when there is none", R"({"model":"a","messages":[]})",
       R"({"model":"m","messages":[],"max_tokens":77})"},
      {"quirks of the other dialect mean nothing here",
       R"({"model":"a","max_tokens":1,"stream_options":{},"messages":[]})",
       R"({"model":"m","max_tokens":1,"stream_options":{},"messages":[]})", kRenamed | kQuiet},
  };
  for (const Case& row : cases) {
    const Translated got = splice(DialectId::anthropic_messages, row.from, {"m", row.quirks, 77});
    ASSERT_TRUE(got.ok) << row.rule << ": " << got.problem.what;
    EXPECT_EQ(got.text, row.to) << row.rule;
  }
}

TEST(Splice, GeminiGenerate) {
  const auto spliced = [](std::string_view body) {
    return splice(DialectId::gemini_generate, body, {"target", 0, {}}).text;
  };
  constexpr std::string_view kPlain = R"({ "contents" : [{"parts":[{"text":"\u0041"}]}] })";
  EXPECT_EQ(spliced(kPlain), kPlain) << "the model stands in the path";
  EXPECT_EQ(spliced(R"({"model":"models/a","contents":[]})"), R"({"contents":[]})");
  EXPECT_EQ(spliced(R"({"contents":[],"model":"a"})"), R"({"contents":[]})");
}

TEST(Splice, TheModelIsEscaped) {
  EXPECT_EQ(splice(DialectId::openai_chat, R"({"model":"a","messages":[]})", {"x\"\n", 0, {}}).body["model"],
            "x\"\n");
}

TEST(Splice, RecordedBodiesKeepTheirMeaning) {
  std::size_t seen = 0;
  for (const auto& [infix, dialect] : {std::pair("-chat.completions", DialectId::openai_chat),
                                       std::pair("-messages", DialectId::anthropic_messages)}) {
    for (const Recorded& row : recorded_requests(infix)) {
      const Translated got = splice(dialect, row.body);
      ASSERT_TRUE(got.ok) << row.id << ": " << got.problem.where << " " << got.problem.what;
      Json expected = Json::parse(row.body);
      expected["model"] = "m";
      if (dialect == DialectId::openai_chat && expected.value("stream", false)) {
        expected["stream_options"]["include_usage"] = true;
      } else if (dialect == DialectId::openai_chat && expected.contains("stream_options")) {
        expected["stream_options"] = got.body["stream_options"];
      }
      EXPECT_EQ(got.body, expected) << row.id;
      ++seen;
    }
  }
  if (seen == 0) GTEST_SKIP() << "no recorded traces here";
  EXPECT_GT(seen, 700U);
}

}  // namespace
}  // namespace shunt::dialect::testing
