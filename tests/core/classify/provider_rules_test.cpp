// Every row of provider_rules.cpp decides a golden case, and every golden case is decided as it says.
#include "golden.h"

namespace shunt::classify {
namespace {

TEST(ProviderRules, EveryRowDecidesAGolden) { golden::check("provider_rules", provider_rules()); }

}  // namespace
}  // namespace shunt::classify
