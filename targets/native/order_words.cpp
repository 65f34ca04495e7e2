// Words for strategies and their numbers.
#include "native/order_words.h"

#include <array>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace shunt::native {
namespace {

using Json = nlohmann::json;

std::string percent(const Json& share) { return fmt::format("{:.4g} %", share.get<double>() * 100); }

std::string cost(const Json& view, const Json&) {
  const auto nanos = view["cost_nanos"].get<std::int64_t>();
  return nanos < 0 ? "cost not known" : fmt::format("cost ${:.6g}", static_cast<double>(nanos) / 1e9);
}

std::string wait(const Json& view, const Json&) {
  const auto micros = view["ttft_micros"].get<std::uint64_t>();
  const auto busy = view["in_flight"].get<std::uint64_t>();
  if (micros == 0) return fmt::format("time to first token not known, {} under way", busy);
  return fmt::format("first token in {:.4g} s, {} under way", static_cast<double>(micros) / 1e6, busy);
}

std::string speed(const Json& view, const Json& policy) {
  const auto p90 = view["p90_ms"].get<std::uint64_t>();
  std::string words = "success " + percent(view["success"]);
  words += p90 == 0 ? ", p90 not known: the best that is known counts" : fmt::format(", p90 {} ms", p90);
  double score = view["weight"].get<double>() * view["success"].get<double>();
  if (policy["quota"].get<bool>()) {
    words += ", left of its limits " + percent(view["quota"]);
    score *= view["quota"].get<double>();
  }
  return p90 == 0 ? words : words + fmt::format(", score {:.4g}", score / static_cast<double>(p90 + 1));
}

std::string success(const Json& view, const Json& policy) {
  const bool well = view["success"].get<double>() >= policy["degrade"].get<double>();
  return "success " + percent(view["success"]) + (well ? "" : ", below " + percent(policy["degrade"]));
}

std::string busy(const Json& view, const Json&) {
  return fmt::format("{} under way", view["in_flight"].get<std::uint64_t>());
}

struct Row {
  std::string_view strategy;
  std::string_view words;
  std::string (*numbers)(const Json& view, const Json& policy);  // beyond priority and weight; null = none
};
constexpr std::array<Row, 11> kRows = {{
    {"priority_weighted", "drawn by weight", nullptr},
    {"weighted", "drawn by weight", nullptr},
    {"weight_order", "the largest weight first", nullptr},
    {"primary_backup", "the largest weight, the others stand in", nullptr},
    {"order", "as listed", nullptr},
    {"cost_aware", "the cheapest for this request", cost},
    {"performance_first", "of two drawn by weight the one with the sooner first token", wait},
    {"score", "the highest weight x success / (p90 in ms + 1)", speed},
    {"success_degrade", "by priority, lines of little success behind", success},
    {"least_busy", "the fewest calls under way", busy},
    {"affinity", "the same line for the same session", nullptr},
}};

const Row& row_of(const Json& policy) {
  for (const Row& row : kRows) {
    if (row.strategy == policy["strategy"].get<std::string>()) return row;
  }
  return kRows[0];
}

}  // namespace

std::string strategy_in_words(const Json& policy) {
  const bool across = policy["across"].get<bool>();
  const Row& row = row_of(policy);
  const bool says_so = row.strategy == "success_degrade" && across;
  return std::string(row.words) + (says_so  ? ""
                                   : across ? ", all priorities at once"
                                            : ", inside the best priority");
}

std::string numbers_in_words(const Json& view, const Json& policy) {
  std::string words =
      fmt::format("priority {}, weight {}", view["priority"].get<int>(), view["weight"].get<int>());
  const Row& row = row_of(policy);
  if (row.numbers != nullptr) words += ", " + row.numbers(view, policy);
  // What moves a line whatever the strategy; said where the line states it.
  if (const int role = view["role"].get<int>(); role > 0) words += fmt::format(", role of rank {}", role);
  if (const auto region = view["region"].get<std::string>(); !region.empty()) words += ", region " + region;
  if (const int score = view["task_score"].get<int>(); score >= 0)
    words += fmt::format(", task score {}", score);
  if (view["local"].get<bool>()) words += ", local";
  return words;
}

}  // namespace shunt::native
