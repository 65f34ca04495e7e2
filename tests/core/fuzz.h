// What fuzz targets share: a corpus in files (tests/fuzz/TARGET), replayed as it is and then mutated, and how
// many runs. SHUNT_FUZZ_RUNS says how many, SHUNT_FUZZ_FROM where they begin: each run has its own dice, so
// one that failed is run again by its number. SHUNT_FUZZ_TRACE=1 says each number before its run, for a
// crash.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dice.h"

namespace shunt {

inline std::uint64_t fuzz_setting(const char* name, std::uint64_t usual) {
  const char* asked = std::getenv(name);
  return asked != nullptr ? std::strtoull(asked, nullptr, 10) : usual;
}

struct Seed {
  std::string name;
  std::string bytes;
};

// The files of a corpus, in the order of their names.
inline std::vector<Seed> corpus_of(const std::string& target) {
  std::vector<Seed> all;
  const auto folder = std::filesystem::path(SHUNT_SOURCE_DIR) / "tests" / "fuzz" / target;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    all.push_back({entry.path().filename().string(), std::string(std::istreambuf_iterator<char>(file), {})});
  }
  std::sort(all.begin(), all.end(), [](const Seed& a, const Seed& b) { return a.name < b.name; });
  return all;
}

// A broken copy of a seed: pieces and other seeds put in, bytes taken out or made up, the end cut off.
inline std::string mutated(const std::vector<Seed>& corpus, std::size_t seed,
                           std::span<const std::string_view> pieces, Dice& dice) {
  std::string body = corpus[seed].bytes;
  for (std::size_t left = dice.below(7); left > 0; --left) {
    const std::size_t at = dice.below(body.size() + 1);
    switch (dice.below(6)) {
      case 0: body.insert(at, pieces[dice.below(pieces.size())]); break;
      case 1: body.erase(at, dice.below(12)); break;
      case 2: body.resize(at); break;
      case 3: body.insert(at, corpus[dice.below(corpus.size())].bytes); break;
      case 4: body.insert(at, body.substr(dice.below(body.size() + 1), dice.below(40))); break;
      default: body.insert(at, 1, static_cast<char>(dice.below(256))); break;
    }
  }
  return body;
}

// `check(dice)` as many times as asked, each with dice of its own. Ends at the first that fails, and says its
// number.
template <typename Check>
void fuzz_runs(const std::string& target, std::uint64_t usual, const Check& check) {
  const std::uint64_t from = fuzz_setting("SHUNT_FUZZ_FROM", 0);
  const std::uint64_t runs = fuzz_setting("SHUNT_FUZZ_RUNS", usual);
  const bool trace = std::getenv("SHUNT_FUZZ_TRACE") != nullptr;
  for (std::uint64_t run = from; run < from + runs; ++run) {
    if (trace || (run > from && (run - from) % 1'000'000 == 0))
      std::fprintf(stderr, "fuzz %s: run %llu\n", target.c_str(), static_cast<unsigned long long>(run));
    Dice dice(run);
    check(dice);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "fuzz " << target << ": run " << run;
      return;
    }
  }
}

// `check(seed, bytes, dice)` for every seed of the corpus as it is, then for mutations of them.
template <typename Check>
void fuzz(const std::string& target, std::span<const std::string_view> pieces, std::uint64_t usual,
          const Check& check) {
  const std::vector<Seed> corpus = corpus_of(target);
  ASSERT_FALSE(corpus.empty()) << target;
  for (const Seed& seed : corpus) {
    SCOPED_TRACE("tests/fuzz/" + target + "/" + seed.name);
    Dice dice(0);
    check(seed, seed.bytes, dice);
    if (testing::Test::HasFailure()) return;
  }
  fuzz_runs(target, usual, [&](Dice& dice) {
    const std::size_t seed = dice.below(corpus.size());
    const std::string body = mutated(corpus, seed, pieces, dice);
    check(corpus[seed], body, dice);
    if (testing::Test::HasFailure()) ADD_FAILURE() << body;
  });
}

}  // namespace shunt
