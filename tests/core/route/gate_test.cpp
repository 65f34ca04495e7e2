// When a line that is being tried out has shown enough.
#include "route/gate.h"

#include <gtest/gtest.h>

namespace shunt::route {
namespace {

TEST(Gate, HoldsWhenAllThatIsAskedHasBeenShown) {
  const Gate gate{100, 990000, 4000};
  struct Case {
    Shown shown;
    bool holds;
  };
  for (const auto& [shown, holds] :
       {Case{{100, 990000, 4000}, true}, Case{{99, 1000000, 1}, false}, Case{{100, 989999, 1}, false},
        Case{{100, 1000000, 4001}, false}, Case{{100, 1000000, 0}, false}, Case{{1000, 1000000, 1}, true}}) {
    EXPECT_EQ(gate_holds(gate, shown), holds) << shown.calls << ' ' << shown.success_micros;
  }
}

TEST(Gate, AsksOnlyWhatItNames) {
  EXPECT_TRUE(gate_holds({}, {}));
  EXPECT_TRUE(gate_holds({5, 0, 0}, {5, 0, 0}));
  EXPECT_FALSE(gate_holds({0, 900000, 0}, {0, 1000000, 0}));  // no call has shown anything yet
  EXPECT_TRUE(gate_holds({0, 900000, 0}, {1, 1000000, 0}));
  EXPECT_FALSE(gate_holds({0, 0, 100}, {1, 0, 0}));
  EXPECT_TRUE(gate_holds({0, 0, 100}, {1, 0, 100}));
}

}  // namespace
}  // namespace shunt::route
