// A body costs by its length, whatever it says: texts that make a reader look twice at the same bytes, 1 KB
// of each, beside plain prose. The bound is far above what is needed and far below what a square costs.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>

#include "judged.h"

namespace shunt::classify {
namespace {

constexpr std::size_t kBytes = 1024;

// The best of short rounds: others on the machine lengthen a round, nothing shortens it.
double cost_of(const std::string& body) {
  Evidence evidence;
  evidence.status = 429;
  evidence.provider = "openai";
  evidence.body = body;
  evidence.wall = WallTime{1772445600000};
  double best = 1e18;
  for (int round = 0; round < 30; ++round) {
    const auto began = std::chrono::steady_clock::now();
    judged(evidence);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
    best = std::min(best, took.count());
  }
  return best;
}

std::string repeated(std::string_view before, std::string_view between, std::string_view behind) {
  std::string out(before);
  while (out.size() + between.size() + behind.size() <= kBytes) out += between;
  return out.append(behind);
}

TEST(Cost, IsThatOfTheLength) {
  const double plain = cost_of(repeated("", "The request could not be handled as it was sent. ", ""));
  constexpr double kTimes = 25;
  for (const char* unit : {"<",
                           "{",
                           "[",
                           "'",
                           "\\\"",
                           "\\\\",
                           "\\u8bf7",
                           "7",
                           "a",
                           "aB1",
                           "限",
                           "1 2 3 ",
                           "1后",
                           "1s1后",
                           "1s1s1s1s x1s后",
                           "try again in 1 ",
                           "in 1 ",
                           "about ",
                           "2026-03-0 ",
                           "20",
                           "2026-03-01 99:99 ",
                           "'a ",
                           "\" ' ` ",
                           "x/",
                           "a&",
                           "a:",
                           "a=",
                           "a::1",
                           "z:1:",
                           "&sfe80::1:2",
                           "a.b@",
                           "a?b",
                           "aB1/",
                           "a1a1a1/",
                           "kex-",
                           "key",
                           "leaked_keytls",
                           "x.internal/",
                           ".internal",
                           "https://a/b ",
                           "http://",
                           "10.0.0.1:80/",
                           "api_key=abc:def@ghi ",
                           "{} ",
                           "{\\\"a\\\":1} ",
                           "<p>",
                           "<script>",
                           "</",
                           "data: {}\\n"}) {
    for (const auto& [before, behind] : {std::pair<const char*, const char*>{"", ""},
                                         {R"({"error":{"message":")", "\"}}"},
                                         {"event: error\ndata: {\"error\":\"", "\"}\n\n"},
                                         {"<html><body>", "</body></html>"}}) {
      const std::string body = repeated(before, unit, behind);
      EXPECT_LT(cost_of(body), kTimes * plain) << before << unit;
    }
  }
}

}  // namespace
}  // namespace shunt::classify
