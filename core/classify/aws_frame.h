// The error in a body of AWS event-stream frames (application/vnd.amazon.eventstream). Reads the first frame
// that is an error and checks no checksums: what is judged failed already.
#pragma once

#include <optional>
#include <string_view>

namespace shunt::classify {

struct AwsError {
  std::string_view type;     // of ":exception-type", else ":error-code"
  std::string_view message;  // ":error-message"; an exception has its words in the payload
  std::string_view payload;  // JSON
};

bool looks_like_aws_frames(std::string_view body);

// None when no frame, or no whole one, is an error. Views into `body`.
std::optional<AwsError> find_aws_error(std::string_view body);

}  // namespace shunt::classify
