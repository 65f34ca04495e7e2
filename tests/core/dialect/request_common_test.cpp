// The shared steps of request bodies: places, data URLs, key tables, pieces with commas.
#include "core/dialect/request_testing.h"

namespace shunt::dialect::testing {
namespace {

TEST(Place, IsAPathOnlyWhenAsked) {
  const Place root;
  const Place messages(root, "messages");
  const Place one(messages, std::size_t{2});
  EXPECT_EQ(root.text(), "");
  EXPECT_EQ(Place(Place(one, "content"), std::size_t{0}).text(), "messages[2].content[0]");
  EXPECT_EQ(Place(one, "role").text(), "messages[2].role");
}

TEST(RequestReader, DataUrls) {
  struct {
    const char* url;         // raw JSON content
    const char* media_type;  // empty = not of the form
    const char* data;
  } const cases[] = {
      {"data:image/png;base64,AAAA", "image/png", "AAAA"},
      {"data:image\\/png;base64,A\\/A", "image/png", "A\\/A"},
      {"data:image/svg+xml;charset=utf-8;base64,AA", "image/svg+xml", "AA"},
      {"DATA:Image/PNG;Base64,aA", "image/png", "aA"},
      {"data:image/png;base64,", "image/png", ""},
      {"data:image/png,AAAA", "", ""},
      {"data:;base64,AAAA", "", ""},
      {"data:image/png;base64", "", ""},
      {"https://x.test/a,b", "", ""},
      {"", "", ""},
  };
  for (const auto& row : cases) {
    const std::string body = "{\"messages\":\"" + std::string(row.url) + "\"}";
    const json::Outline outline = outline_of(body, DialectId::openai_chat);
    Request request;
    RequestProblem problem;
    const Reader reader(outline, request, problem);
    std::string media_type;
    Text data;
    const bool found = reader.data_url(outline.find(0, "messages"), media_type, data);
    EXPECT_EQ(found, row.media_type[0] != '\0') << row.url;
    if (!found) continue;
    EXPECT_EQ(media_type, row.media_type);
    EXPECT_EQ(body.substr(data.offset, data.length), row.data);
  }
}

TEST(RequestKeys, ToolJsonIsKeptAndSchemasAreOneNode) {
  const std::string body = R"({"tools":[{"input_schema":{"a":{"b":1}}}],"x":{"input":{"k": [1]}}})";
  const json::Outline outline = outline_of(body, DialectId::anthropic_messages);
  const json::NodeId schema = outline.find(outline.first(outline.find(0, "tools")), "input_schema");
  EXPECT_EQ(outline.first(schema), json::kNoNode);
  const json::NodeId input = outline.find(outline.find(0, "x"), "input");
  EXPECT_TRUE(outline.whole(input));
  EXPECT_EQ(outline.raw_head(input), R"({"k": [1]})");
}

TEST(PieceWriter, PutsCommasAndEscapes) {
  BodyPieces out;
  PieceWriter w(out);
  const std::vector<Text> texts = {Text::of("a"), Text::range(0, 2), Text::of("")};
  w.put("{");
  w.word(R"("a":"$")", "q\"\n");
  w.put(R"("b":[)");
  w.integer("$", -3);
  w.put("true");
  w.put("]");
  w.put(R"("c":[)");
  for (const Text& text : texts) w.put(R"("$")", text);
  w.put("]");
  w.put(R"("d":{)");
  w.put("}");
  w.put(R"("e":"data:$;base64,$")", escaped("i/\"p"), Text::of("A"));
  w.present(R"("f":$)", Raw{});
  w.present(R"("f":$)", Raw::of("1"));
  w.put(R"("g":")");
  w.out.content(texts[1]);
  w.go_on("\\n\"");
  w.schema(R"("h":)", Raw{});
  w.schema(R"("i":)", Raw::of("{}"));
  w.put("}");
  EXPECT_EQ(put_together(out, "XY"),
            R"({"a":"q\"\n","b":[-3,true],"c":["a","XY",""],"d":{},"e":"data:i/\"p;base64,A","f":1,)"
            R"("g":"XY\n","h":{"type":"object","properties":{}},"i":{}})");
}

TEST(PieceWriter, AnEmptyHoleMayBeLeftOut) {
  BodyPieces out;
  PieceWriter w(out);
  w.put(R"("a":"x")", Text{});
  w.put(R"("b":"$")", Text::of("y"));
  EXPECT_EQ(put_together(out, ""), R"("a":"x","b":"y")");
}

TEST(EndPartial, ABodyEndsWithTheStringThatIsArriving) {
  Request request;
  request.partial = true;
  request.open_string = 10;
  BodyPieces out;
  out.literal("x");
  out.range(11, 5);
  out.literal("y");
  end_partial(request, out);
  EXPECT_EQ(out.size(), 6U);
  request.open_string = 100;
  end_partial(request, out);
  EXPECT_TRUE(out.pieces.empty()) << "that string is not among them";
}

}  // namespace
}  // namespace shunt::dialect::testing
