// Thinking that a model writes into its text between <think> and </think>, cut out of a text that arrives in
// pieces. Knows the tags and Markdown's fences, not the dialects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/limits.h"

namespace shunt::text {

struct TextPiece {
  bool reasoning = false;
  std::string_view text;
};

// Any split of the text gives the same pieces, joined. Tags may stand anywhere and more than once; in a
// fenced block of code, and behind a backtick, a tag is spoken of and stays text. Nothing but the tags is
// taken away. At most kThinkTagBytes are held back.
class ThinkTags {
 public:
  // The model's template opened the tag: all until the first closing one is thinking. Else thinking begins
  // with a tag, and a closing tag alone is text.
  void opened() { thinking_ = any_tag_ = true; }

  // Takes the next piece off `chunk`; false: nothing more of it can be given out. A view of the chunk, or of
  // this object until its next call.
  bool next(std::string_view& chunk, TextPiece& out);
  // The text is over: the beginning of a tag that was none.
  bool finish(TextPiece& out);

 private:
  bool take_tag(char c);
  bool put(std::string_view text, TextPiece& out);
  void note(char c);

  bool thinking_ = false;
  bool any_tag_ = false;    // thinking without an opening tag: any closing tag ends it
  bool begun_ = false;      // something other than white space was given out
  bool line_start_ = true;  // only white space and marks since the line began
  char fence_ = 0;          // the mark of the block of code the text is in
  char mark_ = 0;           // of the run that the text ends with
  std::size_t run_ = 0;
  std::size_t tag_ = 0;                // which tag opened the thinking
  char held_[limits::kThinkTagBytes];  // the beginning of a tag
  std::size_t size_ = 0;
};

}  // namespace shunt::text
