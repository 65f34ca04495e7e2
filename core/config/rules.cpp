// "rules": an operator's own rows, asked before the built-in ones. How rows match is classify's.
#include "classify/rules.h"

#include <algorithm>
#include <cstddef>

#include "base/limits.h"
#include "base/strings.h"
#include "config/drafts.h"
#include "config/names.h"
#include "config/values.h"

namespace shunt::config {
namespace {

using R = RuleDraft;
constexpr std::size_t kMaxRules = 256;
constexpr std::size_t kLongestPart = 200;  // bytes of one alternative
constexpr std::size_t kMaxParts = 64;

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

// One alternative: a word or a phrase. Packed rows part them by '|' and end them by NUL.
bool read_part(Reader& in, std::string& list) {
  const char* const allowed = "a text of 1 to 200 bytes without \"|\" and control characters";
  const std::uint64_t at = in.at();
  std::string part;
  if (!in.text(part)) return false;
  const bool plain = part.find_first_not_of('*') != std::string::npos && part.size() <= kLongestPart &&
                     part.find('|') == std::string::npos && !has_control(part);
  if (!plain) {
    in.report().fault_about(at, "%", part, allowed);
    return false;
  }
  if (!list.empty()) list += '|';
  list += part;
  return true;
}

// One text, or a list of them.
void read_parts(Reader& in, std::string& into) {
  if (in.is_string()) {
    read_part(in, into);
    return;
  }
  const std::uint64_t at = in.at();
  if (!in.enter_array()) return;
  std::size_t count = 0;
  for (; in.next_element(); ++count) read_part(in, into);
  if (count == 0 || count > kMaxParts) in.report().fault(at, "a list of no use", "1 to 64 texts");
}
void read_status(Reader& in, R& into) {
  into.narrowed = true;
  if (const auto status = in.integer(100, 599)) into.status = static_cast<std::uint16_t>(*status);
}
void read_code(Reader& in, R& into) {
  into.narrowed = true;
  read_parts(in, into.words);
}
void read_contains(Reader& in, R& into) {
  into.narrowed = true;
  read_parts(in, into.says);
  into.says = to_lower(into.says);
}

void read_class(Reader& in, R& into) {
  Names names;
  for (int i = 0; i < kErrorClasses; ++i) names.push_back(name_of(static_cast<ErrorClass>(i)));
  if (const auto found = read_word_of(in, names)) into.error_class = static_cast<ErrorClass>(*found);
}

void read_rule_id(Reader& in, R& into) {
  Name id;
  if (read_id(in, id)) into.id = std::move(id.value);
}
void read_sub(Reader& in, R& into) {
  Name id;
  if (read_id(in, id)) into.sub = std::move(id.value);
}

constexpr auto kRule = table<R>({
    {"id", own<read_rule_id>()},
    {"provider", own<read_name, &R::provider>()},
    {"status", own<read_status>()},
    {"code", own<read_code>()},
    {"contains", own<read_contains>()},
    {"class", own<read_class>(), Stand::required},
    {"sub", own<read_sub>()},
    {"scope", word<&R::scope>("request deployment key model provider region own_host")},
    {"retry_same", flag<&R::retry_same>()},
    {"switch_provider", flag<&R::switch_provider>()},
    {"penalty", word<&R::penalty>("none cooldown weak normal long")},
});

}  // namespace

void read_rules(Reader& in, Draft& into) {
  const std::uint64_t begin = in.at();
  if (!in.enter_array()) return;
  while (in.next_element()) {
    R& rule = into.rules.emplace_back();
    const std::uint64_t at = in.at();
    const bool read = read_object(in, rule, kRule) != kNoObject;
    if (!read) {
      into.rules.pop_back();
    } else if (!rule.narrowed) {
      in.report().fault(at, "a rule that matches every failure", "\"status\", \"code\" or \"contains\"");
    }
  }
  if (into.rules.size() > kMaxRules) in.report().fault(begin, "too many rules", "at most 256");
}

std::string packed_rules(const std::list<RuleDraft>& rules) {
  std::string out;
  std::size_t number = 0;
  for (const R& rule : rules) {
    std::string name = "rules/";
    if (rule.id.empty()) {
      append_uint(name, number);
    } else {
      name += rule.id;
    }
    classify::Rule row;
    row.name = name;
    row.words = rule.words;
    row.says = rule.says;
    row.ruling = {rule.error_class,     rule.sub,    rule.scope, rule.retry_same,
                  rule.switch_provider, rule.penalty};
    row.provider = rule.provider.value;
    row.status = rule.status;
    classify::append_packed(out, row);
    ++number;
  }
  return out;
}

}  // namespace shunt::config
