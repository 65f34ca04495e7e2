// Comparing and showing decision records.
#include "native/decisions.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace shunt::native {
namespace {

using Json = nlohmann::json;

// Keys of a record that say when, not what; "config" is the hash of a document that may be laid out anew.
constexpr auto kNotDecision = std::to_array<std::string_view>(
    {"wall", "arrived", "ended", "began", "first_byte_ms", "first_token_ms", "until", "config"});

Json without_times(Json value) {
  if (value.is_object()) {
    for (const std::string_view key : kNotDecision) value.erase(std::string(key));
  }
  if (value.is_structured()) {
    for (Json& member : value) member = without_times(std::move(member));
  }
  return value;
}

Json parse(std::string_view record) { return Json::parse(record, nullptr, false); }

std::string shown(const Json& value, const std::string& pointer) {
  const Json::json_pointer at(pointer);
  return value.contains(at) ? value.at(at).dump() : "nothing";
}

}  // namespace

std::string in_words(std::string_view text) {
  const Json record = parse(text);
  std::string out = fmt::format("{}, {}: {} {}", record.value("route", ""),
                                record.value("stream", false) ? "stream" : "plain",
                                record.value("result", ""), record.value("status", 0));
  for (const Json& attempt : record.value("attempts", Json::array())) {
    out += fmt::format("; {} {} {}", attempt.value("deployment", ""), attempt.value("status", 0),
                       attempt.value("outcome", ""));
    if (attempt.contains("verdict")) out += fmt::format(" {}", attempt["verdict"].value("class", ""));
  }
  return out;
}

Ending ending_of(std::string_view text) {
  const Json record = parse(text);
  return {record.value("result", ""), record.value("attempts", Json::array()).size()};
}

std::optional<std::vector<std::string>> read_decisions(std::string_view text, std::size_t& line) {
  std::vector<std::string> records;
  for (line = 1; !text.empty(); ++line) {
    const std::string_view row = trim(cut(text, '\n'));
    if (row.empty()) continue;
    const Json value = parse(row);
    if (!value.is_object()) return std::nullopt;
    if (value.contains("record")) records.emplace_back(row);
  }
  return records;
}

std::optional<Difference> difference(std::string_view wanted_text, std::string_view got_text) {
  const Json wanted = without_times(parse(wanted_text));
  const Json got = without_times(parse(got_text));
  const Json patch = Json::diff(wanted, got);
  if (patch.empty()) return std::nullopt;
  const auto pointer = patch.front().value("path", "");
  return Difference{pointer, shown(wanted, pointer), shown(got, pointer)};
}

}  // namespace shunt::native
