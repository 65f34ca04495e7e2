// Think tags: a held-back beginning is compared with the tags that may come.
#include "text/think_tags.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace shunt::text {
namespace {

// Of each name what opens and what closes.
constexpr std::string_view kTags[] = {"<think>", "</think>", "<thinking>", "</thinking>"};
constexpr std::size_t kTagCount = std::size(kTags);
static_assert(kTags[3].size() <= limits::kThinkTagBytes);

constexpr std::size_t kFenceMarks = 3;

}  // namespace

bool ThinkTags::next(std::string_view& chunk, TextPiece& out) {
  while (!chunk.empty()) {
    std::size_t run = size_ > 0 ? 0 : std::min(chunk.find('<'), chunk.size());
    if (run == 0) {
      if (take_tag(chunk.front())) {
        chunk.remove_prefix(1);
        continue;
      }
      // No tag after all; what ended it may begin one.
      if (size_ > 0) return put({held_, std::exchange(size_, 0)}, out);
      run = 1;
    }
    const std::string_view text = chunk.substr(0, run);
    chunk.remove_prefix(run);
    return put(text, out);
  }
  return false;
}

bool ThinkTags::finish(TextPiece& out) { return size_ > 0 && put({held_, std::exchange(size_, 0)}, out); }

// Adds `c` to the beginning of a tag; at a tag's end switches over. False when no tag goes on so.
bool ThinkTags::take_tag(char c) {
  if (size_ == 0 && (mark_ == '`' || fence_ != 0) && !thinking_) return false;
  held_[size_] = c;
  const std::string_view held(held_, size_ + 1);
  for (std::size_t i = 0; i < kTagCount; ++i) {
    const std::size_t name = i / 2;
    const bool opens = i % 2 == 0;
    const bool may = opens ? !thinking_ || (any_tag_ && !begun_) : thinking_ && (any_tag_ || name == tag_);
    if (!may || !kTags[i].starts_with(held)) continue;
    size_ = held.size();
    if (size_ < kTags[i].size()) return true;
    thinking_ = opens;
    any_tag_ = false;
    mark_ = fence_ = 0;
    tag_ = name;
    size_ = 0;
    return true;
  }
  return false;
}

bool ThinkTags::put(std::string_view text, TextPiece& out) {
  for (const char c : text) note(c);
  out = {thinking_, text};
  return true;
}

// Three marks at a line's start open a block of code, or close the one they opened.
void ThinkTags::note(char c) {
  if (c == '`' || c == '~') {
    run_ = c == mark_ ? run_ + 1 : 1;
    mark_ = c;
    if (line_start_ && run_ == kFenceMarks && (fence_ == 0 || fence_ == c)) fence_ = fence_ == 0 ? c : '\0';
    return;
  }
  mark_ = 0;
  if (c == '\n') line_start_ = true;
  if (c != '\n' && c != ' ' && c != '\t' && c != '\r') {
    line_start_ = false;
    begun_ = true;
  }
}

}  // namespace shunt::text
