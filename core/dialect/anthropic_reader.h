// One JSON object of anthropic_messages (a stream event or a whole message) -> events. Knows no framing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "canonical/events.h"
#include "dialect/members.h"
#include "dialect/scratch.h"
#include "dialect/usage.h"

namespace shunt::dialect {

class AnthropicReader {
 public:
  explicit AnthropicReader(std::string& block) : scratch_(block) {}

  // Appends the events of one stream event. False = not JSON: nothing is appended. Views die at the next
  // call.
  bool read(std::string_view json, EventList& out);
  // … of a whole message.
  bool read_answer(std::string_view json, EventList& out);
  event::Error error_from(std::string_view text);
  // What was read last is a content_block_delta: it has left no trace in the reader.
  bool was_delta() const { return was_delta_; }
  bool stopped() const { return stopped_; }

 private:
  enum class BlockKind : std::uint8_t { text, thinking, tool, other };
  struct Block {
    std::int64_t index = 0;
    BlockKind kind = BlockKind::text;
    int call = -1;
  };
  void read_event(const Value* members);
  void read_message(std::string_view raw, bool whole);
  void start_block(std::string_view raw, std::int64_t index);
  void read_text_block(const Value* parts);
  void read_delta(std::string_view raw, std::int64_t index);
  void read_message_delta(std::string_view delta, std::string_view usage);
  void stop_block(std::int64_t index);
  void put_text(std::string_view text);
  void put_reasoning(const Value* parts);
  void put_usage(std::string_view raw, bool begins);
  void put_finish(std::string_view raw);
  std::string_view text(const Value& value) { return text_of(value, scratch_); }
  Block* find(std::int64_t index);
  void fail(std::string_view what);

  Scratch scratch_;
  AnthropicUsage usage_;
  std::vector<Block> open_;
  std::string id_;  // of the message that is open
  bool started_ = false;
  bool stopped_ = false;
  bool was_delta_ = false;  // message_stop came, or the protocol broke
  bool others_ = false;     // the event holds members that are not told yet
  int calls_ = 0;
  bool after_text_ = false;  // the last block begun was text

  EventList* out_ = nullptr;
  std::string_view json_;
};

}  // namespace shunt::dialect
