// Nothing of an answer is lost: every byte of recorded traffic belongs to a frame, every value of its JSON to
// an event, and extras hold what no event has.
#include <gtest/gtest.h>

#include <map>

#include "dialect/envelope.h"
#include "exchanges.h"
#include "leaf_ledger.h"

namespace shunt::dialect::test {
namespace {

using nlohmann::json;

// What recordings call an API: those whose answers are read, and in what dialect.
constexpr struct {
  std::string_view api;
  DialectId dialect;
} kRead[] = {
    {"chat.completions", DialectId::openai_chat},    {"responses", DialectId::openai_responses},
    {"messages", DialectId::anthropic_messages},     {"messages.vertex", DialectId::anthropic_messages},
    {"generateContent", DialectId::gemini_generate}, {"converse", DialectId::bedrock_converse},
    {"cohere.chat.v1", DialectId::cohere_chat},      {"cohere.chat.v2", DialectId::cohere_chat},
    {"cohere.generate", DialectId::cohere_chat},     {"ollama.chat", DialectId::ollama_chat},
    {"ollama.generate", DialectId::ollama_chat},     {"completions", DialectId::openai_completions},
};
// … those that are relayed as they come.
constexpr std::string_view kRelayed[] = {"audio",  "count_tokens", "embeddings",  "images",
                                         "models", "moderations",  "predict",     "predictions",
                                         "rerank", "interactions", "watsonx.text"};
// Bedrock's InvokeModel speaks the model's own API, by a part of the model's name.
constexpr struct {
  std::string_view model;
  DialectId dialect;
} kInvoked[] = {
    {"claude-instant", DialectId::openai_completions},
    {"claude-v2", DialectId::openai_completions},
    {"claude", DialectId::anthropic_messages},
    {"nova", DialectId::bedrock_converse},
    {"cohere.command-", DialectId::cohere_chat},
    {"openai.", DialectId::openai_chat},
    {"jamba", DialectId::openai_chat},
    {"", DialectId::openai_completions},
};

struct Answer {
  std::string id;
  DialectId dialect;
  bool stream;
  std::string body;
};

DialectId dialect_invoked(const std::string& model, const std::string& body) {
  // Claude 2 was served in two APIs.
  if (body.find(R"("type": "message")") != std::string::npos) return DialectId::anthropic_messages;
  for (const auto& each : kInvoked) {
    if (model.find(each.model) != std::string::npos) return each.dialect;
  }
  return DialectId::openai_completions;
}

// Answers under another API's name: a bill, and chunks of Chat Completions for a call of Responses.
bool is_another(const json& row, const std::string& body) {
  const std::string url = row["request"].value("url", "");
  return url.find("/organization/usage/") != std::string::npos ||
         (row["api"] == "responses" && body.find(R"("chat.completion.chunk")") != std::string::npos);
}

std::optional<Answer> answer_of(const json& row) {
  const json& response = row["response"];
  if (response["status"].get<int>() / 100 != 2) return std::nullopt;
  const std::string api = row["api"];
  const bool text = response.contains("body_text") && response["body_text"].is_string();
  Answer answer{row["id"], DialectId::openai_chat, row["framing"] != "json" && row["framing"] != "json-array",
                text ? response["body_text"].get<std::string>() : from_base64(response["body_base64"])};
  if (api == "invoke") {
    answer.dialect = dialect_invoked(row["model"], answer.body);
    return answer;
  }
  for (const auto& each : kRead) {
    if (each.api != api) continue;
    answer.dialect = each.dialect;
    return is_another(row, answer.body) ? std::nullopt : std::optional(answer);
  }
  EXPECT_NE(std::find(std::begin(kRelayed), std::end(kRelayed), api), std::end(kRelayed)) << api;
  return std::nullopt;
}

std::vector<Answer> recorded() {
  std::vector<Answer> all;
  const auto folder = shared_data() / "traces";
  if (!std::filesystem::is_directory(folder)) return all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (auto answer = answer_of(json::parse(line))) all.push_back(std::move(*answer));
    }
  }
  return all;
}

