// The members of a body that a line changes.
#include "dialect/edits.h"

#include <algorithm>

#include "base/strings.h"

namespace shunt::dialect {
namespace {

constexpr std::string_view kMaxTokens = "max_tokens";

bool is_max_tokens(std::string_view name) { return name == kMaxTokens || name == "max_completion_tokens"; }

// "topP" and "top_p".
bool same_but_for_form(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t k = 0;
  for (;; ++i, ++k) {
    while (i < a.size() && a[i] == '_') ++i;
    while (k < b.size() && b[k] == '_') ++k;
    if (i >= a.size() || k >= b.size()) return i >= a.size() && k >= b.size();
    if (to_lower(a[i]) != to_lower(b[k])) return false;
  }
}

bool same_member(DialectId dialect, std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (dialect == DialectId::openai_chat) return is_max_tokens(a) && is_max_tokens(b);
  return dialect == DialectId::gemini_generate && same_but_for_form(a, b);
}

}  // namespace

Edits::Edits(const RequestTarget& target, DialectId dialect) : dialect_(dialect) {
  for (const auto& [name, value] : target.params) edits_.push_back({name, value});
  for (const std::string& name : target.drop) {
    Edit& edit = edits_.emplace_back();
    edit.name = name;
    if (dialect == DialectId::anthropic_messages && name == kMaxTokens)
      append_int(edit.value, target.default_max_tokens.value_or(kDefaultMaxTokens));
  }
}

Edit* Edits::of(std::string_view member) {
  const auto found = std::find_if(edits_.begin(), edits_.end(),
                                  [&](const Edit& edit) { return same_member(dialect_, edit.name, member); });
  return found == edits_.end() ? nullptr : &*found;
}

bool Edits::drops(std::string_view member) {
  const Edit* const edit = of(member);
  return edit != nullptr && edit->value.empty();
}

void Edits::forget(std::string_view member) {
  std::erase_if(edits_, [&](const Edit& edit) { return same_member(dialect_, edit.name, member); });
}

}  // namespace shunt::dialect
