// Recorded answers of the dialects that tables describe, decoded whole and in small pieces, and compared with
// a second reading by a DOM that shares no code with the decoders.
#include <gtest/gtest.h>

#include "exchanges.h"

namespace shunt::dialect::test {
namespace {

using nlohmann::json;

struct Said {
  std::string text, reasoning, finish;
  std::vector<std::pair<std::string, json>> calls;  // names and arguments
  friend bool operator==(const Said&, const Said&) = default;
};

struct Recording {
  std::string id, api, body;
  bool stream = false;
};

std::vector<Recording> recordings(const std::string& api) {
  std::vector<Recording> all;
  const auto folder = shared_data() / "traces";
  if (!std::filesystem::is_directory(folder)) return all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.find("\"api\": \"" + api + "\"") == std::string::npos) continue;
      const json row = json::parse(line);
      const json& response = row["response"];
      if (row["api"] != api || response["status"].get<int>() / 100 != 2) continue;
      const bool text = response.contains("body_text") && response["body_text"].is_string();
      all.push_back({row["id"], api,
                     text ? response["body_text"].get<std::string>() : from_base64(response["body_base64"]),
                     row["framing"] != "json"});
    }
  }
  return all;
}

// The JSON of each frame; of an AWS event stream under the event's name.
std::vector<json> frames_of(const Recording& recording) {
  std::vector<json> all;
  if (!recording.stream) return {json::parse(recording.body)};
  wire::Framer framer(wire::sniff({}, recording.body, wire::BodyHead::whole).value());
  framer.feed(recording.body);
  framer.finish();
  for (wire::Frame frame; framer.next(frame);) {
    json value = json::parse(frame.data, nullptr, false);
    if (!value.is_object()) continue;
    if (recording.api == "converse") value = {{frame.event, value}};
    all.push_back(std::move(value));
  }
  return all;
}

std::string text_at(const json& object, const char* path) {
  const json::json_pointer at(path);
  return object.contains(at) && object[at].is_string() ? object[at].get<std::string>() : std::string();
}

json object_at(const json& object, const char* path) {
  const json::json_pointer at(path);
  return object.contains(at) ? object[at] : json();
}

void keep(std::string& field, const std::string& value) {
  if (!value.empty()) field = value;
}

json arguments_of(const json& said) {
  if (!said.is_string()) return said.is_null() ? json::object() : said;
  const json parsed = json::parse(said.get<std::string>(), nullptr, false);
  return parsed.is_discarded() ? (said == "" ? json::object() : said) : parsed;
}

// Argument fragments are joined first and parsed when everything has come.
struct Joined {
  Said said;
  std::vector<std::pair<std::string, std::string>> open;

  Said done() {
    for (const auto& [name, text] : open) said.calls.emplace_back(name, arguments_of(text));
    return said;
  }
};

Said read_converse(const std::vector<json>& frames) {
  Joined out;
  for (const json& frame : frames) {
    for (const json& block : object_at(frame, "/output/message/content")) {
      out.said.text += text_at(block, "/text");
      for (const json& cited : object_at(block, "/citationsContent/content"))
        out.said.text += text_at(cited, "/text");
      out.said.reasoning += text_at(block, "/reasoningContent/reasoningText/text");
      if (block.contains("toolUse"))
        out.open.emplace_back(block["toolUse"]["name"], block["toolUse"]["input"].dump());
    }
    if (const json start = object_at(frame, "/contentBlockStart/start/toolUse"); start.is_object())
      out.open.emplace_back(start["name"], "");
    out.said.text += text_at(frame, "/contentBlockDelta/delta/text");
    out.said.reasoning += text_at(frame, "/contentBlockDelta/delta/reasoningContent/text");
    const std::string input = text_at(frame, "/contentBlockDelta/delta/toolUse/input");
    if (!input.empty()) out.open.back().second += input;
    keep(out.said.finish, text_at(frame, "/messageStop/stopReason") + text_at(frame, "/stopReason"));
  }
  return out.done();
}

Said read_cohere(const std::vector<json>& frames) {
  Joined out;
  bool whole_calls = true;
  for (const json& frame : frames) {
    const std::string type = text_at(frame, "/type"), old = text_at(frame, "/event_type");
    const json message = type.empty() ? object_at(frame, "/message") : object_at(frame, "/delta/message");
    out.said.reasoning += text_at(message, "/tool_plan");
    const json content = object_at(message, "/content");
    for (const json& part : content.is_array() ? content : json::array({content})) {
      out.said.text += text_at(part, "/text");
      out.said.reasoning += text_at(part, "/thinking");
    }
    const json calls = object_at(message, "/tool_calls");
    for (const json& call : calls.is_array() ? calls : json::array({calls})) {
      const std::string name = text_at(call, "/function/name");
      if (!name.empty()) out.open.emplace_back(name, "");
      if (call.is_object()) out.open.back().second += text_at(call, "/function/arguments");
    }
    if (old == "text-generation" || (old.empty() && type.empty())) out.said.text += text_at(frame, "/text");
    if (old == "tool-calls-chunk") {
      out.said.reasoning += text_at(frame, "/text");
      const json call = object_at(frame, "/tool_call_delta");
      whole_calls = whole_calls && !call.is_object();
      if (const std::string name = text_at(call, "/name"); !name.empty()) out.open.emplace_back(name, "");
      if (const std::string more = text_at(call, "/parameters"); !more.empty())
        out.open.back().second += more;
    }
    if (whole_calls && (old.empty() || old == "tool-calls-generation")) {
      for (const json& call : object_at(frame, "/tool_calls"))
        out.open.emplace_back(call["name"], call["parameters"].dump());
    }
    for (const json& generation : object_at(frame, "/generations")) {
      out.said.text += text_at(generation, "/text");
      keep(out.said.finish, text_at(generation, "/finish_reason"));
      break;  // the first choice
    }
    keep(out.said.finish, text_at(frame, "/finish_reason") + text_at(frame, "/delta/finish_reason"));
  }
  return out.done();
}

