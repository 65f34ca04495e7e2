// A whole answer gathered from its events: what plain answers are written from and what tests compare.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "canonical/events.h"

namespace shunt::dialect {

struct FoldedCall {
  std::string id;
  std::string name;
  std::string arguments;  // JSON text as the provider sent it, joined …
  bool custom = false;    // … or plain text
  friend bool operator==(const FoldedCall&, const FoldedCall&) = default;
};

struct FoldedReasoning {  // in order of arrival; a signature ends its block
  std::string text;
  std::string signature;
  std::string redacted;
  friend bool operator==(const FoldedReasoning&, const FoldedReasoning&) = default;
};

struct FoldedChoice {
  std::string text;
  std::string refusal;
  std::vector<FoldedReasoning> reasoning;
  std::vector<FoldedCall> calls;
  std::vector<std::string> extras;  // "key\nraw json"
  std::string logprobs;             // elements of an array: see logprobs.h
  bool finished = false;
  FinishReason finish = FinishReason::unknown;
  std::string finish_raw;

  std::string reasoning_text() const;  // all blocks joined
  bool has_content() const;            // text, tool call or refusal
};

struct FoldedError {
  std::string type, code, message, raw;
  int status = 0;
};

struct Folded {
  std::string id;
  std::string model;
  std::int64_t created = 0;
  std::vector<FoldedChoice> choices;  // by index, without holes
  Usage usage;
  std::string usage_raw;  // the last raw usage object, JSON
  std::vector<FoldedError> errors;
  std::vector<std::string> extras;  // of the answer
  std::size_t bad_frames = 0;
  bool done = false;  // the stream's own terminator came

  // Adds one event; texts are copied. How many choices and calls there
  // may be is for decoders to bound.
  void add(const Event& event);
  void add(const EventList& events);
  std::size_t bytes() const;  // of text held, for limits
};

}  // namespace shunt::dialect
