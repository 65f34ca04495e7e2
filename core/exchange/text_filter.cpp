// Texts through the transforms, choice by choice. See text_filter.h.
#include "exchange/text_filter.h"

namespace shunt::exchange {
namespace {

constexpr int kNone = -1;
constexpr int kAll = -2;

// The choice whose text is interrupted or over with this event.
int ended_by(const Event& event) {
  if (const auto* reasoning = std::get_if<event::ReasoningDelta>(&event)) return reasoning->choice;
  if (const auto* refusal = std::get_if<event::RefusalDelta>(&event)) return refusal->choice;
  if (const auto* call = std::get_if<event::ToolCallStart>(&event)) return call->choice;
  if (const auto* finish = std::get_if<event::Finish>(&event)) return finish->choice;
  return std::get_if<event::Done>(&event) != nullptr ? kAll : kNone;
}

}  // namespace

bool TextFilter::concerns(std::string_view body) {
  for (const std::string_view sign : {"\\(", "\\[", "think"}) {
    if (body.find(sign) != std::string_view::npos) return true;
  }
  return false;
}

void TextFilter::take(const Event& event) {
  if (const auto* delta = std::get_if<event::TextDelta>(&event)) return feed(delta->choice, delta->text);
  release(ended_by(event));
  tell_(listener_, event);
}

void TextFilter::finish() { release(kAll); }

void TextFilter::feed(int index, std::string_view text) {
  Choice& choice = choices_[static_cast<std::size_t>(index)];
  if (!choice.begun && care_.think == Thinking::opened) choice.think.opened();
  choice.begun = true;
  if (care_.think == Thinking::off) return give(index, {false, text});
  for (text::TextPiece piece; choice.think.next(text, piece);) give(index, piece);
}

// Thinking that begins ends the text before it.
void TextFilter::give(int index, const text::TextPiece& piece) {
  text::MathDelimiters& math = choices_[static_cast<std::size_t>(index)].math;
  if (piece.reasoning || !care_.math) {
    math.finish(text_);
    put(index, false, text_);
    put(index, piece.reasoning, piece.text);
  } else {
    math.feed(piece.text, text_);
    put(index, false, text_);
  }
}

void TextFilter::put(int index, bool reasoning, std::string_view text) {
  if (text.empty()) return;
  if (reasoning) {
    tell_(listener_, event::ReasoningDelta{index, text, {}, {}});
  } else {
    tell_(listener_, event::TextDelta{index, text});
  }
  text_.clear();
}

void TextFilter::release(int index) {
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    const int number = static_cast<int>(i);
    if (index != kAll && index != number) continue;
    if (text::TextPiece piece; choices_[i].think.finish(piece)) give(number, piece);
    choices_[i].math.finish(text_);
    put(number, false, text_);
  }
}

}  // namespace shunt::exchange
