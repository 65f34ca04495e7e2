// Sections whose rooms are to come: read, checked, and said to be without force.
#include <gtest/gtest.h>

#include "sample.h"

namespace shunt::config {
namespace {

TEST(Sections, AreReadWithOneWarningEach) {
  for (
      const std::string_view section :
      {R"("answers":{"cache":{"max_age_s":60},"idempotency":{"ttl_s":300,"max_entries":9},"coalesce":true,"batch_window_ms":50})",
       R"("log":{"level":"debug","language":"zh"})", R"("record":{"sample":0.5,"bodies":false})",
       R"("alerts":{"webhook":"HOOK","on":["open","latch","all_protected","quota"]})"}) {
    const Read result = read(with_line(section));
    EXPECT_TRUE(result.ok) << section;
    ASSERT_EQ(result.loaded.warnings.size(), 1U) << section;
    EXPECT_EQ(result.loaded.warnings[0].allowed, "read, not yet in force");
    EXPECT_EQ(result.loaded.warnings[0].line, 4);
  }
}

}  // namespace
}  // namespace shunt::config
