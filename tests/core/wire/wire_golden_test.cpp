// Runs tests/golden/wire/*.md. A case is a fenced `sse` block, then a fenced `log` block for each profile it
// is about. In an `sse` block only escapes are bytes of their own: \n \r \\ and \xHH; the line breaks of the
// file do not count.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/wire/harness.h"

namespace shunt::wire {
namespace {

using test::Reading;

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') continue;
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char kind = text[++i];
    if (kind == 'x') {
      out += static_cast<char>(std::stoi(std::string{text.substr(i + 1, 2)}, nullptr, 16));
      i += 2;
    } else {
      out += kind == 'n' ? '\n' : kind == 'r' ? '\r' : kind;
    }
  }
  return out;
}

// In a `log` block \xHH from 80 up stands for the byte itself, so that invisible characters can be seen.
std::string with_high_bytes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const bool high = text.size() >= 4 && text.substr(0, 2) == "\\x" && text[2] >= '8';
    out += high ? unescaped(text.substr(0, 4)) : std::string{text.front()};
    text.remove_prefix(high ? 4 : 1);
  }
  return out;
}

struct Golden {
  std::string title;
  std::string bytes;
  SseProfile profile;
  std::string log;
};

std::vector<Golden> goldens_of(const std::filesystem::path& file) {
  std::vector<Golden> out;
  std::ifstream in(file);
  std::string title;
  std::string bytes;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("## ", 0) == 0) title = line.substr(3);
    if (line.rfind("```", 0) != 0) continue;
    const std::string info = line.substr(3);
    std::string block;
    while (std::getline(in, line) && line != "```") block += line + "\n";
    if (info == "sse") {
      bytes = unescaped(block);
    } else {
      EXPECT_TRUE(info == "log whatwg" || info == "log llm") << file << ": " << info;
      out.push_back(
          {title, bytes, info == "log llm" ? SseProfile::llm : SseProfile::whatwg, with_high_bytes(block)});
    }
  }
  return out;
}

// The log of a golden also says what no frame covers.
std::string golden_log(const Reading& run) {
  return run.log.substr(0, run.log.size() - 1) + (run.tail.empty() ? "" : " tail=" + test::quoted(run.tail)) +
         "\n";
}

TEST(WireGolden, EveryCaseAtEverySplit) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SHUNT_SOURCE_DIR "/tests/golden/wire")) {
    if (entry.path().extension() != ".md") continue;
    for (const Golden& golden : goldens_of(entry.path())) {
      SCOPED_TRACE(entry.path().filename().string() + ": " + golden.title);
      ++count;
      EXPECT_EQ(golden_log(test::run_whole(golden.profile, golden.bytes)), golden.log);
      for (std::size_t first = 0; first <= golden.bytes.size(); ++first) {
        for (std::size_t second = 0; first + second <= golden.bytes.size(); ++second) {
          const Reading run = test::run_split(golden.profile, golden.bytes, {first, second});
          ASSERT_EQ(run.total, golden.bytes) << first << "+" << second;
          // A LF split from its CR at the very end is left over.
          const bool late_lf = run.tail == "\n" && golden.log.find("tail=") == std::string::npos;
          ASSERT_EQ(late_lf ? run.log : golden_log(run), golden.log) << first << "+" << second;
        }
      }
      EXPECT_EQ(test::run_bytewise(golden.profile, golden.bytes).log,
                test::run_whole(golden.profile, golden.bytes).log);
    }
  }
  EXPECT_GE(count, 30u);
}

}  // namespace
}  // namespace shunt::wire
