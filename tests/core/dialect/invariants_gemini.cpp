// The checker of gemini_generate streams. See invariants.h.
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "core/oracle.h"
#include "invariants.h"

namespace shunt::dialect::test {
namespace {

using nlohmann::json;

// https://ai.google.dev/api/generate-content#FinishReason
const std::set<std::string> kFinishes = {"STOP",
                                         "MAX_TOKENS",
                                         "SAFETY",
                                         "RECITATION",
                                         "LANGUAGE",
                                         "OTHER",
                                         "BLOCKLIST",
                                         "PROHIBITED_CONTENT",
                                         "SPII",
                                         "MALFORMED_FUNCTION_CALL",
                                         "UNEXPECTED_TOOL_CALL",
                                         "TOO_MANY_TOOL_CALLS",
                                         "MALFORMED_RESPONSE",
                                         "MISSING_THOUGHT_SIGNATURE",
                                         "MODEL_ARMOR",
                                         "NO_IMAGE",
                                         "IMAGE_SAFETY",
                                         "IMAGE_OTHER"};

std::string check_call(const json& call) {
  for (const auto& [key, value] : call.items()) {
    if (key != "id" && key != "name" && key != "args") return "a strange member of functionCall: " + key;
  }
  if (!call.contains("name") || !call["name"].is_string()) return "a call without name";
  if (call.contains("id") && call["id"] == "") return "an empty id";
  return call.contains("args") && call["args"].is_object() ? "" : "args are no object";
}

std::string check_part(const json& part, bool last) {
  if (!part.is_object()) return "a part that is no object";
  const bool sealed = part.contains("thoughtSignature");
  if (sealed && (!part["thoughtSignature"].is_string() || part["thoughtSignature"] == ""))
    return "a signature that is none";
  if (part.contains("thought") && part["thought"] != true) return "thought is not true";
  if (part.contains("functionCall")) {
    return part.contains("text") || part.contains("thought") ? "a call with text"
                                                             : check_call(part["functionCall"]);
  }
  if (!part.contains("text")) {
    static const std::set<std::string> known = {"inlineData",          "fileData", "executableCode",
                                                "codeExecutionResult", "toolCall", "toolResponse"};
    for (const auto& [key, value] : part.items()) {
      if (known.count(key) != 0) return "";
    }
    return "a part of no kind";
  }
  if (!part["text"].is_string()) return "text is no string";
  return part["text"] == "" && !sealed && !last ? "an empty text" : "";
}

std::string check_candidate(std::map<long long, bool>& finished, const json& candidate) {
  if (!candidate.contains("index") || !candidate["index"].is_number_integer()) return "no index";
  bool& over = finished[candidate["index"].get<long long>()];
  if (over) return "something after the finish";
  const bool last = candidate.contains("finishReason");
  if (last) {
    if (!candidate["finishReason"].is_string()) return "finishReason is no string";
    if (kFinishes.count(candidate["finishReason"].get<std::string>()) == 0) return "an unknown finish";
    over = true;
  }
  if (!candidate.contains("content")) return "a candidate of nothing";
  const json& content = candidate["content"];
  if (content.value("role", "") != "model") return "role is not model";
  if (!content.contains("parts") || content["parts"].empty()) return "no parts";
  for (const json& part : content["parts"]) {
    if (std::string breach = check_part(part, last); !breach.empty()) return breach;
  }
  return "";
}

std::string check_usage(const json& usage) {
  for (const char* key : {"promptTokenCount", "candidatesTokenCount", "totalTokenCount"}) {
    if (!usage.contains(key) || !usage[key].is_number_unsigned()) return std::string("usage lacks ") + key;
  }
  return "";
}

struct Stream {
  std::map<long long, bool> finished;
  json head;
  std::string finish;
  bool usage = false;
  bool error = false;

  std::string add(const json& chunk) {
    if (!chunk.is_object()) return "not a JSON object";
    if (error) return "something after the error";
    if (chunk.contains("error")) {
      error = true;
      const json& told = chunk["error"];
      return told.contains("code") && told["code"].is_number() && told.contains("message") &&
                     told.contains("status")
                 ? ""
                 : "an error without code, message or status";
    }
    if (usage) return "a chunk after usage";
    const json now = {chunk.value("modelVersion", ""), chunk.value("responseId", "")};
    if (head.is_null()) head = now;
    if (head != now || now[0] == "" || now[1] == "") return "modelVersion or responseId changed or empty";
    // The SDKs' chats forget a turn of which one chunk has no parts.
    if (chunk.value("candidates", json::array()).empty()) return "a chunk of nothing";
    for (const json& candidate : chunk.value("candidates", json::array())) {
      if (std::string breach = check_candidate(finished, candidate); !breach.empty()) return breach;
      finish = candidate.value("finishReason", "");
    }
    if (!chunk.contains("usageMetadata")) return "";
    usage = true;
    return finish.empty() ? "usage before the finish" : check_usage(chunk["usageMetadata"]);
  }

  std::string end(bool broken) const {
    if (broken) return error && !usage ? "" : "a broken stream without its error";
    if (error && finish != "OTHER") return "an error after a clean finish";
    if (!usage || finished.empty()) return "no clean end";
    for (const auto& [index, over] : finished) {
      if (!over) return "a candidate without finish";
    }
    return finished.rbegin()->first + 1 == static_cast<long long>(finished.size()) ? "" : "a hole in indexes";
  }
};

}  // namespace

std::string breach_of_gemini(std::string_view bytes, bool broken) {
  constexpr std::string_view kBegin = "data: ";
  constexpr std::string_view kEnd = "\r\n\r\n";
  Stream stream;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find(kEnd);
    if (end == std::string_view::npos) return "the last event has no blank line";
    const std::string_view event = bytes.substr(0, end);
    bytes.remove_prefix(end + kEnd.size());
    const bool one_line = event.find_first_of("\r\n") == std::string_view::npos;
    if (event.substr(0, kBegin.size()) != kBegin || !one_line)
      return "not one data line: " + std::string(event);
    const json chunk = json::parse(for_the_oracle(event.substr(kBegin.size())), nullptr, false);
    if (std::string breach = stream.add(chunk); !breach.empty()) return breach + ": " + std::string(event);
  }
  return stream.end(broken);
}

}  // namespace shunt::dialect::test
