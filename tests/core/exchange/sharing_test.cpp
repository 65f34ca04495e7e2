// When the shared document is read and written, and who may probe.
#include "exchange/sharing.h"

#include <gtest/gtest.h>

namespace shunt::exchange {
namespace {

StatePolicy kept_in(Store store) { return {store, "default", seconds(30), seconds(60)}; }

TEST(Sharing, MemorySharesNothingAndWantsNothing) {
  Sharing sharing({});
  sharing.publisher().note(health::News::urgent, {0});
  EXPECT_FALSE(sharing.wanted({0}));
  EXPECT_EQ(sharing.open({0}, {10}), 0u);
  EXPECT_TRUE(sharing.may_probe(0, {}, 1, {0}));
}

TEST(Sharing, IsWantedWhenSomethingIsDueSoonAndNobodySeesToIt) {
  Sharing sharing(kept_in(Store::kv));
  EXPECT_TRUE(sharing.wanted({0})) << "nothing has been read";
  sharing.was_read({0});
  EXPECT_FALSE(sharing.wanted({0}));
  EXPECT_TRUE(sharing.wanted(Instant{30000} - Sharing::kSoon));
  sharing.publisher().note(health::News::soon, {0});
  EXPECT_TRUE(sharing.wanted({0})) << "in two seconds";
  const std::uint32_t keeper = sharing.open({0}, {100});
  EXPECT_NE(keeper, 0u);
  EXPECT_FALSE(sharing.wanted({0}));
  sharing.close(keeper);
  EXPECT_TRUE(sharing.wanted({0}));
}

TEST(Sharing, AKeeperThatDoesNotComeBackLosesItsPlace) {
  Sharing sharing(kept_in(Store::kv));
  const std::uint32_t lost = sharing.open({0}, {100});
  EXPECT_EQ(sharing.open({99}, {200}), 0u);
  EXPECT_TRUE(sharing.wanted({100}));
  const std::uint32_t next = sharing.open({100}, {200});
  EXPECT_NE(next, 0u);
  EXPECT_FALSE(sharing.renew(lost, {300}));
  sharing.close(lost);
  EXPECT_FALSE(sharing.wanted({150})) << "the one that is lost closes nothing";
  EXPECT_TRUE(sharing.renew(next, {300}));
}

TEST(Sharing, WithoutLeasesAFixedShareOfExchangesMayProbe) {
  const Sharing sharing(kept_in(Store::kv));
  int may = 0;
  for (std::uint64_t seed = 0; seed < 8000; ++seed) may += sharing.may_probe(3, {}, seed, {0});
  EXPECT_NEAR(may, 1000, 120);
  EXPECT_TRUE(Sharing(kept_in(Store::file)).may_probe(3, {}, 5, {0}));
}

TEST(Sharing, WhereTheStoreGrantsLeasesTheHolderAloneProbes) {
  Sharing sharing(kept_in(Store::durable_object));
  EXPECT_TRUE(sharing.lacks_lease(3, {0}));
  sharing.leased(3, false, {100});
  EXPECT_FALSE(sharing.lacks_lease(3, {99}));
  for (std::uint64_t seed = 0; seed < 100; ++seed) EXPECT_FALSE(sharing.may_probe(3, {}, seed, {99}));
  EXPECT_TRUE(sharing.lacks_lease(3, {100})) << "the other's is over";
  sharing.leased(3, true, {200});
  for (std::uint64_t seed = 0; seed < 100; ++seed) EXPECT_TRUE(sharing.may_probe(3, {}, seed, {199}));
  EXPECT_FALSE(Sharing(kept_in(Store::kv)).lacks_lease(3, {0}));
}

}  // namespace
}  // namespace shunt::exchange
