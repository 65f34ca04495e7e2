// SSE framing: frames, raws, limits and costs, whole and cut; then all short streams against a slow oracle.
#include "wire/sse.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "core/wire/harness.h"

namespace shunt::wire {
namespace {

using test::Reading;

std::vector<std::string> raws_of(SseProfile profile, std::string_view bytes) {
  return test::run_whole(profile, bytes).raws;
}

bool inside(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

TEST(Sse, FrameInsideOneChunkIsViewsOfTheChunk) {
  const std::string chunk = "event: add\ndata: {\"a\":1}\n\ndata: zwei \xC3\xA4\r\n\r\n";
  SseFramer framer(SseProfile::llm);
  framer.feed(chunk);
  Frame frame;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(framer.next(frame));
    EXPECT_TRUE(inside(frame.data, chunk));
    EXPECT_TRUE(inside(frame.raw, chunk));
    EXPECT_TRUE(i == 1 || inside(frame.event, chunk));
  }
  EXPECT_FALSE(framer.next(frame));
  EXPECT_EQ(framer.tail(), "");
}

TEST(Sse, FrameAfterACarriedOneIsViewsOfTheChunkAgain) {
  const std::string first = "data: o";
  const std::string second = "ne\n\ndata: two\n\n";
  SseFramer framer(SseProfile::whatwg);
  Frame frame;
  framer.feed(first);
  ASSERT_FALSE(framer.next(frame));
  EXPECT_EQ(framer.tail(), "data: o");
  framer.feed(second);
  ASSERT_TRUE(framer.next(frame));
  EXPECT_EQ(frame.data, "one");
  EXPECT_EQ(frame.raw, "data: one\n\n");
  EXPECT_FALSE(inside(frame.raw, second));
  ASSERT_TRUE(framer.next(frame));
  EXPECT_EQ(frame.raw, "data: two\n\n");
  EXPECT_TRUE(inside(frame.raw, second));
}

TEST(Sse, CrAtTheEndOfAChunkDispatchesNow) {
  SseFramer framer(SseProfile::whatwg);
  Frame frame;
  framer.feed("data: x\r\n\r");
  ASSERT_TRUE(framer.next(frame));
  EXPECT_EQ(frame.raw, "data: x\r\n\r");
  EXPECT_FALSE(framer.next(frame));
  framer.feed("");
  EXPECT_FALSE(framer.next(frame));
  framer.feed("\ndata: y\r\n\r\n");
  ASSERT_TRUE(framer.next(frame));
  EXPECT_EQ(frame.data, "y");
  EXPECT_EQ(frame.raw, "\ndata: y\r\n\r\n");  // the late LF opens the next raw
}

TEST(Sse, RawOfSkippedBytesJoinsTheNextFrame) {
  using Raws = std::vector<std::string>;
  EXPECT_EQ(raws_of(SseProfile::whatwg, "\xEF\xBB\xBF: c\n\nid: 1\n\nfoo\ndata: a\n\n\n\ndata: b\n\n"),
            (Raws{"\xEF\xBB\xBF: c\n\nid: 1\n\nfoo\ndata: a\n\n", "\n\ndata: b\n\n"}));
  EXPECT_EQ(raws_of(SseProfile::llm, "\n: c\n\nid: 1\n\nfoo\ndata: a\n\n"),
            (Raws{"\n: c\n", "\nid: 1\n\nfoo\n", "data: a\n\n"}));
}

TEST(Sse, LineFrameInsideABlockLeavesItsBytesToTheBlock) {
  const Reading run =
      test::run_whole(SseProfile::llm, "id:1\nevent:result\n:HTTP_STATUS/200\nmeta: {}\ndata:{}\n\n");
  EXPECT_EQ(run.log,
            "comment \"HTTP_STATUS/200\"\nstray \"meta: {}\"\n"
            "event name=\"result\" data=\"{}\" id=\"1\"\nend last_id=\"1\"\n");
  EXPECT_EQ(run.raws, (std::vector<std::string>{
                          "", "", "id:1\nevent:result\n:HTTP_STATUS/200\nmeta: {}\ndata:{}\n\n"}));
}

TEST(Sse, TailIsWhatTheEndDrops) {
  EXPECT_EQ(test::run_whole(SseProfile::whatwg, "data: a\n\ndata: b\nda").tail, "data: b\nda");
  EXPECT_EQ(test::run_whole(SseProfile::llm, "data: a\n\ndata: b\nda").tail, "");
  EXPECT_EQ(test::run_whole(SseProfile::llm, "data: a\n\nevent: cut").tail, "event: cut");
  EXPECT_EQ(test::run_whole(SseProfile::llm, "data: a\n\n\n\n").tail, "\n\n");
}

TEST(Sse, RetryCountsAtOnceAndOnlyAsDigits) {
  SseFramer framer(SseProfile::whatwg);
  Frame frame;
  const auto after = [&](std::string_view bytes) {
    framer.feed(bytes);
    EXPECT_FALSE(framer.next(frame));
    return framer.reconnection_ms();
  };
  EXPECT_EQ(after("retry: 03000\n"), 3000u);
  for (const char* bad : {"retry: +5\n", "retry: 5 \n", "retry:  5\n", "retry: 1e3\n", "retry: 1_000\n",
                          "retry\n", "retry: \xEF\xBC\x95\n", "Retry: 5\n"}) {
    EXPECT_EQ(after(bad), 3000u) << bad;
  }
  EXPECT_EQ(after("retry: 99999999999999999999\n"), UINT64_MAX);
}

TEST(Sse, FrameBeyondTheLimitFailsAndIsNeverCutShort) {
  const std::string fits = "data: 0123456789\n\n";
  const std::string stream = fits + "data: 0123456789x\n\n" + fits;
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    SseFramer framer(SseProfile::llm, fits.size());
    Reading run;
    const std::string_view whole = stream;
    test::feed(framer, whole.substr(0, cut), run);
    test::feed(framer, whole.substr(cut), run);
    test::finish(framer, run);
    EXPECT_TRUE(run.failed) << cut;
    EXPECT_EQ(run.log, "event data=\"0123456789\"\nend\n") << cut;
  }
  SseFramer framer(SseProfile::llm, fits.size());
  Reading run;
  for (int i = 0; i < 100; ++i) test::feed(framer, fits, run);
  EXPECT_EQ(run.raws.size(), 100u);
  EXPECT_FALSE(framer.failed());
}

TEST(Sse, UnendingLineFailsWithoutHoldingMoreThanTheLimit) {
  SseFramer framer(SseProfile::whatwg, 1000);
  Reading run;
  for (int i = 0; i < 50; ++i) test::feed(framer, std::string(100, 'x'), run);
  EXPECT_TRUE(framer.failed());
  EXPECT_LE(framer.tail().size(), 1000u);
}

TEST(Sse, MegabytesByteByByteTakeLinearTime) {
  // A rescan of the carry would need 2e12 steps here.
  const std::string payload(2 * 1024 * 1024, 'p');
  const std::string stream = "data: " + payload + "\ndata: " + payload + "\n\n";
  SseFramer framer(SseProfile::whatwg);
  Frame frame;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    framer.feed(std::string_view{stream}.substr(i, 1));
    if (i + 1 < stream.size()) {
      ASSERT_FALSE(framer.next(frame));
    }
  }
  ASSERT_TRUE(framer.next(frame));
  EXPECT_EQ(frame.data, payload + "\n" + payload);
  EXPECT_EQ(frame.raw, stream);
}

