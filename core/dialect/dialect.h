// What a wire API is to the rest of the core: one row of functions per dialect. Canonical values on one side,
// provider JSON on the other.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/outline.h"
#include "canonical/events.h"
#include "canonical/request.h"
#include "catalog/dialect_id.h"
#include "catalog/quirks.h"
#include "dialect/fold.h"
#include "wire/frame.h"

namespace shunt::dialect {

// Frames of one provider stream -> events. One per attempt.
class StreamDecoder {
 public:
  virtual ~StreamDecoder() = default;
  // Appends the frame's events to `out`. Views in them live until the next call. Never fails: a frame that is
  // not JSON gives BadFrame, an error in any of the provider's forms gives Error.
  virtual void decode(const wire::Frame& frame, EventList& out) = 0;
};

// Events -> the bytes of one client stream, framing included. One per exchange; obeys its dialect's output
// invariants whatever comes in.
class StreamEncoder {
 public:
  virtual ~StreamEncoder() = default;
  // Appends what the event makes to `out` (often nothing).
  virtual void encode(const Event& event, std::string& out) = 0;
  // The answer is complete: closes what is open and writes the terminator. Call once; nothing after it.
  virtual void end(std::string& out) = 0;
  // The answer broke: the dialect's own error event, never a clean end. `body` is the dialect's error object
  // (write_error's result).
  virtual void broken(std::string_view body, std::string& out) = 0;
};

struct EncodeOptions {
  std::string_view id;         // the answer's id where the provider gave none
  std::string_view model;      // the model name where the provider gave none
  std::int64_t created = 0;    // seconds since 1970 where the provider did not say
  bool include_usage = false;  // openai_chat: the client asked for the usage chunk
  // … it has tools that take plain text. Else their calls are functions in a stream: OpenAI's own readers
  // know no others there.
  bool custom_calls = false;
};

// What a client is told when no answer can be given, in its own dialect's shape.
struct ErrorText {
  int status = 500;          // HTTP status the type is chosen by
  std::string_view type;     // override of the dialect's own type; empty = by status
  std::string_view code;     // machine-readable: the class in lower case, or "answer_too_large" …
  std::string_view message;  // plain words
  std::string_view extra;    // members to add to the error object: raw JSON without braces, or empty
};

// All functions are total; what only clients' dialects need is null in those that no client speaks.
struct Dialect {
  DialectId id;
  std::unique_ptr<StreamDecoder> (*make_decoder)(Quirks quirks);
  std::unique_ptr<StreamEncoder> (*make_encoder)(const EncodeOptions& options);
  // A whole plain answer (JSON text, already known to be JSON or not) -> events, views of `body` or of
  // `scratch`. A body that is an error in any form gives an Error event; one that is not JSON gives BadFrame.
  void (*decode_answer)(std::string_view body, Quirks quirks, EventList& out, std::string& scratch);
  void (*encode_answer)(const Folded& answer, const EncodeOptions& options, std::string& out);
  void (*write_error)(const ErrorText& error, std::string& out);
  // Request: the outline of a client's body -> canonical request; false = the request cannot be said (problem
  // is filled in).
  bool (*read_request)(const json::Outline& body, Request& out, RequestProblem& problem);
  // Canonical request -> pieces of this dialect's body for `target`.
  bool (*write_request)(const Request& request, const RequestTarget& target, BodyPieces& out,
                        RequestProblem& problem);
  // What ends a stream of this dialect whose provider left its own terminator out: whole frames, or empty.
  std::string_view terminator;
  // What keeps an idle stream's connection alive and means nothing to the dialect's clients.
  std::string_view keepalive = ": keep-alive\n\n";
};

// The row of a dialect; null when nothing of it is built.
const Dialect* find(DialectId id);

}  // namespace shunt::dialect
