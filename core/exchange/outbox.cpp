// Gathers the effects of one handle() and gives them out in their order.
#include "exchange/outbox.h"

#include <cstdint>
#include <utility>

namespace shunt::exchange {

void Outbox::open(std::string_view payload) {
  payload_ = payload;
  aborts_.clear();
  head_.reset();
  text_.clear();
  range_offset_ = range_length_ = 0;
  end_.reset();
  start_.reset();
  more_.reset();
  release_ = false;
  asks_.clear();
  wakes_.clear();
  emits_.clear();
  step_ = Step::aborts;
  at_ = 0;
}

void Outbox::head(int status, std::string headers_text) {
  head_text_ = std::move(headers_text);
  head_ = SendHead{status, head_text_};
}

void Outbox::bytes(std::string_view bytes) {
  if (bytes.empty()) return;
  // As integers: the views may be of unrelated objects.
  const auto at = reinterpret_cast<std::uintptr_t>(bytes.data());
  const auto base = reinterpret_cast<std::uintptr_t>(payload_.data());
  if (text_.empty() && at >= base && at + bytes.size() <= base + payload_.size()) {
    const auto offset = static_cast<std::size_t>(at - base);
    if (range_length_ == 0) range_offset_ = offset;
    if (offset == range_offset_ + range_length_) {
      range_length_ += bytes.size();
      return;
    }
  }
  text().append(bytes);
}

std::string& Outbox::text() {
  if (range_length_ > 0) {
    text_.assign(payload_.substr(range_offset_, range_length_));
    range_length_ = 0;
  }
  return text_;
}

Effect Outbox::asked(const Ask& ask) {
  switch (ask.what) {
    case Ask::What::get: break;
    case Ask::What::put: return StorePut{ask.request, ask.key, ask.bytes};
    case Ask::What::lease: return StoreLease{ask.request, ask.key, ask.ttl};
    case Ask::What::take: return StoreTake{ask.request, ask.key, ask.amount, ask.per_minute, ask.burst};
  }
  return StoreGet{ask.request, ask.key};
}

std::optional<Effect> Outbox::poll() {
  switch (step_) {
    case Step::aborts:
      if (at_ < aborts_.size()) return AbortAttempt{aborts_[at_++]};
      if (muted_) {
        step_ = Step::start;
        return poll();
      }
      [[fallthrough]];
    case Step::head:
      step_ = Step::bytes;
      if (head_) return *head_;
      [[fallthrough]];
    case Step::bytes:
      step_ = Step::end;
      if (range_length_ > 0)
        return SendBytes{true, range_offset_, payload_.substr(range_offset_, range_length_)};
      if (!text_.empty()) return SendBytes{false, 0, text_};
      [[fallthrough]];
    case Step::end:
      step_ = Step::start;
      if (end_) return *end_;
      [[fallthrough]];
    case Step::start:
      step_ = Step::more;
      if (start_) {
        start_->url = url;
        start_->headers = headers;
        start_->body = &body;
        return *start_;
      }
      [[fallthrough]];
    case Step::more:
      step_ = Step::release;
      if (more_) {
        more_->body = &body;
        return *more_;
      }
      [[fallthrough]];
    case Step::release:
      step_ = Step::asks;
      at_ = 0;
      if (release_ && !muted_) return ReleaseBody{};
      [[fallthrough]];
    case Step::asks:
      if (at_ < asks_.size()) return asked(asks_[at_++]);
      step_ = Step::wakes;
      at_ = 0;
      [[fallthrough]];
    case Step::wakes:
      if (at_ < wakes_.size()) return Wake{wakes_[at_++]};
      step_ = Step::emits;
      at_ = 0;
      [[fallthrough]];
    case Step::emits:
      if (at_ < emits_.size()) {
        const auto& [kind, json] = emits_[at_++];
        return Emit{kind, json};
      }
  }
  return std::nullopt;
}

std::size_t Outbox::memory() const {
  return text_.capacity() + url.capacity() + headers.capacity() + head_text_.capacity() +
         body.text.capacity() + body.pieces.capacity() * sizeof(BodyPieces::Piece);
}

}  // namespace shunt::exchange
