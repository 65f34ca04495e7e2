// What a line changes, from every dialect that clients speak to every one that is written.
#include "dialect/adapt.h"

#include "core/dialect/request_testing.h"

namespace shunt::dialect::testing {
namespace {

using Params = std::vector<std::pair<std::string, std::string>>;
using Names = std::vector<std::string>;

constexpr DialectId kFrom[] = {DialectId::openai_chat, DialectId::openai_responses,
                               DialectId::anthropic_messages, DialectId::gemini_generate};

std::vector<DialectId> targets() {
  std::vector<DialectId> all;
  for (std::size_t i = 0; i < kDialectNames.size(); ++i) {
    const Dialect* const row = find(static_cast<DialectId>(i));
    if (row != nullptr && row->write_request != nullptr) all.push_back(row->id);
  }
  return all;
}

// One user message, with a system prompt or without, and parameters that most targets have a word for.
std::string body_of(DialectId from, std::string_view system) {
  const std::string kept(system);
  Json body;
  if (from == DialectId::openai_responses) {
    body =
        Json::parse(R"({"model":"a","input":"hello","max_output_tokens":50,"temperature":0.5,"top_p":0.9})");
    if (!system.empty()) body["instructions"] = kept;
  } else if (from == DialectId::anthropic_messages) {
    body = Json::parse(
        R"({"model":"a","messages":[{"role":"user","content":"hello"}],"max_tokens":50,"temperature":0.5})");
    if (!system.empty()) body["system"] = kept;
  } else if (from == DialectId::gemini_generate) {
    body = Json::parse(
        R"({"contents":[{"role":"user","parts":[{"text":"hello"}]}],"generationConfig":{"temperature":0.5}})");
    if (!system.empty()) body["systemInstruction"]["parts"][0]["text"] = kept;
  } else {
    body = Json::parse(R"({"model":"a","messages":[],"max_tokens":50,"temperature":0.5,"top_p":0.9})");
    if (!system.empty()) body["messages"].push_back({{"role", "system"}, {"content", kept}});
    body["messages"].push_back({{"role", "user"}, {"content", "hello"}});
  }
  return body.dump();
}

Translated adapt(DialectId from, DialectId to, std::string_view body, const RequestTarget& target) {
  if (from == to) return splice(from, body, target);
  return translated(from, body, [&](const Request& request, BodyPieces& pieces, RequestProblem& problem) {
    return write_adapted(*find(to), request, target, pieces, problem);
  });
}

// Texts of a string, or of a list of parts.
std::string texts_of(const Json& content) {
  if (content.is_string()) return content;
  std::string all;
  for (const Json& part : content) all += (all.empty() ? "" : "\n\n") + part["text"].get<std::string>();
  return all;
}

// The system prompt where the target's API has it; no message behind the first is one.
std::string system_of(DialectId to, const Json& body) {
  if (to == DialectId::anthropic_messages || to == DialectId::bedrock_converse)
    return body.contains("system") ? texts_of(body["system"]) : "";
  if (to == DialectId::gemini_generate)
    return body.contains("systemInstruction") ? texts_of(body["systemInstruction"]["parts"]) : "";
  if (to == DialectId::lmstudio_native) return body.value("system_prompt", "");
  if (to == DialectId::ernie_native) return body.value("system", "");
  if (to == DialectId::openai_completions) {
    const std::string prompt = body["prompt"];
    EXPECT_TRUE(prompt.ends_with("hello"));
    return prompt == "hello" ? "" : prompt.substr(0, prompt.size() - 7);
  }
  std::string all = body.value("instructions", "");
  const Json& list = to == DialectId::openai_responses   ? body["input"]
                     : to == DialectId::dashscope_native ? body["input"]["messages"]
                                                         : body["messages"];
  if (list.is_string()) return all;
  std::size_t at = 0;
  for (const Json& message : list) {
    if (message["role"] == "system") {
      EXPECT_EQ(at, 0U) << body;
      all += (all.empty() ? "" : "\n\n") + texts_of(message["content"]);
    }
    ++at;
  }
  return all;
}

std::string pair_name(DialectId from, DialectId to) {
  return std::string(name_of(from)) + " to " + std::string(name_of(to));
}

TEST(Adapt, TheLinesSystemTextComesBeforeTheClients) {
  const std::string_view ours = "Be \"brief\".\n\n模型";
  for (const DialectId from : kFrom) {
    for (const DialectId to : targets()) {
      SCOPED_TRACE(pair_name(from, to));
      for (const std::string_view theirs : {"", "I am a \"client\"."}) {
        RequestTarget target{"m", 0, {}};
        const std::string body = body_of(from, theirs);
        const Translated plain = adapt(from, to, body, target);
        target.system = ours;
        const Translated got = adapt(from, to, body, target);
        ASSERT_EQ(got.ok, plain.ok) << got.problem.what;
        if (to == DialectId::openai_completions && !theirs.empty()) {
          EXPECT_FALSE(got.ok) << "it has no place for the client's";
          continue;
        }
        ASSERT_TRUE(got.ok) << got.problem.what;
        EXPECT_EQ(system_of(to, plain.body), theirs);
        EXPECT_EQ(system_of(to, got.body),
                  theirs.empty() ? std::string(ours) : std::string(ours) + "\n\n" + std::string(theirs))
            << got.text;
        EXPECT_NE(got.text.find("hello"), std::string::npos);
        EXPECT_EQ(got.dropped, plain.dropped);
      }
    }
  }
}

// Members that are the conversation itself, or the model, are not for a line to change: configuration refuses
// them.
bool is_content(const std::string& name) {
  for (const char* content : {"model", "messages", "input", "contents", "stream", "prompt", "instructions",
                              "system", "systemInstruction", "system_prompt"}) {
    if (name == content) return true;
  }
  return false;
}

TEST(Adapt, ParamsReplaceTheMemberOrComeLast) {
  const Params fresh = {{"x_extra", R"({"a":[1,"]}\""],"b":{}})"}, {"x_flag", "true"}};
  for (const DialectId from : kFrom) {
    for (const DialectId to : targets()) {
      SCOPED_TRACE(pair_name(from, to));
      const std::string body = body_of(from, to == DialectId::openai_completions ? "" : "sys");
      const RequestTarget target{"m", 0, {}};
      const Translated plain = adapt(from, to, body, target);
      ASSERT_TRUE(plain.ok) << plain.problem.what;
      RequestTarget changed = target;
      changed.params = fresh;
      const Translated added = adapt(from, to, body, changed);
      Json expected = plain.body;
      for (const auto& [name, value] : fresh) expected[name] = Json::parse(value);
      EXPECT_EQ(added.body, expected) << added.text;
      EXPECT_EQ(added.dropped, plain.dropped);
      for (const auto& [name, value] : plain.body.items()) {
        if (is_content(name)) continue;
        const Params one = {{name, R"({"new":"}"})"}};
        changed.params = one;
        expected = plain.body;
        expected[name] = Json::parse(one[0].second);
        const Translated got = adapt(from, to, body, changed);
        EXPECT_EQ(got.body, expected) << got.text;
        const std::string key = "\"" + name + "\":";
        EXPECT_EQ(got.text.find(key), got.text.rfind(key)) << "once: " << got.text;
      }
    }
  }
}

