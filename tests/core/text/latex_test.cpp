// Which letters behind a backslash are a command.
#include "text/latex.h"

#include <gtest/gtest.h>

namespace shunt::text {
namespace {

TEST(Latex, OnlyAWholeCommandCounts) {
  for (const char* command :
       {"frac{1}{2}", "theta", "beta_1", "nu", "rho)", "right)", "text{x}", "nabla f", "begin{a}"}) {
    EXPECT_TRUE(is_latex_command(command)) << command;
  }
  for (const char* other : {"next", "nuclear", "table", "", "1", "fra", "fracture", "be"}) {
    EXPECT_FALSE(is_latex_command(other)) << other;
  }
}

}  // namespace
}  // namespace shunt::text