TEST(Sse, LineEndIsFoundAtEveryPlaceOfABlock) {
  for (std::size_t size = 0; size < 70; ++size) {
    for (const char* high : {"", "\xC3\xA9", "\xFF"}) {
      for (const char* end : {"\n\n", "\r\r", "\r\n\r\n"}) {
        const std::string text = std::string(size, 'x') + high + std::string(size % 19, 'y');
        const std::string read =
            *high == '\xFF' ? std::string(size, 'x') + "\xEF\xBF\xBD" + std::string(size % 19, 'y') : text;
        const Reading run = test::run_whole(SseProfile::whatwg, "data:" + text + end + "data: \x80" + end);
        EXPECT_EQ(run.log, "event data=" + test::quoted(read) + "\nevent data=\"\xEF\xBF\xBD\"\nend\n");
      }
    }
  }
}

// ---- The oracle: the standard's prose, line by line over the whole text, nothing shared with the framer.

class Oracle {
 public:
  Oracle(SseProfile profile, std::string_view text) : llm_(profile == SseProfile::llm) {
    std::string line;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\n' && text[i] != '\r') {
        line += text[i];
        continue;
      }
      if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
      on_line(line);
      line.clear();
    }
    if (llm_) {
      if (!line.empty()) on_line(line);
      if (has_data_) on_line("");
    }
    log_ += last_id_.empty() ? "end\n" : "end last_id=\"" + last_id_ + "\"\n";
  }
  const std::string& log() const { return log_; }

 private:
  void on_line(const std::string& line) {
    if (line.empty()) {
      last_id_ = id_;
      if (has_data_) {
        data_.pop_back();
        log_ +=
            "event data=" + test::quoted(data_) + (last_id_.empty() ? "" : " id=\"" + last_id_ + "\"") + "\n";
      }
      has_data_ = false;
      data_.clear();
      return;
    }
    const std::size_t colon = line.find(':');
    if (colon == 0) {
      if (llm_) log_ += "comment " + test::quoted(line.substr(1)) + "\n";
      return;
    }
    const std::string name = line.substr(0, colon);
    std::string value = colon == std::string::npos ? "" : line.substr(colon + 1);
    if (value[0] == ' ') value.erase(0, 1);
    if (name == "data") {
      has_data_ = true;
      data_ += value + "\n";
    } else if (name == "id") {
      id_ = value;
    } else if (llm_) {
      log_ += "stray " + test::quoted(line) + "\n";
    }
  }

  bool llm_;
  bool has_data_ = false;
  std::string data_;
  std::string id_;
  std::string last_id_;
  std::string log_;
};