TEST(Adapt, DroppedMembersAreLeftOutAndSaid) {
  for (const DialectId from : kFrom) {
    for (const DialectId to : targets()) {
      SCOPED_TRACE(pair_name(from, to));
      const std::string body = body_of(from, to == DialectId::openai_completions ? "" : "sys");
      const RequestTarget target{"m", 0, 99};
      const Translated plain = adapt(from, to, body, target);
      ASSERT_TRUE(plain.ok) << plain.problem.what;
      Json left = plain.body;
      Names all;
      const auto expect_dropped = [&](const Names& names) {
        RequestTarget changed = target;
        changed.drop = names;
        const Translated got = adapt(from, to, body, changed);
        Json expected = plain.body;
        for (const std::string& name : names) {
          if (to == DialectId::anthropic_messages && name == "max_tokens") {
            expected[name] = 99;
            continue;
          }
          expected.erase(name);
          const bool there = plain.body.contains(name);
          EXPECT_EQ(std::count(got.dropped.begin(), got.dropped.end(), name), there ? 1 : 0) << name;
        }
        EXPECT_EQ(got.body, expected) << got.text;
      };
      expect_dropped({"nothing_of_that_name"});
      for (const auto& [name, value] : plain.body.items()) {
        if (is_content(name)) continue;
        all.push_back(name);
        expect_dropped({name});
      }
      expect_dropped(all);
    }
  }
}

