// The output of one openai_responses answer as it grows: items, their parts, and the Response that holds
// them, with the events that tell of each. Knows no canonical events.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "canonical/finish.h"
#include "canonical/usage.h"
#include "dialect/dialect.h"
#include "dialect/numbered.h"

namespace shunt::dialect {

class ResponsesOutput {
 public:
  enum class Kind : std::uint8_t { message, reasoning, function_call, custom_tool_call, foreign };
  enum class Part : std::uint8_t { text, refusal, summary, none };

  struct Item {
    Kind kind = Kind::foreign;
    Part part = Part::none;  // the open one
    std::string id;
    std::string call_id, name;
    std::string text;         // of the open part, or the arguments
    std::string annotations;  // of the open part: JSON elements
    std::string logprobs;     // … of its text
    std::string parts;        // those that are done: JSON elements
    std::string sealed;
    std::string more;  // members that only this dialect has, each after a comma
    std::string json;  // the whole item, once it is done; of a foreign one, as it was told last
    std::int64_t part_count = 0;
    std::int64_t annotation_count = 0;
    bool done = false;
  };

  explicit ResponsesOutput(const EncodeOptions& options);

  // Where events go until the next call.
  void to(std::string& out) { out_ = &out; }
  void name(const event::Start& said);
  const std::string& id() const { return id_; }
  std::size_t held() const { return held_; }
  bool over() const { return over_; }  // the last event is out
  Usage usage;

  void piece(Part part, std::string_view text);
  void logprobs(std::string_view tokens);  // of the text to come, as append_tokens takes them
  void seal(std::string_view content);
  void annotation(std::string_view raw);
  int begin_call(std::string_view call_id, std::string_view name, bool custom);  // the number of its item
  void arguments(int item, std::string_view json);
  void finish(int item);
  void keep_alive() { *out_ += ": keep-alive\n\n"; }

  // Of this dialect's own decoder: an item as it began there, an event to write again (or a whole item, if it
  // is of the output), the Response.
  void begin_as(std::string_view item);
  void foreign(std::string_view raw, bool of_output);
  void echo(std::string_view response);

  // What is open is done, and the last event written.
  void complete(FinishReason reason);
  // The last events of an answer that broke. `body`: the dialect's error object.
  void fail(std::string_view body);
  const std::string& response() const { return response_; }  // of the last event

 private:
  void begin();
  void open(const char* type, const char* step);
  void close() { *out_ += "}\n\n"; }
  void place(const Item& item, int number);
  void open_of_part(const Item& item, bool text, const char* step);
  void tell_item(const char* step, int number, std::string_view json);
  void tell_response(const char* type);
  int add_item(Kind kind);
  Item& at(int number) { return items_[static_cast<std::size_t>(number)]; }
  Item& opened(Kind kind);
  void close_part(Item& item);
  void close_open(const char* status);
  void end_item(int number, const char* status);
  std::string item_json(const Item& item, const char* status) const;
  std::string part_json(const Item& item) const;
  void make_response(const char* status, std::string_view reason, std::string_view error);
  void foreign_item(std::string_view raw, std::int64_t theirs, bool done);
  int foreign_place(std::int64_t theirs) const;

  std::string id_, model_;
  std::int64_t created_;
  std::string echo_;  // members of the Response that say what was asked for
  std::string response_;
  Numbered<Item> items_;
  int open_ = -1;  // the message or reasoning that is being written
  // What is known of the item to come.
  std::string next_id_, next_more_;
  std::string next_logprobs_;  // … of the text
  struct Foreign {
    std::int64_t theirs;
    int ours;
  };
  std::vector<Foreign> foreign_;  // output indexes
  std::int64_t sequence_ = 0;
  std::size_t held_ = 0;
  bool begun_ = false;
  bool over_ = false;
  std::string* out_ = nullptr;
};

}  // namespace shunt::dialect
