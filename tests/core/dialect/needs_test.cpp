// What a request needs of a line beside text, by each dialect's own words for it.
#include "core/dialect/request_testing.h"

namespace shunt::dialect {
namespace {

using namespace testing;

std::string needs_of(DialectId dialect, std::string_view body) {
  Request request;
  RequestProblem problem;
  EXPECT_TRUE(read(dialect, outline_of(body, dialect), request, problem)) << problem.what << ": " << body;
  std::string names;
  for (std::size_t i = 0; i < std::size(kAbilities); ++i) {
    if (request.needs.has(static_cast<Ability>(i)))
      names += std::string(names.empty() ? "" : " ") + std::string(kAbilities[i]);
  }
  return names;
}

std::string chat(std::string_view part, std::string_view more = "") {
  return R"({"model":"m","messages":[{"role":"user","content":[)" + std::string(part) + "]}]" +
         std::string(more) + "}";
}
std::string responses(std::string_view part) {
  return R"({"model":"m","input":[{"role":"user","content":[)" + std::string(part) + "]}]}";
}
std::string messages(std::string_view part) {
  return R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":[)" + std::string(part) + "]}]}";
}
std::string gemini(std::string_view part, std::string_view config = "{}") {
  return R"({"contents":[{"role":"user","parts":[)" + std::string(part) + R"(]}],"generationConfig":)" +
         std::string(config) + "}";
}

TEST(Needs, ImagesAskForVision) {
  EXPECT_EQ(
      needs_of(DialectId::openai_chat, chat(R"({"type":"image_url","image_url":{"url":"https://a/b.png"}})")),
      "vision");
  EXPECT_EQ(needs_of(DialectId::openai_responses,
                     responses(R"({"type":"input_image","image_url":"https://a/b.png"})")),
            "vision");
  EXPECT_EQ(needs_of(DialectId::anthropic_messages,
                     messages(R"({"type":"image","source":{"type":"url","url":"https://a/b.png"}})")),
            "vision");
  EXPECT_EQ(needs_of(DialectId::gemini_generate,
                     gemini(R"({"inlineData":{"mimeType":"image/png","data":"AAAA"}})")),
            "vision");
}

TEST(Needs, FilesAskForDocumentsAndTextsForNothing) {
  EXPECT_EQ(
      needs_of(
          DialectId::openai_chat,
          chat(
              R"({"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AA=="}})")),
      "documents");
  EXPECT_EQ(needs_of(DialectId::openai_responses,
                     responses(R"({"type":"input_file","file_url":"https://a/b.pdf"})")),
            "documents");
  EXPECT_EQ(
      needs_of(
          DialectId::anthropic_messages,
          messages(
              R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AA=="}})")),
      "documents");
  EXPECT_EQ(
      needs_of(
          DialectId::anthropic_messages,
          messages(R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"hi"}})")),
      "");
  EXPECT_EQ(needs_of(DialectId::gemini_generate,
                     gemini(R"({"inlineData":{"mimeType":"application/pdf","data":"AAAA"}})")),
            "documents");
  EXPECT_EQ(needs_of(DialectId::openai_chat, chat(R"({"type":"text","text":"hi"})")), "");
}

TEST(Needs, SoundAndFilmAreTold) {
  EXPECT_EQ(needs_of(DialectId::openai_chat,
                     chat(R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}})")),
            "audio");
  EXPECT_EQ(
      needs_of(DialectId::openai_chat, chat(R"({"type":"video_url","video_url":{"url":"https://a/b.mp4"}})")),
      "video");
  EXPECT_EQ(needs_of(DialectId::openai_responses,
                     responses(R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}})")),
            "audio");
  EXPECT_EQ(needs_of(DialectId::gemini_generate,
                     gemini(R"({"inlineData":{"mimeType":"audio/wav","data":"AAAA"}})")),
            "audio");
  EXPECT_EQ(needs_of(DialectId::gemini_generate,
                     gemini(R"({"fileData":{"mimeType":"video/mp4","fileUri":"https://a/b"}})")),
            "video");
}

TEST(Needs, AnswersOfMoreThanTextAreAskedOfThoseThatGiveThem) {
  EXPECT_EQ(needs_of(DialectId::openai_chat,
                     chat(R"({"type":"text","text":"hi"})",
                          R"(,"modalities":["text","audio"],"audio":{"voice":"alloy","format":"wav"})")),
            "audio_output");
  EXPECT_EQ(
      needs_of(DialectId::openai_chat, chat(R"({"type":"text","text":"hi"})", R"(,"modalities":["text"])")),
      "");
  EXPECT_EQ(needs_of(DialectId::gemini_generate,
                     gemini(R"({"text":"hi"})", R"({"responseModalities":["TEXT","IMAGE"]})")),
            "image_output");
  EXPECT_EQ(
      needs_of(DialectId::gemini_generate, gemini(R"({"text":"hi"})", R"({"responseModalities":["AUDIO"]})")),
      "audio_output");
}

}  // namespace
}  // namespace shunt::dialect
