// A route's care for the texts of its answers: math delimiters as Markdown has them, think tags as reasoning.
// Events in, events out; knows no dialect and no bytes.
#pragma once

#include <string>
#include <string_view>

#include "canonical/events.h"
#include "catalog/route.h"
#include "dialect/numbered.h"
#include "text/math_delimiters.h"
#include "text/think_tags.h"

namespace shunt::exchange {

// Code and tool arguments stay as they are. What has begun and is not over is held back; it goes out as it
// came before anything else of its choice, and at the end.
class TextFilter {
 public:
  // Who is told the events, one by one; views die with the call.
  using Tell = void (*)(void* listener, const Event& event);
  TextFilter(TextCare care, Tell tell, void* listener) : care_(care), tell_(tell), listener_(listener) {}

  // A plain answer may hold what is changed; whatever it is, JSON has no other way to write it than this.
  static bool concerns(std::string_view body);

  void take(const Event& event);
  // No more will come: what is held back.
  void finish();

 private:
  struct Choice {
    text::ThinkTags think;
    text::MathDelimiters math;
    bool begun = false;
  };

  void feed(int choice, std::string_view text);
  void give(int choice, const text::TextPiece& piece);
  void put(int choice, bool reasoning, std::string_view text);
  void release(int choice);

  TextCare care_;
  Tell tell_;
  void* listener_;
  dialect::Numbered<Choice> choices_;
  std::string text_;  // of the event being told
};

}  // namespace shunt::exchange
