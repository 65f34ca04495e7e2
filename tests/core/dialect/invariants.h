// Checkers of what every encoded stream must hold, whatever it was made from. They throw nothing: the first
// breach comes back as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/dialect_id.h"

namespace shunt::dialect::test {

struct Block {
  std::string event;
  std::string data;
  bool comment = false;
};

// Blocks of the strict form our encoders write: [event: name LF] data: text LF LF, or a comment.
std::vector<Block> blocks(std::string_view bytes, std::string& breach);

// Empty = all invariants hold. `broken`: the stream must end in an error event and never cleanly.
std::string breach_of_openai(std::string_view bytes, bool include_usage, bool broken);
std::string breach_of_anthropic(std::string_view bytes, bool broken);
std::string breach_of_responses(std::string_view bytes, bool broken);
std::string breach_of_gemini(std::string_view bytes, bool broken);
// By dialect; of openai_chat with the usage that was asked for.
std::string breach_of(DialectId to, std::string_view bytes, bool broken);

}  // namespace shunt::dialect::test
