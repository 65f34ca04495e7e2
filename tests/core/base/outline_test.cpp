// The outline: exact ranges, partial documents, kept and opaque values, limits.
#include "base/outline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/base/json_documents.h"

namespace shunt::json {
namespace {

using State = Outline::State;

Outline outline_of(const std::vector<std::string_view>& pieces, const Outline::Options& options = {}) {
  Outline outline(options);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Exact piece(pieces[i]);
    outline.feed(piece.view(), i + 1 == pieces.size());
  }
  return outline;
}

// Everything an outline knows, one value a line.
void describe(const Outline& o, NodeId node, std::string& out) {
  append_int(out, static_cast<int>(o.kind(node)));
  append_uint(out += ' ', o.begin(node));
  if (o.open(node)) {
    out += "- open";  // up to what was fed, which after an error depends on the slices
  } else {
    append_uint(out += '-', o.end(node));
  }
  ((out += " key ") += o.key(node));
  append_uint(out += '@', o.key_begin(node));
  ((out += o.whole(node) ? " whole " : " head ") += o.raw_head(node));
  out += o.escaped(node) ? " escaped\n" : "\n";
  for (NodeId child = o.first(node); child != kNoNode; child = o.next(child)) describe(o, child, out);
}

std::string description(const Outline& o) {
  std::string out;
  if (!o.empty()) describe(o, 0, out);
  if (o.state() == State::failed) append_uint((out += o.error().what) += " @", o.error().offset);
  return out;
}

constexpr std::string_view kRequest =
    R"({"model":"m-\u0031","temperature":0.5,"n":3,"stream":true,"stop":false,"user":null,)"
    R"( "messages":[{"role":"user","content":"hi"},{"role":"tool","content":[]},{}], "end" : [1,[2,"x"]] } )";

NodeId member(const Outline& o, std::initializer_list<std::string_view> path) {
  NodeId node = 0;
  for (const std::string_view key : path) node = o.find(node, key);
  return node;
}

TEST(Outline, KnowsWhatStandsWhere) {
  const Outline o = outline_of({kRequest});
  ASSERT_EQ(o.state(), State::done);
  EXPECT_EQ(o.bytes_read(), kRequest.size());
  const auto bytes = [&](NodeId node) {
    return kRequest.substr(static_cast<std::size_t>(o.begin(node)),
                           static_cast<std::size_t>(o.end(node) - o.begin(node)));
  };
  EXPECT_EQ(o.kind(0), Kind::object);
  EXPECT_EQ(o.begin(0), 0U);
  EXPECT_EQ(o.end(0), kRequest.size() - 1);
  EXPECT_EQ(o.text(member(o, {"model"})), "m-1");
  EXPECT_EQ(o.raw_head(member(o, {"model"})), "m-\\u0031");
  EXPECT_TRUE(o.escaped(member(o, {"model"})));
  EXPECT_EQ(o.raw_head(member(o, {"temperature"})), "0.5");
  EXPECT_EQ(o.integer(member(o, {"temperature"})), std::nullopt);
  EXPECT_EQ(o.integer(member(o, {"n"})), 3);
  EXPECT_TRUE(o.is_true(member(o, {"stream"})));
  EXPECT_TRUE(o.is_false(member(o, {"stop"})));
  EXPECT_FALSE(o.is_false(member(o, {"user"})));
  EXPECT_EQ(o.kind(member(o, {"user"})), Kind::null);
  const NodeId messages = member(o, {"messages"});
  EXPECT_EQ(kRequest.substr(static_cast<std::size_t>(o.key_begin(messages)), 11), "\"messages\":");
  const NodeId user = o.first(messages);
  EXPECT_EQ(bytes(user), R"({"role":"user","content":"hi"})");
  EXPECT_EQ(o.text(o.find(user, "content")), "hi");
  const NodeId tool = o.next(user);
  EXPECT_EQ(bytes(o.find(tool, "content")), "[]");
  EXPECT_EQ(o.first(o.find(tool, "content")), kNoNode);
  const NodeId empty = o.next(tool);
  EXPECT_EQ(bytes(empty), "{}");
  EXPECT_EQ(o.first(empty), kNoNode);
  EXPECT_EQ(o.next(empty), kNoNode);
  EXPECT_EQ(bytes(member(o, {"end"})), R"([1,[2,"x"]])");
  EXPECT_EQ(o.next(member(o, {"end"})), kNoNode);
}

TEST(Outline, NoNodeInNoNodeOut) {
  const Outline o = outline_of({kRequest});
  EXPECT_EQ(o.find(kNoNode, "a"), kNoNode);
  EXPECT_EQ(o.find(0, "absent"), kNoNode);
  EXPECT_EQ(o.find(o.find(0, "model"), "a"), kNoNode);
  EXPECT_EQ(o.first(kNoNode), kNoNode);
  EXPECT_EQ(o.next(kNoNode), kNoNode);
  EXPECT_EQ(o.text(kNoNode), std::nullopt);
  EXPECT_EQ(o.integer(kNoNode), std::nullopt);
  EXPECT_EQ(o.key(kNoNode), "");
  EXPECT_EQ(o.raw_head(kNoNode), "");
  EXPECT_EQ(o.begin(kNoNode), 0U);
  EXPECT_EQ(o.end(kNoNode), 0U);
  EXPECT_FALSE(o.open(kNoNode));
  EXPECT_FALSE(o.is_true(kNoNode) || o.is_false(kNoNode) || o.whole(kNoNode) || o.escaped(kNoNode));
  EXPECT_EQ(Outline().first(0), kNoNode);
  EXPECT_TRUE(Outline().empty());
}

TEST(Outline, EverySplitGivesTheSame) {
  std::vector<std::string_view> documents = all_documents();
  documents.push_back(kRequest);
  constexpr std::array<std::string_view, 2> kOpaque = {"messages", "b"};
  constexpr std::array<std::string_view, 3> kKeep = {"messages", "a", "content"};
  for (const Outline::Options& options :
       {Outline::Options{{}, 256, {}}, Outline::Options{{}, 3, {}}, Outline::Options{kOpaque, 2, kKeep}}) {
    for (const std::string_view text : documents) {
      const std::string whole = description(outline_of({text}, options));
      std::vector<std::string_view> bytes;
      for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        ASSERT_EQ(description(outline_of({text.substr(0, cut), text.substr(cut)}, options)), whole) << text;
        bytes.push_back(text.substr(cut, 1));
      }
      ASSERT_EQ(description(outline_of(bytes, options)), whole) << text;
    }
  }
}

