// All rules that an engine asks, made ready once: the operator's own rows, then the built-in tables. Knows
// how rows match; what they mean stands in the tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "classify/phrase_index.h"
#include "classify/rules.h"

namespace shunt::classify {

// One list of rows in the order they are asked.
class RuleIndex {
 public:
  explicit RuleIndex(Begins says) : sentences_(says) {}
  void add(Rules rows);  // their bytes must outlive the index
  void close();          // after all rows are in
  // The first row of which all that it names holds, as `matches` says it.
  std::optional<Rule> first_match(const Question& question) const;
  std::size_t memory() const;

 private:
  struct Glob {
    std::string_view pattern;
    std::uint16_t row;
  };

  void add_word(std::string_view pattern, std::uint16_t row);

  using Bits = std::array<std::uint64_t, limits::kRuleRows / 64>;  // one for each row

  std::vector<Rules> rows_;  // each with those behind it
  Bits wordless_{};          // rows that name no words
  Bits silent_{};            // rows that look for no sentence
  PhraseIndex words_{Begins::anywhere};
  PhraseIndex sentences_;
  std::vector<Glob> globs_;  // patterns with a '*' inside
};

class RuleBook {
 public:
  // `own_rows`: rows as append_packed() wrote them; they are asked before all others.
  explicit RuleBook(std::string own_rows = {});
  RuleBook(const RuleBook&) = delete;
  RuleBook& operator=(const RuleBook&) = delete;

  // What a reply means; the last row matches everything.
  Rule of_reply(const Question& question) const { return *replies_.first_match(question); }
  // What a broken transport means; the same.
  Rule of_fault(const Question& question) const { return *faults_.first_match(question); }
  std::size_t memory() const { return own_rows_.capacity() + replies_.memory() + faults_.memory(); }

 private:
  std::string own_rows_;
  RuleIndex replies_{Begins::at_words};
  RuleIndex faults_{Begins::anywhere};
};

}  // namespace shunt::classify
