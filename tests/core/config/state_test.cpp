// What isolates share, how lines are asked, and who may order.
#include <gtest/gtest.h>

#include "sample.h"

namespace shunt::config {
namespace {

using exchange::StatePolicy;
using exchange::Store;

Read read_store(std::string_view store, std::string_view more = "") {
  std::string section = R"("state":{"store":")";
  section.append(store).append("\"").append(more).append("}");
  return read(with_line(section));
}

TEST(State, EachStoreHasItsPace) {
  struct Row {
    std::string_view store;
    Store is;
    Duration refresh, staleness;
  };
  for (const Row& row : {Row{"memory", Store::memory, {}, {}}, Row{"kv", Store::kv, seconds(30), seconds(60)},
                         Row{"durable_object", Store::durable_object, seconds(1), seconds(2)},
                         Row{"file", Store::file, seconds(5), seconds(2)}}) {
    const Read result = read_store(row.store);
    EXPECT_TRUE(result.loaded.warnings.empty()) << row.store;
    EXPECT_EQ(result.loaded.engine.state, (StatePolicy{row.is, "default", row.refresh, row.staleness}))
        << row.store;
    EXPECT_EQ(name_of(row.is), row.store);
  }
}

TEST(State, ItsPaceAndShardCanBeSaid) {
  const Read result = read_store("kv", R"(,"shard":"eu-1","refresh_ms":100,"staleness_ms":5000)");
  EXPECT_EQ(result.loaded.engine.state, (StatePolicy{Store::kv, "eu-1", milliseconds(100), seconds(5)}));
}

TEST(State, AStoreToComeWarnsAndNothingIsShared) {
  for (const std::string_view store : {"redis", "fastly_kv"}) {
    const Read result = read_store(store);
    EXPECT_EQ(result.loaded.warnings.size(), 1U) << store;
    EXPECT_FALSE(result.loaded.engine.state.shared()) << store;
  }
}

TEST(ActiveChecks, AreOffUntilAskedForAndHaveABudget) {
  EXPECT_EQ(read(with_line("\"routes\":{}")).loaded.engine.checks, exchange::ActiveChecks{});
  EXPECT_EQ(read(with_line(R"("active_checks":{})")).loaded.engine.checks, (exchange::ActiveChecks{60, 60}));
  EXPECT_EQ(read(with_line(R"("active_checks":{"every_s":5,"per_hour":12})")).loaded.engine.checks,
            (exchange::ActiveChecks{5, 12}));
}

TEST(Admin, TheTokenIsANameOfASecret) {
  const Read result = read(with_line(R"("admin":{"token":"ADMIN_TOKEN"})"));
  EXPECT_TRUE(result.loaded.warnings.empty());
  EXPECT_EQ(result.loaded.engine.admin_token, "ADMIN_TOKEN");
}

}  // namespace
}  // namespace shunt::config
