// Streams of openai_responses broken at random: events dropped, doubled and moved, bytes changed. Nothing
// crashes, any cut reads the same, and what is written from them holds the invariants of every dialect.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "invariants.h"
#include "responses_streams.h"

namespace shunt::dialect::test {
namespace {

class Dice {
 public:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(mix64(++count_) % bound); }

 private:
  std::uint64_t count_ = 0;
};

std::vector<std::string> events_of_a_good_stream() {
  const auto at = [](int index, const std::string& id) {
    return "\"output_index\":" + std::to_string(index) + ",\"item_id\":\"" + id + "\",";
  };
  const std::string message =
      R"({"type":"message","id":"msg","content":[{"type":"output_text","text":"Hi there","annotations":[{"u":1}]},{"type":"refusal","refusal":"No"}]})";
  const std::string call = R"({"type":"function_call","id":"fc","call_id":"c1","name":"f","arguments":"{}"})";
  return {
      responses_begun(),
      responses_event("in_progress", R"("response":{"id":"resp_1"})"),
      responses_event("output_item.added",
                      R"("output_index":0,"item":{"type":"reasoning","id":"rs","summary":[]})"),
      responses_event("reasoning_summary_text.delta", at(0, "rs") + R"("summary_index":0,"delta":"So")"),
      responses_event("reasoning_text.delta", at(0, "rs") + R"("content_index":0,"delta":"raw")"),
      responses_event("output_item.done",
                      R"("output_index":0,"item":{"type":"reasoning","id":"rs","encrypted_content":"x"})"),
      responses_event("output_item.added", R"("output_index":1,"item":{"type":"ws","id":"ws"})"),
      responses_event("ws.searching", at(1, "ws") + "\"n\":1"),
      responses_event("output_item.done", R"("output_index":1,"item":{"type":"ws","id":"ws","q":[1]})"),
      responses_event("output_item.added",
                      R"("output_index":2,"item":{"type":"message","id":"msg","content":[]})"),
      responses_event("output_text.delta", at(2, "msg") + R"("content_index":0,"delta":"Hi ")"),
      responses_event("output_text.delta", at(2, "msg") + R"("content_index":0,"delta":"there")"),
      responses_event("output_text.annotation.added", at(2, "msg") + R"("annotation":{"u":1})"),
      responses_event("refusal.delta", at(2, "msg") + R"("content_index":1,"delta":"No")"),
      responses_event("output_item.done", "\"output_index\":2,\"item\":" + message),
      responses_event(
          "output_item.added",
          R"("output_index":3,"item":{"type":"function_call","id":"fc","call_id":"c1","name":"f"})"),
      responses_event("function_call_arguments.delta", at(3, "fc") + R"("delta":"{}")"),
      responses_event("output_item.added",
                      R"("output_index":4,"item":{"type":"custom_tool_call","call_id":"c2","name":"g"})"),
      responses_event("custom_tool_call_input.delta", at(4, "x") + R"("delta":"SELECT")"),
      responses_event("output_item.done", "\"output_index\":3,\"item\":" + call),
      responses_ended("[" + message + "," + call + "]"),
  };
}

std::string broken(Dice& dice) {
  std::vector<std::string> events = events_of_a_good_stream();
  for (std::size_t i = dice.below(4); i > 0; --i) {
    const std::size_t one = dice.below(events.size());
    const std::size_t other = dice.below(events.size());
    switch (dice.below(3)) {
      case 0: events.erase(events.begin() + static_cast<std::ptrdiff_t>(one)); break;
      case 1: events.insert(events.begin() + static_cast<std::ptrdiff_t>(one), events[other]); break;
      default: std::swap(events[one], events[other]);
    }
  }
  std::string bytes;
  for (const std::string& event : events) bytes += event;
  constexpr std::string_view kBytes = "\"{}[]:,0\n\\x\xF0";
  for (std::size_t i = dice.below(4); i > 0; --i) {
    bytes[dice.below(bytes.size())] = kBytes[dice.below(kBytes.size())];
  }
  return bytes;
}

std::string breach(DialectId to, std::string_view bytes, bool error) {
  if (to == DialectId::openai_chat) return breach_of_openai(bytes, !error, error);
  if (to == DialectId::anthropic_messages) return breach_of_anthropic(bytes, error);
  return breach_of_responses(bytes, error);
}

TEST(ResponsesMutation, InvariantsHoldWhateverComesIn) {
  Dice dice;
  for (int round = 0; round < 3000; ++round) {
    const std::string bytes = broken(dice);
    const Folded whole = fold_stream(DialectId::openai_responses, bytes);
    if (round % 10 == 0) {
      const Folded cut = fold_stream(DialectId::openai_responses, bytes, {1});
      EXPECT_EQ(whole.bad_frames, cut.bad_frames) << bytes;
      EXPECT_EQ(whole.extras, cut.extras) << bytes;
    }
    for (const DialectId to :
         {DialectId::openai_chat, DialectId::openai_responses, DialectId::anthropic_messages}) {
      const std::string out = encode_stream(DialectId::openai_responses, bytes, to, {{}, {}, 1, true});
      ASSERT_EQ(breach(to, out, !whole.errors.empty()), "") << bytes << "\n=>\n" << out;
    }
  }
}

}  // namespace
}  // namespace shunt::dialect::test
