// One JSON object of the openai_chat dialect (a chunk or a whole answer) -> events. Knows the quirks of
// everyone who speaks it; knows no framing.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "canonical/events.h"
#include "catalog/quirks.h"
#include "dialect/members.h"
#include "dialect/numbered.h"
#include "dialect/scratch.h"
#include "dialect/tool_identity.h"

namespace shunt::dialect {

// Extra events carry "chunk.<key>", "choice.<key>" or "delta.<key>" by where the key stood, "call.<key>"
// inside a tool call.
class OpenAiChatReader {
 public:
  static constexpr int kChoices = 128;  // OpenAI's own limit of n

  OpenAiChatReader(Quirks quirks, std::string& block) : quirks_(quirks), scratch_(block) {}

  // Appends the object's events. False = not JSON: nothing is appended. Views die at the next call.
  bool read(std::string_view json, EventList& out);
  event::Error error_from(std::string_view text);
  // Of the object just read: the content of its random member, a view of it; empty = none.
  std::string_view padding() const { return padding_; }

 private:
  // What one choice has shown so far.
  struct Choice {
    ToolIdentity calls;
    SplitPair split_text, split_reasoning;
    bool text = false, reasoning = false, refusal = false, called = false;  // by deltas
  };
  struct Call {
    ToolIdentity::Delta who;
    Value arguments;       // a string, or JSON
    std::string_view raw;  // all of it
    bool custom = false;   // the string is plain text
  };
  // The choice being read.
  struct Place {
    Choice* choice = nullptr;
    int index = 0;
    bool whole = false;  // a message, not a delta: what deltas have already said is a repeat
  };

  bool read_members(json::Cursor& cursor);
  bool read_failure(std::size_t mark);
  void read_choices(json::Cursor& cursor);
  void read_choice(json::Cursor& cursor, std::string_view from, int position);
  void put_far_choice(json::Cursor& cursor, std::string_view from);
  bool enter_place(int index, bool whole, Place& out);

  void read_delta(json::Cursor& cursor, const Place& place);
  void read_reasoning(const Value& said, const Value& details, const Place& place);
  void read_details(std::string_view raw, bool with_text, const Place& place);
  void put_content(const Value& content, const Place& place);
  void put_reasoning(const event::ReasoningDelta& delta, const Place& place);
  void read_parts(const Value& content, const Place& place);
  void read_part(std::string_view raw, const Place& place);
  void read_thinking(const Value& thinking, const Place& place);
  void read_calls(const Value& calls, const Value& function_call, const Place& place);
  void read_call(std::string_view raw, const Place& place);
  void read_function(json::Cursor& cursor, Call& call);
  void put_call(const Call& call, const Place& place);

  void put_usage(std::string_view raw);
  void put_extra(std::string_view prefix, std::string_view key, json::Cursor& cursor, int choice);
  bool repeats(std::string_view key, std::string_view raw);

  Quirks quirks_;
  Scratch scratch_;
  Numbered<Choice> choices_;
  bool started_ = false;
  struct Seen {  // hashes of a top-level extra: many stand in every chunk
    std::uint64_t name, value;
  };
  std::array<Seen, 32> seen_;  // such keys are few; more than these are passed on each time
  std::size_t seen_count_ = 0;

  // Of the object being read.
  EventList* out_ = nullptr;
  std::string_view json_;
  std::string_view padding_;
  event::Start start_;
  bool has_choice_ = false;
  bool is_answer_ = false;  // it has choices (an empty list too) or usage
  bool marked_error_ = false;
  bool is_json_ = false;  // it has been looked through
};

}  // namespace shunt::dialect
