// A frame: total length, length of the headers, checksum (4 bytes each, big-endian), headers, payload,
// checksum. A header: length of its name (1 byte), name, type (1 byte; 7 is text with a length of 2 bytes),
// value.
#include "classify/aws_frame.h"

#include <cstddef>
#include <cstdint>

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

// Calls visit(name, value) for every text header; stops at what is none.
template <typename Visit>
void each_text(std::string_view headers, Visit visit) {
  constexpr char kText = 7;
  while (!headers.empty()) {
    const auto name = static_cast<std::size_t>(static_cast<unsigned char>(headers[0]));
    if (headers.size() < name + 4 || headers[name + 1] != kText) return;
    const std::size_t length = big_endian(headers.substr(name + 2, 2));
    if (headers.size() - name - 4 < length) return;
    visit(headers.substr(1, name), headers.substr(name + 4, length));
    headers.remove_prefix(name + 4 + length);
  }
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
    each_text(frame->headers, [&](std::string_view name, std::string_view value) {
      if (name == ":message-type") error = value == "exception" || value == "error";
      if (name == ":exception-type" || name == ":error-code") found.type = value;
      if (name == ":error-message") found.message = value;
    });
    found.payload = frame->payload;
    if (error) return found;
  }
  return std::nullopt;
}

}  // namespace shunt::classify
