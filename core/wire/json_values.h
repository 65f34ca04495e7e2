// JSON values one behind the other, out of chunks cut anywhere: one a line (NDJSON), with or without space
// between them, or the elements of one array that arrives over time. Knows where a value ends, not whether it
// is well formed: that is for who reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/limits.h"
#include "wire/frame.h"
#include "wire/open_frame.h"

namespace shunt::wire {

enum class JsonFraming : std::uint8_t {
  values,  // a value ends where its brackets close; what begins none is broken (not_json), to its line's end
  lines,   // … or with its line, whatever that holds: one bad line harms no other
};

// Used like SseFramer: a frame of kind event a value, `data` its text. In framing `values` an array that
// comes first is the stream itself, and its elements are the frames.
class JsonFramer {
 public:
  explicit JsonFramer(JsonFraming framing, std::size_t max_frame = limits::kFrameBytes)
      : open_(max_frame), lines_(framing == JsonFraming::lines) {}

  void feed(std::string_view chunk) { failed_ ? open_.drop() : open_.feed(chunk); }
  void finish() { finished_ = true; }
  bool next(Frame& out);
  bool failed() const { return failed_; }
  std::string_view tail() const { return open_.tail(); }

 private:
  enum class In : std::uint8_t {
    gap,  // between values
    value,
    string,
    word,  // a number or a literal outside any brackets
    junk,  // no value: up to the line's end
  };

  std::size_t scan(std::string_view rest);
  bool on_value(char c);
  void on_gap(char c, std::size_t at);
  std::string_view value() const;
  bool give(Frame& out);
  bool at_end(Frame& out);

  OpenFrame open_;
  bool lines_;
  bool finished_ = false;
  bool failed_ = false;

  In in_ = In::gap;
  std::size_t begin_ = 0;  // of the value, in the open frame
  std::size_t depth_ = 0;  // of brackets open in the value
  bool escape_ = false;    // the string goes on behind a backslash
  bool array_ = false;     // inside the stream's own array
  bool fresh_ = true;      // nothing but space has come
  std::uint8_t mark_ = 0;  // bytes of a byte order mark seen at the start
};

}  // namespace shunt::wire
