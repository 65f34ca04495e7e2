// Request bodies of the dialects that word a chat nearly as openai_chat does, and of those that take one
// prompt. Targets only: no client speaks them.
#pragma once

#include "canonical/request.h"

namespace shunt::dialect {

bool write_cohere(const Request& request, const RequestTarget& target, BodyPieces& out,
                  RequestProblem& problem);
bool write_ollama(const Request& request, const RequestTarget& target, BodyPieces& out,
                  RequestProblem& problem);
bool write_dashscope(const Request& request, const RequestTarget& target, BodyPieces& out,
                     RequestProblem& problem);
bool write_workers_ai(const Request& request, const RequestTarget& target, BodyPieces& out,
                      RequestProblem& problem);
// One user message of plain text; another conversation is refused.
bool write_completions(const Request& request, const RequestTarget& target, BodyPieces& out,
                       RequestProblem& problem);
bool write_lmstudio(const Request& request, const RequestTarget& target, BodyPieces& out,
                    RequestProblem& problem);

}  // namespace shunt::dialect
