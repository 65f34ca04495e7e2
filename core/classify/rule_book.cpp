// Which rows' words and sentences stand in an answer is found for all rows at once; the first row that has
// both, its family and its status decides.
#include "classify/rule_book.h"

#include <bit>
#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace shunt::classify {
namespace {

// Words as one text in which a pattern is a phrase: two line ends before, between and behind them, so that
// "\n4\n" is a whole word, "\nrate_" a beginning and "limit\n" an end. Words of our own begin with a mark
// that no provider's can hold.
constexpr std::string_view kParting = "\n\n";
constexpr std::string_view kOwn = "\r";

bool is_own(std::string_view pattern) { return pattern.starts_with('=') || pattern.starts_with("form:"); }

void append_word(std::string& out, std::string_view word) {
  if (word.empty()) return;
  const std::size_t from = out.size();
  out += word;
  for (std::size_t i = from; i < out.size(); ++i)
    out[i] = out[i] == '\n' || out[i] == '\r' ? ' ' : to_lower(out[i]);
  out += kParting;
}

std::string words_of(const Question& question) {
  std::string out;
  out.reserve(256);
  out += kParting;
  for (const std::string_view word : question.reading.words()) append_word(out, word);
  out.append(kOwn).append("=");
  append_int(out, question.status);
  return out.append(kParting)
      .append(kOwn)
      .append("form:")
      .append(name_of(question.reading.form))
      .append(kParting);
}

}  // namespace

void RuleIndex::add(Rules rows) {
  for (Rules at = rows; const auto rule = rows.next(); at = rows) {
    const auto row = static_cast<std::uint16_t>(rows_.size());
    CORE_CHECK(row < limits::kRuleRows);
    rows_.push_back(at);
    const std::uint64_t bit = std::uint64_t{1} << row % 64U;
    if (rule->words.empty()) wordless_[row / 64U] |= bit;
    if (rule->says.empty()) silent_[row / 64U] |= bit;
    for (std::string_view words = rule->words; !words.empty();) add_word(cut(words, '|'), row);
    for (std::string_view says = rule->says; !says.empty();) CORE_CHECK(sentences_.add(cut(says, '|'), row));
  }
}

void RuleIndex::close() {
  words_.close();
  sentences_.close();
}

void RuleIndex::add_word(std::string_view pattern, std::uint16_t row) {
  std::string_view literal = pattern;
  const bool open_start = literal.starts_with('*');
  if (open_start) literal.remove_prefix(1);
  const bool open_end = literal.ends_with('*');
  if (open_end) literal.remove_suffix(1);
  if (literal.find('*') != std::string_view::npos) {
    globs_.push_back({pattern, row});
    return;
  }
  const std::string_view start = open_start ? "" : is_own(pattern) ? "\n\r" : "\n";
  const std::string phrase = joined({start, to_lower(literal), open_end ? "" : kParting});
  CORE_CHECK(words_.add(phrase, row));
}

std::optional<Rule> RuleIndex::first_match(const Question& question) const {
  Bits worded = wordless_;
  Bits said = silent_;
  words_.find_in(words_of(question), worded);
  sentences_.find_in(question.sentence, said);
  const auto bit = [](char c) { return 1U << (static_cast<unsigned char>(c) & 31U); };
  std::uint32_t firsts = bit('*');
  for (const std::string_view word : question.reading.words())
    firsts |= word.empty() ? 0U : bit(word.front());
  for (const Glob& glob : globs_) {
    if ((firsts & bit(glob.pattern.front())) != 0 && says_word(glob.pattern, question))
      worded[glob.row / 64U] |= std::uint64_t{1} << glob.row % 64U;
  }
  const Statuses group = group_of(question.status);
  for (std::size_t block = 0; block < wordless_.size(); ++block) {
    for (std::uint64_t met = worded[block] & said[block]; met != 0; met &= met - 1) {
      Rules at = rows_[64 * block + static_cast<std::size_t>(std::countr_zero(met))];
      if (!at.next_allows(question, group)) continue;
      if (auto rule = at.next(); is_meant(*rule, question)) return rule;
    }
  }
  return std::nullopt;
}

std::size_t RuleIndex::memory() const {
  return rows_.capacity() * sizeof(Rules) + globs_.capacity() * sizeof(Glob) + words_.memory() +
         sentences_.memory();
}

RuleBook::RuleBook(std::string own_rows) : own_rows_(std::move(own_rows)) {
  replies_.add(Rules(own_rows_));
  for (const Rules table : {provider_rules(), word_rules(), sentence_rules(), status_rules()})
    replies_.add(table);
  faults_.add(fault_rules());
  replies_.close();
  faults_.close();
}

}  // namespace shunt::classify
