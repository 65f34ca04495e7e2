// Sixteen characters at once. A word is capitals, then small letters; or digits. It is left to a closer look
// when it is long, or two of its letters are those by which names of secrets are known.
#include "classify/prose.h"

#include <bit>
#include <cstdint>

#include "base/simd.h"
#include "base/strings.h"

namespace shunt::classify {
namespace {

using simd::Block;

// Of each name of a secret, and of what else means more than itself, letters that few other words have:
// kEY, tOKen and cOKie, seCRet and CRedential, pasSWord, authoriZation, siGNature, BEArer, locaLHost.
Block telling(Block first, Block second, Block third) {
  const auto pair = [&](char a, char b) { return first.equal_to(a) & second.equal_to(b); };
  return pair('e', 'y') | pair('o', 'k') | pair('c', 'r') | pair('s', 'w') | first.equal_to('z') |
         pair('g', 'n') | (pair('b', 'e') & third.equal_to('a')) | pair('l', 'h');
}

// Bit n: text[n] cannot be taken as it is, for itself or for what follows it; of all but the last.
std::uint32_t special(const char* text) {
  constexpr std::uint32_t kWhole = 0xFFFF;
  const Block block = Block::load(text);
  const auto folded = [text](std::size_t at) { return Block::load(text + at) | Block::of(' '); };
  const std::uint32_t small = block.within('a', 'z').bits();
  const std::uint32_t capital = block.within('A', 'Z').bits();
  const std::uint32_t digit = block.within('0', '9').bits();
  const std::uint32_t blank = block.equal_to(' ').bits();
  const std::uint32_t end = (block.equal_to('.') | block.equal_to(':')).bits();  // of a sentence
  const std::uint32_t sign = (block.equal_to(',') | block.equal_to(';')).bits();
  const std::uint32_t word = small | capital | digit;
  if (word == kWhole) return 1;
  const std::uint32_t broken = (small & capital >> 1U) | (digit & (small | capital) >> 1U) |
                               ((small | capital) & digit >> 1U) | (end & ~(blank >> 1U));
  // AKIA, LTAI and others begin keys.
  const std::uint32_t key = (block.equal_to('A') | block.equal_to('L')).bits() & capital >> 1U;
  return ~(word | blank | end | sign) | broken | key | telling(folded(0), folded(1), folded(2)).bits();
}

}  // namespace

std::size_t prose_size(std::string_view text) {
  constexpr std::size_t kStep = simd::kBlock - 1;
  constexpr std::uint32_t kSteps = (1U << kStep) - 1;
  std::size_t at = 0;
  std::uint32_t found = 0;
  for (; found == 0 && at + simd::kBlock + 2 <= text.size(); at += kStep)
    found = special(text.data() + at) & kSteps;
  if (found != 0) at = at - kStep + static_cast<std::size_t>(std::countr_zero(found));
  while (at > 0 && is_word(text[at - 1])) --at;
  return at;
}

}  // namespace shunt::classify
