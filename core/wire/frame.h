// One frame of a stream, whatever the framing was: what every framer gives and every decoder takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace shunt::wire {

// Views live until the framer's next call.
struct Frame {
  enum class Kind : std::uint8_t {
    event,    // carries data (SSE: dispatched by a blank line, or at the end in profile llm)
    comment,  // SSE comment; data is its text after the colon
    stray,    // a line no field rule covers, kept in profile llm only: data is the whole line
    // The transport's own error message: `event` is its type or code, data its payload or, without one, its
    // message (AWS `:message-type` exception and error).
    exception,
    // The framing itself is damaged: `event` says how, in one of the fault words below, data is what cannot
    // be read, if anything. Nothing follows, except after kNotJson, where reading goes on with the next line.
    broken,
  };
  Kind kind = Kind::event;
  bool has_data = true;    // false: an SSE block with an event name and no data line (profile llm)
  std::string_view event;  // as sent, "" when none
  std::string_view data;
  std::string_view id;                 // the last event id in force
  std::optional<std::uint64_t> retry;  // the last valid retry of the block, ms
  // The stream's own bytes from the end of the frame before to the end of this one, its closing blank line
  // included: the raws of all frames and the framer's tail add up to the stream. A comment or stray line
  // inside a block has an empty raw: its bytes go with the block, so an event's raw is always whole. A view
  // of the chunk when the frame lies inside one chunk, else of the framer's buffer.
  std::string_view raw;
};

// Why a framing is damaged. Stable: the command line prints them.
namespace fault {

inline constexpr std::string_view kPreludeCrc = "prelude_crc";
inline constexpr std::string_view kMessageCrc = "message_crc";
inline constexpr std::string_view kBadLengths = "bad_lengths";  // … that contradict each other or a limit
inline constexpr std::string_view kDuplicateHeader = "duplicate_header";
inline constexpr std::string_view kTooManyHeaders = "too_many_headers";
inline constexpr std::string_view kPayloadTooLong = "payload_too_long";
inline constexpr std::string_view kIncomplete = "incomplete";  // the stream ended inside a frame
inline constexpr std::string_view kNotJson = "not_json";

}  // namespace fault

}  // namespace shunt::wire
