// The rules of repair, a table for each kind: what is broken, and the JSON that was meant.
#include "text/repair.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "samples.h"

namespace shunt::text {
namespace {

struct Case {
  std::string broken;
  std::string json;  // "nothing" when nothing could be saved
};

void check(const std::vector<Case>& cases) {
  for (const auto& [broken, json] : cases) EXPECT_EQ(repaired(broken), json) << broken;
}

TEST(Repair, ValidJsonStaysTheSame) {
  check({{R"({"a":[1,true,null,"x\n"]})", R"({"a":[1,true,null,"x\n"]})"},
         {" [ 1 , 2 ] ", "[1,2]"},
         {R"("{a:1,}")", R"("{a:1,}")"},
         {R"({"a":"x {"})", R"({"a":"x {"})"},
         {"12345678901234567890", "12345678901234567890"}});
}

TEST(Repair, WhatIsMissingIsPutBack) {
  check({{R"({"a":1)", R"({"a":1})"},
         {R"({"a":[1,{"b":2)", R"({"a":[1,{"b":2}]})"},
         {R"({"a" 1})", R"({"a":1})"},
         {R"({"a" = 1, "b" => 2})", R"({"a":1,"b":2})"},
         {"[1 2\n3]", "[1,2,3]"},
         {"{\"a\":1\n\"b\":2}", R"({"a":1,"b":2})"},
         {R"({"a":})", R"({"a":null})"},
         {R"({"a")", R"({"a":null})"},
         {R"("a":1,"b":[2])", R"({"a":1,"b":[2]})"},
         {R"(["a":1,"b":2])", R"([{"a":1,"b":2}])"},
         {R"([{"a":1,{"b":2}])", R"([{"a":1},{"b":2}])"},
         {"{\n a: \"x\n b: \"y\"\n}", R"({"a":"x","b":"y"})"},
         {R"({"a":1}, "b":2})", R"({"a":1,"b":2})"}});
}

TEST(Repair, WhatIsTooMuchIsLeftOut) {
  check({{"[1,,2,]", "[1,2]"},
         {"{,\"a\":1,}", R"({"a":1})"},
         {"{\"a\"::1, \"b\": : 2}", R"({"a":1,"b":2})"},
         {R"({"a":1}}])", R"({"a":1})"},
         {R"([{"a":1}},{"b":2}])", R"([{"a":1},{"b":2}])"},
         {R"({"a":[1,2})", R"({"a":[1,2]})"},
         {R"({{"a":1}})", R"({"a":1})"},
         {"[1, 2, ...]", "[1,2]"},
         {"{\"a\":1, …}", R"({"a":1})"},
         {R"({"a":1, NOTE "b":"c" END})", R"({"a":1,"b":"c"})"},
         {R"({"a":[1],[2,3],"b":4})", R"({"a":[1,2,3],"b":4})"}});
}

TEST(Repair, CommentsAndFencesAreLayout) {
  check({{"{\"a\":1, // one\n \"b\":2 /* two */}", R"({"a":1,"b":2})"},
         {"{\n# note\n\"a\":1}", R"({"a":1})"},
         {"{\"u\":\"http://x//y\"}", R"({"u":"http://x//y"})"},
         {"[1 /* never closed", "[1]"},
         {"```json\n{\"a\":1}\n```", R"({"a":1})"},
         {"~~~\n[1]\n~~~", "[1]"},
         {"[```json\n{\"a\":1}\n```]", R"({"a":1})"},
         {R"({"m":"```js\nx\n```",})", R"({"m":"```js\nx\n```"})"}});
}

TEST(Repair, EveryQuoteIsAQuote) {
  check({{"{'a':'b'}", R"({"a":"b"})"},
         {"{“a”: “b”, ‘c’: `d´}", R"({"a":"b","c":"d"})"},
         {"{“a\": \"b”}", R"({"a":"b"})"},
         {"{«a»: „b“}", R"({"a":"b"})"},
         {"{'a':'it's fine'}", R"({"a":"it's fine"})"},
         {R"({"q":"she said “hi”",})", R"({"q":"she said “hi”"})"},
         {R"({""a"":""b""})", R"({"a":"b"})"},
         {R"({\"a\": \"b \\\"c\\\"\"})", R"({"a":"b \"c\""})"},
         {"{&quot;a&quot;:1}", R"({"a":1})"}});
}

TEST(Repair, AQuoteIsBelievedByWhatFollows) {
  check({{R"({"a":"he said "hi" twice"})", R"({"a":"he said \"hi\" twice"})"},
         {R"({"a":"x "y", z","b":1})", R"({"a":"x \"y\", z","b":1})"},
         {R"x({"a":"[T]("u")"})x", R"x({"a":"[T](\"u\")"})x"},
         {R"({"a":"{ return "x"; }"})", R"({"a":"{ return \"x\"; }"})"},
         {R"({"a":"x";"b":"y"})", R"({"a":"x","b":"y"})"},
         {R"({"a" "b", "c" "d"})", R"({"a":"b","c":"d"})"},
         {R"({"a":"one {"k": 1} two"})", R"({"a":"one {\"k\": 1} two"})"},
         {R"(["x" y", "z"])", R"(["x","y","z"])"},
         {R"(["an "inner" word", "z"])", R"(["an \"inner\" word","z"])"}});
}

TEST(Repair, ALostQuoteIsPutWhereTheValueEnds) {
  check({{R"({"a":"b,"c":"d"})", R"({"a":"b","c":"d"})"},
         {R"({"a":"b})", R"({"a":"b"})"},
         {R"({"a":"b, and more})", R"({"a":"b, and more"})"},
         {R"({"a":"b, c: true})", R"({"a":"b","c":true})"},
         {"[\"a,\n\"b\"]", R"(["a","b"])"},
         {R"([["a], ["b"], [{"c":"d"}]])", R"([["a"],["b"],[{"c":"d"}]])"},
         {R"([{"a":"x","b")", R"([{"a":"x","b":null}])"},
         {R"({"a":"x", "b" false, "c" 2})", R"({"a":"x","b":false,"c":2})"},
         {R"({"a:1})", R"({"a":1})"},
         {R"({"a":"x","b:"y"})", R"({"a":"x","b":"y"})"},
         {R"({a:"x" b:"y"})", R"({"a":"x","b":"y"})"},
         {R"({"a":b","c":d"})", R"({"a":"b","c":"d"})"},
         {R"({"a": b, c.",})", R"({"a":"b, c."})"},
         {R"(["https://x.y/z, 2])", R"(["https://x.y/z",2])"}});
}

