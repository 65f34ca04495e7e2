// Every row of word_rules.cpp decides a golden case, and every golden case is decided as it says.
#include "golden.h"

namespace shunt::classify {
namespace {

TEST(WordRules, EveryRowDecidesAGolden) { golden::check("word_rules", word_rules()); }

}  // namespace
}  // namespace shunt::classify
