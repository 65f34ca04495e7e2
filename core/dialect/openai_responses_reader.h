// One JSON object of openai_responses (a stream event or a whole Response) -> events. Knows no framing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "canonical/events.h"
#include "dialect/members.h"
#include "dialect/numbered.h"
#include "dialect/scratch.h"

namespace shunt::dialect {

// A text may be said up to five times: in deltas, at its own end, at its part's, its item's and the answer's.
// The first that says it counts, so what any provider leaves out comes from the next.
//
// Extras: "responses.event" is a whole event, unknown or of an item that is neither message, reasoning nor
// call; "responses.output" such an item that is done, as its event or, in a whole answer, the item;
// "responses.item" one of the others as it began, "responses.part" an unknown part of a message,
// "responses.annotation" one annotation of the text before, "responses.response" the Response.
class ResponsesReader {
 public:
  explicit ResponsesReader(std::string& block) : scratch_(block) {}

  // Appends the events of one stream event. False = not JSON: nothing is appended. Views die at the next
  // call.
  bool read(std::string_view json, EventList& out);
  // … of a whole Response.
  bool read_answer(std::string_view json, EventList& out);
  event::Error error_from(std::string_view text);
  bool stopped() const { return stopped_; }

 private:
  enum class Kind : std::uint8_t { message, reasoning, call, other };
  enum class Channel : std::uint8_t { text, refusal, reasoning, summary, arguments };
  // When an item is told of: as it begins, as it ends, in the whole answer.
  enum class Stage : std::uint8_t { added, done, answer };
  struct Item {
    Kind kind = Kind::other;
    std::int64_t index = -1;  // its output_index; -1 = not said (llama.cpp)
    std::string id;
    std::string call_id;
    int call = -1;  // number of the call
    bool named = false;
    bool ended = false;
    bool sealed = false;          // its encrypted content was told
    std::uint64_t said = 0;       // a bit for each part whose text was told
    std::uint64_t annotated = 0;  // … whose annotations were
    SplitPair split;
  };
  static std::uint64_t bit_of(Channel channel, std::int64_t part);

  void read_event(const Value* members);
  void put_event();
  void read_piece(Channel channel, bool whole, const Value* members);
  void read_part(const Value* members);
  void read_annotation(const Value* members);
  void read_response(std::string_view raw, std::string_view ending);
  void read_output(const Value& output);
  void read_item(std::string_view raw, std::int64_t index, Stage stage, std::size_t seen);
  void begin_item(Item& item, bool fresh, const Value* members, std::string_view raw);
  void finish_item(Item& item, const Value* members);
  void read_content(Item& item, const Value& content, Channel channel);
  void read_content_part(Item& item, std::string_view raw, Channel channel, std::int64_t number);

  Item* add_item(Kind kind, std::int64_t index);
  Item* find_index(std::int64_t index);
  Item* find_by(std::string Item::* name, std::string_view id, std::size_t among);
  Item* newest(Kind kind);
  Item* item_of_piece(Kind kind, std::int64_t index, std::string_view id);
  Item* item_told(Kind kind, std::int64_t index, const Value* members, std::size_t among);
  bool told_already(Kind kind, std::int64_t index, const Value* members, std::size_t seen);

  void begin();
  void put(Item& item, Channel channel, std::int64_t part, std::string_view text);
  void put_error(std::string_view raw);
  void put_finish(std::string_view ending, std::string_view reason);
  std::string_view text(const Value& value) { return text_of(value, scratch_); }

  Scratch scratch_;
  Numbered<Item> items_;
  int calls_ = 0;
  bool started_ = false;
  bool failed_ = false;  // an error was told: it comes as an event and again in the Response
  bool stopped_ = false;
  bool others_ = false;  // the event holds members that are not told yet

  // Of the object being read.
  EventList* out_ = nullptr;
  std::string_view json_;
};

}  // namespace shunt::dialect
