// Bodies of attempts: whole, and while they arrive.
#include "exchange/upload.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/limits.h"
#include "exchange/intake.h"

namespace shunt::exchange {
namespace {

struct Line {
  Deployment deployment;
  Provider provider;
  BodyTarget target() const { return {&deployment, &provider, deployment.model}; }
};

Line line(DialectId dialect) {
  Line out;
  out.deployment.model = "served-model";
  out.provider.dialect = dialect;
  return out;
}

Intake intake(DialectId from = DialectId::openai_chat) {
  RequestArrived arrived;
  arrived.method = "POST";
  return Intake(arrived, {Endpoint::completion, from});
}

std::string materialise(const BodyPieces& body, const std::string& source) {
  std::string out;
  for (const auto& piece : body.pieces) {
    out += (piece.literal ? std::string_view(body.text) : std::string_view(source))
               .substr(piece.offset, piece.length);
  }
  return out;
}

// What is sent of a body that comes in slices of `step`, held against `want`; how much of it before its end.
std::size_t sent_early(DialectId from, const BodyTarget& target, const std::string& source, std::size_t step,
                       const std::string& want) {
  Intake arriving = intake(from);
  Upload upload;
  BodyPieces pieces;
  RequestProblem problem;
  std::string sent;
  for (std::size_t at = 0; at < source.size(); at += step) {
    EXPECT_TRUE(arriving.feed(std::string_view(source).substr(at, step), false));
    if (!arriving.read()) continue;
    EXPECT_TRUE(upload.advance(arriving, target, false, pieces, problem)) << problem.what;
    sent += materialise(pieces, source);
    EXPECT_LE(upload.release_to(), at + step);
  }
  const std::size_t early = sent.size();
  EXPECT_TRUE(arriving.feed({}, true) && arriving.read());
  EXPECT_TRUE(upload.advance(arriving, target, true, pieces, problem)) << problem.what;
  sent += materialise(pieces, source);
  EXPECT_EQ(sent, want) << "slices of " << step;
  return early;
}

std::string body_with_images(std::size_t bytes) {
  const std::string image = R"({"type":"image_url","image_url":{"url":"data:image/png;base64,)" +
                            std::string(bytes, 'A') + R"("}})";
  return R"({"messages":[{"role":"user","content":[{"type":"text","text":"two"},)" + image + "," + image +
         R"(]},{"role":"assistant","content":"ok"},{"role":"user","content":"and?"}],"temperature":0.5,"max_tokens":9,"model":"x"})";
}

// Whatever the slices, what is sent while the body arrives is what would have been sent at its end.
TEST(Upload, ArrivingAndWholeBodiesAreTheSame) {
  const std::string source = body_with_images(60000);
  for (const DialectId dialect : {DialectId::openai_chat, DialectId::anthropic_messages}) {
    const Line to = line(dialect);
    Intake whole = intake();
    ASSERT_TRUE(whole.feed(source, true) && whole.read());
    BodyPieces pieces;
    RequestProblem problem;
    ASSERT_TRUE(build_body(whole, to.target(), pieces, problem)) << problem.what;
    const std::string want = materialise(pieces, source);
    EXPECT_EQ(nlohmann::json::parse(want)["model"], "served-model");
    for (const std::size_t step : {997u, 4096u, 20000u, 65536u}) {
      EXPECT_GT(sent_early(DialectId::openai_chat, to.target(), source, step, want), 60000u)
          << "nothing was sent while it arrived";
    }
  }
}

// What a client says before an image, and behind it.
struct Client {
  DialectId dialect;
  std::string_view before, behind;
};
constexpr Client kClients[] = {
    {DialectId::openai_chat,
     R"({"model":"x","stream":true,"messages":[{"role":"system","content":"s"},{"role":"user","content":[)"
     R"({"type":"text","text":"See"},{"type":"image_url","image_url":{"url":"data:image/png;base64,)",
     R"("}}]}]})"},
    {DialectId::openai_responses,
     R"({"model":"x","instructions":"s","input":[{"role":"user","content":[{"type":"input_text","text":"See"},)"
     R"({"type":"input_image","image_url":"data:image/png;base64,)",
     R"("}]}]})"},
    {DialectId::anthropic_messages,
     R"({"model":"x","max_tokens":9,"system":"s","messages":[{"role":"user","content":[{"type":"text",)"
     R"("text":"See"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":")",
     R"("}}]}]})"},
    {DialectId::gemini_generate,
     R"({"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"See"},)"
     R"({"inlineData":{"mimeType":"image/png","data":")",
     R"("}}]}]})"},
};

