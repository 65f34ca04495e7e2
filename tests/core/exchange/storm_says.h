// What clients and providers say in a storm: mostly what is documented, in any dialect, now and then broken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/dice.h"
#include "core/exchange/world.h"
#include "core/fuzz.h"
#include "core/wire/aws_message.h"

namespace shunt::exchange::storm {

// What a provider's error repeats of the key it was called with; the core must not pass it on.
inline constexpr std::string_view kSecret = "sk-proj-5tormQ7xk2Lw9Zr4Bn8Vd3Hs6Jf1Pq0Tc";

inline void mutate(Dice& dice, std::string& text) {
  for (std::uint64_t n = 1 + dice.below(4); n > 0 && !text.empty(); --n) {
    const std::size_t at = dice.below(text.size());
    const std::size_t length = 1 + dice.below(std::min<std::size_t>(12, text.size() - at));
    switch (dice.below(5)) {
      case 0: text[at] = static_cast<char>(dice.below(256)); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(dice.below(text.size()), length)); break;
      case 3: text.resize(at); break;
      default: text.insert(at, 1, "\"{}[],:\n\r\\0 "[dice.below(12)]);
    }
  }
}

inline std::string request_body(Dice& dice) {
  static constexpr const char* kModels[] = {"chat",  "raced", "mixed",  "mixed", "one",   "claude", "a@p",
                                            "mixed", "raced", "claude", "c@c",   "raced", "raced"};
  static constexpr const char* kContents[] = {
      R"("hi")", R"([{"type":"text","text":"two"}])", R"("ho")", "7",
      R"([{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}])"};
  std::string content = dice.of(kContents);
  if (dice.once_in(3)) content = "\"" + std::string(dice.below(90000), 'A') + "\"";
  if (dice.once_in(40)) content = std::string(200, '[') + std::string(200, ']');
  const std::string model =
      R"("model":")" + std::string(dice.once_in(20) ? "nobody" : dice.of(kModels)) + "\"";
  const std::string messages = R"("messages":[{"role":"user","content":)" + content + "}]";
  const std::string stream = dice.once_in(3) ? "" : R"("stream":true,)";
  const std::string limit = dice.once_in(3) ? "" : R"("max_tokens":9,)";
  std::string body = dice.once_in(6) ? "{" + stream + limit + messages + "," + model + "}"
                                     : "{" + model + "," + stream + limit + messages + "}";
  if (dice.once_in(10)) mutate(dice, body);
  return body;
}

inline std::string anthropic_event(const std::string& type, const std::string& rest) {
  return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + rest + "}\n\n";
}

// Whatever the line's dialect: a provider may answer in the other one.
inline std::string stream_text(Dice& dice) {
  std::string text;
  if (dice.once_in(2)) {
    if (dice.once_in(3)) text += ": hello\n\n";
    for (std::uint64_t n = dice.below(5); n > 0; --n) text += openai_chunk("word ");
    if (dice.once_in(9)) text += "data: {\"error\":{\"message\":\"boom\",\"type\":\"server_error\"}}\n\n";
    if (!dice.once_in(5)) text += openai_finish();
    if (!dice.once_in(5)) text += openai_done();
    return text;
  }
  text += anthropic_event(
      "message_start",
      R"(,"message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}})");
  text += anthropic_event("content_block_start", R"(,"index":0,"content_block":{"type":"text","text":""})");
  for (std::uint64_t n = dice.below(4); n > 0; --n)
    text +=
        anthropic_event("content_block_delta", R"(,"index":0,"delta":{"type":"text_delta","text":"word "})");
  if (dice.once_in(9))
    text += anthropic_event("error", R"(,"error":{"type":"overloaded_error","message":"Overloaded"})");
  text += anthropic_event("content_block_stop", R"(,"index":0)");
  if (!dice.once_in(5))
    text += anthropic_event("message_delta",
                            R"(,"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5})");
  if (!dice.once_in(5)) text += anthropic_event("message_stop", "");
  return text;
}

struct Said {
  int status = 200;
  std::string headers;
  std::string body;
};

