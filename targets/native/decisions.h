// Decision records side by side: whether two runs decided the same, whatever the clock said. Knows their
// JSON, not their making.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shunt::native {

struct Difference {
  std::string path;  // JSON pointer into the record; empty = the whole of it
  std::string wanted;
  std::string got;
};

// What of `record` is shown to people, in one line.
std::string in_words(std::string_view record);
// Of a record, for the summary: how it ended and how many attempts it took.
struct Ending {
  std::string result;
  std::size_t attempts = 0;
};
Ending ending_of(std::string_view record);

// The decision records of `text`, JSON Lines as `shunt replay --json` prints them; its other lines are passed
// over. None: a line is no JSON object (`line` says which).
std::optional<std::vector<std::string>> read_decisions(std::string_view text, std::size_t& line);
// The first place where two records decide differently. Times and the configuration's hash are not part of a
// decision.
std::optional<Difference> difference(std::string_view wanted, std::string_view got);

}  // namespace shunt::native
