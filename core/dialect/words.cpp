// Which of a few words a text is. See words.h.
#include "dialect/words.h"

namespace shunt::dialect {

int find_word(std::span<const Word> words, std::string_view text) {
  for (const Word& word : words) {
    if (same_word(word.text, text)) return word.id;
  }
  return kNoWord;
}

}  // namespace shunt::dialect
