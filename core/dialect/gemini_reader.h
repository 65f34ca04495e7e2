// One GenerateContentResponse, or an array of them -> events. Knows no framing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "canonical/events.h"
#include "dialect/members.h"
#include "dialect/numbered.h"
#include "dialect/partial_args.h"
#include "dialect/scratch.h"
#include "dialect/usage.h"

namespace shunt::dialect {

class GeminiReader {
 public:
  explicit GeminiReader(std::string& block) : scratch_(block) {}

  // Appends the events of one frame or body. False = not JSON: nothing is appended. Views die at the next
  // call.
  bool read(std::string_view json, EventList& out);
  event::Error error_from(std::string_view text);

 private:
  // What one candidate has shown so far.
  struct Choice {
    int index = 0;
    int calls = 0;
    int open = -1;       // the call whose arguments still come
    bool whole = false;  // … and has got them in one piece
    bool lost = false;   // … or cannot get them: told once
    std::string open_id;
    PartialArgs args;
    bool thinking = false;  // the last part was a thought
  };

  bool read_response(std::string_view raw, bool wrapped);
  void put_candidates(const Value& candidates);
  void put_candidate(std::string_view raw, int position);
  void put_logprobs(std::string_view raw, int index);
  void put_part(std::string_view raw, Choice& choice);
  void put_signed(const Value& signature, Choice& choice);
  void put_call(std::string_view raw, Choice& choice);
  void put_patches(const Value& patches, Choice& choice);
  void close_call(Choice& choice);
  void lose_call(Choice& choice);
  void put_feedback(std::string_view raw);
  std::string_view text(const Value& value) { return text_of(value, scratch_); }

  Scratch scratch_;
  GeminiUsage usage_;
  Numbered<Choice> choices_;
  bool started_ = false;
  EventList* out_ = nullptr;
};

}  // namespace shunt::dialect
