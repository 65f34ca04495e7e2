// The incoming side of one attempt.
#include "exchange/upstream.h"

#include <algorithm>

#include "base/limits.h"
#include "canonical/http.h"
#include "dialect/envelope.h"

namespace shunt::exchange {
namespace {

constexpr bool is_stream(wire::BodyShape shape) {
  using wire::BodyShape;
  return shape == BodyShape::sse || shape == BodyShape::ndjson || shape == BodyShape::json_array ||
         shape == BodyShape::aws_eventstream;
}

}  // namespace

Upstream::Upstream(const Line& line, const dialect::Dialect& dialect, Quirks quirks, Instant began,
                   std::size_t answer_limit)
    : line_(line),
      dialect_(&dialect),
      quirks_(quirks),
      answer_limit_(answer_limit),
      began_(began),
      last_(began) {}

void Upstream::on_head(int status, std::string_view headers, Instant now) {
  status_ = status;
  headers_ = headers.substr(0, limits::kHeaderBytes);
  first_byte_ = now - began_;
  last_ = now;
  if (collected_) shape_ = Shape::whole;
  if (status < 200 || status >= 300) shape_ = Shape::failure;
}

// By what its first bytes are; servers ignore `stream: true`, and send HTML or JSON under any label.
void Upstream::choose_shape(std::string_view first_bytes, wire::BodyHead extent) {
  const auto shape = wire::sniff(HeaderBlock(headers_).get("content-type"), first_bytes, extent);
  if (!shape) return;
  shape_ = is_stream(*shape) ? Shape::stream : Shape::whole;
  if (shape_ != Shape::stream) return;
  sse_ = *shape == wire::BodyShape::sse;
  framer_.emplace(*shape);
  decoder_ = dialect::decoder_for(*dialect_, quirks_, *shape);
}

std::size_t Upstream::on_bytes(std::string_view bytes, Instant now) {
  last_ = now;
  if (shape_ == Shape::unknown) {
    if (!body_.empty()) {  // what has been held back until it could be told, and these bytes
      body_.append(bytes);
      choose_shape(body_, wire::BodyHead::partial);
      if (shape_ == Shape::stream) framer_->feed(body_);
      return bytes.size();
    }
    choose_shape(bytes, wire::BodyHead::partial);
  }
  if (shape_ == Shape::stream) {
    framer_->feed(bytes);
    return bytes.size();
  }
  const std::size_t limit = shape_ == Shape::failure ? limits::kErrorBodyBytes : answer_limit_;
  const std::size_t taken = std::min(bytes.size(), limit - std::min(limit, body_.size()));
  body_.append(bytes.substr(0, taken));
  return taken;
}

void Upstream::on_end() {
  if (shape_ == Shape::unknown && has_head()) {
    choose_shape(body_, wire::BodyHead::whole);
    if (shape_ == Shape::stream) framer_->feed(body_);
  }
  if (shape_ == Shape::stream) framer_->finish();
}

bool Upstream::step(Step& out) {
  if (shape_ != Shape::stream || !framer_->next(frame_)) return false;
  events_.clear();
  decoder_->decode(frame_, events_);
  note(events_, last_);
  out = {&frame_, &events_, sse_};
  return true;
}

const EventList& Upstream::whole_events() {
  events_.clear();
  dialect_->decode_answer(body_, quirks_, events_, scratch_);
  note(events_, last_);
  return events_;
}

void Upstream::note(const EventList& events, Instant now) {
  error_.reset();
  bool came = false;
  const auto content = [&](bool any) {
    if (!any) return;
    content_ = true;
    came = true;
  };
  for (const Event& each : events) {
    std::visit(
        overloaded{[&](const event::TextDelta& e) { content(!e.text.empty()); },
                   [&](const event::ReasoningDelta& e) { content(!e.text.empty() || !e.redacted.empty()); },
                   [&](const event::RefusalDelta& e) { content(!e.text.empty()); },
                   [&](const event::ToolCallStart&) { content(true); },
                   [&](const event::ToolCallArguments&) { content(true); },
                   [&](const event::UsageUpdate& e) { overwrite(usage_, e.usage); },
                   [&](const event::Finish&) { finished_ = true; },
                   [&](const event::Error& e) { error_ = e; }, [&](const event::BadFrame&) { ++bad_frames_; },
                   [&](const event::Done&) { done_ = true; }, [](const event::Start&) {},
                   [](const event::ToolCallName&) {}, [](const event::ToolCallEnd&) {},
                   [](const event::Ping&) {},
                   [&](const event::Extra& e) { output_ = output_ || e.key == "responses.output"; }},
        each);
  }
  if (!came) return;
  last_token_ = took(now);
  if (tokens_++ == 0) first_token_ = last_token_;
}

std::int64_t Upstream::inter_token_micros() const {
  return tokens_ < 2 ? 0 : (last_token_ - *first_token_).ms * 1000 / (tokens_ - 1);
}

void Upstream::client_ready(Instant now) {
  if (paused_) unread_ = unread_ + (now - *paused_);
  paused_.reset();
}

}  // namespace shunt::exchange
