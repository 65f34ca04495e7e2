// Every row of status_rules.cpp decides a golden case, and every golden case is decided as it says.
#include "golden.h"

namespace shunt::classify {
namespace {

TEST(StatusRules, EveryRowDecidesAGolden) { golden::check("status_rules", status_rules()); }

}  // namespace
}  // namespace shunt::classify
