// Every recorded answer outside 2xx means what its provider documents, by the reviewed table in
// tests/golden/classify/recorded.md.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "judged.h"

namespace shunt::classify {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

fs::path traces() {
  const char* given = std::getenv("SHUNT_DATA");
  return fs::path(given != nullptr ? given : SHUNT_SOURCE_DIR "/../shared/data") / "traces";
}

struct Meaning {
  int status = 0;
  std::string error_class, sub;
};

// "400 CLASS sub: why.", then the ids it holds for.
std::map<std::string, Meaning> reviewed() {
  std::map<std::string, Meaning> out;
  std::ifstream file(SHUNT_SOURCE_DIR "/tests/golden/classify/recorded.md");
  Meaning meaning;
  bool ids = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      ids = line == "```ids";
    } else if (ids) {
      EXPECT_TRUE(out.emplace(line, meaning).second) << line << " stands twice";
    } else if (!line.empty() && line.find_first_not_of("0123456789") == 3) {
      std::istringstream words(line);
      words >> meaning.status >> meaning.error_class >> meaning.sub;
      EXPECT_TRUE(meaning.sub.ends_with(':')) << line;
      meaning.sub.pop_back();
      EXPECT_GT(line.size(), 40U) << "a row without its reason: " << line;
    }
  }
  return out;
}

Verdict judge(const Json& row) {
  const Json& response = row["response"];
  std::string headers;
  if (response.contains("headers") && response["headers"].is_object()) {
    for (const auto& [name, value] : response["headers"].items())
      headers += name + ": " + (value.is_string() ? value.get<std::string>() : value.dump()) + "\n";
  }
  const std::string body = response.contains("body_text") && response["body_text"].is_string()
                               ? response["body_text"].get<std::string>()
                               : "";
  const std::string provider = row["provider"].get<std::string>();
  Evidence evidence;
  evidence.provider = provider;
  evidence.status = response["status"].get<int>();
  evidence.headers = HeaderBlock(headers);
  evidence.body = body;
  return judged(evidence);
}

TEST(Recorded, EveryFailureMeansWhatItsProviderDocuments) {
  if (!fs::is_directory(traces())) GTEST_SKIP() << "no recorded traffic at " << traces();
  const auto meanings = reviewed();
  std::size_t judged_rows = 0;
  std::size_t unknown = 0;
  for (const auto& entry : fs::directory_iterator(traces())) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      const Json row = Json::parse(line);
      if (row["response"]["status"].get<int>() / 100 == 2) continue;
      const auto found = meanings.find(row["id"].get<std::string>());
      if (found == meanings.end()) {
        ++unknown;
        continue;
      }
      const Verdict verdict = judge(row);
      EXPECT_EQ(name_of(verdict.error_class), found->second.error_class)
          << found->first << " by " << verdict.rule;
      EXPECT_EQ(verdict.sub, found->second.sub) << found->first << " by " << verdict.rule;
      EXPECT_EQ(row["response"]["status"].get<int>(), found->second.status) << found->first;
      ++judged_rows;
    }
  }
  EXPECT_EQ(unknown, 0U) << "recorded failures that nobody has reviewed";
  EXPECT_EQ(judged_rows, meanings.size());
}

}  // namespace
}  // namespace shunt::classify
