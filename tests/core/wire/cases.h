// Published cases: rows of JSON Lines beside the project, with their bytes in base64.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace shunt::wire::test {

using Json = nlohmann::json;

inline std::string data_directory() {
  const char* set = std::getenv("SHUNT_DATA");
  return set != nullptr ? set : SHUNT_SOURCE_DIR "/../shared/data";
}

inline std::string from_base64(std::string_view text) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    bits = bits << 6 | static_cast<std::uint32_t>(kDigits.find(c));
    count += 6;
    if (count >= 8) out += static_cast<char>(bits >> (count -= 8) & 0xFF);
  }
  return out;
}

inline std::vector<Json> cases_of(const std::string& file) {
  std::vector<Json> out;
  std::ifstream in(data_directory() + "/" + file);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) out.push_back(Json::parse(line));
  }
  return out;
}

}  // namespace shunt::wire::test
