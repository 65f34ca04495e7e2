// Settings in a target's words, and what is dropped where it has none.
#include "dialect/body_words.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

constexpr BodyWords kAll = {.max_tokens = R"("n":$)",
                            .temperature = R"("t":$)",
                            .top_p = R"("p":$)",
                            .top_k = R"("k":$)",
                            .seed = R"("seed":$)",
                            .presence_penalty = R"("pp":$)",
                            .frequency_penalty = R"("fp":$)",
                            .stop = R"("s":[)",
                            .user = R"("u":"$")",
                            .choices = R"("c":$)",
                            .think = R"("think":1)",
                            .no_think = R"("think":0)",
                            .budget = R"("budget":$)",
                            .json_object = R"("json":1)",
                            .json_schema = R"("json":$)"};
constexpr BodyWords kNone;

Request full() {
  Request request;
  request.params.temperature = BodyText::of("0.5");
  request.params.top_p = request.params.top_k = BodyText::of("1");
  request.params.seed = request.params.presence_penalty = request.params.frequency_penalty =
      BodyText::of("2");
  request.params.user = BodyText::of("me");
  request.params.stop = {BodyText::of("x")};
  request.params.max_tokens = 5;
  request.params.choices = 2;
  return request;
}

TEST(BodyWords, EverySettingHasItsWordOrIsDropped) {
  BodyPieces said, dropped;
  PieceWriter with(said), without(dropped);
  write_sampling(full(), kAll, with);
  write_sampling(full(), kNone, without);
  EXPECT_EQ(said.text, R"("n":5,"s":["x"],"t":0.5,"p":1,"k":1,"seed":2,"pp":2,"fp":2,"u":"me","c":2)");
  EXPECT_TRUE(said.dropped.empty());
  EXPECT_EQ(dropped.text, "");
  EXPECT_EQ(dropped.dropped,
            (std::vector<std::string>{"max_tokens", "stop", "temperature", "top_p", "top_k", "seed",
                                      "presence_penalty", "frequency_penalty", "user", "n"}));
}

TEST(BodyWords, WhatIsAboveATargetsBoundIsCutToIt) {
  BodyWords words = kAll;
  words.cool = true;
  words.most_stops = 2;
  Request request;
  request.params.temperature = BodyText::of("1.5");
  request.params.temperature_micros = 1500000;
  request.params.stop = {BodyText::of("a"), BodyText::of("b"), BodyText::of("c")};
  BodyPieces out;
  PieceWriter w(out);
  write_sampling(request, words, w);
  EXPECT_EQ(out.text, R"("s":["a","b"],"t":1)");
  EXPECT_EQ(out.dropped, (std::vector<std::string>{"stop sequences beyond 2", "temperature above 1"}));
}

TEST(BodyWords, Thinking) {
  const auto told = [](Effort effort, std::optional<std::int64_t> budget, const BodyWords& words) {
    Params params;
    params.effort = effort;
    params.thinking_budget = budget;
    BodyPieces out;
    PieceWriter w(out);
    write_thinking(params, words, w);
    return out.text + (out.dropped.empty() ? "" : " dropped");
  };
  EXPECT_EQ(told(Effort::unset, {}, kAll), "");
  EXPECT_EQ(told(Effort::none, {}, kAll), R"("think":0)");
  EXPECT_EQ(told(Effort::low, {}, kAll), R"("think":1)");
  EXPECT_EQ(told(Effort::unset, 9, kAll), R"("budget":9)");
  EXPECT_EQ(told(Effort::high, {}, kNone), " dropped");
  EXPECT_EQ(told(Effort::none, {}, kNone), "");  // what does not think, does not
  constexpr BodyWords kWord = {.effort = R"("effort":"$")"};
  EXPECT_EQ(told(Effort::max, {}, kWord), R"("effort":"high")");
  EXPECT_EQ(told(Effort::unset, 1024, kWord), R"("effort":"low")");
  EXPECT_EQ(told(Effort::unset, {}, kWord), "");
}

TEST(BodyWords, AnswersAsJson) {
  const auto told = [](ResponseFormat::Kind kind, const BodyWords& words) {
    ResponseFormat format;
    format.kind = kind;
    format.schema = BodyText::of("{}");
    BodyPieces out;
    PieceWriter w(out);
    write_answer_format(format, words, w);
    return out.text + (out.dropped.empty() ? "" : " dropped");
  };
  EXPECT_EQ(told(ResponseFormat::Kind::text, kNone), "");
  EXPECT_EQ(told(ResponseFormat::Kind::json_object, kAll), R"("json":1)");
  EXPECT_EQ(told(ResponseFormat::Kind::json_schema, kAll), R"("json":{})");
  EXPECT_EQ(told(ResponseFormat::Kind::json_schema, kNone), " dropped");
  constexpr BodyWords kNamed = {.named_schema = R"("format":{"of":{"name":"$")"};
  EXPECT_EQ(told(ResponseFormat::Kind::json_schema, kNamed),
            R"("format":{"of":{"name":"answer","schema":{},"strict":true}})");
}