// Without the heap buffers of the harness: there are millions of streams.
Reading run_bare(SseProfile profile, std::string_view bytes, std::size_t step) {
  SseFramer framer(profile);
  Reading run;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    framer.feed(bytes.substr(at, step));
    test::drain(framer, run);
  }
  test::finish(framer, run);
  return run;
}

TEST(Sse, AllStreamsOfSevenTokensReadAsTheOracleReadsThem) {
  constexpr std::array<std::string_view, 7> kTokens = {"data", "id", ":", " ", "\n", "\r", "x"};
  std::size_t streams = 0;
  for (std::size_t length = 0; length <= 7; ++length) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < length; ++i) count *= kTokens.size();
    for (std::size_t code = 0; code < count; ++code) {
      std::string text;
      for (std::size_t i = 0, rest = code; i < length; ++i, rest /= kTokens.size())
        text += kTokens[rest % kTokens.size()];
      for (const SseProfile profile : {SseProfile::whatwg, SseProfile::llm}) {
        const Oracle oracle(profile, text);
        for (const std::size_t step : {std::size_t{64}, std::size_t{1}}) {
          const Reading run = run_bare(profile, text, step);
          ASSERT_EQ(run.log, oracle.log()) << test::quoted(text) << " step " << step;
          ASSERT_EQ(run.total, text) << "step " << step;
        }
      }
      ++streams;
    }
  }
  EXPECT_EQ(streams, 960800u);
}

}  // namespace
}  // namespace shunt::wire