// The project's own recordings: the providers' bytes of each attempt that was answered with 200.
std::vector<Answer> own() {
  std::map<std::string, std::string> bodies;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(SHUNT_SOURCE_DIR) / "tests" / "traces")) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream file(entry.path());
    std::map<std::string, int> statuses;
    for (std::string line; std::getline(file, line);) {
      const json row = json::parse(line);
      const std::string attempt = entry.path().stem().string() + " " + row.value("x", json()).dump() + "." +
                                  row.value("stream", json()).dump();
      const std::string op = row.value("op", "");
      if (op == "head_arrived") statuses[attempt] = row["a"];
      if (op != "bytes_arrived" || statuses[attempt] != 200) continue;
      bodies[attempt] += row.contains("p64") ? from_base64(row["p64"]) : row["p"].get<std::string>();
    }
  }
  std::vector<Answer> all;
  for (const auto& [attempt, body] : bodies) {
    const bool anthropic = body.find(R"("type":"message)") != std::string::npos;
    all.push_back({attempt, anthropic ? DialectId::anthropic_messages : DialectId::openai_chat,
                   wire::sniff({}, body, wire::BodyHead::whole) == wire::BodyShape::sse, body});
  }
  return all;
}

// The JSON of a frame as the ledger takes it: under the name of the AWS event, or out of InvokeModel's
// envelope.
json value_of(const wire::Frame& frame, DialectId dialect) {
  json value = json::parse(frame.data, nullptr, false);
  if (value.is_object() && value.contains("bytes")) {
    for (const auto& [key, member] : value.items()) EXPECT_TRUE(key == "bytes" || key == "p") << key;
    return json::parse(from_base64(value["bytes"]), nullptr, false);
  }
  if (dialect == DialectId::bedrock_converse && !value.is_discarded())
    return json{{std::string(frame.event), value}};
  return value;
}

// A frame that holds no JSON must be an event of its own all the same.
void check_words(const Answer& answer, const wire::Frame& frame, const EventList& events) {
  if (frame.kind == wire::Frame::Kind::event && frame.data.empty()) return;
  if (frame.data == "[DONE]") return;  // behind the dialect's own end, where it has one
  EXPECT_FALSE(events.empty()) << answer.id << ": " << frame.data.substr(0, 80);
}

// What follows is no part of the answer: behind its own end, or where the protocol was broken (two answers in
// one). A Response may follow another.
bool is_over(DialectId dialect, const EventList& events) {
  return std::any_of(events.begin(), events.end(), [&](const Event& each) {
    const auto* error = std::get_if<event::Error>(&each);
    const bool done = std::holds_alternative<event::Done>(each) && dialect != DialectId::openai_responses;
    return done || (error != nullptr && error->type == "protocol_error");
  });
}

void read_stream(const Answer& answer, LeafLedger& ledger) {
  const wire::BodyShape shape =
      wire::sniff({}, answer.body, wire::BodyHead::whole).value_or(wire::BodyShape::sse);
  wire::Framer framer(shape);
  const auto decoder = decoder_for(*find(answer.dialect), 0, shape);
  std::string raws;
  EventList events;
  bool over = false;
  const auto drain = [&] {
    for (wire::Frame frame; framer.next(frame);) {
      raws += frame.raw;
      events.clear();
      decoder->decode(frame, events);
      if (over) continue;
      over = is_over(answer.dialect, events);
      const json value = value_of(frame, answer.dialect);
      if (value.is_structured()) {
        ledger.frame(value, events);
      } else {
        check_words(answer, frame, events);
      }
    }
  };
  framer.feed(answer.body);
  drain();
  framer.finish();
  drain();
  EXPECT_EQ(raws + std::string(framer.tail()), answer.body) << answer.id;
}

