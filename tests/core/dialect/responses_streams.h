// Streams of openai_responses written short, for its tests.
#pragma once

#include <string>

#include "event_text.h"

namespace shunt::dialect::test {

// One event: its type without "response.", its other members without the brace.
inline std::string responses_event(const std::string& type, const std::string& members) {
  const std::string name = type == "error" ? type : "response." + type;
  return "event: " + name + "\ndata: {\"type\":\"" + name + "\"," + members + "}\n\n";
}

inline std::string responses_begun() {
  return responses_event("created", R"("response":{"id":"resp_1","model":"m","created_at":7,"output":[]})");
}

inline std::string responses_ended(const std::string& output = "[]") {
  return responses_event("completed",
                         R"("response":{"id":"resp_1","status":"completed","output":)" + output + "}");
}

// What an answer of these events reads as, without its first and last lines: start, response, finish, done.
inline std::string responses_lines(const std::string& events, const std::string& output = "[]") {
  std::string text =
      event_lines(DialectId::openai_responses, responses_begun() + events + responses_ended(output));
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at + 1);
    at = end + 1;
    const bool frame = line.rfind("start", 0) == 0 || line.rfind("finish", 0) == 0 || line == "done\n" ||
                       line.find("responses.response") != std::string::npos ||
                       line.find("responses.item") != std::string::npos;
    if (!frame) kept += line;
  }
  return kept;
}

}  // namespace shunt::dialect::test
