// Messages of the targets whose turns alternate and hold blocks, tool results among the user's: rows of words
// and their one writer.
#pragma once

#include <span>

#include "dialect/body_words.h"

namespace shunt::dialect {

// What a target calls a media type where it has names of its own.
struct FormatName {
  std::string_view media_type;
  std::string_view name;
};

// Blocks without their last brace: a mark may stand before it. `$` = where the text goes, or what is said.
struct TurnWords {
  const char* text;
  const char* image;                         // up to its source
  const char* document;                      // the same; `$` = its number
  bool numbered = false;                     // it has that `$`
  const char* data;                          // the source: type and base64
  std::span<const FormatName> formats = {};  // the types that can be said; empty = every one, as it is
  const char* url = nullptr;                 // a source that the target fetches
  const char* title = nullptr;               // of a document; behind its source, as clients send it
  const char* call;                          // id, name
  const char* input;
  const char* called = "";  // behind it
  const char* result;       // up to its first block
  const char* failed;       // of a result that is an error
  const char* result_id;    // comes last: clients put theirs before or after the content
  const MarkWords* marks;
  bool marks_apart = false;
};

// The members `messages` and `system`, after an opening brace; of a body that is still arriving the messages
// alone. False: the target cannot say something (problem).
bool write_turns(const TurnWords& words, const Request& request, PieceWriter& w, RequestProblem& problem);

}  // namespace shunt::dialect