std::string faults_of(const Answer& answer, std::set<std::string>* used = nullptr) {
  LeafLedger ledger(answer.dialect);
  if (answer.stream) {
    read_stream(answer, ledger);
  } else {
    EventList events;
    std::string scratch;
    find(answer.dialect)->decode_answer(answer.body, 0, events, scratch);
    const json value = json::parse(answer.body, nullptr, false);
    if (value.is_structured()) ledger.frame(value, events);
  }
  if (used != nullptr) {
    for (const std::string_view key : ledger.used_wholes()) used->emplace(key);
  }
  std::string text;
  const std::vector<std::string> faults = ledger.faults();
  for (const std::string& line : std::set<std::string>(faults.begin(), faults.end()))
    text += answer.id + ": " + line + "\n";
  return text;
}

TEST(LeafLedger, EveryValueOfRecordedTrafficIsInAnEvent) {
  const std::vector<Answer> all = recorded();
  if (all.empty()) GTEST_SKIP() << "no recorded traffic here";
  std::set<std::string> used;
  for (const Answer& answer : all) EXPECT_EQ(faults_of(answer, &used), "");
  for (const Whole& each : wholes()) EXPECT_TRUE(used.count(std::string(each.key)) > 0) << each.key;
  EXPECT_GT(all.size(), 1200U);
}

TEST(LeafLedger, EveryValueOfOurOwnRecordingsIsInAnEvent) {
  const std::vector<Answer> all = own();
  for (const Answer& answer : all) EXPECT_EQ(faults_of(answer), "");
  EXPECT_GT(all.size(), 60U);
}

TEST(LeafLedger, EveryValueOfLabelledStreamsIsInAnEvent) {
  std::ifstream file(shared_data() / "streams" / "index.jsonl");
  if (!file) GTEST_SKIP() << "no labelled streams here";
  std::size_t streams = 0;
  for (std::string line; std::getline(file, line);) {
    const json row = json::parse(line);
    const auto dialect = dialect_named(row.value("dialect", ""));
    if (!dialect || find(*dialect) == nullptr) continue;
    std::ifstream body(shared_data() / "streams" / "bodies" / row["file"].get<std::string>(),
                       std::ios::binary);
    EXPECT_EQ(faults_of({row["name"], *dialect, true, std::string(std::istreambuf_iterator<char>(body), {})}),
              "");
    ++streams;
  }
  EXPECT_GT(streams, 100U);
}

// The ledger itself: it finds what is not there, and what is there twice.
TEST(LeafLedger, FindsWhatWasLostAndWhatIsToldTwice) {
  const json chunk = json::parse(
      R"({"id":"c","created":7,"model":"m","odd":[1],"choices":[{"index":0,"delta":{"content":"Hi"}}]})");
  const event::Start start{"c", "m", 7};
  const event::TextDelta text{0, "Hi"};
  const event::Extra odd{-1, "chunk.odd", "[1]"};
  const auto faults = [&](const EventList& events) {
    LeafLedger ledger(DialectId::openai_chat);
    ledger.frame(chunk, events);
    return ledger.faults();
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(faults({start, text, odd}), Lines{});
  EXPECT_EQ(faults({start, text}), Lines{"nowhere: odd/0 = 1"});
  EXPECT_EQ(faults({start, odd}), Lines{"not as the table says: choices/0/delta/content = \"Hi\""});
  EXPECT_EQ(faults({event::Start{"c", "n", 7}, text, odd}), Lines{"not as the table says: model = \"m\""});
  EXPECT_EQ(faults({start, text, odd, event::Extra{-1, "chunk.model", "\"m\""}}),
            Lines{"an extra of what events have: chunk.model = \"m\""});
  EXPECT_EQ(faults({start, text, odd, event::Extra{0, "delta.made", "9"}}),
            Lines{"an extra of nothing: delta.made = 9"});
}

}  // namespace
}  // namespace shunt::dialect::test
