// The reader of tables on tables of its own: what each meaning does, and what malformed values do.
#include <gtest/gtest.h>

#include "dialect/table_reader.h"
#include "event_text.h"

namespace shunt::dialect::test {
namespace {

constexpr Field kEnd{};
constexpr Field kPart[] = {{"thought", Means::reasoning}, {"text", Means::text}, kEnd};
constexpr Field kCall[] = {{"at", Means::index},
                           {"id", Means::call_id},
                           {"name", Means::call_name},
                           {"input", Means::call_arguments},
                           kEnd};
constexpr Field kStop[] = {{"at", Means::call_end}, kEnd};
constexpr Field kTable[] = {{"delta", Means::object, kPart}, {"stop", Means::object, kStop},
                            {"repeat", Means::again, kPart}, {"id", Means::id},
                            {"thought", Means::reasoning},   {"text", Means::text, kPart},
                            {"calls", Means::calls, kCall},  {"choices", Means::choices, kPart},
                            {"over", Means::ended},          {"cut", Means::truncated},
                            {"why", Means::finish},          {"noise", Means::ignored},
                            {"fault", Means::error},         kEnd};

class TableReaderTest : public testing::Test {
 protected:
  std::string read(std::string_view json, std::string_view word = {}) {
    events_.clear();
    if (!reader_.read(word, json, events_)) return "no JSON";
    std::string text;
    for (const Event& event : events_) text += event_text(event) + "\n";
    return text;
  }