Said read_ollama(const std::vector<json>& frames) {
  Said out;
  for (const json& frame : frames) {
    out.text += text_at(frame, "/message/content") + text_at(frame, "/response");
    out.reasoning += text_at(frame, "/message/thinking") + text_at(frame, "/thinking");
    for (const json& call : object_at(frame, "/message/tool_calls"))
      out.calls.emplace_back(call["function"]["name"], call["function"]["arguments"]);
    keep(out.finish, text_at(frame, "/done_reason"));
  }
  return out;
}

Said read_completions(const std::vector<json>& frames) {
  Said out;
  for (const json& frame : frames) {
    out.text += text_at(frame, "/completion") + text_at(frame, "/value");
    keep(out.finish, text_at(frame, "/stop_reason"));
    for (const char* list : {"/choices", "/completions"}) {
      for (const json& choice : object_at(frame, list)) {
        if (choice.value("index", 0) != 0) continue;
        out.text += text_at(choice, "/text") + text_at(choice, "/completion") +
                    text_at(choice, "/delta/content") + text_at(choice, "/message/content");
        keep(out.finish, text_at(choice, "/finish_reason"));
      }
    }
  }
  return out;
}

Said said_by(const Folded& folded) {
  Said out;
  if (folded.choices.empty()) return out;
  const FoldedChoice& choice = folded.choices.front();
  out = {choice.text, choice.reasoning_text(), choice.finish_raw, {}};
  for (const FoldedCall& call : choice.calls)
    out.calls.emplace_back(call.name, arguments_of(json(call.arguments)));
  return out;
}

// Fields that events have; an Extra of one of these names would be said twice. (Each of Cohere's generations
// has an id of its own.)
void expect_no_known_extras(const Folded& folded, const std::string& id) {
  std::vector<std::string> extras = folded.extras;
  for (const FoldedChoice& choice : folded.choices)
    extras.insert(extras.end(), choice.extras.begin(), choice.extras.end());
  for (const std::string& extra : extras) {
    const std::string key = extra.substr(0, extra.find('\n'));
    if (extra != "native.id\n\"" + folded.id + "\"" && key == "native.id") continue;
    for (const char* known : {"text",       "content",     "thinking",
                              "tool_calls", "toolUse",     "usage",
                              "id",         "model",       "finish_reason",
                              "stopReason", "stop_reason", "message",
                              "response",   "choices",     "delta",
                              "done",       "done_reason", "p",
                              "role",       "index",       "contentBlockIndex"}) {
      EXPECT_NE(key, std::string("native.") + known) << id;
    }
  }
}

void check(const char* api, DialectId dialect, Said (*read)(const std::vector<json>&), std::size_t at_least) {
  const std::vector<Recording> all = recordings(api);
  if (all.empty()) GTEST_SKIP() << "no recorded traffic here";
  std::size_t compared = 0;
  for (const Recording& recording : all) {
    const Folded whole =
        recording.stream ? fold_stream(dialect, recording.body) : fold_answer(dialect, recording.body);
    const Said got = said_by(whole);
    EXPECT_EQ(whole.bad_frames, 0U) << recording.id;
    if (recording.stream) {
      EXPECT_TRUE(got == said_by(fold_stream(dialect, recording.body, {1, 7, 3}))) << recording.id;
    }
    expect_no_known_extras(whole, recording.id);
    if (!whole.errors.empty()) continue;
    const Said want = read(frames_of(recording));
    ++compared;
    EXPECT_EQ(got.text, want.text) << recording.id;
    EXPECT_EQ(got.reasoning, want.reasoning) << recording.id;
    EXPECT_EQ(got.finish, want.finish) << recording.id;
    EXPECT_TRUE(got.calls == want.calls) << recording.id;
  }
  EXPECT_GE(compared, at_least);
}

TEST(TableTraces, Converse) { check("converse", DialectId::bedrock_converse, read_converse, 40); }
TEST(TableTraces, CohereVersion1) { check("cohere.chat.v1", DialectId::cohere_chat, read_cohere, 9); }
TEST(TableTraces, CohereVersion2) { check("cohere.chat.v2", DialectId::cohere_chat, read_cohere, 28); }
TEST(TableTraces, CohereGenerate) { check("cohere.generate", DialectId::cohere_chat, read_cohere, 4); }
TEST(TableTraces, OllamaChat) { check("ollama.chat", DialectId::ollama_chat, read_ollama, 28); }
TEST(TableTraces, OllamaGenerate) { check("ollama.generate", DialectId::ollama_chat, read_ollama, 7); }
TEST(TableTraces, Completions) { check("completions", DialectId::openai_completions, read_completions, 45); }

}  // namespace
}  // namespace shunt::dialect::test
