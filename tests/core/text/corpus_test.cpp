// The shares of collected repair cases that come out as their suites want them. Cases on which two suites
// disagree, and those of a strict mode, which refuses to repair, do not count.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "samples.h"
#include "text/think_tags.h"

namespace shunt::text {
namespace {

std::string data_dir() {
  const char* given = std::getenv("SHUNT_DATA");
  return given != nullptr ? given : SHUNT_SOURCE_DIR "/../shared/data";
}

struct Share {
  int right = 0;
  int all = 0;
  double value() const { return all == 0 ? 1.0 : static_cast<double>(right) / all; }
};

bool is_right(const Json& row) {
  const std::string input = row["input"].get<std::string>();
  const auto got = row["mode"] == "partial" ? partial(input) : repair_json(input);
  Json wanted = row.value("alt_expected_json", Json());
  if (!wanted.is_array()) wanted = wanted.is_null() ? Json::array() : Json::array({wanted});
  wanted.push_back(row["expected_json"]);
  for (const Json& one : wanted) {
    if (one.is_null() ? !got : got && parsed(*got) == parsed(one.get<std::string>())) return true;
  }
  if (std::getenv("SHUNT_VERBOSE") != nullptr) {
    std::fprintf(stderr, "%s: %s\n  wanted %s\n  got    %s\n", row["name"].get<std::string>().c_str(),
                 row["input"].dump().c_str(), row["expected_json"].dump().c_str(),
                 got.value_or("nothing").c_str());
  }
  return false;
}

std::map<std::string, Share> shares(const std::string& mode) {
  std::map<std::string, Share> result;
  std::ifstream file(data_dir() + "/json_repair/cases.jsonl");
  for (std::string line; std::getline(file, line);) {
    const Json row = Json::parse(line, nullptr, false);
    if (row.is_discarded() || row.value("disputed", false) || row["mode"] != mode) continue;
    if (row.value("source", "").find("test_strict_mode") != std::string::npos) continue;
    Share& share = result[row["policy"].get<std::string>()];
    ++share.all;
    share.right += is_right(row) ? 1 : 0;
  }
  return result;
}

void check(const std::string& mode, const std::map<std::string, double>& least) {
  auto got = shares(mode);
  if (got.empty()) GTEST_SKIP() << "no repair cases in " << data_dir();
  for (const auto& [policy, share] : least) {
    EXPECT_GE(got[policy].value(), share) << policy << " " << got[policy].right << "/" << got[policy].all;
  }
}

TEST(RepairCorpus, Repair) {
  check("repair", {{"jsonrepair", 0.97}, {"json_repair-py", 0.90}, {"llm", 0.95}});
}

// The policy is openai's; what the others show earlier or later is theirs.
TEST(RepairCorpus, Partial) {
  check("partial", {{"openai-partialParse", 1.0},
                    {"langchain-strictParsePartialJson", 0.90},
                    {"vercel-fixJson", 0.85},
                    {"llm", 0.80},
                    {"anthropic-partialParse", 0.75},
                    {"partial-json", 0.60}});
}

// Streams whose thinking stands in their text: what is cut out of it. Without an opening tag the template
// had opened it.
TEST(ThinkCorpus, ThinkingIsCutOut) {
  std::ifstream file(data_dir() + "/streams/trap_cases.jsonl");
  int seen = 0;
  for (std::string line; std::getline(file, line);) {
    const Json row = Json::parse(line, nullptr, false);
    if (!row.contains("think_mode")) continue;
    const std::string text = row["expected"]["text"].get<std::string>();
    ThinkTags tags;
    if (text.find("<think") == std::string::npos) tags.opened();
    std::string reasoning, rest;
    const auto add = [&](const TextPiece& piece) { (piece.reasoning ? reasoning : rest) += piece.text; };
    std::string_view left = text;
    TextPiece piece;
    while (tags.next(left, piece)) add(piece);
    if (tags.finish(piece)) add(piece);
    EXPECT_EQ(reasoning, row["think_mode"]["reasoning"].get<std::string>()) << row["name"];
    EXPECT_EQ(rest, row["think_mode"]["text"].get<std::string>()) << row["name"];
    ++seen;
  }
  if (seen == 0) GTEST_SKIP() << "no streams with thinking in their text in " << data_dir();
}

}  // namespace
}  // namespace shunt::text