void collect(const Outline& o, NodeId node, std::vector<NodeId>& out) {
  out.push_back(node);
  for (NodeId child = o.first(node); child != kNoNode; child = o.next(child)) collect(o, child, out);
}

// What a prefix shows is true of the whole: the same values in the same places, open exactly where their end
// is to come; and it shows every value whose end is in it.
TEST(Outline, APrefixShowsTheValuesReadSoFar) {
  const Outline whole = outline_of({kRequest});
  std::vector<NodeId> nodes;
  collect(whole, 0, nodes);
  for (std::size_t size = 1; size < kRequest.size(); ++size) {
    Outline part;
    ASSERT_EQ(part.feed(kRequest.substr(0, size), false), State::reading);
    std::vector<NodeId> shown;
    collect(part, 0, shown);
    ASSERT_TRUE(std::equal(shown.begin(), shown.end(), nodes.begin())) << "document order, nothing left out";
    for (const NodeId node : shown) {
      ASSERT_EQ(part.kind(node), whole.kind(node));
      ASSERT_EQ(part.begin(node), whole.begin(node));
      ASSERT_EQ(part.key(node), whole.key(node));
      ASSERT_EQ(part.raw_head(node), whole.raw_head(node));
      ASSERT_EQ(part.open(node), whole.end(node) > size);
      ASSERT_EQ(part.end(node), part.open(node) ? size : whole.end(node));
    }
    for (std::size_t i = shown.size(); i < nodes.size(); ++i) ASSERT_GE(whole.end(nodes[i]), size);
    EXPECT_EQ(part.open_string(), kNoNode);
  }
}

TEST(Outline, FindsMembersWhileReading) {
  Outline o;
  o.feed(R"({"model":"gpt","messages":[{"role":"user","con)", false);
  EXPECT_EQ(o.text(o.find(0, "model")), "gpt");
  const NodeId messages = o.find(0, "messages");
  EXPECT_TRUE(o.open(messages));
  const NodeId message = o.first(messages);
  EXPECT_TRUE(o.open(message));
  EXPECT_EQ(o.text(o.find(message, "role")), "user");
  EXPECT_EQ(o.find(message, "content"), kNoNode);
  EXPECT_EQ(o.next(message), kNoNode);
  o.feed(R"(tent":"x"}],"model":"two"})", true);
  EXPECT_EQ(o.state(), State::done);
  EXPECT_EQ(o.text(o.find(message, "content")), "x");
  EXPECT_EQ(o.text(o.find(0, "model")), "two") << "the last member of a key counts";
}

