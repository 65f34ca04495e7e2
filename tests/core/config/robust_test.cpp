// Whatever the bytes, loading ends: with tables, or with at least one located fault. And it is fast enough to
// do at every start.
#include <gtest/gtest.h>

#include <chrono>
#include <iostream>

#include "base/rng.h"
#include "sample.h"

namespace shunt::config {
namespace {

// The pieces a mutation puts in: JSON's own characters, and values that are wrong in most places.
constexpr std::string_view kPieces[] = {"{",       "}",    "[",        "]",
                                        ",",       ":",    "\"",       "\\",
                                        "\\u0000", "null", "-1",       "1e9",
                                        "0.5",     "true", "\"*\"",    "\"*@openai\"",
                                        "{}",      "[]",   "\"\"",     "9223372036854775808",
                                        "\n",      "\xff", "\"chat\"", "\"spare\"",
                                        "\"a\":1,"};

// `count` pieces with commas between: `form` with each '#' replaced by the number of the piece and each '^'
// by the next one's.
std::string numbered(std::string_view form, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    if (i > 0) out += ",\n";
    for (const char c : form) {
      if (c == '#') {
        out += std::to_string(i);
      } else if (c == '^') {
        out += std::to_string((i + 1) % count);
      } else {
        out += c;
      }
    }
  }
  return out;
}

std::string mutated(std::uint64_t seed) {
  std::string text(kFull);
  const std::uint64_t changes = 1 + draw_below(seed, Draw::probe_thinning, 0, 3);
  for (std::uint64_t i = 0; i < changes; ++i) {
    const auto draw = [&](std::uint64_t counter, std::size_t below) {
      return static_cast<std::size_t>(
          draw_below(seed, Draw::probe_thinning, 10 * i + counter + 1, static_cast<std::uint32_t>(below)));
    };
    const std::size_t at = draw(0, text.size());
    const std::size_t length = draw(1, 12);
    switch (draw(2, 4)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, kPieces[draw(3, std::size(kPieces))]); break;
      case 2: text.insert(at, text.substr(draw(3, text.size()), length)); break;
      default: text.replace(at, 1, kPieces[draw(3, std::size(kPieces))]); break;
    }
    if (text.empty()) text.push_back('{');
  }
  return text;
}

TEST(Robust, EveryMutationLoadsOrIsReported) {
  std::size_t loaded = 0;
  for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
    const std::string text = mutated(seed);
    const Read result = read(text);
    loaded += result.ok ? 1 : 0;
    ASSERT_NE(result.ok, !result.faults.empty()) << "seed " << seed;
    for (const Fault& fault : result.faults) {
      ASSERT_TRUE(fault.line >= 1 && fault.column >= 1 && fault.path.starts_with("$") && !fault.found.empty())
          << "seed " << seed;
    }
    if (result.ok) {
      ASSERT_EQ(result.loaded.breakers.size(), result.loaded.catalog.deployments.size());
      ASSERT_FALSE(describe_catalog(result.loaded).empty());
    }
  }
  EXPECT_GT(loaded, 100U);
}

TEST(Robust, EveryTruncationIsReported) {
  for (std::size_t length = 0; length < kFull.size(); length += 3) {
    const Read result = read(kFull.substr(0, length));
    ASSERT_FALSE(result.ok);
    ASSERT_EQ(result.faults.size(), 1U);
  }
}

TEST(Robust, LongFallbackChainsEnd) {
  const std::string routes = numbered(R"("r#":{"deployments":["a"],"fallback":[{"route":"r^"}]})", 5000);
  const Read result = read(with_line("\"routes\":{" + routes + "}"));
  ASSERT_EQ(result.faults.size(), 1U);
  EXPECT_EQ(result.faults[0].path, "$.routes.r4999.fallback[0].route");
}

TEST(Robust, TenThousandDeploymentsLoadInATenthOfASecond) {
  const std::string list =
      numbered(R"({"id":"model-#@p","provider":"p","model":"model-#","priority":1,"weight":10,)"
               R"("context_tokens":128000,"limits":{"rpm":500,"tpm":30000},"timeouts":{"idle_ms":30000}})",
               10000);
  const std::string routes = numbered(R"("model-#":{"deployments":["model-#@p"]})", 10000);
  std::string text = "\"deployments\":[";
  text.append(list).append("],\"routes\":{").append(routes).append("}");
  text = with_provider(text);
  const auto begin = std::chrono::steady_clock::now();
  const Read result = read(text);
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count();
  std::cout << text.size() << " bytes in " << ms << " ms\n";
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.loaded.catalog.deployments.size(), 10000U);
  EXPECT_LT(ms, 2000);  // the target is 100 ms; sanitizers and busy machines take longer
}

}  // namespace
}  // namespace shunt::config
