// Recorded provider traffic: every answer decoded whole, byte by byte and as it was read from the network,
// and compared with a second reading by a DOM (naive_reader.h).
#include <gtest/gtest.h>

#include "exchanges.h"
#include "naive_reader.h"

namespace shunt::dialect::test {
namespace {

using nlohmann::json;

// Raw usage objects in order of arrival.
std::vector<json> usages(DialectId id, std::string_view bytes) {
  std::vector<json> all;
  const auto decoder = find(id)->make_decoder(0);
  each_frame(*decoder, bytes, {}, [&](const EventList& events) {
    for (const Event& event : events) {
      if (const auto* usage = std::get_if<event::UsageUpdate>(&event)) all.push_back(json::parse(usage->raw));
    }
  });
  return all;
}

void expect_same(const Folded& folded, const NaiveAnswer& naive, const std::string& id) {
  EXPECT_EQ(folded.bad_frames, 0U) << id;
  EXPECT_EQ(folded.errors.size(), naive.errors) << id;
  for (std::size_t i = 0; i < std::max(folded.choices.size(), naive.choices.size()); ++i) {
    const FoldedChoice choice = i < folded.choices.size() ? folded.choices[i] : FoldedChoice();
    const NaiveChoice other = i < naive.choices.size() ? naive.choices[i] : NaiveChoice();
    EXPECT_EQ(choice.text, other.text) << id;
    EXPECT_EQ(choice.reasoning_text(), other.reasoning) << id;
    EXPECT_EQ(choice.refusal, other.refusal) << id;
    EXPECT_EQ(choice.finish_raw, other.finish) << id;
    ASSERT_EQ(choice.calls.size(), other.calls.size()) << id;
    for (std::size_t call = 0; call < choice.calls.size(); ++call) {
      EXPECT_EQ(choice.calls[call].id, other.calls[call].id) << id;
      EXPECT_EQ(choice.calls[call].name, other.calls[call].name) << id;
      const json ours = json::parse(choice.calls[call].arguments, nullptr, false);
      const json theirs = json::parse(other.calls[call].arguments, nullptr, false);
      if (ours.is_discarded() || theirs.is_discarded()) {
        EXPECT_EQ(choice.calls[call].arguments, other.calls[call].arguments) << id;
      } else {
        EXPECT_EQ(ours, theirs) << id;
      }
    }
  }
}

NaiveAnswer naive(const Exchange& exchange) {
  if (exchange.dialect == DialectId::openai_chat) {
    return exchange.stream ? read_openai_stream(exchange.body) : read_openai_body(exchange.body);
  }
  if (exchange.dialect == DialectId::openai_responses) {
    return exchange.stream ? read_responses_stream(exchange.body) : read_responses_body(exchange.body);
  }
  if (exchange.dialect == DialectId::gemini_generate) {
    return exchange.stream ? read_gemini_stream(exchange.body) : read_gemini_body(exchange.body);
  }
  return exchange.stream ? read_anthropic_stream(exchange.body) : read_anthropic_body(exchange.body);
}

bool equal(const Folded& a, const Folded& b) {
  if (a.choices.size() != b.choices.size() || a.extras != b.extras || a.usage != b.usage) return false;
  for (std::size_t i = 0; i < a.choices.size(); ++i) {
    const FoldedChoice& x = a.choices[i];
    const FoldedChoice& y = b.choices[i];
    if (x.text != y.text || x.reasoning != y.reasoning || x.calls != y.calls || x.extras != y.extras)
      return false;
    if (x.refusal != y.refusal || x.finish_raw != y.finish_raw) return false;
  }
  return a.id == b.id && a.model == b.model && a.done == b.done && a.errors.size() == b.errors.size();
}

TEST(RecordedTraffic, StreamsDecodeAsASecondReadingSays) {
  const std::vector<Exchange> all = exchanges();
  if (all.empty()) GTEST_SKIP() << "no recorded traffic here";
  std::size_t streams = 0;
  for (const Exchange& exchange : all) {
    if (!exchange.stream) continue;
    ++streams;
    expect_same(fold_stream(exchange.dialect, exchange.body), naive(exchange), exchange.id);
    EXPECT_EQ(usages(exchange.dialect, exchange.body), naive(exchange).usages) << exchange.id;
  }
  RecordProperty("streams", static_cast<int>(streams));
  EXPECT_GT(streams, 300U);
}

TEST(RecordedTraffic, AnyCutGivesTheSameAnswer) {
  const std::vector<Exchange> all = exchanges();
  if (all.empty()) GTEST_SKIP() << "no recorded traffic here";
  for (const Exchange& exchange : all) {
    if (!exchange.stream) continue;
    const Folded whole = fold_stream(exchange.dialect, exchange.body);
    EXPECT_TRUE(equal(whole, fold_stream(exchange.dialect, exchange.body, {1}))) << exchange.id;
    if (!exchange.reads.empty()) {
      EXPECT_TRUE(equal(whole, fold_stream(exchange.dialect, exchange.body, exchange.reads))) << exchange.id;
    }
  }
}

TEST(RecordedTraffic, PlainAnswersDecodeAsASecondReadingSays) {
  const std::vector<Exchange> all = exchanges();
  if (all.empty()) GTEST_SKIP() << "no recorded traffic here";
  std::size_t answers = 0;
  for (const Exchange& exchange : all) {
    if (exchange.stream) continue;
    ++answers;
    expect_same(fold_answer(exchange.dialect, exchange.body), naive(exchange), exchange.id);
  }
  EXPECT_GT(answers, 100U);
}

}  // namespace
}  // namespace shunt::dialect::test
