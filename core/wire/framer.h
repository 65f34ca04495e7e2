// One framer for every shape of stream. Knows no provider.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

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
  Framer(const Framer&) = delete;
  Framer& operator=(const Framer&) = delete;

  void feed(std::string_view chunk);
  void finish();
  bool next(Frame& out);
  bool failed() const;
  std::string_view tail() const;

 private:
  // One of them. A variant would bring the code to move each.
  std::optional<SseFramer> sse_;
  std::optional<JsonFramer> json_;
  std::optional<AwsFramer> aws_;
};

}  // namespace shunt::wire
