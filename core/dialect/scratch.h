// The bytes decoded texts live in until the next frame, and the reads that fill it. Knows JSON strings, no
// dialect.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/json.h"

namespace shunt::dialect {

// The first half of a surrogate pair that a provider split over two deltas as two escapes ("\ud83d", then
// "\ude00").
struct SplitPair {
  std::string high;  // its escape, empty = none waits
};

// One block over a string of the owner, reserved per source text so that views of it never move. What is put
// there is never longer than twice what it was read from; if it were, the text stays as it stands in the
// source rather than moving the block.
class Scratch {
 public:
  explicit Scratch(std::string& block) : block_(block) {}

  // Forgets everything and makes room for the texts of a source of that size.
  void reset(std::size_t source_bytes);

  // The text of a raw JSON string: the raw bytes themselves when nothing is escaped.
  std::string_view text(std::string_view raw, bool escaped);
  // The same for one delta of a running text whose pairs may be split.
  std::string_view text(std::string_view raw, bool escaped, SplitPair& split);
  std::string_view joined(std::string_view head, std::string_view tail);
  // A JSON value without the white space between its tokens.
  std::string_view compact(std::string_view json);

 private:
  bool room(std::size_t bytes) const { return block_.capacity() - block_.size() >= bytes; }
  std::string_view unescaped(std::string_view raw);
  std::string_view since(std::size_t begin) const { return std::string_view(block_).substr(begin); }

  std::string& block_;
};

// Reads of the value that stands next: none or empty when it has another type (the cursor then steps over
// it).
std::string_view take_text(json::Cursor& cursor, Scratch& scratch);
// A member's raw value, empty for null.
std::string_view take_raw(json::Cursor& cursor);

}  // namespace shunt::dialect
