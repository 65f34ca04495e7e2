// What is written reads back, and no text can break out of its field.
#include "wire/sse_write.h"

#include <gtest/gtest.h>

#include "core/wire/harness.h"

namespace shunt::wire {
namespace {

std::string written(std::string_view event, std::string_view data) {
  std::string out;
  append_sse(out, event, data);
  return out;
}

TEST(SseWrite, OneLineOfDataIsOneLine) {
  EXPECT_EQ(written("", "{\"a\":1}"), "data: {\"a\":1}\n\n");
  EXPECT_EQ(written("message_stop", "{}"), "event: message_stop\ndata: {}\n\n");
  EXPECT_EQ(written("", ""), "data: \n\n");
}

TEST(SseWrite, EachLineOfDataIsALineOfItsOwn) {
  EXPECT_EQ(written("", "a\nb\r\nc\rd\n"), "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n");
}

TEST(SseWrite, DataReadsBackWithItsSpacesAndWithLfForEveryLineEnd) {
  const char* const cases[][2] = {{" two  spaces ", " two  spaces "}, {"a\n\nb", "a\n\nb"}, {"\r\n", "\n"},
                                  {": c\nid: 1", ": c\nid: 1"},       {"\n", "\n"},         {"", ""}};
  for (const auto& [data, read] : cases) {
    const test::Reading run = test::run_whole(SseProfile::whatwg, written("", data));
    EXPECT_EQ(run.log, "event data=" + test::quoted(read) + "\nend\n");
  }
}

TEST(SseWrite, EventNameCannotOpenAnotherLine) {
  EXPECT_EQ(written("a\ndata: forged\n\n", "x"), "event: a\ndata: x\n\n");
  EXPECT_EQ(written("a\rid: 1", "x"), "event: a\ndata: x\n\n");
}

}  // namespace
}  // namespace shunt::wire
