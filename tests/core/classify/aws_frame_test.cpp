// AWS event-stream bodies: the exception in a frame is the error, whatever stood before it.
#include "classify/aws_frame.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "judged.h"

namespace shunt::classify {
namespace {

std::string big_endian(std::size_t value, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
  return out;
}

std::string frame(const std::vector<std::pair<std::string, std::string>>& headers,
                  const std::string& payload) {
  std::string block;
  for (const auto& [name, value] : headers) {
    block += static_cast<char>(name.size());
    block += name + '\x07' + big_endian(value.size(), 2) + value;
  }
  return big_endian(16 + block.size() + payload.size(), 4) + big_endian(block.size(), 4) + "crc1" + block +
         payload + "crc2";
}

const std::string kDelta = frame({{":message-type", "event"}, {":event-type", "contentBlockDelta"}},
                                 R"({"contentBlockIndex":0,"delta":{"text":"hi"}})");
const std::string kThrottled =
    frame({{":message-type", "exception"}, {":exception-type", "throttlingException"}},
          R"({"message":"Too many requests, please wait before trying again."})");

TEST(AwsFrame, AnExceptionAfterContentIsTheError) {
  Evidence evidence;
  evidence.status = 200;
  evidence.provider = "bedrock";
  const std::string body = kDelta + kThrottled;
  evidence.body = body;
  const Verdict verdict = judged(evidence);
  EXPECT_EQ(verdict.error_class, ErrorClass::rate_limited);
  EXPECT_EQ(verdict.message, "Too many requests, please wait before trying again.");
  EXPECT_EQ(verdict.exposure, Exposure::maybe_executed);
}

TEST(AwsFrame, AnUnmodelledErrorSpeaksInItsHeaders) {
  const std::string body = frame({{":message-type", "error"},
                                  {":error-code", "internalServerException"},
                                  {":error-message", "The system met an unexpected error."}},
                                 "");
  Evidence evidence;
  evidence.status = 200;
  evidence.body = body;
  const Verdict verdict = judged(evidence);
  EXPECT_EQ(verdict.error_class, ErrorClass::temporary);
  EXPECT_EQ(verdict.message, "The system met an unexpected error.");
}

TEST(AwsFrame, FramesWithoutAnErrorAreNone) {
  EXPECT_FALSE(find_aws_error(kDelta).has_value());
  EXPECT_TRUE(looks_like_aws_frames(kDelta));
  EXPECT_FALSE(looks_like_aws_frames("{\"message\":\"too many requests\"}"));
}

TEST(AwsFrame, EveryCutAndEveryFlippedByteIsRead) {
  const std::string body = kDelta + kThrottled;
  for (std::size_t at = 0; at < body.size(); ++at) {
    EXPECT_FALSE(find_aws_error(std::string(body, 0, at)).has_value()) << at;
    std::string flipped = body;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x55);
    find_aws_error(flipped);
  }
}

}  // namespace
}  // namespace shunt::classify
