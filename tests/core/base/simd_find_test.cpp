// Places in texts, against the plain question.
#include "base/simd_find.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/dice.h"

namespace shunt::simd {
namespace {

TEST(Simd, VisitsEachPlaceThatIsAskedFor) {
  Dice random(3);
  const auto asked = [](const char* at) {
    return Block::load(at).equal_to('a') & Block::load(at + 3).equal_to('b');
  };
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random.below(50), 'a');
    for (char& c : text) c = random.below(2) == 0 ? 'b' : 'a';
    std::vector<std::size_t> want;
    for (std::size_t at = 0; at + 3 < text.size(); ++at) {
      if (text[at] == 'a' && text[at + 3] == 'b') want.push_back(at);
    }
    const std::size_t most = random.below(5) == 0 ? 2 : want.size();
    want.resize(std::min(want.size(), most));
    std::vector<std::size_t> got;
    each_place<3>(text, asked, [&](std::size_t at) {
      if (got.size() < most) got.push_back(at);
      return got.size() == most;
    });
    ASSERT_EQ(got, want) << text;
  }
}

}  // namespace
}  // namespace shunt::simd