// From every client toward every dialect that takes images. Gemini's data is kept as long as it may have to
// be rewritten.
TEST(Upload, AnImageIsSentWhileItArrives) {
  for (const Client& client : kClients) {
    const std::string source = std::string(client.before) + std::string(limits::kOutlineKeep + 60000, 'A') +
                               std::string(client.behind);
    for (const Client& provider : kClients) {
      SCOPED_TRACE(std::string(name_of(client.dialect)) + " to " + std::string(name_of(provider.dialect)));
      const Line to = line(provider.dialect);
      Intake whole = intake(client.dialect);
      ASSERT_TRUE(whole.feed(source, true) && whole.read());
      BodyPieces pieces;
      RequestProblem problem;
      ASSERT_TRUE(build_body(whole, to.target(), pieces, problem)) << problem.what;
      const std::string want = materialise(pieces, source);
      EXPECT_GT(sent_early(client.dialect, to.target(), source, 4096, want), 40000U)
          << "nothing was sent while it arrived";
    }
  }
}

// The prefix, then the role's prompt, then the client's own; members as the line wants them.
TEST(Upload, ALineAdaptsWholeAndArrivingBodies) {
  const std::string source =
      R"({"model":"x","messages":[{"role":"system","content":"Theirs."},{"role":"user","content":")" +
      std::string(30000, 'u') + R"("}],"temperature":1,"top_p":0.5})";
  for (const DialectId dialect :
       {DialectId::openai_chat, DialectId::anthropic_messages, DialectId::gemini_generate}) {
    Line to = line(dialect);
    to.deployment.adaptation = {"Ours.", {{"temperature", "0.25"}, {"x", "[]"}}, {"top_p"}};
    BodyTarget target = to.target();
    target.prompt = "As a pro.";
    Intake whole = intake();
    ASSERT_TRUE(whole.feed(source, true) && whole.read());
    BodyPieces pieces;
    RequestProblem problem;
    ASSERT_TRUE(build_body(whole, target, pieces, problem)) << problem.what;
    const std::string want = materialise(pieces, source);
    const nlohmann::json body = nlohmann::json::parse(want);
    EXPECT_EQ(body["temperature"], 0.25) << want.substr(0, 300);
    EXPECT_EQ(body["x"], nlohmann::json::array());
    EXPECT_FALSE(body.contains("top_p"));
    const std::string ours = "Ours.\n\nAs a pro.";
    if (dialect == DialectId::openai_chat) {
      EXPECT_EQ(body["messages"][0]["content"], ours + "\n\nTheirs.");
      EXPECT_EQ(pieces.dropped, std::vector<std::string>{"top_p"});
    } else if (dialect == DialectId::anthropic_messages) {
      EXPECT_EQ(body["system"][0]["text"], ours);
      EXPECT_EQ(body["system"][1]["text"], "Theirs.");
    } else {
      EXPECT_EQ(body["systemInstruction"]["parts"][0]["text"], ours);
      EXPECT_EQ(body["systemInstruction"]["parts"][1]["text"], "Theirs.");
    }
    EXPECT_GT(sent_early(DialectId::openai_chat, target, source, 997, want), 20000U)
        << "nothing was sent while it arrived";
  }
}

TEST(Upload, AnUnusualKeyOrderWaitsForTheEnd) {
  const std::string source =
      R"({"model":"x","messages":[{"content":[{"image_url":{"url":"data:image/png;base64,)" +
      std::string(30000, 'A') + R"("},"type":"image_url"}],"role":"user"}]})";
  const Line to = line(DialectId::anthropic_messages);
  Intake arriving = intake();
  Upload upload;
  BodyPieces pieces;
  RequestProblem problem;
  ASSERT_TRUE(arriving.feed(std::string_view(source).substr(0, 20000), false));
  if (arriving.read()) {
    EXPECT_TRUE(upload.advance(arriving, to.target(), false, pieces, problem)) << problem.what;
  }
  EXPECT_TRUE(pieces.pieces.empty());
  ASSERT_TRUE(arriving.feed(std::string_view(source).substr(20000), true) && arriving.read());
  ASSERT_TRUE(upload.advance(arriving, to.target(), true, pieces, problem)) << problem.what;
  EXPECT_TRUE(nlohmann::json::accept(materialise(pieces, source)));
}

}  // namespace
}  // namespace shunt::exchange
