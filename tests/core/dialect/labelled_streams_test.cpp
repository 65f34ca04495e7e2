// Labelled streams (one trap each, and recordings) decoded and compared with the answer their label expects.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "dialect/finish.h"
#include "streams.h"

namespace shunt::dialect::test {
namespace {

using nlohmann::json;

json count(const std::optional<std::int64_t>& value) { return value ? json(*value) : json(); }

json text_or_null(const std::string& text) { return text.empty() ? json() : json(text); }

// The answer in the labels' own shape: the first choice.
json shape(const Folded& folded) {
  const FoldedChoice none;
  const FoldedChoice& choice = folded.choices.empty() ? none : folded.choices.front();
  json calls = json::array();
  for (const FoldedCall& call : choice.calls) {
    calls.push_back({{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
  }
  json usage;
  if (!folded.usage_raw.empty()) {
    usage = {{"prompt", count(folded.usage.prompt)},
             {"completion", count(folded.usage.completion)},
             {"total", count(folded.usage.total)},
             {"cached", folded.usage.cached.value_or(0)},
             {"reasoning", count(folded.usage.reasoning)}};
  }
  const FinishReason reason = with_calls(choice.finish, !choice.calls.empty());
  return {{"text", choice.text},
          {"reasoning", choice.reasoning_text()},
          {"refusal", choice.refusal},
          {"tool_calls", calls},
          {"finish_raw", text_or_null(choice.finish_raw)},
          {"finish", choice.finished ? json(name_of(reason)) : json()},
          {"usage", usage},
          {"error", folded.errors.empty() ? json() : json(folded.errors.front().message)}};
}

// Labels hold the provider's error value; we compare its words.
json label(const json& row) {
  json expected = row["expected"];
  const json& error = row.contains("recover") ? row["recover"]["error"] : expected["error"];
  if (error.is_object()) expected["error"] = error.value("message", "");
  if (error.is_string()) expected["error"] = error;
  expected.erase("usage_raw");
  if (expected["usage"].is_object()) {
    json usage;
    for (const char* key : {"prompt", "completion", "total", "cached", "reasoning"}) {
      usage[key] = expected["usage"].contains(key) ? expected["usage"][key] : json();
    }
    if (usage["cached"].is_null()) usage["cached"] = 0;  // labels say 0 for unsaid now and then
    expected["usage"] = usage;
  }
  return expected;
}

std::optional<DialectId> ours(const json& row) {
  const std::string name = row.value("dialect", "");
  const std::optional<DialectId> named = dialect_named(name);
  return named && find(*named) != nullptr ? named : std::nullopt;
}

Quirks quirks_of(const json& row) {
  return row.value("provider", "").rfind("xai", 0) == 0 ? with(0, Quirk::completion_excludes_reasoning) : 0;
}

std::vector<json> rows(const std::filesystem::path& path) {
  std::vector<json> all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) all.push_back(json::parse(line));
  return all;
}

struct Score {
  int all = 0;
  int agreed = 0;
  std::string disagreed;
};

void compare(const json& row, const std::string& bytes, Score& score) {
  const std::optional<DialectId> dialect = ours(row);
  if (!dialect) return;
  const json expected = label(row);
  const bool array = row["format"] == "json-array";
  const json got =
      shape(array ? fold_answer(*dialect, bytes) : fold_stream(*dialect, bytes, {}, quirks_of(row)));
  if (!array) {
    EXPECT_EQ(got, shape(fold_stream(*dialect, bytes, {1}, quirks_of(row)))) << row["name"];
  }
  ++score.all;
  if (got == expected) {
    ++score.agreed;
    return;
  }
  score.disagreed += row["name"].get<std::string>() + "\n" + json::diff(expected, got).dump() + "\n";
}

TEST(LabelledStreams, TrapsAreReadAsLabelled) {
  const std::vector<json> all = rows(shared_data() / "streams" / "trap_cases.jsonl");
  if (all.empty()) GTEST_SKIP() << "no labelled streams here";
  Score score;
  for (const json& row : all) compare(row, row["input"].get<std::string>(), score);
  RecordProperty("agreed", score.agreed);
  EXPECT_EQ(score.agreed, score.all) << score.disagreed;
}

TEST(LabelledStreams, RecordingsAreReadAsLabelled) {
  const std::vector<json> all = rows(shared_data() / "streams" / "index.jsonl");
  if (all.empty()) GTEST_SKIP() << "no labelled streams here";
  Score score;
  for (const json& row : all) {
    std::ifstream file(shared_data() / "streams" / "bodies" / row["file"].get<std::string>(),
                       std::ios::binary);
    compare(row, std::string(std::istreambuf_iterator<char>(file), {}), score);
  }
  RecordProperty("agreed", score.agreed);
  EXPECT_EQ(score.agreed, score.all) << score.disagreed;
}

}  // namespace
}  // namespace shunt::dialect::test
