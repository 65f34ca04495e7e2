// The boundary as a host sees it: handles, records, arenas.
#include "abi/abi.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace shunt::abi {
namespace {

const char kConfig[] = R"({
  "providers": {"p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["K"]}},
  "deployments": [{"id": "a@p", "provider": "p", "model": "m"}],
  "routes": {"chat": {"deployments": ["a@p"]}}
})";

struct Polled {
  std::uint32_t flags = 0;
  std::vector<Record> records;
  bool has(EffectOp op) const { return find(op) != nullptr; }
  const Record* find(EffectOp op) const {
    for (const Record& record : records) {
      if (record.op == static_cast<std::uint32_t>(op)) return &record;
    }
    return nullptr;
  }
};

std::uint32_t put(const std::string& bytes) {
  std::memcpy(shunt_input(static_cast<std::uint32_t>(bytes.size())), bytes.data(), bytes.size());
  return static_cast<std::uint32_t>(bytes.size());
}

Polled poll(std::uint32_t handle, InputOp op, const std::string& payload = "", std::uint32_t stream = 0,
            std::uint32_t a = 0) {
  const std::uint32_t len = put(payload);
  *shunt_ring() = {static_cast<std::uint32_t>(op), stream, a, 0, 0, len, 1.8e12};
  Polled out;
  out.flags = shunt_poll(handle, 5000);
  out.records.assign(shunt_ring(), shunt_ring() + (out.flags & 0xFFFFU));
  return out;
}

// One process has one instance: configured once, by whichever test comes first.
void configure() {
  static const bool done = [] {
    const std::uint32_t len = shunt_configure(put(kConfig));
    return std::string(reinterpret_cast<const char*>(shunt_output()), len).find("faults") ==
           std::string::npos;
  }();
  ASSERT_TRUE(done);
}

std::string output(const Record& record) {
  return {reinterpret_cast<const char*>(shunt_output()) + record.off, record.len};
}

std::uint32_t start_chat() {
  const std::uint32_t handle = shunt_open(1, 2, 0);
  poll(handle, InputOp::request_arrived, "POST\n/v1/chat/completions\n\n");
  poll(handle, InputOp::request_bytes,
       R"({"model":"chat","stream":true,"messages":[{"role":"user","content":"hi"}]})");
  return handle;
}

TEST(Abi, AnExchangeRunsThroughRecordsAlone) {
  configure();
  const std::uint32_t handle = start_chat();
  const Polled started = poll(handle, InputOp::request_ended);
  const Record* attempt = started.find(EffectOp::start_attempt);
  ASSERT_NE(attempt, nullptr);
  EXPECT_EQ(attempt->stream, 1u);
  std::uint32_t words[kAttemptHeaderWords];
  const std::string block = output(*attempt);
  std::memcpy(words, block.data(), sizeof words);
  const std::size_t url_at = sizeof words + words[2] * 12;
  EXPECT_EQ(block.substr(url_at, words[0]), "http://127.0.0.1:1/v1/chat/completions");
  EXPECT_EQ(started.records.back().op, static_cast<std::uint32_t>(EffectOp::timer));

  poll(handle, InputOp::head_arrived, "content-type: text/event-stream\n", 1, 200);
  const std::string frame = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n";
  const Polled head = poll(handle, InputOp::bytes_arrived, frame, 1);
  ASSERT_NE(head.find(EffectOp::send_head), nullptr);
  const Polled relayed = poll(handle, InputOp::bytes_arrived, frame, 1);
  const Record* bytes = relayed.find(EffectOp::send_bytes);
  ASSERT_NE(bytes, nullptr);
  EXPECT_EQ(bytes->a, 1u) << "the host forwards its own chunk";
  EXPECT_EQ(bytes->len, frame.size());
  const Polled ended = poll(handle, InputOp::client_gone);
  EXPECT_TRUE(ended.has(EffectOp::abort_attempt));
  EXPECT_TRUE((ended.flags & kFinished) != 0);
  shunt_close(handle);
}

TEST(Abi, AStaleHandleIsAnErrorAndChangesNothing) {
  configure();
  const std::uint32_t handle = start_chat();
  shunt_close(handle);
  EXPECT_EQ(poll(handle, InputOp::request_ended).flags, kStale);
  const std::uint32_t next = shunt_open(1, 2, 0);
  EXPECT_NE(next, handle) << "a slot is used again under another generation";
  EXPECT_EQ(poll(handle, InputOp::client_gone).flags, kStale);
  shunt_close(handle);
  EXPECT_EQ(poll(next, InputOp::request_arrived, "GET\n/healthz\n\n").flags & kStale, 0u);
  shunt_close(next);
  EXPECT_EQ(poll(0, InputOp::timer_fired).flags, kStale);
  EXPECT_EQ(poll(0x7FFFFFFF, InputOp::timer_fired).flags, kStale);
}

TEST(Abi, SnapshotsAreTakenBackAndGarbageIsNot) {
  configure();
  const std::uint32_t len = shunt_snapshot(5000, 1.8e12);
  const std::string bytes(reinterpret_cast<const char*>(shunt_output()), len);
  EXPECT_EQ(shunt_load(put(bytes), 5000, 1.8e12), 1u);
  EXPECT_EQ(shunt_load(put("garbage"), 5000, 1.8e12), 0u);
}

