// Calls of tools that take plain text, by providers whose tools take an object: there the text is its one
// member. Knows events, no dialect's JSON.
#pragma once

#include <string>
#include <string_view>

#include "canonical/events.h"
#include "dialect/numbered.h"
#include "dialect/scratch.h"

namespace shunt::dialect {

// What stands before such a text, and what such an object must be.
inline constexpr std::string_view kInputHead = R"({"input":")";
inline constexpr char kInputSchema[] =
    R"({"type":"object","properties":{"input":{"type":"string"}},"required":["input"]})";

// The calls of one answer as the client wants them, as they come.
class CustomCalls {
 public:
  // `names`: the client's tools that take plain text, each between line breaks; lives elsewhere.
  explicit CustomCalls(std::string_view names) : names_(names) {}

  // The events with such calls unwrapped. What is no object of ours is the text itself. Until the next call.
  const EventList& adapted(const EventList& events);
  // Another answer.
  void clear() { calls_.clear(); }

 private:
  struct Call {
    int choice = 0;
    int call = 0;
    std::size_t at = 0;  // so many bytes of kInputHead were met; then as the source says
    std::string held;    // of the head, or half an escape
    SplitPair split;
  };

  bool listed(std::string_view name) const;
  std::string_view unwrapped(Call& call, std::string_view json);

  std::string_view names_;
  Numbered<Call> calls_;
  std::string block_;
  Scratch scratch_{block_};
  EventList out_;
};

}  // namespace shunt::dialect
