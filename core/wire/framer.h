// One framer for every shape of stream. Knows no provider.
#pragma once

#include <cstddef>
#include <string_view>
#include <variant>

#include "base/limits.h"
#include "wire/aws_event_stream.h"
#include "wire/json_values.h"
#include "wire/sniff.h"
#include "wire/sse.h"

namespace shunt::wire {

// Use: feed() one chunk, next() until it is false, and so on; then finish(), and next() until it is false.
// The contract of each call is SseFramer's.
class Framer {
 public:
  // A shape that is no stream of frames (html, text, empty) is read as server-sent events.
  explicit Framer(BodyShape shape, SseProfile profile = SseProfile::llm,
                  std::size_t max_frame = limits::kFrameBytes);

  void feed(std::string_view chunk);
  void finish();
  bool next(Frame& out);
  bool failed() const;
  std::string_view tail() const;

 private:
  std::variant<SseFramer, JsonFramer, AwsFramer> framer_;
};

}  // namespace shunt::wire
