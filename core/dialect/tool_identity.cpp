// Which tool call a delta belongs to. See tool_identity.h.
#include "dialect/tool_identity.h"

namespace shunt::dialect {

// The latest of that id or index: servers that put every call at index 0 continue the one they began last.
int ToolIdentity::find_id(std::string_view id) {
  for (std::size_t i = calls_.size(); i > 0; --i) {
    if (calls_[i - 1].id == id) return static_cast<int>(i - 1);
  }
  return -1;
}

int ToolIdentity::find_index(std::int64_t index) {
  for (std::size_t i = calls_.size(); i > 0; --i) {
    if (calls_[i - 1].index == index) return static_cast<int>(i - 1);
  }
  return -1;
}

int ToolIdentity::find(const Delta& delta) {
  const int indexed = delta.index ? find_index(*delta.index) : -1;
  if (delta.id.empty()) {
    // No id: a known index is that call; neither index nor name goes on with the latest.
    if (delta.index) return indexed;
    return delta.name.empty() ? static_cast<int>(calls_.size()) - 1 : -1;
  }
  const int known = find_id(delta.id);
  if (known >= 0) return known;
  // A new id at a known index: no name means a rotating id; a call still without id has just got it.
  if (indexed >= 0 && (delta.name.empty() || calls_[static_cast<std::size_t>(indexed)].id.empty()))
    return indexed;
  return -1;
}

ToolIdentity::Match ToolIdentity::match(const Delta& delta) {
  Match match;
  match.call = find(delta);
  if (match.call < 0) {
    if (calls_.size() == kToolCalls) return match;
    match.call = static_cast<int>(calls_.size());
    match.fresh = true;
    Call& call = calls_.add();
    call.id = delta.id;
    call.index = delta.index;
    call.named = !delta.name.empty();
    return match;
  }
  Call& call = calls_[static_cast<std::size_t>(match.call)];
  match.late_id = call.id.empty() && !delta.id.empty();
  if (match.late_id) call.id = delta.id;
  match.late_name = !call.named && !delta.name.empty();
  if (match.late_name) call.named = true;
  return match;
}

}  // namespace shunt::dialect
