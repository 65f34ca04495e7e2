// The bytes of a provider's answer -> canonical events: what the body is, by its first bytes, then frame by
// frame or whole. Knows no output and no exchange.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "canonical/events.h"
#include "catalog/quirks.h"
#include "dialect/dialect.h"
#include "wire/framer.h"
#include "wire/sniff.h"

namespace shunt::dialect {

// Use: feed() one chunk, step() until it is false, and so on; then finish(), and step() until it is false.
class AnswerReader {
 public:
  // Where the events of a step stood.
  enum class Place : std::uint8_t {
    whole,  // in a plain answer
    frame,  // in a stream
    stray,  // in a line of a stream that its framing's standard drops
  };

  // `content_type`: empty = not known. `most`: bytes of a plain answer that are held; what is longer is
  // faulty.
  AnswerReader(const Dialect& dialect, Quirks quirks, std::string_view content_type,
               std::size_t most = limits::kAnswerBytes)
      : dialect_(dialect), quirks_(quirks), content_type_(content_type), most_(most) {}

  // The bytes must live until the next call of it.
  void feed(std::string_view bytes);
  // No more bytes will come.
  void finish();
  // The events of the next frame, or of the whole answer; views in them live until the next call of any kind.
  // A body that holds nothing of the dialect gives an Error with the body's own words.
  bool step();
  Place place() const { return place_; }
  const EventList& events() const { return events_; }

  bool streamed() const { return framer_.has_value(); }  // it came in frames
  bool faulty() const { return faulty_; }  // framing broke, a frame was no JSON, or another kind of body
  // The stream ended before the provider said that it is over.
  bool truncated() const { return ended_ && truncated_; }

 private:
  void begin(wire::BodyShape shape);
  bool whole_step();
  bool last_step();
  void not_ours(std::string_view text);
  void note();

  const Dialect& dialect_;
  Quirks quirks_;
  std::string content_type_;
  std::size_t most_;
  std::optional<wire::Framer> framer_;
  std::unique_ptr<StreamDecoder> decoder_;
  std::string body_;  // until it can be told what it is; of a plain answer all of it
  std::string scratch_;
  std::string first_;  // the first frame, while nothing of an answer has come
  EventList events_;
  wire::BodyShape shape_ = wire::BodyShape::empty;
  Place place_ = Place::frame;
  bool whole_ = false;  // no frames: one JSON value, or nothing the dialect speaks
  bool said_nothing_ = true;
  bool over_ = false;  // the provider said why it ended
  bool ended_ = false;
  bool done_ = false;  // the last step has been given
  bool faulty_ = false;
  bool truncated_ = false;
};

}  // namespace shunt::dialect
