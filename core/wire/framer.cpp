// Which framing a shape has.
#include "wire/framer.h"

#include <algorithm>

namespace shunt::wire {

Framer::Framer(BodyShape shape, SseProfile profile, std::size_t max_frame) {
  switch (shape) {
    case BodyShape::json:
    case BodyShape::json_array: json_.emplace(JsonFraming::values, max_frame); break;
    case BodyShape::ndjson: json_.emplace(JsonFraming::lines, max_frame); break;
    case BodyShape::aws_eventstream: aws_.emplace(std::min(max_frame, limits::kAwsPayloadBytes)); break;
    case BodyShape::sse:
    case BodyShape::html:
    case BodyShape::text:
    case BodyShape::empty: sse_.emplace(profile, max_frame); break;
  }
}

void Framer::feed(std::string_view chunk) {
  if (sse_) return sse_->feed(chunk);
  json_ ? json_->feed(chunk) : aws_->feed(chunk);
}

void Framer::finish() {
  if (sse_) return sse_->finish();
  json_ ? json_->finish() : aws_->finish();
}

bool Framer::next(Frame& out) {
  if (sse_) return sse_->next(out);
  return json_ ? json_->next(out) : aws_->next(out);
}

bool Framer::failed() const { return sse_ ? sse_->failed() : json_ && json_->failed(); }

std::string_view Framer::tail() const {
  if (sse_) return sse_->tail();
  return json_ ? json_->tail() : aws_->tail();
}

}  // namespace shunt::wire
