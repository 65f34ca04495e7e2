// Think tags: a held-back beginning is compared with the tags that may come.
#include "text/think_tags.h"

#include <algorithm>

#include "base/check.h"
#include "base/limits.h"

namespace shunt::text {
namespace {

struct Tags {
  std::string_view open, close;
};
constexpr Tags kTags[] = {{"<think>", "</think>"}, {"<thinking>", "</thinking>"}};
static_assert(std::string_view("</thinking>").size() <= limits::kThinkTagBytes);

}  // namespace

void ThinkTags::feed(std::string_view chunk, std::vector<TextPiece>& out) {
  while (!chunk.empty()) {
    if (held_.empty()) {
      const std::size_t run = std::min(chunk.find('<'), chunk.size());
      put(chunk.substr(0, run), out);
      chunk.remove_prefix(run);
      if (chunk.empty()) return;
    }
    if (take_tag(chunk.front())) {
      chunk.remove_prefix(1);
    } else {  // no tag after all; what ended it may begin one
      std::string given;
      given.swap(held_);
      if (given.empty()) {
        given = chunk.front();
        chunk.remove_prefix(1);
      }
      put(given, out);
    }
  }
}

void ThinkTags::finish(std::vector<TextPiece>& out) {
  std::string given;
  given.swap(held_);
  put(given, out);
}

// Adds `c` to the beginning of a tag; at a tag's end switches over. False when no tag goes on so.
bool ThinkTags::take_tag(char c) {
  if (held_.empty() && quoted_ && !thinking_) return false;
  held_ += c;
  const bool may_open = !thinking_ || (any_tag_ && !begun_);
  for (std::size_t i = 0; i < std::size(kTags); ++i) {
    const bool may_close = thinking_ && (any_tag_ || i == tag_);
    const bool opened = may_open && kTags[i].open == held_;
    if (opened || (may_close && kTags[i].close == held_)) {
      thinking_ = opened;
      any_tag_ = false;
      tag_ = i;
      held_.clear();
      quoted_ = false;
      return true;
    }
    const bool begins =
        (may_open && kTags[i].open.starts_with(held_)) || (may_close && kTags[i].close.starts_with(held_));
    if (begins) return true;
  }
  held_.pop_back();
  return false;
}

void ThinkTags::put(std::string_view text, std::vector<TextPiece>& out) {
  if (text.empty()) return;
  if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) begun_ = true;
  quoted_ = text.back() == '`';
  if (out.empty() || out.back().reasoning != thinking_) out.push_back({thinking_, {}});
  out.back().text += text;
}

}  // namespace shunt::text
