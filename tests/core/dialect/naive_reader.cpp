// A second, slow reading of provider streams. See naive_reader.h.
#include "naive_reader.h"

namespace shunt::dialect::test {
namespace {

using nlohmann::json;

std::vector<std::string> lines(std::string_view bytes) {
  std::vector<std::string> all;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    std::string line(bytes.substr(0, end));
    if (!line.empty() && line.back() == '\r') line.pop_back();
    all.push_back(line);
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
  }
  return all;
}

// The JSON objects of a stream, in order, up to [DONE].
std::vector<json> objects(std::string_view bytes, std::size_t& errors) {
  std::vector<json> all;
  for (const std::string& line : lines(bytes)) {
    if (line.rfind("error:", 0) == 0) ++errors;
    if (line.rfind("data:", 0) != 0) continue;
    const std::string text = line.substr(5);
    if (text.find("[DONE]") != std::string::npos && text.size() < 9) break;
    json value = json::parse(text, nullptr, false);
    if (value.is_object()) all.push_back(std::move(value));
  }
  return all;
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

json member(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() ? *found : json();
}

NaiveChoice& choice_at(NaiveAnswer& answer, std::size_t index) {
  if (answer.choices.size() <= index) answer.choices.resize(index + 1);
  return answer.choices[index];
}

std::size_t call_for(NaiveChoice& choice, const json& delta, const std::string& id, const std::string& name) {
  const long long index = member(delta, "index").is_number_integer() ? delta["index"].get<long long>() : -1;
  int by_id = -1, by_index = -1;
  for (std::size_t i = 0; i < choice.calls.size(); ++i) {
    if (!id.empty() && choice.calls[i].id == id) by_id = static_cast<int>(i);
    if (index >= 0 && choice.indexes[i] == index) by_index = static_cast<int>(i);
  }
  int found = -1;
  if (by_id >= 0) {
    found = by_id;
  } else if (!id.empty()) {
    if (by_index >= 0 && (name.empty() || choice.calls[static_cast<std::size_t>(by_index)].id.empty()))
      found = by_index;
  } else if (index >= 0) {
    found = by_index;
  } else if (name.empty() && !choice.calls.empty()) {
    found = static_cast<int>(choice.calls.size()) - 1;
  }
  if (found >= 0) return static_cast<std::size_t>(found);
  choice.calls.push_back({id, name, ""});
  choice.indexes.push_back(index);
  return choice.calls.size() - 1;
}

void read_call(NaiveChoice& choice, const json& delta) {
  const json function = delta.contains("function") ? delta["function"] : member(delta, "custom");
  const std::string id = text_of(delta, "id");
  const std::string name = function.is_object() ? text_of(function, "name") : "";
  NaiveCall& call = choice.calls[call_for(choice, delta, id, name)];
  if (call.id.empty()) call.id = id;
  if (call.name.empty()) call.name = name;
  if (!function.is_object()) return;
  const json arguments = member(function, "arguments");
  if (arguments.is_string()) call.arguments += arguments.get<std::string>();
  if (arguments.is_object()) call.arguments += arguments.dump();
}

void read_parts(NaiveChoice& choice, const json& parts) {
  for (const json& part : parts) {
    if (part.is_object() && part.contains("thinking") && part["thinking"].is_array()) {
      for (const json& piece : part["thinking"]) choice.reasoning += text_of(piece, "text");
    } else if (part.is_object() && part.value("type", "") == "text") {
      choice.text += text_of(part, "text");
    }
  }
}

void read_message(NaiveChoice& choice, const json& delta, bool whole) {
  std::string reasoning = text_of(delta, "reasoning_content");
  if (reasoning.empty()) reasoning = text_of(delta, "reasoning");
  if (reasoning.empty() && member(delta, "reasoning_details").is_array()) {
    for (const json& detail : delta["reasoning_details"]) {
      reasoning += detail.value("type", "") == "reasoning.summary" ? text_of(detail, "summary")
                                                                   : text_of(detail, "text");
    }
  }
  if (!whole || !choice.delta_reasoning) choice.reasoning += reasoning;
  if (!whole || !choice.delta_text) {
    choice.text += text_of(delta, "content");
    if (member(delta, "content").is_array()) read_parts(choice, delta["content"]);
  }
  choice.refusal += text_of(delta, "refusal");
  if (member(delta, "tool_calls").is_array() && (!whole || !choice.delta_calls)) {
    for (const json& call : delta["tool_calls"]) read_call(choice, call);
  }
  const json old = member(delta, "function_call");
  if (old.is_object() && !(text_of(old, "name").empty() && text_of(old, "arguments").empty()))
    read_call(choice, {{"index", 0}, {"function", delta["function_call"]}});
  if (whole) return;
  choice.delta_text = choice.delta_text || !choice.text.empty();
  choice.delta_reasoning = choice.delta_reasoning || !choice.reasoning.empty();
  choice.delta_calls = choice.delta_calls || !choice.calls.empty();
}

// Perplexity's plain answers have an empty delta beside the message.
bool says_nothing(const json& delta) {
  for (const char* key : {"content", "reasoning", "reasoning_content", "refusal", "tool_calls"}) {
    const json value = member(delta, key);
    if (!value.is_null() && value != "" && !value.empty()) return false;
  }
  return true;
}

void read_openai(NaiveAnswer& answer, const json& chunk) {
  const json error = member(chunk, "error");
  if (!error.is_null() || text_of(chunk, "object") == "error") ++answer.errors;
  if (member(chunk, "usage").is_object()) answer.usages.push_back(chunk["usage"]);
  const json groq = member(chunk, "x_groq");
  if (groq.is_object() && member(groq, "usage").is_object()) answer.usages.push_back(groq["usage"]);
  if (!member(chunk, "choices").is_array()) return;
  std::size_t position = 0;
  for (const json& choice : chunk["choices"]) {
    const json index = member(choice, "index");
    NaiveChoice& into = choice_at(answer, index.is_number() ? index.get<std::size_t>() : position);
    ++position;
    const json message = member(choice, "message");
    const bool silent = message.is_object() && says_nothing(member(choice, "delta"));
    if (member(choice, "delta").is_object() && !silent) {
      read_message(into, choice["delta"], false);
    } else if (message.is_object()) {
      read_message(into, message, true);
    }
    if (member(choice, "usage").is_object()) answer.usages.push_back(choice["usage"]);
    const std::string finish = text_of(choice, "finish_reason");
    if (!finish.empty() && finish != "null") into.finish = finish;
  }
}

void read_block(NaiveChoice& choice, const json& block) {
  const std::string type = text_of(block, "type");
  if (type == "text") choice.text += text_of(block, "text");
  if (type == "thinking") choice.reasoning += text_of(block, "thinking");
  if (type == "tool_use") {
    const json input = member(block, "input");
    choice.calls.push_back({text_of(block, "id"), text_of(block, "name"), input.empty() ? "" : input.dump()});
  }
}

}  // namespace

NaiveAnswer read_openai_stream(std::string_view bytes) {
  NaiveAnswer answer;
  for (const json& chunk : objects(bytes, answer.errors)) read_openai(answer, chunk);
  return answer;
}

NaiveAnswer read_openai_body(std::string_view body) {
  NaiveAnswer answer;
  read_openai(answer, json::parse(body));
  return answer;
}

NaiveAnswer read_anthropic_stream(std::string_view bytes) {
  NaiveAnswer answer;
  NaiveChoice& choice = choice_at(answer, 0);
  std::vector<std::pair<long long, std::size_t>> calls;  // block index -> call
  std::vector<long long> others;
  for (const json& event : objects(bytes, answer.errors)) {
    const std::string type = text_of(event, "type");
    if (type == "message_stop") break;
    if (type == "error") ++answer.errors;
    if (type == "message_start" && member(event["message"], "usage").is_object()) {
      answer.usages.push_back(event["message"]["usage"]);
    }
    if (type == "content_block_start") {
      const std::string kind = text_of(event["content_block"], "type");
      if (kind == "tool_use") calls.emplace_back(event["index"].get<long long>(), choice.calls.size());
      if (kind != "tool_use" && kind != "text" && kind != "thinking")
        others.push_back(event["index"].get<long long>());
      read_block(choice, event["content_block"]);
    }
    if (type == "content_block_delta") {
      const json& delta = event["delta"];
      choice.text += text_of(delta, "text");
      choice.reasoning += text_of(delta, "thinking");
      for (const auto& [index, call] : calls) {
        if (event["index"] == index) choice.calls[call].arguments += text_of(delta, "partial_json");
      }
    }
    if (type == "message_delta") {
      if (member(event, "usage").is_object()) answer.usages.push_back(event["usage"]);
      const std::string stop = text_of(event["delta"], "stop_reason");
      if (!stop.empty()) choice.finish = stop;
    }
  }
  return answer;
}

NaiveAnswer read_anthropic_body(std::string_view body) {
  NaiveAnswer answer;
  NaiveChoice& choice = choice_at(answer, 0);
  const json message = json::parse(body);
  if (text_of(message, "type") == "error") ++answer.errors;
  if (member(message, "content").is_array()) {
    for (const json& block : message["content"]) read_block(choice, block);
  }
  choice.finish = text_of(message, "stop_reason");
  if (member(message, "usage").is_object()) answer.usages.push_back(message["usage"]);
  return answer;
}

}  // namespace shunt::dialect::test