// … and what closes nothing in it closes what it stands in.
TEST(Repair, ALostQuoteBeforeBracketsAndInKeys) {
  check({{R"({"a":{"b":"c}, "d":1})", R"({"a":{"b":"c"},"d":1})"},
         {R"({"a":["b","c], "d":1})", R"({"a":["b","c"],"d":1})"},
         {R"([{"a":[{"b":"c}] }, {"d":"e"}])", R"([{"a":[{"b":"c"}]},{"d":"e"}])"},
         {R"({"a":{"b":"f{x}, "d":1}})", R"({"a":{"b":"f{x}","d":1}})"},
         {R"({"a":"see [1], "b":2})", R"({"a":"see [1]","b":2})"},
         {R"({"a: 1, "b":2})", R"({"a":1,"b":2})"},
         {R"({"a: "x, y", "b":"z"})", R"({"a":"x, y","b":"z"})"}});
}

TEST(Repair, WordsWithoutQuotes) {
  check({{"{a: one two, b_c: 2, $d: x}", R"({"a":"one two","b_c":2,"$d":"x"})"},
         {"{a: 1; b: x; c: 1,000,000}", R"({"a":1,"b":"x","c":1000000})"},
         {"{a: one\nb: two}", R"({"a":"one","b":"two"})"},
         {"[True, None, undefined, NaN, -Infinity]", "[true,null,null,null,null]"},
         {"[trueish, nullable]", R"(["trueish","nullable"])"},
         {"{u: https://a.b/c?d, t: 2024-10-18T18:35:22Z}",
          R"({"u":"https://a.b/c?d","t":"2024-10-18T18:35:22Z"})"},
         {"{a: x{y}z}", R"({"a":"x{y}z"})"},
         {"hello world", R"("hello world")"},
         {"a, b\nc", R"(["a","b","c"])"}});
}

TEST(Repair, CallsTuplesSetsAndJoinedStrings) {
  check({{"callback({\"a\":1});", R"({"a":1})"},
         {R"({"_id":ObjectId("1f"),"n":NumberLong(2)})", R"({"_id":"1f","n":2})"},
         {R"({"a":(1, 2),"b":(3)})", R"({"a":[1,2],"b":3})"},
         {"{'a', 'b'}", R"(["a","b"])"},
         {R"({"a":"x" + "y"})", R"({"a":"xy"})"},
         {"/ab+c/", R"("/ab+c/")"}});
}

TEST(Repair, JsonIsFoundInProse) {
  check({{"Sure!\n```json\n{\"a\":1}\n```\nUse {x}.", R"({"a":1})"},
         {"Use {x} and [links]: {\"a\":1} done", R"({"a":1})"},
         {"<think>{\"a\":2}?</think>{\"a\":1}", R"({"a":1})"},
         {"<json>{\"a\":1}</json>", R"({"a":1})"},
         {"First {\"a\":1} then [2,3].", R"([{"a":1},[2,3]])"},
         {"{\"a\":1}\nLet me know.", R"({"a":1})"},
         {"The words [of] prose", "nothing"},
         {"f {}", "nothing"}});
}

// What stands in round brackets, or looks like a call, may be prose too.
TEST(Repair, RoundBracketsOfProseAreNoJson) {
  check({{"Result (final): {\"a\":1}", R"({"a":1})"},
         {"(see below) {\"a\":1}", R"({"a":1})"},
         {"(2) The plan, as asked:\n```json\n{\"a\":1}\n```", R"({"a":1})"},
         {"```\n(1, 2)\n```", "[1,2]"},
         {"(1, 2)", "[1,2]"},
         {"Done (all of it).", "nothing"},
         {"word (x) {}", "nothing"}});
}

TEST(Repair, QuotesAroundAWholeObject) {
  check({{R"("{"a":"b"}")", R"({"a":"b"})"},
         {R"( "[ {"a":1}, {"a":2} ]" )", R"([{"a":1},{"a":2}])"},
         {R"("{\"a\":1}")", R"("{\"a\":1}")"},
         {"`{\"a\":1}`", R"({"a":1})"},
         {R"("a "{" b")", R"("a \"{\" b")"}});
}

TEST(Repair, StringsAsPythonWritesThem) {
  check({{"{u'a': u'b', b'c': [r'd', f'e']}", R"({"a":"b","c":["d","e"]})"},
         {"{'u': u, 'b': b}", R"({"u":"u","b":"b"})"},
         {R"({"a": """one "two", {three}""", "b": 1})", R"({"a":"one \"two\", {three}","b":1})"},
         {R"({"a": '''x'''})", R"({"a":"x"})"},
         {R"({"a": """he said "so"""", "b": 1})", R"({"a":"he said \"so\"","b":1})"},
         {"[\"\"\"one\ntwo\n\"\"\"]", R"(["one\ntwo"])"}});
}

TEST(Repair, ValuesOneBehindTheOther) {
  check({{"{\"a\":1}\n{\"a\":2}\n", R"([{"a":1},{"a":2}])"},
         {"{\"a\":1}{\"a\":2}", R"([{"a":1},{"a":2}])"},
         {"{}\n{}", "[{},{}]"},
         {"[]{\"a\":1}", R"({"a":1})"},
         {"1\n2", "[1,2]"},
         {"1, {\"a\":2}]", R"([1,{"a":2}])"},
         {"{\"a\":1}, 2, true]", R"([{"a":1},2,true])"},
         {"1,", "1"}});
}

TEST(Repair, NothingCouldBeSaved) {
  check({{"", "nothing"},
         {" \n", "nothing"},
         {"}", "nothing"},
         {"{:1}", "nothing"},
         {"{\"a\",", "nothing"},
         {"/", "nothing"},
         {"\"\\uZ000\"", "nothing"},
         {"\"x\x01", "nothing"},
         {std::string(300, '['), "nothing"}});
}

TEST(Repair, LatexIsKeptWhenAsked) {
  RepairOptions latex;
  latex.latex = true;
  EXPECT_EQ(repaired(R"({"m":"\frac{1}{2} \theta\nnext"})", latex), R"({"m":"\\frac{1}{2} \\theta\nnext"})");
  EXPECT_EQ(repaired(R"({"m":"\frac{1}{2}"})"), R"({"m":"\frac{1}{2}"})");
  EXPECT_EQ(repaired(R"({"m":"\alpha \underset{x}{y}"})"), R"({"m":"\\alpha \\underset{x}{y}"})");
}

TEST(Repair, WhatNlohmannRefusesIsWrittenOtherwise) {
  check({{R"(["\ud83d"])", "[\"\xEF\xBF\xBD\"]"},
         {"[1e999]", R"(["1e999"])"},
         {"[\"\xFF\",]", "[\"\xEF\xBF\xBD\"]"},
         {"{\"a\":\"x\x01\",}", R"({"a":"x\u0001"})"}});
}

}  // namespace
}  // namespace shunt::text
