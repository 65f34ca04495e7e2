// The body of an attempt: the client's request in the provider's dialect, whole or while it is still
// arriving.
#pragma once

#include <string_view>

#include "canonical/request.h"
#include "catalog/catalog.h"
#include "exchange/intake.h"

namespace shunt::exchange {

// The line that a body is for; `model` is what it is asked for there.
struct BodyTarget {
  const Deployment* deployment = nullptr;
  const Provider* provider = nullptr;
  std::string_view model;
  std::string_view prompt = {};  // the route's, for the role that the line serves
};

// The request as the pieces of a body for this line, from what has been read of it. Same dialect: the
// client's bytes with the few values replaced that must be; else translated. Both as the line's adaptation
// says: its system prefix, then the prompt, stand before the client's own system prompt. A call that is
// passed through goes as it is. False: it cannot be said there (problem).
bool build_body(const Intake& intake, const BodyTarget& line, BodyPieces& out, RequestProblem& problem);

// A body that is sent once, while it arrives. A long string (an image) is given on as it comes; whatever
// stands around it is built anew from the fuller outline each time, and what has been sent must be its
// beginning: so nothing is ever sent that the end of the document would have changed. Conventional key order
// makes that so; other orders give a problem.
class Upload {
 public:
  // Puts what may be sent now into `fresh` (possibly nothing). After `last` all has been given.
  bool advance(const Intake& intake, const BodyTarget& line, bool last, BodyPieces& fresh,
               RequestProblem& problem);
  // The client's body below this offset has been sent and may be forgotten.
  std::uint64_t release_to() const { return release_to_; }

 private:
  BodyPieces said_;
  json::NodeId open_ = json::kNoNode;  // the long string under way
  std::uint64_t release_to_ = 0;
};

}  // namespace shunt::exchange
