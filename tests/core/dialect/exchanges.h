// Recorded exchanges of the shared data, for the tests of this room.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "streams.h"

namespace shunt::dialect::test {

struct Exchange {
  std::string id;
  DialectId dialect;
  bool stream;
  std::string body;
  std::vector<std::size_t> reads;  // as the recorder read it from the network; empty = not known
};

inline std::string from_base64(const std::string& text) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, value = 0;
  for (const char c : text) {
    const std::size_t at = kAlphabet.find(c);
    if (at == std::string_view::npos) break;
    value = value << 6 | static_cast<unsigned>(at);
    if ((bits += 6) >= 8) out += static_cast<char>(value >> (bits -= 8) & 0xFF);
  }
  return out;
}

// The dialect of a trace file by its name, if it is one of ours.
inline std::optional<DialectId> dialect_of(const std::string& file) {
  if (file.find("-chat.completions.jsonl") != std::string::npos) return DialectId::openai_chat;
  if (file.find("-responses.jsonl") != std::string::npos) return DialectId::openai_responses;
  if (file.find("-generateContent.jsonl") != std::string::npos) return DialectId::gemini_generate;
  const bool messages = file.find("-messages.jsonl") != std::string::npos ||
                        file.find("-messages.vertex.jsonl") != std::string::npos;
  return messages ? std::optional(DialectId::anthropic_messages) : std::nullopt;
}

// All answers with status 2xx; none where the data is not there.
inline std::vector<Exchange> exchanges() {
  std::vector<Exchange> all;
  const auto folder = shared_data() / "traces";
  if (!std::filesystem::is_directory(folder)) return all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::optional<DialectId> dialect = dialect_of(entry.path().filename().string());
    if (!dialect) continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      const nlohmann::json row = nlohmann::json::parse(line);
      const nlohmann::json& response = row["response"];
      if (response["status"].get<int>() / 100 != 2 || !response.contains("body_text")) continue;
      // An array that arrives over time is a whole answer too.
      const bool whole = row["framing"] == "json" || row["framing"] == "json-array";
      if (row["framing"] != "sse" && !whole) continue;
      // One server answered a call of Responses with chunks of the other API.
      const std::string body = response["body_text"];
      if (body.find(R"("object":"chat.completion.chunk")") != std::string::npos &&
          *dialect == DialectId::openai_responses) {
        continue;
      }
      Exchange exchange{row["id"], *dialect, row["framing"] == "sse", body, {}};
      if (response.contains("chunk_sizes")) {
        for (const nlohmann::json& size : response["chunk_sizes"])
          exchange.reads.push_back(size.get<std::size_t>());
      }
      all.push_back(std::move(exchange));
    }
  }
  return all;
}

}  // namespace shunt::dialect::test