TEST(Outline, ALongStringIsVisibleWhileItIsRead) {
  const std::string head = R"({"a":[{"image":"data:image\/png;base64,)";
  Outline o;
  o.feed(head, false);
  EXPECT_EQ(o.open_string(), kNoNode) << "not long yet";
  o.feed(std::string(limits::kTokenBytes, 'A'), false);
  const NodeId image = o.open_string();
  ASSERT_NE(image, kNoNode);
  EXPECT_EQ(o.find(o.first(o.find(0, "a")), "image"), image);
  EXPECT_TRUE(o.open(image));
  EXPECT_FALSE(o.whole(image));
  EXPECT_TRUE(o.escaped(image));
  EXPECT_EQ(o.begin(image), 15U);
  EXPECT_EQ(o.end(image), o.bytes_read());
  EXPECT_EQ(o.raw_head(image).substr(0, 23), R"(data:image\/png;base64,)");
  EXPECT_EQ(o.raw_head(image).size(), limits::kOutlineHead);
  EXPECT_EQ(o.text(image), std::nullopt);
  o.feed("BBBB\"", false);
  EXPECT_EQ(o.open_string(), kNoNode);
  EXPECT_FALSE(o.open(image));
  EXPECT_EQ(o.end(image), o.bytes_read());
  o.feed("},2]}", true);
  EXPECT_EQ(o.state(), State::done);
  EXPECT_EQ(o.integer(o.next(o.first(o.find(0, "a")))), 2);
}

TEST(Outline, ALongStringEscapesLate) {
  Outline o;
  o.feed('"' + std::string(5000, 'A'), false);
  EXPECT_EQ(o.open_string(), 0U);
  EXPECT_FALSE(o.escaped(0));
  o.feed("\\n", false);
  EXPECT_TRUE(o.escaped(0));
  o.feed("\"", true);
  EXPECT_TRUE(o.escaped(0));
  EXPECT_EQ(o.end(0), 5004U);
}

TEST(Outline, HeadsEndBetweenCharacters) {
  Outline::Options options;
  options.keep_text = 5;
  const auto head = [&](std::string_view text) {
    return std::string(outline_of({text}, options).raw_head(0));
  };
  EXPECT_EQ(head(R"("12345")"), "12345");
  EXPECT_EQ(head(R"("123456")"), "12345");
  EXPECT_EQ(head(R"("1234\n")"), "1234");
  EXPECT_EQ(head(R"("123\n4")"), "123\\n");
  EXPECT_EQ(head(R"("\u00416")"), "");
  EXPECT_EQ(head(R"("\\\\\\")"), R"(\\\\)");
  EXPECT_EQ(head("\"123\xE4\xBD\xA0\""), "123");
  EXPECT_EQ(head("\"12\xE4\xBD\xA0"
                 "6\""),
            "12\xE4\xBD\xA0");
  EXPECT_EQ(head("123456"), "12345");
  EXPECT_FALSE(outline_of({"123456"}, options).whole(0));
  EXPECT_EQ(outline_of({"123456"}, options).integer(0), std::nullopt);
}

TEST(Outline, OpaqueValuesAreOneNode) {
  constexpr std::array<std::string_view, 2> kOpaque = {"schema", "meta"};
  Outline::Options options;
  options.opaque_keys = kOpaque;
  constexpr std::string_view kText =
      R"({"schema":{"meta":[1,{"a":"]"}],"schema":{}},"x":{"meta":"word","y":1},"sch\u0065ma":[[]],"z":2})";
  for (std::size_t cut = 0; cut <= kText.size(); ++cut) {
    const Outline o = outline_of({kText.substr(0, cut), kText.substr(cut)}, options);
    ASSERT_EQ(o.state(), State::done);
    const NodeId schema = o.first(0);
    EXPECT_EQ(o.begin(schema), 10U);
    EXPECT_EQ(o.end(schema), 44U);
    EXPECT_EQ(o.first(schema), kNoNode);
    EXPECT_FALSE(o.whole(schema));
    EXPECT_EQ(o.raw_head(schema), "");
    const NodeId x = o.next(schema);
    EXPECT_EQ(o.key(x), "x");
    EXPECT_EQ(o.text(o.find(x, "meta")), "word") << "an opaque key's string is read as any other";
    EXPECT_EQ(o.integer(o.find(x, "y")), 1);
    const NodeId second = o.next(x);
    EXPECT_EQ(o.kind(second), Kind::array);
    EXPECT_EQ(o.first(second), kNoNode);
    EXPECT_EQ(o.duplicate(0), second);
    EXPECT_EQ(o.integer(o.next(second)), 2);
  }
  EXPECT_EQ(outline_of({R"({"schema":{"a":]}})"}, options).state(), State::failed)
      << "opaque is not unchecked";
}