  std::string block_;
  TableReader reader_{kTable, false, block_};
  EventList events_;
};

TEST_F(TableReaderTest, EventsComeInTheOrderOfTheRows) {
  EXPECT_EQ(
      read(R"({"why":"stop","text":"t","calls":[{"name":"f","input":{"a": 1}}],"thought":"r","noise":1})"),
      "start 0\nreasoning 0 text=r\ntext 0 t\ncall 0.0 name=f\nargs 0.0 {\"a\":1}\nfinish 0 stop (stop)\n");
}

TEST_F(TableReaderTest, AFrameIsReadByItsName) {
  EXPECT_EQ(read(R"({"text":"a","type":"delta"})"), "start 0\ntext 0 a\n");
  EXPECT_EQ(read(R"({"text":"b"})", "delta"), "text 0 b\n");
  EXPECT_EQ(read(R"({"delta":{"text":"c"}})", "unheard-of"), "text 0 c\n");
  // A row without rows of its own is a member, never the name of a frame.
  EXPECT_EQ(read(R"({"type":"text","text":"d"})"), "text 0 d\n");
}

TEST_F(TableReaderTest, TheStartWaitsForTheAnswerAndKeepsItsId) {
  EXPECT_EQ(read(R"({"id":"i"})"), "");
  EXPECT_EQ(read(R"({"noise":1})"), "");
  EXPECT_EQ(read(R"({"text":"a"})"), "start id=i 0\ntext 0 a\n");
  EXPECT_EQ(read(R"({"id":"j","text":"b"})"), "extra 0 native.id \"j\"\ntext 0 b\n");
}

TEST_F(TableReaderTest, ARepeatAddsOnlyWhatIsNew) {
  EXPECT_EQ(read(R"({"repeat":{"thought":"r","text":"a"}})"), "start 0\nreasoning 0 text=r\ntext 0 a\n");
  EXPECT_EQ(read(R"({"text":"b"})"), "text 0 b\n");
  EXPECT_EQ(read(R"({"repeat":{"thought":"r","text":"ab"}})"), "reasoning 0 text=r\n");
}

TEST_F(TableReaderTest, CallsAreKnownByIdIndexOrOrder) {
  EXPECT_EQ(read(R"({"calls":{"at":4,"id":"a","name":"f","input":"{"}})"),
            "start 0\ncall 0.0 id=a name=f\nargs 0.0 {\n");
  EXPECT_EQ(read(R"({"calls":[{"at":4,"input":"}"},{"name":"g"}]})"), "args 0.0 }\ncall 0.1 name=g\n");
  EXPECT_EQ(read(R"({"stop":{"at":4}})"), "call-end 0.0\n");
  EXPECT_EQ(read(R"({"stop":{"at":9}})"), "");
  EXPECT_EQ(read(R"({"calls":[{},null,7,"x"]})"), "");
}

TEST_F(TableReaderTest, ACallTooManyIsToldByItself) {
  std::string calls;
  for (std::size_t i = 0; i <= kToolCalls; ++i)
    calls += std::string(i == 0 ? "" : ",") + R"({"id":")" + std::to_string(i) + R"(","name":"f"})";
  const std::string lines = read("{\"calls\":[" + calls + "]}");
  const std::string last = "extra 0 native.call {\"id\":\"1024\",\"name\":\"f\"}\n";
  ASSERT_GE(lines.size(), last.size());
  EXPECT_EQ(lines.substr(lines.size() - last.size()), last);
}

TEST_F(TableReaderTest, TheEndIsSaidOnce) {
  EXPECT_EQ(read(R"({"why":"normal","over":false})"), "start 0\n");
  EXPECT_EQ(read(R"({"why":"normal","over":true})"), "finish 0 stop (normal)\ndone\n");
  EXPECT_EQ(read(R"({"over":true})"), "finish 0 stop ()\n");
}

TEST_F(TableReaderTest, WhatHasNoRowIsExtra) {
  EXPECT_EQ(
      read(R"({"text":"a","new":{"x":1},"none":null,"list":[],"word":""})"),
      "start 0\nextra 0 native.new {\"x\":1}\nextra 0 native.list []\nextra 0 native.word \"\"\ntext 0 a\n");
}

TEST_F(TableReaderTest, AnErrorIsReadWhereItStandsOrWhereNothingElseIs) {
  EXPECT_EQ(read(R"({"text":"a","fault":{"message":"m","code":"c"}})"),
            "start 0\ntext 0 a\nfinish 0 error ()\nerror code=c message=m\n");
  EXPECT_EQ(read(R"({"message":"m"})"), "finish 0 error ()\nerror message=m\n");
  EXPECT_EQ(read(R"({"fault":"m"})"), "finish 0 error ()\nerror message=m\n");
}

TEST_F(TableReaderTest, ValuesOfOtherTypesHarmNothing) {
  EXPECT_EQ(read("7"), "");
  EXPECT_EQ(read("null"), "");
  EXPECT_EQ(read(R"([{"text":"a"},3,{"text":"b"}])"), "start 0\ntext 0 a\ntext 0 b\n");
  EXPECT_EQ(read(R"({"text":["x",{"text":"c"}],"calls":"none","choices":{"text":"d"},"id":7})"),
            "extra 0 native.id 7\ntext 0 c\n");
  EXPECT_EQ(read(R"({"choices":[{"text":"e"},{"text":"f"}]})"), "text 0 e\ntext 1 f\n");
  EXPECT_EQ(read(R"({"choices":[{"index":-1,"text":"g"}]})"),
            "extra -1 native.choice {\"index\":-1,\"text\":\"g\"}\n");
}

TEST_F(TableReaderTest, WhatIsNoJsonLeavesNothing) {
  for (const char* bad : {"", "{", R"({"text":"a")", R"({"text":"a"} x)", "{\"calls\":[{\"id\":\"a\"}"})
    EXPECT_EQ(read(bad), "no JSON") << bad;
  EXPECT_TRUE(events_.empty());
  EXPECT_EQ(read(R"({"calls":[{"id":"a","name":"f"}]})"), "start 0\ncall 0.0 id=a name=f\n");
  EXPECT_EQ(read(std::string(200, '[') + std::string(200, ']')), "no JSON");  // deeper than we read
}

}  // namespace
}  // namespace shunt::dialect::test
