// A second, slow reading of openai_responses: texts from the deltas of a stream, calls from the items as they
// ended. See naive_reader.h.
#include "naive_reader.h"

namespace shunt::dialect::test {
namespace {

using nlohmann::json;

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void read_parts(NaiveChoice& choice, const json& parts) {
  if (!parts.is_array()) return;
  for (const json& part : parts) {
    const std::string type = text_of(part, "type");
    if (type == "output_text") choice.text += text_of(part, "text");
    if (type == "refusal") choice.refusal += text_of(part, "refusal");
    if (type == "reasoning_text" || type == "summary_text") choice.reasoning += text_of(part, "text");
  }
}

void read_call(NaiveChoice& choice, const json& item) {
  const std::string type = text_of(item, "type");
  if (type != "function_call" && type != "custom_tool_call") return;
  choice.calls.push_back({text_of(item, "call_id"), text_of(item, "name"),
                          text_of(item, type == "function_call" ? "arguments" : "input")});
}

void read_ending(NaiveAnswer& answer, const json& response) {
  NaiveChoice& choice = answer.choices[0];
  choice.finish = text_of(response, "status");
  const json details = response.value("incomplete_details", json());
  if (choice.finish == "incomplete" && details.is_object()) choice.finish += ":" + text_of(details, "reason");
  if (response.contains("usage") && response["usage"].is_object()) answer.usages.push_back(response["usage"]);
}

void read_event(NaiveAnswer& answer, const json& event) {
  NaiveChoice& choice = answer.choices[0];
  const std::string type = text_of(event, "type");
  if (type == "response.output_text.delta") choice.text += text_of(event, "delta");
  if (type == "response.refusal.delta") choice.refusal += text_of(event, "delta");
  if (type == "response.reasoning_text.delta" || type == "response.reasoning_summary_text.delta")
    choice.reasoning += text_of(event, "delta");
  if (type == "response.output_item.done") read_call(choice, event["item"]);
  if (type == "error") ++answer.errors;
  if (type == "response.completed" || type == "response.incomplete" || type == "response.failed")
    read_ending(answer, event["response"]);
}

}  // namespace

NaiveAnswer read_responses_stream(std::string_view bytes) {
  NaiveAnswer answer;
  answer.choices.resize(1);
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string line(bytes.substr(at, end - at));
    at = end + 1;
    if (line.rfind("data:", 0) != 0) continue;
    const json event = json::parse(line.substr(5), nullptr, false);
    if (event.is_object()) read_event(answer, event);
  }
  return answer;
}

NaiveAnswer read_responses_body(std::string_view body) {
  NaiveAnswer answer;
  answer.choices.resize(1);
  const json response = json::parse(body);
  for (const json& item : response["output"]) {
    read_parts(answer.choices[0], item.value("summary", json()));
    read_parts(answer.choices[0], item.value("content", json()));
    read_call(answer.choices[0], item);
  }
  read_ending(answer, response);
  return answer;
}

}  // namespace shunt::dialect::test
