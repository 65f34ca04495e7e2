// JSON of a dialect that a table describes -> events: a frame of a stream or a whole answer. One reader for
// all of them; what a member means is in the dialect's table (tables.cpp). Knows no framing and no provider.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "canonical/events.h"
#include "dialect/members.h"
#include "dialect/numbered.h"
#include "dialect/scratch.h"
#include "dialect/tool_identity.h"

namespace shunt::dialect {

// What a member means.
enum class Means : std::uint8_t {
  ignored,   // says nothing of an answer: padding, names of things
  ping,      // the server is alive
  extra,     // no event has it; so has no member without a row
  logprobs,  // of tokens, as openai_chat's: see logprobs.h
  object,    // an object, or an array of them: read by the row's own table
  again,     // … that repeats what has been said: only what is new in it counts
  last,      // … and the answer ends with it
  typed,     // … whose `type` names the row of that table
  choices,   // an array: each element is a choice
  id,
  model,
  created,
  text,  // a string, or objects read by the row's own table
  reasoning,
  signature,
  redacted,
  index,  // of the block or call that the object is about
  calls,  // a tool call, or an array of them: read by the row's own table, with the five below
  call_id,
  call_name,
  call_arguments,
  call_end,  // the index of a call that is over
  usage,
  usage_apart,  // whose prompt leaves cached tokens out
  counts,       // one of the token counts that stand in the answer's object itself
  finish,
  ended,      // true: the answer ends here; false: a finish word means nothing yet
  truncated,  // true: it ended for its length
  error,
};

// A row. Tables end with an empty one, and their order is the order of the events, whatever the order of the
// members.
struct Field {
  const char* key = nullptr;
  Means means = Means::ignored;
  const Field* fields = nullptr;
};

class TableReader {
 public:
  // cumulative: a stream may repeat in each frame all that was said before (see fresh()).
  TableReader(const Field* table, bool cumulative, std::string& block)
      : table_(table), watch_(cumulative ? Watch::unsure : Watch::off), scratch_(block) {}

  // Appends the events of a JSON value. `word` is the frame's own name; a member `type` or `event_type` is
  // one too, and a row of that name reads the whole value. False = not JSON: nothing is appended. Views die
  // at the next call.
  bool read(std::string_view word, std::string_view json, EventList& out);
  event::Error error_from(std::string_view text);

 private:
  static constexpr std::size_t kFields = 32;  // rows of one table
  static constexpr std::size_t kChoices = 128;

  enum class Watch : std::uint8_t { off, unsure, on };
  // A text so far, for telling what is new of one that repeats it.
  struct Running {
    std::size_t size = 0;
    std::uint64_t hash = 0;
  };
  struct Choice {
    ToolIdentity calls;
    SplitPair split_text, split_reasoning;
    Running text_so_far, reasoning_so_far;
    Numbered<Running> arguments_so_far;  // by call
    bool text = false, reasoning = false;
  };

  void read_object(const Field* fields, std::string_view raw);
  void read_each(const Field* fields, const Value& value);
  void read_typed(const Field* fields, const Value& value);
  void read_choices(const Field* fields, const Value& value);
  void read_calls(const Field* fields, const Value& value);
  void read_again(const Field* fields, const Value& value);
  void read_member(const Field& field, const Value& value);
  void read_unknown(std::string_view key, json::Cursor& cursor);
  void read_running(const Field& field, const Value& value);
  void end_call(const Value& value);
  void put_id(const Field& field, const Value& value);
  void put_call(std::string_view raw);
  void put_usage(std::string_view raw, bool apart);
  void put_finish(std::string_view raw);
  void put_error(const event::Error& error);
  void close(std::size_t mark);
  void keep_start();
  std::string_view fresh(std::string_view text, Running& so_far);
  Choice& choice() { return choices_[static_cast<std::size_t>(choice_)]; }
  const Field* row_for(std::string_view word, std::string_view json);

  const Field* table_;
  Watch watch_;
  Scratch scratch_;
  Numbered<Choice> choices_;
  event::Start start_;
  std::string id_, model_;  // what start_ shows between values
  bool started_ = false, done_ = false;
  std::int64_t completion_ = 0;

  // Of the value being read.
  EventList* out_ = nullptr;
  std::string_view json_, word_;
  int choice_ = 0;
  std::optional<std::int64_t> index_;
  ToolIdentity::Delta call_;
  Value arguments_;
  bool again_ = false;
  bool answers_ = false;  // something of an answer was in it
  bool unknown_ = false;  // it is an event that no row is called like
  bool ended_ = false, open_ = false, truncated_ = false, finished_ = false, counted_ = false;
  bool more_tokens_ = false;
};

}  // namespace shunt::dialect
