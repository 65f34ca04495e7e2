// The bytes of a provider's answer -> canonical events. See answer_reader.h.
#include "dialect/answer_reader.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "dialect/envelope.h"
#include "dialect/provider_error.h"
#include "dialect/scratch.h"

namespace shunt::dialect {

namespace {

bool names_reasons(DialectId dialect) { return dialect != DialectId::workers_ai_native; }

}  // namespace

using wire::BodyHead;
using wire::BodyShape;

void AnswerReader::feed(std::string_view bytes) {
  if (framer_) return framer_->feed(bytes);
  const std::size_t room = most_ - std::min(most_, body_.size());
  faulty_ = faulty_ || bytes.size() > room;
  body_ += bytes.substr(0, room);
  if (whole_) return;
  if (const auto shape = wire::sniff(content_type_, body_, BodyHead::partial)) begin(*shape);
}

void AnswerReader::begin(BodyShape shape) {
  shape_ = shape;
  whole_ = shape == BodyShape::json || shape == BodyShape::html || shape == BodyShape::text ||
           shape == BodyShape::empty;
  if (whole_) return;
  framer_.emplace(shape);
  decoder_ = decoder_for(dialect_, quirks_, shape);
  framer_->feed(body_);
}

void AnswerReader::finish() {
  ended_ = true;
  if (!framer_ && !whole_)
    begin(wire::sniff(content_type_, body_, BodyHead::whole).value_or(BodyShape::text));
  // Values one behind the other are told from one value by what follows the first, which may be far away.
  if (shape_ == BodyShape::json && !json::valid(body_)) begin(BodyShape::ndjson);
  if (framer_) framer_->finish();
}

bool AnswerReader::step() {
  events_.clear();
  if (!framer_) return whole_step();
  wire::Frame frame;
  if (!framer_->next(frame)) return last_step();
  decoder_->decode(frame, events_);
  if (said_nothing_ && first_.empty()) first_ = std::string(frame.data.substr(0, limits::kErrorBodyBytes));
  place_ = frame.kind == wire::Frame::Kind::stray ? Place::stray : Place::frame;
  note();
  return true;
}

bool AnswerReader::whole_step() {
  if (!ended_ || done_) return false;
  done_ = true;
  place_ = Place::whole;
  if (shape_ == BodyShape::empty) {
    truncated_ = true;
    return false;
  }
  dialect_.decode_answer(body_, quirks_, events_, scratch_);
  note();
  if (said_nothing_) not_ours(body_);
  return true;
}

// Behind the last frame: what can only be told now.
bool AnswerReader::last_step() {
  if (!ended_ || done_) return false;
  done_ = true;
  place_ = Place::frame;
  faulty_ = faulty_ || framer_->failed();
  const bool silent = said_nothing_ && !first_.empty();
  if (silent) not_ours(first_);
  truncated_ = !over_ && !silent;
  return silent;
}

// What no event of an answer was found in: the provider's words are all there is to tell.
void AnswerReader::not_ours(std::string_view text) {
  Scratch scratch(scratch_);
  scratch.reset(text.size());
  faulty_ = true;
  events_.assign(1, error_from(text, scratch));
}

void AnswerReader::note() {
  for (const Event& each : events_) {
    const bool bad = std::get_if<event::BadFrame>(&each) != nullptr;
    faulty_ = faulty_ || bad;
    if (!bad && std::get_if<event::Ping>(&each) == nullptr && std::get_if<event::Extra>(&each) == nullptr)
      said_nothing_ = false;
    // A terminator behind no reason ends nothing, but where reasons are never given.
    const bool done = std::get_if<event::Done>(&each) != nullptr;
    if (std::get_if<event::Finish>(&each) != nullptr || (done && !names_reasons(dialect_.id))) over_ = true;
  }
}

}  // namespace shunt::dialect
