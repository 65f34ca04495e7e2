// A frame: total length, length of the headers, checksum (4 bytes each, big-endian), headers, payload,
// checksum. Not wire's framer: a body that was cut or mended on its way still says what went wrong.
#include "classify/aws_frame.h"

#include <cstddef>
#include <cstdint>

#include "wire/aws_event_stream.h"

namespace shunt::classify {
namespace {

constexpr std::size_t kPrelude = 12;
constexpr std::size_t kChecksum = 4;

std::size_t big_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (const char c : bytes) value = value << 8U | static_cast<unsigned char>(c);
  return value;
}

struct Frame {
  std::string_view headers, payload;
};

// Takes the frame at the front of `body`; none when there is no whole one.
std::optional<Frame> take_frame(std::string_view& body) {
  if (body.size() < kPrelude + kChecksum) return std::nullopt;
  const std::size_t total = big_endian(body.substr(0, 4));
  const std::size_t headers = big_endian(body.substr(4, 4));
  if (total > body.size() || total < kPrelude + kChecksum || headers > total - kPrelude - kChecksum) {
    return std::nullopt;
  }
  const Frame frame{body.substr(kPrelude, headers),
                    body.substr(kPrelude + headers, total - kPrelude - headers - kChecksum)};
  body.remove_prefix(total);
  return frame;
}

}  // namespace

bool looks_like_aws_frames(std::string_view body) {
  // No text begins with a zero byte, and no frame is 16 MB long.
  return body.size() >= kPrelude + kChecksum && body[0] == '\0' &&
         big_endian(body.substr(4, 4)) <= big_endian(body.substr(0, 4));
}

std::optional<AwsError> find_aws_error(std::string_view body) {
  while (const auto frame = take_frame(body)) {
    AwsError found;
    bool error = false;
    wire::AwsHeaders headers(frame->headers);
    for (wire::AwsHeader header; headers.next(header);) {
      const std::string_view value = header.value;
      if (header.name == ":message-type") error = value == "exception" || value == "error";
      if (header.name == ":exception-type" || header.name == ":error-code") found.type = value;
      if (header.name == ":error-message") found.message = value;
    }
    found.payload = frame->payload;
    if (error) return found;
  }
  return std::nullopt;
}

}  // namespace shunt::classify