inline Said provider_says(Dice& dice) {
  static constexpr const char* kTypes[] = {"content-type: text/event-stream\n",
                                           "content-type: application/json\n", "content-type: text/html\n",
                                           "", "content-type: nonsense"};
  static constexpr int kStatuses[] = {400, 401, 402, 403, 404, 408, 413, 429,
                                      429, 500, 502, 503, 529, 302, 199};
  Said said;
  said.headers = dice.of(kTypes);
  if (dice.once_in(5)) {
    said.status = dice.of(kStatuses);
    said.body = R"({"error":{"message":"Incorrect API key provided: )" + std::string(kSecret) +
                R"(. Slow down.","type":"some_error","code":"rate_limit_exceeded"}})";
    if (dice.once_in(3)) said.headers += "retry-after: " + std::to_string(dice.below(20)) + "\n";
    if (dice.once_in(4)) said.body = "<html>" + std::string(kSecret) + "</html>";
    if (dice.once_in(9)) said.body += std::string(70000, 'x');
    return said;
  }
  if (dice.once_in(3)) {
    said.body = openai_answer("word");
    if (dice.once_in(4))
      said.body =
          R"({"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"w"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}})";
    if (dice.once_in(60)) said.body = openai_answer(std::string(4'300'000, 'w'));
    if (dice.once_in(8)) said.body.insert(0, dice.below(6000), ' ');
  } else {
    said.headers = dice.once_in(4) ? said.headers : kTypes[0];
    said.body = stream_text(dice);
    if (dice.once_in(20)) said.body.insert(0, ": " + std::string(300000, 'c') + "\n\n");
  }
  if (dice.once_in(5)) mutate(dice, said.body);
  return said;
}

// Seeds of the fuzz targets: the requests of each client's dialect, the answers of each provider's.
struct Spoken {
  std::vector<Seed> seeds;
  explicit Spoken(const std::vector<std::string>& targets) {
    for (const std::string& target : targets) {
      for (Seed& seed : corpus_of(target)) seeds.push_back(std::move(seed));
    }
  }
  const Seed& any(Dice& dice) const { return seeds[dice.below(seeds.size())]; }
};

// Of a line of any dialect, or of another.
inline Said foreign_says(Dice& dice) {
  static const Spoken kAnswers({"openai_chat", "openai_responses", "anthropic_messages", "gemini_generate",
                                "bedrock_converse", "cohere_chat", "ollama_chat", "dashscope_native"});
  const Seed& seed = kAnswers.any(dice);
  Said said;
  if (seed.name.ends_with(".aws")) {
    said.headers = "content-type: application/vnd.amazon.eventstream\n";
    for (std::string_view left = seed.bytes; !left.empty();) {
      const std::size_t end = std::min(left.find('\n'), left.size() - 1);
      const std::string_view line = left.substr(0, end);
      const std::size_t tab = std::min(line.find('\t'), line.size());
      said.body += wire::test::aws_event(line.substr(0, tab), line.substr(std::min(tab + 1, line.size())));
      left.remove_prefix(end + 1);
    }
  } else {
    said.body = seed.bytes;
    const bool json = said.body.starts_with('{') || said.body.starts_with('[');
    said.headers = json ? "content-type: application/json\n" : "content-type: text/event-stream\n";
  }
  if (dice.once_in(5)) mutate(dice, said.body);
  return said;
}

// A client of any dialect, for the route of all dialects.
struct Spoke {
  const char* target;
  std::string body;
};
inline Spoke foreign_request(Dice& dice) {
  static constexpr const char* kTargets[] = {"/v1/chat/completions",
                                             "/v1/responses",
                                             "/v1/messages",
                                             "/v1beta/models/zoo:generateContent",
                                             "/v1beta/models/zoo:streamGenerateContent?alt=sse",
                                             "/v1beta/models/zoo:streamGenerateContent"};
  static const Spoken kRequests[] = {Spoken({"request_openai_chat"}), Spoken({"request_openai_responses"}),
                                     Spoken({"request_anthropic_messages"}),
                                     Spoken({"request_gemini_generate"})};
  const std::size_t which = dice.below(std::size(kTargets));
  Spoke out{kTargets[which], kRequests[std::min<std::size_t>(which, 3)].any(dice).bytes};
  if (dice.once_in(12)) mutate(dice, out.body);
  return out;
}

}  // namespace shunt::exchange::storm
