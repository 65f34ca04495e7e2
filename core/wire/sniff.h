// What an answer's body is, from its content type and first bytes. Shapes only; knows no provider.
// Servers answer a request for a stream with JSON, HTML or plain text, whatever they promised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace shunt::wire {

enum class BodyShape : std::uint8_t {
  sse,
  json,             // one JSON value
  json_array,       // a JSON array, whose elements may arrive over time
  ndjson,           // a JSON value a line
  aws_eventstream,  // application/vnd.amazon.eventstream
  html,             // any markup, XML too
  text,
  empty,  // nothing, or white space only
};

enum class BodyHead : std::uint8_t { partial, whole };  // more bytes may come · the body has ended

// Bytes looked at before the shape is settled whatever they are: room for the first line of an NDJSON stream
// that is labelled application/json.
inline constexpr std::size_t kSniffBytes = 4096;

// The shape of a body that begins with `head`; none while more bytes are needed, which is never so for a
// whole body or with kSniffBytes at hand. Bytes that can only be JSON or markup win over the content type.
std::optional<BodyShape> sniff(std::string_view content_type, std::string_view head, BodyHead extent);

}  // namespace shunt::wire
