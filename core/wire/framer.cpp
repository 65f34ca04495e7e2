// Which framing a shape has.
#include "wire/framer.h"

#include <algorithm>

namespace shunt::wire {
namespace {

std::variant<SseFramer, JsonFramer, AwsFramer> make(BodyShape shape, SseProfile profile,
                                                    std::size_t max_frame) {
  switch (shape) {
    case BodyShape::json:
    case BodyShape::json_array: return JsonFramer(JsonFraming::values, max_frame);
    case BodyShape::ndjson: return JsonFramer(JsonFraming::lines, max_frame);
    case BodyShape::aws_eventstream: return AwsFramer(std::min(max_frame, limits::kAwsPayloadBytes));
    case BodyShape::sse:
    case BodyShape::html:
    case BodyShape::text:
    case BodyShape::empty: break;
  }
  return SseFramer(profile, max_frame);
}

}  // namespace

Framer::Framer(BodyShape shape, SseProfile profile, std::size_t max_frame)
    : framer_(make(shape, profile, max_frame)) {}

void Framer::feed(std::string_view chunk) {
  std::visit([chunk](auto& framer) { framer.feed(chunk); }, framer_);
}
void Framer::finish() {
  std::visit([](auto& framer) { framer.finish(); }, framer_);
}
bool Framer::next(Frame& out) {
  return std::visit([&out](auto& framer) { return framer.next(out); }, framer_);
}
bool Framer::failed() const {
  return std::visit([](const auto& framer) { return framer.failed(); }, framer_);
}
std::string_view Framer::tail() const {
  return std::visit([](const auto& framer) { return framer.tail(); }, framer_);
}

}  // namespace shunt::wire
