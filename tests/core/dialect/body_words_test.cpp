// Settings in a target's words, and what is dropped where it has none.
#include "dialect/body_words.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

constexpr BodyWords kAll = {.max_tokens = R"("n":$)",
                            .temperature = R"("t":$)",
                            .top_p = R"("p":$)",
                            .top_k = R"("k":$)",
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
  EXPECT_EQ(said.text, R"("n":5,"t":0.5,"p":1,"k":1,"s":["x"],"u":"me","c":2)");
  EXPECT_TRUE(said.dropped.empty());
  EXPECT_EQ(dropped.text, "");
  EXPECT_EQ(dropped.dropped,
            (std::vector<std::string>{"max_tokens", "temperature", "top_p", "top_k", "stop", "user", "n"}));
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
