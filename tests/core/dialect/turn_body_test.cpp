// Turns of blocks in a target's words: marks, sources, results.
#include "dialect/turn_body.h"

#include "core/dialect/request_testing.h"

namespace shunt::dialect::testing {
namespace {

constexpr MarkWords kMarks = {nullptr, R"("keep":1)", R"("keep":2)"};
constexpr FormatName kFormats[] = {{"image/png", "png"}};
constexpr TurnWords kWords = {.text = R"({"t":"$")",
                              .image = R"({"i":1)",
                              .document = R"({"d":$)",
                              .numbered = true,
                              .data = R"("type":"$","data":"$")",
                              .formats = kFormats,
                              .url = R"("url":"$")",
                              .title = R"("title":"$")",
                              .call = R"({"call":"$","name":"$")",
                              .input = R"("input":)",
                              .result = R"({"holds":[)",
                              .failed = R"("failed":true)",
                              .result_id = R"("of":"$")",
                              .marks = &kMarks};

Part part_of(PartKind kind, const char* text, CacheMark mark = CacheMark::none) {
  Part part;
  part.kind = kind;
  part.text = Text::of(text);
  part.media_type = "image/png";
  part.mark = mark;
  return part;
}

void say(Request& request, Role role, const std::vector<Part>& parts) {
  Message& message = request.messages.emplace_back();
  message.role = role;
  message.parts = parts;
  message.position = static_cast<int>(request.messages.size()) - 1;
}

std::string told(const Request& request, const TurnWords& words) {
  BodyPieces out;
  PieceWriter w(out);
  RequestProblem problem;
  if (!write_turns(words, request, w, problem)) return problem.where + " " + problem.what;
  for (const std::string& dropped : out.dropped) out.text += " -" + dropped;
  return out.text;
}

TEST(TurnBody, TurnsAlternateAndTheSystemComesLast) {
  Request request;
  say(request, Role::system, {part_of(PartKind::text, "s"), part_of(PartKind::text, "")});
  say(request, Role::user, {part_of(PartKind::text, "a")});
  say(request, Role::user, {part_of(PartKind::text, "b"), part_of(PartKind::text, "")});
  say(request, Role::assistant, {part_of(PartKind::text, "")});
  say(request, Role::developer, {part_of(PartKind::text, "d")});
  EXPECT_EQ(told(request, kWords),
            R"("messages":[{"role":"user","content":[{"t":"a"},{"t":"b"}]}],"system":[{"t":"s"},{"t":"d"}])");
}

TEST(TurnBody, SourcesByTypeAndAddress) {
  Request request;
  Part document = part_of(PartKind::document_base64, "AA");
  document.name = Text::of("n");
  say(request, Role::user,
      {part_of(PartKind::image_base64, "AA"), part_of(PartKind::image_url, "u"), document,
       part_of(PartKind::document_url, "v")});
  EXPECT_EQ(told(request, kWords),
            R"("messages":[{"role":"user","content":[{"i":1,"type":"png","data":"AA"},{"i":1,"url":"u"},)"
            R"({"d":1,"type":"png","data":"AA","title":"n"},{"d":2,"url":"v"}]}])");
  TurnWords words = kWords;
  words.url = nullptr;
  EXPECT_EQ(told(request, words), "messages[0] holds what the target cannot say");
  request.messages[0].parts = {part_of(PartKind::image_base64, "AA")};
  request.messages[0].parts[0].media_type = "image/bmp";
  EXPECT_EQ(told(request, words), "messages[0] holds what the target cannot say");
  words.formats = {};
  EXPECT_EQ(told(request, words),
            R"("messages":[{"role":"user","content":[{"i":1,"type":"image/bmp","data":"AA"}]}])");
}

TEST(TurnBody, CallsResultsAndMarks) {
  Request request;
  say(request, Role::system, {part_of(PartKind::text, "s", CacheMark::usual)});
  Part call = part_of(PartKind::tool_call, "");
  call.id = Text::of("c.1");
  call.name = Text::of("f");
  call.text = {};
  call.input = Raw::of("{}");
  Part thinking = part_of(PartKind::thinking, "");
  thinking.type = "thinking";
  say(request, Role::assistant, {thinking, call});
  Part result = part_of(PartKind::tool_result, "");
  result.id = call.id;
  result.is_error = true;
  result.content = {part_of(PartKind::text, "r", CacheMark::hour), part_of(PartKind::text, "")};
  say(request, Role::tool, {result});
  EXPECT_EQ(told(request, kWords),
            R"("messages":[{"role":"assistant","content":[{"call":"c_1","name":"f","input":{}}]},)"
            R"({"role":"user","content":[{"holds":[{"t":"r","keep":2}],"failed":true,"of":"c_1"}]}],)"
            R"("system":[{"t":"s","keep":1}] -messages[].content[] of type thinking)");
  // Apart, a mark inside a result stands behind it.
  TurnWords words = kWords;
  words.marks_apart = true;
  EXPECT_EQ(told(request, words),
            R"("messages":[{"role":"assistant","content":[{"call":"c_1","name":"f","input":{}}]},)"
            R"({"role":"user","content":[{"holds":[{"t":"r"}],"failed":true,"of":"c_1"},"keep":2]}],)"
            R"("system":[{"t":"s"},"keep":1] -messages[].content[] of type thinking)");
}

TEST(TurnBody, ASystemPromptIsText) {
  Request request;
  say(request, Role::system, {part_of(PartKind::image_url, "u")});
  EXPECT_EQ(told(request, kWords), "messages[0] a system message can hold only texts here");
}

}  // namespace
}  // namespace shunt::dialect::testing
