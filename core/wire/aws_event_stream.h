// application/vnd.amazon.eventstream: messages out of chunks cut anywhere, both checksums verified. Knows no
// service and no JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/limits.h"
#include "wire/frame.h"
#include "wire/open_frame.h"

namespace shunt::wire {

enum class AwsType : std::uint8_t { yes, no, int8, int16, int32, int64, bytes, text, timestamp, uuid };

struct AwsHeader {
  std::string_view name;
  AwsType type = AwsType::yes;
  std::string_view value;  // as sent, without the length of a text or of bytes; integers are big-endian
};

// Of a value of one of the four integer types, or of a timestamp (milliseconds since 1970).
std::int64_t aws_integer(std::string_view value);

// The headers of one message, in order.
class AwsHeaders {
 public:
  explicit AwsHeaders(std::string_view bytes) : rest_(bytes) {}
  bool next(AwsHeader& out);                 // false at the end, and where the bytes are no header
  bool ok() const { return rest_.empty(); }  // at the end: all bytes were headers

 private:
  std::string_view rest_;
};

// Used like SseFramer. A message is a frame of kind event (`event` is its `:event-type`) or exception; one
// that cannot be trusted is the last frame, of kind broken.
class AwsFramer {
 public:
  explicit AwsFramer(std::size_t max_payload = limits::kAwsPayloadBytes);

  void feed(std::string_view chunk);
  void finish() { finished_ = true; }
  bool next(Frame& out);
  bool failed() const { return false; }  // a message that is too long is a broken one
  // After a broken frame: what its chunk still holds. Later bytes are ignored and in no tail.
  std::string_view tail() const { return open_.tail(); }
  // The header bytes and the payload of the message just given, valid as long as its frame.
  std::string_view headers() const { return headers_; }
  std::string_view payload() const { return payload_; }

 private:
  bool gather(std::size_t size);
  std::string_view check_prelude();
  std::string_view check_message() const;
  bool message(Frame& out);
  bool broken(std::string_view fault, Frame& out);

  std::size_t max_payload_;
  OpenFrame open_;
  std::size_t total_ = 0;  // of the open message, once its prelude has been checked
  std::size_t headers_size_ = 0;
  std::string_view headers_;
  std::string_view payload_;
  bool finished_ = false;
  bool broken_ = false;
};

}  // namespace shunt::wire
