// The incoming side of one attempt: head, framing, decoding, and what has been seen so far. Decides nothing
// about routing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "admit/learner.h"
#include "admit/line_limits.h"
#include "base/limits.h"
#include "base/time.h"
#include "canonical/events.h"
#include "canonical/outcome.h"
#include "dialect/dialect.h"
#include "exchange/io.h"
#include "health/table.h"
#include "route/budget.h"
#include "route/line_view.h"
#include "wire/framer.h"

namespace shunt::exchange {

// What the answer turned out to be.
enum class Shape : std::uint8_t {
  unknown,  // no head yet, or the content type does not tell and no byte came
  stream,   // frames
  whole,    // one JSON text, read at its end
  failure,  // an error status: its body is read for the verdict
};

// One frame with what it means. Views live until the next step or feed.
struct Step {
  const wire::Frame* frame = nullptr;
  const EventList* events = nullptr;
  // The frame stands in server-sent events, the framing of every client's stream: its bytes can go out as
  // they are.
  bool sse = true;
};

class Upstream {
 public:
  struct Line {
    AttemptNo no = 0;
    std::uint16_t view = 0;  // index into the plan's views
    DeploymentId deployment{};
    Purpose purpose = Purpose::main;
    health::Ticket ticket;
    admit::LinePermit permit;
    admit::Use expected;
    std::uint32_t limit = 0;  // by which the learner knows key and model
    bool own_key = false;     // the client's: nothing of it is learnt for others
    admit::SentMark sent;
    route::RetryBudget::Reservation lent;  // to another gateway, for further attempts of its own
    route::LineView view_then;             // as it stood when the attempt began
  };

  // `answer_limit`: bytes of a whole answer that are collected.
  Upstream(const Line& line, const dialect::Dialect& dialect, Quirks quirks, Instant began,
           std::size_t answer_limit = limits::kAnswerBytes);

  // The answer is nobody's to decode: collected as it is.
  void collect() { collected_ = true; }
  void on_head(int status, std::string_view headers, Instant now);
  // Hands in bytes; returns how many of them were taken. Of a stream all are: call step() until false
  // afterwards. Otherwise they are collected up to a limit (beyond it a whole answer is too large, a
  // failure's body is cut).
  std::size_t on_bytes(std::string_view bytes, Instant now);
  // The stream's last bytes have come: what is still open is given out by step().
  void on_end();
  bool step(Step& out);
  bool frame_too_large() const { return framer_ && framer_->failed(); }

  // A whole answer, decoded: views live until the next call.
  const EventList& whole_events();
  const std::string& body() const { return body_; }
  std::string take_body() { return std::move(body_); }

  Shape shape() const { return shape_; }
  const Line& line() const { return line_; }
  health::Ticket& ticket() { return line_.ticket; }
  admit::LinePermit& permit() { return line_.permit; }
  void lend(const route::RetryBudget::Reservation& lent) { line_.lent = lent; }
  const dialect::Dialect& dialect() const { return *dialect_; }
  int status() const { return status_; }
  std::string_view headers() const { return headers_; }
  Instant began() const { return began_; }
  bool has_head() const { return status_ != 0; }
  std::optional<Duration> first_byte() const { return first_byte_; }
  std::optional<Duration> first_token() const { return first_token_; }
  // Mean gap between pieces of content, in microseconds; 0 = fewer than two came.
  std::int64_t inter_token_micros() const;
  // The provider's time so far: while the client does not read, nobody can send.
  Duration took(Instant now) const { return (paused_ ? *paused_ : now) - began_ - unread_; }
  void client_paused(Instant now) { paused_ = now; }
  void client_ready(Instant now);

  std::size_t memory() const { return sizeof *this + body_.capacity(); }

  // Seen so far in the events.
  bool content() const { return content_; }
  bool output() const { return output_; }      // something that only a client of its own dialect can be given
  bool finished() const { return finished_; }  // a finish reason came
  bool done() const { return done_; }          // the stream's own terminator came
  std::size_t bad_frames() const { return bad_frames_; }
  const Usage& usage() const { return usage_; }
  const std::optional<event::Error>& error() const {
    return error_;
  }  // of the events just given; views as theirs
  // Looks through events for the facts above; step() and whole_events() do it themselves.
  void note(const EventList& events, Instant now);

 private:
  void choose_shape(std::string_view first_bytes, wire::BodyHead extent);

  Line line_;
  const dialect::Dialect* dialect_;
  Quirks quirks_;
  std::size_t answer_limit_;
  std::unique_ptr<dialect::StreamDecoder> decoder_;
  std::optional<wire::Framer> framer_;  // of a stream
  wire::Frame frame_;
  EventList events_;
  std::string headers_;
  std::string body_;
  std::string scratch_;
  Instant began_;
  Instant last_;
  std::optional<Duration> first_byte_;
  std::optional<Duration> first_token_;
  Duration last_token_;
  std::int64_t tokens_ = 0;  // times at which content came
  std::optional<Instant> paused_;
  Duration unread_;  // in pauses that are over
  std::optional<event::Error> error_;
  Usage usage_;
  std::size_t bad_frames_ = 0;
  int status_ = 0;
  Shape shape_ = Shape::unknown;
  bool sse_ = true;
  bool collected_ = false;
  bool content_ = false;
  bool output_ = false;
  bool finished_ = false;
  bool done_ = false;
};

}  // namespace shunt::exchange
