// Server-sent events from bytes: frames out of chunks cut anywhere. Knows no provider and no JSON.
//
// Bytes are looked at once. A frame that lies inside one chunk is handed out as views of that chunk; only a
// frame that crosses chunks is gathered, and only data of several lines is joined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "wire/frame.h"
#include "wire/open_frame.h"

namespace shunt::wire {

enum class SseProfile : std::uint8_t {
  // The standard: dispatched events only; what the end of the stream leaves open is dropped.
  whatwg,
  // What LLM servers need, on top: at the end the unterminated line counts and an open block with data is
  // dispatched; comments and lines of unknown fields are frames of their own, at once, even inside a block; a
  // block with an event name and no data is a frame without data.
  llm,
};

// Use: feed() one chunk, next() until it is false, and so on; then finish(), and next() until it is false.
class SseFramer {
 public:
  explicit SseFramer(SseProfile profile, std::size_t max_frame = limits::kFrameBytes)
      : profile_(profile), open_(max_frame) {}

  // The bytes must live until the next feed(). The chunk before must have been drained by next().
  void feed(std::string_view chunk);
  // The stream has ended.
  void finish() { finished_ = true; }
  // The next frame, its views valid until the next call of any kind; false when more bytes are needed.
  bool next(Frame& out);

  // A frame grew beyond max_frame: no frame comes any more, what was held is gone, further bytes are ignored.
  bool failed() const { return failed_; }
  // What no frame has covered, once next() was false: the beginning of the next frame or, at the end, what
  // was dropped. A LF whose CR closed a frame in the chunk before opens the raw of the next frame.
  std::string_view tail() const { return open_.tail(); }

  // The event source's state, which outlives events: committed by blank lines, dispatched or not.
  std::string_view last_event_id() const { return last_id_; }
  // In force from the retry line on, in milliseconds.
  std::optional<std::uint64_t> reconnection_ms() const { return reconnection_ms_; }

 private:
  struct Line {
    std::string_view text;
    bool ascii = true;
  };
  // A text inside the open frame, by offset: it stays right when the frame moves into the carry.
  struct Slice {
    std::size_t begin = 0;
    std::size_t size = 0;
    bool ascii = true;
  };
  // The fields since the last blank line.
  struct Block {
    bool open = false;  // has had a line of a known field
    bool has_data = false;
    bool joined = false;  // data is in joined_, not in the slice
    Slice data;
    Slice event;
    std::optional<std::uint64_t> retry;
  };

  bool take(std::size_t count);
  bool take_line(Line& out);
  bool hold_rest();
  bool fail();

  bool whole_frame(Frame& out);
  bool read_opening(std::string_view rest);
  bool on_line(Line line, Frame& out);
  void on_field(std::string_view name, std::string_view value, bool ascii);
  void add_data(std::string_view value, bool ascii);
  bool dispatch(Frame& out);
  bool flush(Frame& out);
  bool line_frame(Frame::Kind kind, Line line, Frame& out);
  Slice slice(std::string_view text, bool ascii) const;

  SseProfile profile_;
  OpenFrame open_;
  bool finished_ = false;
  bool failed_ = false;

  std::string opening_;  // of the last whole frame, up to its data's colon
  Slice name_;           // the event's name in it

  std::size_t line_begin_ = 0;  // in the open frame
  bool line_ascii_ = true;
  bool after_cr_ = false;  // the last chunk ended in CR: a LF now belongs to that line end
  bool first_line_ = true;

  Block block_;
  std::string joined_;    // data of several lines
  std::string repaired_;  // data that was not UTF-8
  std::string event_text_;
  std::string id_buffer_;
  bool id_changed_ = false;
  std::string last_id_;
  std::optional<std::uint64_t> reconnection_ms_;
};

}  // namespace shunt::wire