TEST(Outline, ALongStringInsideAnOpaqueValueIsNoNode) {
  constexpr std::array<std::string_view, 1> kOpaque = {"schema"};
  Outline::Options options;
  options.opaque_keys = kOpaque;
  Outline o(options);
  o.feed(R"({"schema":{"a":")" + std::string(9000, 'x'), false);
  EXPECT_EQ(o.open_string(), kNoNode);
  EXPECT_TRUE(o.open(o.find(0, "schema")));
  EXPECT_EQ(o.first(o.find(0, "schema")), kNoNode);
  o.feed("\"}}", true);
  EXPECT_EQ(o.state(), State::done);
  EXPECT_EQ(o.end(o.find(0, "schema")), o.bytes_read() - 1);
}

TEST(Outline, KeptValuesAreWholeUpToTheirLimit) {
  constexpr std::array<std::string_view, 1> kInput = {"input"};
  Outline::Options options;
  options.opaque_keys = kInput;
  options.keep_keys = kInput;
  const auto read = [&](const std::string& value, std::size_t slice) {
    const std::string text = R"([{"a":1,"input":)" + value + R"(,"z":"after"}])";
    std::vector<std::string_view> pieces;
    for (std::size_t at = 0; at < text.size(); at += slice)
      pieces.push_back(std::string_view(text).substr(at, slice));
    Outline o = outline_of(pieces, options);
    EXPECT_EQ(o.state(), State::done);
    EXPECT_EQ(o.text(o.find(1, "z")), "after");
    return o;
  };
  for (const std::size_t slice : {std::size_t{1000}, std::size_t{65536}, std::size_t{1000000}}) {
    for (const std::size_t size :
         {std::size_t{10}, std::size_t{5000}, limits::kOutlineKeep, limits::kOutlineKeep + 1}) {
      const bool fits = size <= limits::kOutlineKeep;
      const std::string content(size, 's');
      const Outline s = read('"' + content + "\"", slice);
      const NodeId string = s.find(1, "input");
      EXPECT_EQ(s.whole(string), fits);
      EXPECT_EQ(s.raw_head(string), fits ? content : content.substr(0, limits::kOutlineHead));
      EXPECT_EQ(s.end(string) - s.begin(string), size + 2);
      const std::string object = R"({"k":")" + std::string(size - 8, 'o') + "\"}";
      const Outline c = read(object, slice);
      const NodeId container = c.find(1, "input");
      EXPECT_EQ(c.whole(container), fits);
      EXPECT_EQ(c.raw_head(container), fits ? object : "");
      EXPECT_EQ(c.end(container) - c.begin(container), size);
      EXPECT_EQ(c.first(container), kNoNode);
    }
  }
  Outline o(options);
  o.feed(R"([{"input":{"a":1)", false);
  EXPECT_TRUE(o.open(o.find(1, "input")));
  EXPECT_FALSE(o.whole(o.find(1, "input")));
  Outline root(options);
  root.feed(R"({"input":")" + std::string(5000, 's'), false);
  EXPECT_NE(root.open_string(), kNoNode) << "the root's own texts are said while they come";
}

