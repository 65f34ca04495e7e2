// A second, slow reading of gemini_generate. See naive_reader.h.
#include <sstream>

#include "naive_reader.h"

namespace shunt::dialect::test {
namespace {

using nlohmann::json;

// A member; what stands for an empty one where it is absent or null.
json member(const json& object, const char* key, json otherwise) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? otherwise : *found;
}
json list(const json& object, const char* key) { return member(object, key, json::array()); }
json inner(const json& object, const char* key) { return member(object, key, json::object()); }
std::string text(const json& object, const char* key) { return member(object, key, "").get<std::string>(); }
bool flag(const json& object, const char* key) { return member(object, key, false).get<bool>(); }

// The place a path names, made where it is missing: "$.a[0].b".
json& place(json& root, const std::string& path) {
  std::string pointer;
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (path[i] == '.' || path[i] == '[') {
      pointer += '/';
    } else if (path[i] != ']') {
      pointer += path[i];
    }
  }
  return root[json::json_pointer(pointer)];
}

// Arguments of streamed calls, by call, until all has come.
struct Reading {
  NaiveAnswer answer;
  std::vector<std::vector<json>> arguments;
  std::vector<bool> open;
};

void read_call(Reading& reading, std::size_t index, const json& call) {
  std::vector<NaiveCall>& calls = reading.answer.choices[index].calls;
  const std::string name = text(call, "name");
  if (!name.empty()) {
    calls.push_back({text(call, "id"), name, ""});
    reading.arguments[index].push_back(inner(call, "args"));
  } else if (!reading.open[index]) {
    return;
  }
  for (const json& patch : list(call, "partialArgs")) {
    json& at = place(reading.arguments[index].back(), patch["jsonPath"].get<std::string>());
    if (patch.contains("stringValue")) {
      const std::string before = at.is_string() ? at.get<std::string>() : "";
      at = before + patch["stringValue"].get<std::string>();
    } else {
      at = patch.contains("numberValue") ? patch["numberValue"] : member(patch, "boolValue", nullptr);
    }
  }
  reading.open[index] = flag(call, "willContinue");
}

void read_response(Reading& reading, const json& response) {
  NaiveAnswer& answer = reading.answer;
  if (response.contains("error")) ++answer.errors;
  if (response.contains("usageMetadata")) answer.usages.push_back(response["usageMetadata"]);
  const json feedback = inner(response, "promptFeedback");
  const json candidates = list(response, "candidates");
  if (feedback.contains("blockReason") && candidates.empty()) {
    answer.choices.resize(1);
    answer.choices[0].finish = feedback["blockReason"].get<std::string>();
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const json& candidate = candidates[i];
    const std::size_t index = candidate.value("index", i);
    if (answer.choices.size() <= index) answer.choices.resize(index + 1);
    reading.arguments.resize(answer.choices.size());
    reading.open.resize(answer.choices.size());
    const json content = inner(candidate, "content");
    for (const json& part : list(content, "parts")) {
      NaiveChoice& choice = answer.choices[index];
      (flag(part, "thought") ? choice.reasoning : choice.text) += text(part, "text");
      if (part.contains("functionCall")) read_call(reading, index, part["functionCall"]);
    }
    if (candidate.contains("finishReason")) {
      const json& finish = candidate["finishReason"];
      answer.choices[index].finish = finish.is_string() ? finish.get<std::string>() : finish.dump();
    }
  }
}

NaiveAnswer read_responses(const std::vector<json>& responses) {
  Reading reading;
  for (const json& response : responses) {
    if (response.is_object()) read_response(reading, response);
  }
  for (std::size_t i = 0; i < reading.arguments.size(); ++i) {
    for (std::size_t call = 0; call < reading.arguments[i].size(); ++call) {
      reading.answer.choices[i].calls[call].arguments = reading.arguments[i][call].dump();
    }
  }
  return reading.answer;
}

}  // namespace

NaiveAnswer read_gemini_stream(std::string_view bytes) {
  std::vector<json> responses;
  std::istringstream lines{std::string(bytes)};
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("data:", 0) == 0) responses.push_back(json::parse(line.substr(5), nullptr, false));
  }
  return read_responses(responses);
}

NaiveAnswer read_gemini_body(std::string_view body) {
  const json whole = json::parse(body);
  if (!whole.is_array()) return read_responses({whole});
  return read_responses(std::vector<json>(whole.begin(), whole.end()));
}

}  // namespace shunt::dialect::test