// A line may have its own system prompt in place of the client's.
TEST(Adapt, TheClientsSystemPromptMayBeLeftOut) {
  struct Case {
    DialectId to;
    const char* member;
  };
  for (const Case& c : {Case{DialectId::anthropic_messages, "system"},
                        {DialectId::bedrock_converse, "system"},
                        {DialectId::openai_responses, "instructions"},
                        {DialectId::gemini_generate, "systemInstruction"},
                        {DialectId::gemini_generate, "system_instruction"},
                        {DialectId::ernie_native, "system"},
                        {DialectId::lmstudio_native, "system_prompt"}}) {
    for (const DialectId from : kFrom) {
      SCOPED_TRACE(pair_name(from, c.to));
      const Names drop = {c.member};
      RequestTarget target{"m", 0, {}};
      target.drop = drop;
      const Translated bare = adapt(from, c.to, body_of(from, "theirs"), target);
      EXPECT_EQ(system_of(c.to, bare.body), "") << bare.text;
      target.system = "ours";
      const Translated got = adapt(from, c.to, body_of(from, "theirs"), target);
      EXPECT_EQ(system_of(c.to, got.body), "ours") << got.text;
    }
  }
}

struct Spliced {
  const char* rule;
  DialectId dialect;
  const char* from;
  const char* to;
};

TEST(Adapt, ASplicedBodyKeepsItsOtherBytes) {
  const Params params = {{"max_tokens", "7"}, {"x", "[ 1 ]"}};
  const Names drop = {"n"};
  const RequestTarget target{"m", 0, {}, "P", params, drop};
  const Spliced cases[] = {
      {"into the system message", DialectId::openai_chat,
       R"({ "n":2, "model":"a", "messages" : [ {"role":"system", "content":"s"} ] , "max_completion_tokens" : 9 })",
       R"({ "model":"m", "messages" : [ {"role":"system", "content":"P\n\ns"} ] , "max_tokens":7 ,"x":[ 1 ]})"},
      {"into its parts", DialectId::openai_chat,
       R"({"model":"a","messages":[{"role":"developer","content":[ {"type":"text","text":"s"}]}],"x":0})",
       R"({"model":"m","messages":[{"role":"developer","content":[{"type":"text","text":"P"}, {"type":"text","text":"s"}]}],"x":[ 1 ],"max_tokens":7})"},
      {"before a user's message", DialectId::openai_chat,
       R"({"model":"a","messages":[ {"role":"user","content":"u"}],"max_tokens":1})",
       R"({"model":"m","messages":[{"role":"system","content":"P"}, {"role":"user","content":"u"}],"max_tokens":7,"x":[ 1 ]})"},
      {"both names of max_tokens", DialectId::openai_chat,
       R"({"model":"a","messages":[],"max_tokens":1,"max_completion_tokens":2})",
       R"({"model":"m","messages":[{"role":"system","content":"P"}],"max_tokens":7,"x":[ 1 ]})"},
      {"into a string", DialectId::anthropic_messages, R"({"system":"s","messages":[],"model":"a"})",
       R"({"system":"P\n\ns","messages":[],"model":"m","max_tokens":7,"x":[ 1 ]})"},
      {"into an empty string", DialectId::anthropic_messages, R"({"system":"","messages":[],"model":"a"})",
       R"({"system":"P","messages":[],"model":"m","max_tokens":7,"x":[ 1 ]})"},
      {"as a system prompt", DialectId::anthropic_messages, R"({"messages":[],"n":1})",
       R"({"messages":[],"system":"P","max_tokens":7,"x":[ 1 ],"model":"m"})"},
      {"as instructions", DialectId::openai_responses, R"({"input":"u","model":"a"})",
       R"({"input":"u","model":"m","instructions":"P","max_tokens":7,"x":[ 1 ]})"},
      {"nothing but what was left out", DialectId::gemini_generate, R"({"model":"a","n":1,"contents":[]})",
       R"({"contents":[],"systemInstruction":{"parts":[{"text":"P"}]},"max_tokens":7,"x":[ 1 ]})"},
      {"a part that stands for a list", DialectId::gemini_generate,
       R"({"system_instruction":{"parts":{"text":"s"}},"contents":[]})",
       R"({"system_instruction":{"parts":[{"text":"P"},{"text":"s"}]},"contents":[],"max_tokens":7,"x":[ 1 ]})"},
      {"an instruction that is a string", DialectId::gemini_generate,
       R"({"systemInstruction":"s","contents":[]})",
       R"({"systemInstruction":"P\n\ns","contents":[],"max_tokens":7,"x":[ 1 ]})"},
  };
  for (const Spliced& c : cases) {
    const Translated got = splice(c.dialect, c.from, target);
    ASSERT_TRUE(got.ok) << c.rule << ": " << got.problem.what;
    EXPECT_EQ(got.text, c.to) << c.rule;
  }
}

