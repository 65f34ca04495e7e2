// The effects of one handle(), coalesced and in order.
#include "exchange/outbox.h"

#include <gtest/gtest.h>

namespace shunt::exchange {
namespace {

std::vector<std::size_t> kinds(Outbox& out) {
  std::vector<std::size_t> all;
  while (const auto effect = out.poll()) all.push_back(effect->index());
  return all;
}

TEST(Outbox, GivesOneRangeOfThePayloadAsThatRange) {
  const std::string payload = "frame one|frame two|";
  Outbox out;
  out.open(payload);
  out.bytes(std::string_view(payload).substr(0, 10));
  out.bytes(std::string_view(payload).substr(10));
  const auto effect = out.poll();
  ASSERT_TRUE(effect);
  const auto* bytes = std::get_if<SendBytes>(&*effect);
  ASSERT_NE(bytes, nullptr);
  EXPECT_TRUE(bytes->input);
  EXPECT_EQ(bytes->offset, 0u);
  EXPECT_EQ(bytes->bytes, payload);
  EXPECT_FALSE(out.poll());
}

TEST(Outbox, CopiesWhenBytesAreNoSingleRange) {
  const std::string payload = "aaBBcc";
  Outbox out;
  out.open(payload);
  out.bytes(std::string_view(payload).substr(0, 2));
  out.bytes(std::string_view(payload).substr(4));
  out.text() += "!";
  const auto effect = out.poll();
  const auto* bytes = std::get_if<SendBytes>(&*effect);
  ASSERT_NE(bytes, nullptr);
  EXPECT_FALSE(bytes->input);
  EXPECT_EQ(bytes->bytes, "aacc!");
}

TEST(Outbox, KeepsItsOrderWhateverTheOrderOfTheCalls) {
  Outbox out;
  out.open({});
  out.emit(Emit::Kind::record, "{}");
  out.ask({Outbox::Ask::What::get, 1, "k", {}, {}});
  out.start({});
  out.release_body();
  out.end(true);
  out.text() += "x";
  out.head(200, "a: b\n");
  out.abort(1);
  const auto order = kinds(out);
  const std::vector<std::size_t> want = {Effect(AbortAttempt{}).index(), Effect(SendHead{}).index(),
                                         Effect(SendBytes{}).index(),    Effect(SendEnd{}).index(),
                                         Effect(StartAttempt{}).index(), Effect(ReleaseBody{}).index(),
                                         Effect(StoreGet{}).index(),     Effect(Emit{}).index()};
  EXPECT_EQ(order, want);
}

TEST(Outbox, AsksTheStoreInTheOrderOfTheQuestions) {
  Outbox out;
  out.open({});
  out.ask({Outbox::Ask::What::lease, 1, "a key that no small string holds", {}, seconds(9)});
  out.ask({Outbox::Ask::What::put, 2, "key", "value", {}});
  const auto lease = out.poll();
  ASSERT_TRUE(lease && std::get_if<StoreLease>(&*lease) != nullptr);
  EXPECT_EQ(std::get<StoreLease>(*lease).key, "a key that no small string holds");
  EXPECT_EQ(std::get<StoreLease>(*lease).ttl, seconds(9));
  const auto put = out.poll();
  ASSERT_TRUE(put && std::get_if<StorePut>(&*put) != nullptr);
  EXPECT_EQ(std::get<StorePut>(*put).request, 2u);
  EXPECT_EQ(std::get<StorePut>(*put).key, "key");
  EXPECT_EQ(std::get<StorePut>(*put).bytes, "value");
  EXPECT_FALSE(out.poll());
}

TEST(Outbox, OpenForgetsEverything) {
  Outbox out;
  out.open({});
  out.abort(1);
  out.end(false);
  out.open({});
  EXPECT_TRUE(kinds(out).empty());
}

}  // namespace
}  // namespace shunt::exchange
