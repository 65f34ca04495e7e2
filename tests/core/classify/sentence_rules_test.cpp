// Every row of sentence_rules.cpp decides a golden case, and every golden case is decided as it says.
#include "golden.h"

namespace shunt::classify {
namespace {

TEST(SentenceRules, EveryRowDecidesAGolden) { golden::check("sentence_rules", sentence_rules()); }

}  // namespace
}  // namespace shunt::classify