TEST(Adapt, AskingForUsageMayBeLeftOut) {
  const Names drop = {"stream_options"};
  const RequestTarget target{"m", 0, {}, {}, {}, drop};
  const char* body =
      R"({"model":"a","messages":[{"role":"user","content":"u"}],"stream":true,"stream_options":{}})";
  EXPECT_FALSE(splice(DialectId::openai_chat, body, target).body.contains("stream_options"));
  const char* other =
      R"({"model":"a","messages":[{"role":"user","content":"u"}],"max_tokens":1,"stream":true})";
  const Translated got = adapt(DialectId::anthropic_messages, DialectId::openai_chat, other, target);
  EXPECT_FALSE(got.body.contains("stream_options"));
  EXPECT_TRUE(got.body["stream"]);
}

TEST(Adapt, WhereTheTextHasNoPlaceTheRequestIsRefused) {
  const RequestTarget target{"m", 0, {}, "P"};
  const Translated got = splice(DialectId::anthropic_messages, R"({"system":[],"messages":[]})", target);
  EXPECT_TRUE(got.ok);
  for (const auto& [dialect, body, where] :
       {std::tuple{DialectId::openai_responses, R"({"instructions":[{"role":"user"}],"input":"u"})",
                   "instructions"},
        std::tuple{DialectId::openai_responses, R"({"instructions":{},"input":"u"})", "instructions"}}) {
    const Translated refused = splice(dialect, body, target);
    EXPECT_FALSE(refused.ok) << body;
    EXPECT_EQ(refused.problem.where, where);
    EXPECT_EQ(refused.problem.status, 400);
  }
}

// Whatever the client speaks, a dialect that demands max_tokens gets some.
TEST(Adapt, DemandedMaxTokensAreThere) {
  for (const DialectId from : kFrom) {
    const std::string silent =
        from == DialectId::gemini_generate    ? R"({"contents":[{"role":"user","parts":[{"text":"u"}]}]})"
        : from == DialectId::openai_responses ? R"({"input":"u"})"
                                              : R"({"messages":[{"role":"user","content":"u"}]})";
    const DialectId to = DialectId::anthropic_messages;
    EXPECT_EQ(adapt(from, to, silent, {"m", 0, {}}).body["max_tokens"], 4096) << pair_name(from, to);
    EXPECT_EQ(adapt(from, to, silent, {"m", 0, 777}).body["max_tokens"], 777) << pair_name(from, to);
    if (from == DialectId::gemini_generate) continue;
    EXPECT_EQ(adapt(from, to, body_of(from, ""), {"m", 0, 777}).body["max_tokens"], 50)
        << pair_name(from, to);
    for (const DialectId other : targets()) {
      if (other == to) continue;
      const std::string text = adapt(from, other, silent, {"m", 0, 777}).text;
      EXPECT_EQ(text.find("777"), std::string::npos) << "nobody else demands any: " << text;
    }
  }
}

}  // namespace
}  // namespace shunt::dialect::testing
