// A frame against the one learnt: what stands before, between and behind two strings must be the same.
#include "dialect/stencil.h"

#include "base/json.h"
#include "base/simd.h"

namespace shunt::dialect {
namespace {

// Longer frames are rare, and hold more than a word.
constexpr std::size_t kMostBytes = 4096;

// The text of an event that is one delta and no more; null for any other.
std::string_view* text_in(Event& event) {
  if (auto* text = std::get_if<event::TextDelta>(&event)) return &text->text;
  if (auto* call = std::get_if<event::ToolCallArguments>(&event)) return &call->json;
  auto* reasoning = std::get_if<event::ReasoningDelta>(&event);
  const bool plain = reasoning != nullptr && reasoning->signature.empty() && reasoning->redacted.empty();
  return plain ? &reasoning->text : nullptr;
}

// Where the content of a string ends that begins at text[at]; false when it ends nowhere or is no good.
bool string_end(std::string_view text, std::size_t at, std::size_t& end, bool& escaped) {
  const char* const last = text.data() + text.size();
  json::lex::StringScan scan;
  const char* stop = json::lex::plain_run(text.data() + at, last);
  if (stop == last || *stop != '"') {
    stop = json::lex::advance(scan, stop, last);
    if (scan.step != json::lex::Step::done) return false;
  }
  end = static_cast<std::size_t>(stop - text.data());
  escaped = scan.escaped;
  return true;
}

}  // namespace

bool Stencil::match(const wire::Frame& frame, EventList& out) {
  const std::string_view data = frame.data;
  const std::string_view learnt = data_;
  if (!learnt_ || frame.kind != wire::Frame::Kind::event || !simd::equal(frame.event, name_) ||
      !simd::begins_with(data, learnt.substr(0, text_.begin))) {
    return false;
  }
  std::size_t end = 0;
  bool escaped = false;
  // A text that is empty makes no event.
  if (!string_end(data, text_.begin, end, escaped) || end == text_.begin) return false;
  std::string_view text = data.substr(text_.begin, end - text_.begin);
  std::string_view rest = data.substr(end);
  if (padding_.end > 0) {
    const std::string_view between = learnt.substr(text_.end, padding_.begin - text_.end);
    bool ignored = false;
    if (!simd::begins_with(rest, between) || !string_end(rest, between.size(), end, ignored)) return false;
    rest.remove_prefix(end);
  }
  if (!same_end(rest)) return false;
  if (escaped) {
    // The escape of half a character may be the first part of a pair, which is for the reader to keep.
    if (text.find("\\u") != std::string_view::npos) return false;
    unescaped_.clear();
    json::unescape(text, unescaped_);
    text = unescaped_;
  }
  out.push_back(event_);
  *text_in(out.back()) = text;
  return true;
}

// What stands behind the last string. Anthropic pads its JSON with spaces before the last bracket.
bool Stencil::same_end(std::string_view rest) const {
  const std::string_view learnt = std::string_view{data_}.substr(padding_.end > 0 ? padding_.end : text_.end);
  if (simd::equal(rest, learnt)) return true;
  std::size_t at = 0;
  for (const char c : rest) {
    if (c == ' ') continue;
    while (at < learnt.size() && learnt[at] == ' ') ++at;
    const bool bracket = c == '}' || c == ']' || (c == '"' && at == 0);
    if (!bracket || at == learnt.size() || learnt[at++] != c) return false;
  }
  return at == learnt.size();
}

void Stencil::learn(const wire::Frame& frame, const EventList& events, std::size_t mark,
                    std::string_view padding) {
  forget();
  if (events.size() != mark + 1 || frame.data.size() > kMostBytes) return;
  event_ = events[mark];
  const std::string_view* const text = text_in(event_);
  padding_ = {};
  if (text == nullptr || !place(frame.data, *text, text_)) return;
  if (!padding.empty() && (!place(frame.data, padding, padding_) || padding_.begin < text_.end)) return;
  data_ = frame.data;
  name_ = frame.event;
  learnt_ = true;
}

// Where a string's content stands in the frame; false when it is not there as it was sent.
bool Stencil::place(std::string_view data, std::string_view text, Hole& out) const {
  // As integers: the views may be of unrelated objects.
  const auto at = reinterpret_cast<std::uintptr_t>(text.data());
  const auto base = reinterpret_cast<std::uintptr_t>(data.data());
  if (text.empty() || at <= base || at - base + text.size() >= data.size()) return false;
  out.begin = static_cast<std::size_t>(at - base);
  out.end = out.begin + text.size();
  return data[out.begin - 1] == '"' && data[out.end] == '"';
}

}  // namespace shunt::dialect