constexpr ChoiceWords kChoices = {"", R"("choice":"auto")", nullptr, R"("choice":"any")",
                                  R"("choice":{"of":"$"})"};
constexpr ChoiceWords kOneByOne = {R"("choice":1)", R"("choice":1)", nullptr, R"("choice":2)",
                                   R"("choice":{"only":"$"})"};
constexpr MarkWords kMarks = {nullptr, R"("keep":1)", R"("keep":2)"};
constexpr ToolWords kTools = {.open = R"("tools":[)",
                              .tool = R"({"name":"$")",
                              .schema = R"("takes":)",
                              .strict = R"("strict":true)",
                              .lax = R"("strict":false)",
                              .marks = &kMarks,
                              .choices = &kChoices,
                              .serial = R"("one":true)"};

Request with_tools(ToolChoice choice, std::optional<bool> parallel) {
  Request request;
  Tool& tool = request.tools.emplace_back();
  tool.name = Text::of("f");
  tool.strict = true;
  tool.mark = CacheMark::hour;
  request.tools.emplace_back().name = Text::of("g");
  request.tools.emplace_back().type = "search";
  request.tool_choice = choice;
  request.tool_choice_name = Text::of("f");
  request.params.parallel_tool_calls = parallel;
  return request;
}

TEST(BodyWords, ToolsAndTheirMarks) {
  const auto told = [](const ToolWords& words) {
    BodyPieces out;
    PieceWriter w(out);
    write_tools(with_tools(ToolChoice::unset, {}), words, w);
    for (const std::string& dropped : out.dropped) out.text += " -" + dropped;
    return out.text;
  };
  EXPECT_EQ(told(kTools), R"("tools":[{"name":"f","takes":{"type":"object","properties":{}},"strict":true,)"
                          R"("keep":2},{"name":"g","takes":{"type":"object","properties":{}},)"
                          R"("strict":false}] -tools[] of type search)");
  ToolWords few = kTools;
  few.schema_always = false;
  few.strict = few.lax = nullptr;
  few.marks_apart = true;
  few.after = "}";
  EXPECT_EQ(told(few), R"("tools":[{"name":"f"},"keep":2,{"name":"g"}]} -tools[].strict)"
                       R"( -tools[] of type search)");
}

TEST(BodyWords, ChoicesAndCallsInParallel) {
  const auto told = [](ToolChoice choice, std::optional<bool> parallel, const ToolWords& words) {
    BodyPieces out;
    PieceWriter w(out);
    write_tools(with_tools(choice, parallel), words, w);
    out.text.erase(0, out.text.find(']') + 1);
    for (std::size_t i = 1; i < out.dropped.size(); ++i) out.text += " -" + out.dropped[i];
    return out.text;
  };
  EXPECT_EQ(told(ToolChoice::unset, true, kTools), "");
  EXPECT_EQ(told(ToolChoice::automatic, {}, kTools), R"(,"choice":"auto")");
  EXPECT_EQ(told(ToolChoice::none, {}, kTools), " -tool_choice");
  EXPECT_EQ(told(ToolChoice::named, false, kTools), R"(,"choice":{"of":"f"},"one":true)");
  ToolWords words = kTools;
  words.serial = nullptr;
  EXPECT_EQ(told(ToolChoice::required, false, words), R"(,"choice":"any" -parallel_tool_calls)");
  words.one_by_one = &kOneByOne;
  EXPECT_EQ(told(ToolChoice::unset, false, words), R"(,"choice":1)");
  EXPECT_EQ(told(ToolChoice::named, false, words), R"(,"choice":{"only":"f"})");
  EXPECT_EQ(told(ToolChoice::named, true, words), R"(,"choice":{"of":"f"})");
}

TEST(BodyWords, MoreAnswersThanOneNeedAWord) {
  RequestProblem problem;
  EXPECT_TRUE(only_one_choice(full(), kAll, problem));
  EXPECT_FALSE(only_one_choice(full(), kNone, problem));
  EXPECT_EQ(problem.where, "n");
  EXPECT_TRUE(only_one_choice(Request(), kNone, problem));
}

}  // namespace
}  // namespace shunt::dialect::test
