// Calls of a provider's own API on a line that the request names: passed on as they came, read for failed
// jobs.
#include "core/exchange/world.h"

#include "health/table.h"

namespace shunt::exchange {
namespace {

const char* const kConfig = R"({
  "providers": {
    "kling": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/api", "keys": ["K_ONE"]},
    "vidu": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2", "keys": ["K_TWO"]},
    "runway": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:3", "keys": ["K_THREE"]},
    "midjourney": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:4/mj", "keys": ["K_FOUR"]}
  },
  "deployments": [
    {"id": "kling", "provider": "kling", "model": "v1"}, {"id": "vidu", "provider": "vidu", "model": "q1"},
    {"id": "runway", "provider": "runway", "model": "gen4"}, {"id": "midjourney", "provider": "midjourney", "model": "v7"}
  ]
})";

Seen call(World& world, const std::string& line, std::string_view method, const std::string& target,
          const std::string& body = "", std::string headers = "") {
  World::Play play(world, 7);
  if (!line.empty()) headers += "x-shunt-deployment: " + line + "\n";
  play.tell(RequestArrived{method, target, headers, "", world.wall(), body.size()});
  if (!body.empty()) play.feed(body);
  play.tell(RequestEnded{});
  play.to_end();
  return play.seen;
}

// The answers to polls as each provider documents them.
struct Poll {
  const char* line;
  const char* body;
  const char* error;  // x-shunt-error; "" = the job goes on or is done
  unsigned failures;  // counted against the line
};
const Poll kPolls[] = {
    {"kling", R"({"code":0,"message":"SUCCEED","data":{"task_id":"1","task_status":"processing"}})", "", 0},
    {"kling",
     R"({"code":0,"message":"SUCCEED","data":{"task_id":"1","task_status":"failed","task_status_msg":"Failure to pass the risk control system"}})",
     "CONTENT_POLICY/content_output", 0},
    {"vidu", R"({"id":"1","state":"processing","err_code":"","creations":[]})", "", 0},
    {"vidu", R"({"id":"1","state":"failed","err_code":"CreationPolicyViolation","creations":[]})",
     "CONTENT_POLICY/content_output", 0},
    {"vidu", R"({"id":"1","state":"failed","err_code":"SystemThrottling","creations":[]})",
     "TEMPORARY/overloaded", 1},
    {"runway", R"({"id":"1","status":"SUCCEEDED","output":["https://cdn.example/a.mp4"]})", "", 0},
    {"runway", R"({"id":"1","status":"FAILED","failure":"x","failureCode":"INTERNAL.BAD_OUTPUT.CODE01"})",
     "TEMPORARY/server_error", 1},
    {"midjourney", R"({"code":1,"description":"Submit success","result":"123"})", "", 0},
    {"midjourney", R"({"id":"1","action":"IMAGINE","status":"FAILURE","failReason":"Internal error"})",
     "TEMPORARY/server_error", 1},
};

TEST(Passthrough, APollsAnswerIsPassedOnAndAFailedJobCountsAgainstItsLine) {
  for (const Poll& poll : kPolls) {
    SCOPED_TRACE(poll.body);
    World world(kConfig);
    world.on(poll.line, says(200, poll.body));
    const Seen seen = call(world, poll.line, "GET", "/v1/tasks/1?full=1");
    EXPECT_EQ(seen.status, 200);
    EXPECT_EQ(seen.body, poll.body);
    EXPECT_TRUE(seen.clean);
    EXPECT_EQ(seen.header("x-shunt-error"), poll.error);
    EXPECT_EQ(seen.header("x-shunt-deployment"), poll.line);
    EXPECT_EQ(seen.header("x-shunt-user-message-zh").empty(), std::string_view(poll.error).empty());
    EXPECT_EQ(seen.header("content-type"), "application/json");
    const auto line = world.engine->catalog().find_deployment(poll.line);
    ASSERT_TRUE(line);
    EXPECT_EQ(world.engine->health().read(index_of(*line), world.now).failure_count, poll.failures);
  }
}

TEST(Passthrough, AVideosFailureIsToldInTheWordsOfVideos) {
  World world(kConfig);
  world.on("vidu", says(200, R"({"id":"1","state":"failed","err_code":"SystemThrottling"})"));
  const Seen seen = call(world, "vidu", "GET", "/v1/tasks/1/creations");
  EXPECT_NE(seen.header("x-shunt-user-message-en").find("video"), std::string::npos)
      << seen.header("x-shunt-user-message-en");
}

TEST(Passthrough, TheCallGoesToTheSamePathUnderTheProvidersAddress) {
  World world(kConfig);
  world.on("kling", says(200, "{}"));
  call(world, "kling", "POST", "/v1/videos/text2video?x=1", R"({"prompt":"a cat"})",
       "content-type: application/json; charset=utf-8\n");
  ASSERT_EQ(world.calls.size(), 1U);
  EXPECT_EQ(world.calls[0].url, "http://127.0.0.1:1/api/videos/text2video?x=1");
  EXPECT_EQ(world.calls[0].body, R"({"prompt":"a cat"})");
  EXPECT_EQ(HeaderBlock(world.calls[0].headers).get("content-type"), "application/json; charset=utf-8");
}

// A body is bytes: no JSON is asked of it.
TEST(Passthrough, AnyBodyIsPassedOn) {
  World world(kConfig);
  world.on("kling", says(200, "\xFF\x00 not json", "content-type: application/octet-stream\n"));
  const Seen seen = call(world, "kling", "POST", "/v1/files", "--b\r\n\xFF\xFE\r\n--b--",
                         "content-type: multipart/form-data; boundary=b\n");
  EXPECT_EQ(world.calls[0].body, "--b\r\n\xFF\xFE\r\n--b--");
  EXPECT_EQ(seen.header("content-type"), "application/octet-stream");
}

TEST(Passthrough, AnErrorStatusIsAnErrorWithBothTexts) {
  World world(kConfig);
  world.on("runway", says(429, R"({"error":"Too many requests"})", "retry-after: 7\n"));
  const Seen seen = call(world, "runway", "POST", "/v1/image_to_video", "{}");
  EXPECT_EQ(seen.status, 429);
  EXPECT_EQ(seen.header("retry-after"), "7");
  EXPECT_NE(seen.body.find("\"user_message\""), std::string::npos);
}

// A task that may have been taken is not given again.
TEST(Passthrough, WhatMayHaveStartedATaskIsSentOnce) {
  World submit(kConfig);
  submit.on("vidu", breaks(TransportFault::reset));
  EXPECT_EQ(call(submit, "vidu", "POST", "/v1/img2video", "{}").status, 502);
  EXPECT_EQ(submit.calls.size(), 1U);
  World poll(kConfig);
  poll.on("vidu", breaks(TransportFault::reset));
  poll.on("vidu", says(200, "{}"));
  EXPECT_EQ(call(poll, "vidu", "GET", "/v1/tasks/1").status, 200);
  EXPECT_EQ(poll.calls.size(), 2U);
}

TEST(Passthrough, WithoutALineThereIsNothingAtThePath) {
  World world(kConfig);
  const Seen seen = call(world, "", "GET", "/v1/tasks/1");
  EXPECT_EQ(seen.status, 404);
  EXPECT_NE(seen.body.find("x-shunt-deployment"), std::string::npos);
  EXPECT_EQ(call(world, "nobody", "GET", "/v1/tasks/1").status, 404);
}

}  // namespace
}  // namespace shunt::exchange
