// The published SSE cases (web platform tests, parsers and SDKs) at every split of their bytes.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "core/wire/cases.h"
#include "core/wire/harness.h"

namespace shunt::wire {
namespace {

using test::Json;
using test::Reading;

// What the case says profile whatwg gives, in the harness's words.
std::string expected_log(const Json& c) {
  std::string out;
  const auto retry_of = [](const Json& value) {
    return value.is_null() ? std::optional<std::uint64_t>{} : value.get<std::uint64_t>();
  };
  for (const Json& e : c["events"]) {
    const std::string name = e["event"];
    const std::string data = e["data"];
    const std::string id = e["id"];
    Frame frame;
    frame.event = name;
    frame.data = data;
    frame.id = id;
    frame.retry = retry_of(e["retry"]);
    out += test::log_line(frame) + "\n";
  }
  out += "end";
  if (const std::string id = c["last_event_id"]; !id.empty()) out += " last_id=" + test::quoted(id);
  if (const auto ms = retry_of(c["final_retry"])) out += " reconnect=" + std::to_string(*ms);
  return out + "\n";
}

std::string comments_of(const std::string& log) {
  std::string out;
  for (std::size_t at = 0, end = 0; at < log.size(); at = end + 1) {
    end = log.find('\n', at);
    if (log.compare(at, 8, "comment ") == 0) out += log.substr(at, end + 1 - at);
  }
  return out;
}

// A frame that owns its texts.
struct Told {
  explicit Told(const Frame& f)
      : kind(f.kind), has_data(f.has_data), event(f.event), data(f.data), id(f.id), retry(f.retry) {}
  bool is(const Frame& f) const {
    return kind == f.kind && has_data == f.has_data && event == f.event && data == f.data && id == f.id &&
           retry == f.retry;
  }
  Frame::Kind kind;
  bool has_data;
  std::string event, data, id;
  std::optional<std::uint64_t> retry;
};

// The same as run_split() and its log say, but without writing them down: for the few inputs of 70 KB, which
// are cut at 70,000 places.
class Cutter {
 public:
  Cutter(SseProfile profile, std::string_view bytes) : profile_(profile), bytes_(bytes) {
    play(bytes.size(), [this](const Frame& frame) { want_.emplace_back(frame); });
  }

  // Whether the stream in two pieces gives the frames of the whole, which add up to its bytes.
  bool same_at(std::size_t cut) {
    std::size_t count = 0;
    bool same = true;
    const std::size_t covered = play(cut, [&](const Frame& frame) {
      same = same && count < want_.size() && want_[count].is(frame);
      ++count;
    });
    return same && count == want_.size() && covered == bytes_.size();
  }

 private:
  template <typename Visit>
  std::size_t play(std::size_t cut, Visit visit) {
    SseFramer framer(profile_);
    std::size_t covered = 0;
    const auto drain = [&] {
      for (Frame frame; framer.next(frame);) {
        visit(frame);
        covered +=
            frame.raw == bytes_.substr(covered, frame.raw.size()) ? frame.raw.size() : bytes_.size() + 1;
      }
    };
    framer.feed(bytes_.substr(0, cut));
    drain();
    framer.feed(bytes_.substr(cut));
    drain();
    framer.finish();
    drain();
    return covered + framer.tail().size();
  }

  SseProfile profile_;
  std::string_view bytes_;
  std::vector<Told> want_;
};

// Under sanitizers, which make it ten times as long, every 61st place will do.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kStep = 61;
#else
constexpr std::size_t kStep = 1;
#endif
constexpr std::size_t kLong = 16 * 1024;

void check_case(const Json& c) {
  const std::string bytes = test::from_base64(c["input_base64"].get<std::string>());
  const std::string want = expected_log(c);
  const std::string llm = test::run_whole(SseProfile::llm, bytes).log;
  if (c.contains("comments")) {
    std::string comments;
    for (const Json& text : c["comments"])
      comments += "comment " + test::quoted(text.get<std::string>()) + "\n";
    EXPECT_EQ(comments_of(llm), comments);
  }
  std::vector<std::vector<std::size_t>> splits = {{}, std::vector<std::size_t>(bytes.size(), 1)};
  if (c.contains("chunks")) splits.push_back(c["chunks"].get<std::vector<std::size_t>>());
  const std::size_t step = bytes.size() > kLong ? 997 : 1;  // written down; the rest is below
  for (std::size_t cut = 1; cut < bytes.size(); cut += step) splits.push_back({cut});
  for (const auto& split : splits) {
    const Reading whatwg_run = test::run_split(SseProfile::whatwg, bytes, split);
    ASSERT_EQ(whatwg_run.log, want) << "first chunk " << (split.empty() ? 0 : split[0]);
    ASSERT_EQ(whatwg_run.total, bytes);
    const Reading llm_run = test::run_split(SseProfile::llm, bytes, split);
    ASSERT_EQ(llm_run.log, llm) << "first chunk " << (split.empty() ? 0 : split[0]);
    ASSERT_EQ(llm_run.total, bytes);
  }
  if (step == 1) return;
  for (const SseProfile profile : {SseProfile::whatwg, SseProfile::llm}) {
    Cutter cutter(profile, bytes);
    for (std::size_t cut = 1; cut < bytes.size(); cut += kStep) ASSERT_TRUE(cutter.same_at(cut)) << cut;
  }
}

void check_file(const std::string& file, std::size_t least) {
  const std::vector<Json> cases = test::cases_of("sse/" + file);
  if (cases.empty()) GTEST_SKIP() << "no sse/" << file << " under " << test::data_directory();
  for (const Json& c : cases) {
    // A body of another content type never reaches the framer.
    if (c.contains("connection")) continue;
    SCOPED_TRACE(c["name"].get<std::string>());
    check_case(c);
  }
  EXPECT_GE(cases.size(), least);
}

TEST(SseCases, WebPlatformTests) { check_file("wpt_cases.jsonl", 36); }
TEST(SseCases, ParsersAndSdks) { check_file("sse_cases.jsonl", 258); }

}  // namespace
}  // namespace shunt::wire
