// The share of labelled provider errors that are judged right. The labels, their policy and the
// accepted alternatives are the corpus's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "judged.h"

namespace shunt::classify {
namespace {

using Json = nlohmann::json;

std::string data_dir() {
  const char* given = std::getenv("SHUNT_DATA");
  return given != nullptr ? given : SHUNT_SOURCE_DIR "/../shared/data";
}

struct Row {
  Json label;
  std::string headers, body, network, provider;

  Verdict judge() const {
    Evidence evidence;
    evidence.status = label["status"].is_null() ? 0 : label["status"].get<int>();
    evidence.fault = label["network_error"].is_null() ? TransportFault::none : TransportFault::other;
    evidence.fault_text = network;
    evidence.headers = HeaderBlock(headers);
    evidence.body = body;
    evidence.provider = provider;
    return judged(evidence);
  }
};

std::vector<Row> corpus() {
  std::vector<Row> rows;
  std::ifstream file(data_dir() + "/errors/open.jsonl");
  for (std::string line; std::getline(file, line);) {
    Row row;
    row.label = Json::parse(line);
    for (const auto& [name, value] : row.label["headers"].items())
      row.headers += name + ": " + value.get<std::string>() + "\n";
    row.body = row.label["body"].is_null() ? "" : row.label["body"].get<std::string>();
    row.network = row.label["network_error"].is_null() ? "" : row.label["network_error"].get<std::string>();
    row.provider = row.label["provider"].get<std::string>();
    rows.push_back(std::move(row));
  }
  return rows;
}

bool class_is_right(const Row& row, const Verdict& verdict) {
  const std::string got(name_of(verdict.error_class));
  const Json& label = row.label;
  if (label["class"] == got || label["alt_class"] == got) return true;
  if (label["alt_class"].is_array() &&
      std::find(label["alt_class"].begin(), label["alt_class"].end(), got) != label["alt_class"].end()) {
    return true;
  }
  // A 200 with nothing in it has classes of its own here (policy 12).
  const std::string sub = label["sub"].is_null() ? "" : label["sub"].get<std::string>();
  const bool empty = sub.starts_with("empty") || sub.starts_with("keepalive") || sub.starts_with("null");
  return label["class"] == "UNKNOWN" && label["status"] == 200 && empty &&
         (got == "EMPTY_CONTENT" || got == "EXTERNAL_NETWORK");
}

struct Share {
  int right = 0;
  int all = 0;
  void add(bool good) { ++all, right += good ? 1 : 0; }
  double value() const { return all == 0 ? 1.0 : static_cast<double>(right) / all; }
};

class Corpus : public testing::Test {
 protected:
  void SetUp() override {
    rows_ = corpus();
    if (rows_.empty()) GTEST_SKIP() << "no labelled errors in " << data_dir();
  }
  // Prints what is wrong when SHUNT_VERBOSE is set: how the tables are mended.
  static void tell(const Row& row, const Verdict& verdict, const char* what) {
    if (std::getenv("SHUNT_VERBOSE") == nullptr) return;
    std::fprintf(stderr, "%s %s: %s/%s, got %s/%.*s by %.*s\n", what,
                 row.label["id"].get<std::string>().c_str(), row.label["class"].get<std::string>().c_str(),
                 row.label["sub"].dump().c_str(), name_of(verdict.error_class).data(),
                 static_cast<int>(verdict.sub.size()), verdict.sub.data(),
                 static_cast<int>(verdict.rule.size()), verdict.rule.data());
  }
  std::vector<Row> rows_;
};

TEST_F(Corpus, ClassesAreRight) {
  Share verbatim, all, synthetic;
  for (const Row& row : rows_) {
    const Verdict verdict = row.judge();
    const bool right = class_is_right(row, verdict);
    if (!right) tell(row, verdict, "class");
    all.add(right);
    if (row.label["fidelity"] == "verbatim") verbatim.add(right);
    if (row.label["fidelity"] == "synthetic") synthetic.add(right);
  }
  RecordProperty("verbatim_permille", static_cast<int>(verbatim.value() * 1000));
  RecordProperty("all_permille", static_cast<int>(all.value() * 1000));
  EXPECT_GE(verbatim.value(), 0.95);
  EXPECT_GE(all.value(), 0.94);
  EXPECT_GE(synthetic.value(), 0.95);
}

TEST_F(Corpus, WaitsAreReadWhereStatedAndOnlyThere) {
  Share stated, silent;
  for (const Row& row : rows_) {
    const Verdict verdict = row.judge();
    const Json& label = row.label["retry_after_s"];
    const double got = verdict.retry_after ? static_cast<double>(verdict.retry_after->ms) / 1000 : -1;
    const bool right = label.is_null() ? got < 0 : std::abs(got - label.get<double>()) < 0.5;
    (label.is_null() ? silent : stated).add(right);
    if (!right) tell(row, verdict, label.is_null() ? "wait invented" : "wait missed");
  }
  EXPECT_GE(stated.value(), 0.98);
  EXPECT_GE(silent.value(), 0.99);
}

TEST_F(Corpus, AdviceFollowsThePolicy) {
  Share same, other, penalty;
  for (const Row& row : rows_) {
    const Verdict verdict = row.judge();
    const bool penalise = verdict.penalty == Penalty::normal || verdict.penalty == Penalty::long_;
    same.add(row.label["retry_same_provider"] == verdict.retry_same);
    other.add(row.label["switch_provider"] == verdict.switch_provider);
    penalty.add(row.label["penalise_provider"] == penalise);
  }
  EXPECT_GE(same.value(), 0.97);
  EXPECT_GE(other.value(), 0.97);
  EXPECT_GE(penalty.value(), 0.97);
}

// Labels that the corpus scores stand in five rows or more of it as a whole; here those of four or
// more of its open part count.
TEST_F(Corpus, SubLabelsAreRight) {
  std::map<std::string, int> seen;
  for (const Row& row : rows_) ++seen[row.label["sub"].dump()];
  Share subs;
  for (const Row& row : rows_) {
    if (seen[row.label["sub"].dump()] < 4 || row.label["sub"].is_null()) continue;
    const Verdict verdict = row.judge();
    const bool right = row.label["sub"] == std::string(verdict.sub);
    subs.add(right);
    if (!right) tell(row, verdict, "sub");
  }
  EXPECT_GE(subs.value(), 0.85);
}

}  // namespace
}  // namespace shunt::classify
