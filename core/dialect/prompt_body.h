// Request bodies of the dialects that take one prompt: one user message of plain text; another conversation
// is refused. Targets only.
#pragma once

#include "dialect/body_words.h"

namespace shunt::dialect {

bool write_completions(const Request& request, const RequestTarget& target, BodyPieces& out,
                       RequestProblem& problem);
bool write_lmstudio(const Request& request, const RequestTarget& target, BodyPieces& out,
                    RequestProblem& problem);

}  // namespace shunt::dialect