TEST(Abi, PlansWithoutTakingAnything) {
  configure();
  EXPECT_EQ(shunt_plan(0, 7, 5000), 1u);
  EXPECT_EQ(shunt_plan(99, 7, 5000), 0u);
}

TEST(AbiDeathTest, AHostThatLiesAboutItsArenaTraps) {
  configure();
  const std::uint32_t handle = start_chat();
  const auto lie = [handle] {
    *shunt_ring() = {static_cast<std::uint32_t>(InputOp::request_bytes), 0, 0, 0, 0xFFFFFFF0U, 64, 0};
    shunt_poll(handle, 5000);
  };
  EXPECT_DEATH(lie(), "");
  shunt_close(handle);
}

std::string judged(const std::string& block, double wall = 0) {
  const std::uint32_t len = shunt_classify(put(block), wall);
  return {reinterpret_cast<const char*>(shunt_output()), len};
}

TEST(Abi, JudgesAFailedReplyWithoutAnEngine) {
  const std::string limited =
      judged("openai\n\n429\n0\n\nretry-after: 20\n\n{\"error\":{\"code\":\"rate_limit_exceeded\"}}");
  EXPECT_NE(limited.find(R"("class":"RATE_LIMITED")"), std::string::npos) << limited;
  EXPECT_NE(limited.find(R"("retry_after_s":20,)"), std::string::npos) << limited;
  const std::string refused = judged("\n\n0\n2\nconnect ECONNREFUSED\n\n");
  EXPECT_NE(refused.find(R"("sub":"refused")"), std::string::npos) << refused;
  EXPECT_EQ(judged("\n\n200\n0\n\n\n"), judged("\n\n200\n0\n\n")) << "an empty block of headers and none";
}

TEST(Abi, TheMediumIsTheProvidersUnlessSaid) {
  const std::string body = "400\n0\n\n\n{\"error\":{\"code\":\"content_policy_violation\"}}";
  EXPECT_EQ(judged("vidu\n\n" + body), judged("vidu\nvideo\n" + body));
  EXPECT_NE(judged("vidu\n\n" + body), judged("vidu\nimage\n" + body));
}

TEST(Abi, DatesCountFromTheWallTimeWhenItIsKnown) {
  const std::string block = "\n\n429\n0\n\nretry-after: Fri, 15 Jan 2027 08:00:30 GMT\n\n";
  EXPECT_NE(judged(block, 1.8e12).find(R"("retry_after_s":30,)"), std::string::npos);
  EXPECT_NE(judged(block).find(R"("retry_after_s":null,)"), std::string::npos);
}

TEST(Abi, UpkeepAsksTheStoreAndAnOperatorIsAnswered) {
  constexpr std::uint32_t kUpkeepKind = 2;
  constexpr std::uint32_t kAdminKind = 3;
  std::string shared = kConfig;
  shared.resize(shared.rfind('}'));
  shared += R"(, "state": {"store": "kv", "shard": "eu"}, "admin": {"token": "T"}})";
  shunt_reset();
  const std::uint32_t len = shunt_configure(put(shared));
  EXPECT_NE(std::string(reinterpret_cast<const char*>(shunt_output()), len).find(R"("admin_token":"T")"),
            std::string::npos);

  const std::uint32_t admin = shunt_open(1, 2, kAdminKind);
  poll(admin, InputOp::request_arrived, "POST\n/admin/providers/a%40p/open\n\n");
  const Polled opened = poll(admin, InputOp::request_ended);
  EXPECT_EQ(opened.find(EffectOp::send_head)->a, 200u);
  EXPECT_EQ(opened.flags & (kFinished | kDirty | kUpkeep), kFinished | kDirty | kUpkeep);
  shunt_close(admin);

  const std::uint32_t upkeep = shunt_open(3, 4, kUpkeepKind);
  const Polled asked = poll(upkeep, InputOp::started);
  const Record* get = asked.find(EffectOp::store_get);
  ASSERT_NE(get, nullptr);
  EXPECT_EQ(output(*get), "shunt/health/eu");
  EXPECT_EQ(asked.flags & (kFinished | kUpkeep), 0u) << "one is open";
  const Polled written = poll(upkeep, InputOp::store_answered, "", get->stream, 1);
  const Record* write = written.find(EffectOp::store_put);
  ASSERT_NE(write, nullptr);
  EXPECT_EQ(output(*write).substr(0, write->a), "shunt/health/eu");
  EXPECT_EQ(output(*write).substr(write->a, 4), "SHR1");
  const Polled done = poll(upkeep, InputOp::store_answered, "", write->stream, 0);
  EXPECT_EQ(done.flags & (kFinished | kUpkeep), kFinished);
  shunt_close(upkeep);

  shunt_reset();
  shunt_configure(put(kConfig));
}

TEST(AbiDeathTest, AKindOrAnAnswerThatDoesNotExistTraps) {
  configure();
  EXPECT_DEATH(shunt_open(1, 2, 4), "");
  const std::uint32_t handle = shunt_open(1, 2, 2);
  EXPECT_DEATH(poll(handle, InputOp::store_answered, "", 1, 3), "");
  shunt_close(handle);
}

}  // namespace
}  // namespace shunt::abi
