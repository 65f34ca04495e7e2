// The published AWS event-stream cases (botocore, smithy, recorded Bedrock payloads) at every split of their
// bytes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/wire/cases.h"
#include "core/wire/harness.h"
#include "wire/aws_event_stream.h"

namespace shunt::wire {
namespace {

using test::Json;

std::string text_of(const Json& headers, const char* name) {
  const auto found = headers.find(name);
  return found != headers.end() && (*found)["type"] == "string" ? (*found)["value"].get<std::string>() : "";
}

// What the case says, in the harness's words.
std::string expected_log(const Json& c) {
  std::string out;
  for (const Json& message : c["messages"]) {
    const Json& headers = message["headers"];
    const std::string kind = text_of(headers, ":message-type");
    const bool exception = kind == "exception" || kind == "error";
    std::string name = text_of(headers, ":event-type");
    if (exception) name = text_of(headers, kind == "error" ? ":error-code" : ":exception-type");
    std::string data = test::from_base64(message["payload_base64"].get<std::string>());
    if (data.empty() && exception) data = text_of(headers, ":error-message");
    Frame frame;
    frame.kind = exception ? Frame::Kind::exception : Frame::Kind::event;
    frame.event = name;
    frame.data = data;
    out += test::log_line(frame) + "\n";
  }
  Frame damage;
  damage.kind = Frame::Kind::broken;
  const std::string word = c["error"].is_null() ? "" : c["error"].get<std::string>();
  damage.event = word.empty() ? fault::kIncomplete : std::string_view{word};
  const Json& cut_off = c.value("incomplete_bytes_at_eof", Json{});
  if (!word.empty() || (cut_off.is_number() && cut_off != 0)) out += test::log_line(damage) + "\n";
  return out + "end\n";
}

TEST(AwsCases, MessagesAndDamageAtEverySplit) {
  const std::vector<Json> cases = test::cases_of("sse/eventstream_cases.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no sse/eventstream_cases.jsonl under " << test::data_directory();
  for (const Json& c : cases) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const std::string bytes = test::from_base64(c["input_base64"].get<std::string>());
    const std::string want = expected_log(c);
    ASSERT_EQ(test::run_framer(AwsFramer(), bytes, std::vector<std::size_t>(bytes.size(), 1)).log, want);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
      const test::Reading run = test::run_framer(AwsFramer(), bytes, {cut});
      ASSERT_EQ(run.log, want) << "cut at " << cut;
      if (c["error"].is_null()) {
        ASSERT_EQ(run.total, bytes);
      }
    }
  }
  EXPECT_GE(cases.size(), 37u);
}

}  // namespace
}  // namespace shunt::wire
