// The body of a provider's answer -> canonical events: what the body is, by its first bytes, then frame by
// frame or whole. Knows no output.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "canonical/events.h"
#include "catalog/dialect_id.h"
#include "catalog/quirks.h"
#include "dialect/dialect.h"

namespace shunt::native {

struct AnswerSource {
  const dialect::Dialect* dialect = nullptr;
  Quirks quirks = 0;
  std::string_view content_type{};  // empty = not known
  std::size_t chunk = 0;            // bytes handed in at once; 0 = whole
};

struct AnswerReading {
  bool streamed = false;   // it came in frames
  bool faulty = false;     // framing broke, a frame was no JSON, or the body is of another kind
  bool truncated = false;  // the stream ended before the provider said that it is over
};

// Where events stood.
enum class AnswerPlace {
  whole,  // in a plain answer
  frame,  // in a stream
  stray,  // in a line of a stream that its framing's standard drops
};

// Calls visit(place, events) for each frame, or once for a whole answer; views die with the call. A body that
// holds nothing of the dialect gives an Error with the body's own words.
using EventVisitor = std::function<void(AnswerPlace place, const EventList& events)>;
AnswerReading read_answer(const AnswerSource& source, std::string_view body, const EventVisitor& visit);

// A dialect by its name or by what recordings call it ("zhipu_v3", "chat.completions"); none = unknown.
std::optional<DialectId> dialect_called(std::string_view name);

}  // namespace shunt::native
