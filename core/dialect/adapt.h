// A request of another dialect, written for a line that changes it: with a system text of the line's own, and
// with members set or left out. Knows pieces of bodies, no API's words but where its system prompt stands.
#pragma once

#include "dialect/dialect.h"

namespace shunt::dialect {

// Writes by `dialect`'s writer, then as `target` says:
// - `system` comes before the client's own system prompt, in the form the dialect has for one. Where it has
// none
//   (openai_completions) it begins the prompt.
// - `params` replace the members of their names, or come last; a member in `drop` is left out and stands in
// `dropped`.
//   Leaving out the dialect's system prompt leaves out the client's, wherever it stands, and not the line's.
// Of a body that is still arriving: a prefix of what later runs give.
bool write_adapted(const Dialect& dialect, const Request& request, const RequestTarget& target,
                   BodyPieces& out, RequestProblem& problem);

// The members of a whole body that we wrote, changed: names must stand in literals, ranges be string contents
// or values.
class Edits;
void edit_members(const BodyPieces& body, Edits& edits, BodyPieces& out);

}  // namespace shunt::dialect