TEST(Outline, KeptValuesNeverMakeItFail) {
  constexpr std::array<std::string_view, 1> kInput = {"input"};
  Outline::Options options;
  options.opaque_keys = kInput;
  options.keep_keys = kInput;
  for (const bool object : {false, true}) {
    const std::string filler(60000, 'x');
    const std::string value =
        object ? R"({"input":{"k":")" + filler + "\"}}" : R"({"input":")" + filler + "\"}";
    Outline o(options);
    o.feed("[", false);
    for (int i = 0; i < 40; ++i) o.feed((i == 0 ? "" : ",") + value, false);
    ASSERT_EQ(o.feed("]", true), State::done);
    EXPECT_LE(o.memory(), 4 * limits::kOutlineText);
    NodeId element = o.first(0);
    EXPECT_TRUE(o.whole(o.find(element, "input")));
    while (o.next(element) != kNoNode) element = o.next(element);
    EXPECT_FALSE(o.whole(o.find(element, "input")));
    EXPECT_EQ(o.raw_head(o.find(element, "input")).size(), object ? 0U : limits::kOutlineHead);
  }
  // Small ones neither, nor what comes behind them.
  Outline o(options);
  const std::string small = R"({"input":")" + std::string(300, 'x') + "\"},";
  const std::string other = '"' + std::string(200, 'y') + "\",";
  o.feed("[", false);
  for (std::size_t i = 0; i < limits::kOutlineText / 400; ++i) o.feed(small, false);
  for (std::size_t i = 0; i < limits::kOutlineText / 1000; ++i) o.feed(other, false);
  EXPECT_EQ(o.feed("1]", true), State::done);
}

TEST(Outline, NamesTheSecondOfTwoEqualKeys) {
  const auto duplicate = [](std::string_view text) {
    const Outline o = outline_of({text});
    const NodeId found = o.duplicate(0);
    return found == kNoNode ? -1 : static_cast<int>(o.begin(found));
  };
  EXPECT_EQ(duplicate(R"({"a":1,"b":2})"), -1);
  EXPECT_EQ(duplicate(R"({"a":1,"a":2})"), 11);
  EXPECT_EQ(duplicate(R"({"a":1,"\u0061":2})"), 16) << "keys are compared unescaped";
  EXPECT_EQ(duplicate(R"({"b":1,"a":2,"a":3,"b":4,"a":5})"), 17) << "the first repetition";
  EXPECT_EQ(duplicate(R"({"a":{"b":1},"b":2})"), -1);
  EXPECT_EQ(duplicate("[1,1]"), -1);
}

TEST(Outline, ReportsItsLimits) {
  std::string many = "[1";
  for (std::size_t i = 2; i < limits::kOutlineNodes; ++i) many += ",1";
  EXPECT_EQ(outline_of({many + "]"}).state(), State::done);
  const Outline nodes = outline_of({many + ",1]"});
  EXPECT_EQ(nodes.state(), State::failed);
  EXPECT_EQ(nodes.error(), (Error{many.size() + 1, "too many values"}));

  const std::string word = '"' + std::string(limits::kOutlineHead, 'w') + "\"";
  std::string much = "[" + word;
  for (std::size_t i = 1; i < limits::kOutlineText / limits::kOutlineHead; ++i) much += "," + word;
  EXPECT_EQ(outline_of({much + "]"}).state(), State::done);
  const Outline text = outline_of({much + ",\"x\"]"});
  EXPECT_EQ(text.state(), State::failed);
  EXPECT_EQ(text.error(), (Error{much.size() + 1, "too much text in keys and short strings"}));
}

TEST(Outline, AFailureIsFinalAndLocated) {
  Outline o;
  EXPECT_EQ(o.feed("{\"a\":1,", false), State::reading);
  EXPECT_EQ(o.feed("}", false), State::failed);
  EXPECT_EQ(o.error(), (Error{7, lex::kUnexpected}));
  EXPECT_EQ(o.feed("\"b\":2}", true), State::failed);
  EXPECT_EQ(o.bytes_read(), 8U);
}

TEST(Outline, ALargeImageCostsOneNode) {
  const std::string slice(limits::kSliceBytes, 'A');
  Outline o;
  o.feed(R"({"model":"m","image":")", false);
  for (int i = 0; i < 320; ++i) ASSERT_EQ(o.feed(slice, false), State::reading);
  EXPECT_LT(o.memory(), 64U * 1024U);
  ASSERT_EQ(o.feed("\"}", true), State::done);
  const NodeId image = o.find(0, "image");
  EXPECT_EQ(o.end(image) - o.begin(image), 320 * limits::kSliceBytes + 2);
  EXPECT_LT(o.memory(), 64U * 1024U);
}

TEST(Outline, MayBeMovedWhileReading) {
  Outline first;
  first.feed("{\"a\":\"half", false);
  Outline second = std::move(first);
  second.feed(" and half\"}", true);
  EXPECT_EQ(second.text(second.find(0, "a")), "half and half");
}

}  // namespace
}  // namespace shunt::json
