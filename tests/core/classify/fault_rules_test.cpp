// Every row of fault_rules.cpp decides a golden case, and every golden case is decided as it says.
#include "golden.h"

namespace shunt::classify {
namespace {

TEST(FaultRules, EveryRowDecidesAGolden) { golden::check("fault_rules", fault_rules()); }

}  // namespace
}  // namespace shunt::classify
