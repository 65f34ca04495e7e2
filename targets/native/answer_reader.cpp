// The body of a provider's answer -> canonical events. See answer_reader.h.
#include "native/answer_reader.h"

#include <algorithm>
#include <memory>
#include <string>

#include "base/json.h"
#include "dialect/provider_error.h"
#include "wire/framer.h"

namespace shunt::native {
namespace {

using wire::BodyHead;
using wire::BodyShape;

// What recordings call a wire API, where that is not the dialect's own name.
struct Alias {
  std::string_view name;
  DialectId dialect;
};
constexpr Alias kAliases[] = {
    {"chat.completions", DialectId::openai_chat},   {"zhipu_v3", DialectId::openai_chat},
    {"messages", DialectId::anthropic_messages},    {"messages.vertex", DialectId::anthropic_messages},
    {"responses", DialectId::openai_responses},     {"generateContent", DialectId::gemini_generate},
    {"converse", DialectId::bedrock_converse},      {"cohere.chat.v1", DialectId::cohere_chat},
    {"cohere.chat.v2", DialectId::cohere_chat},     {"cohere.generate", DialectId::cohere_chat},
    {"ollama.chat", DialectId::ollama_chat},        {"ollama.generate", DialectId::ollama_chat},
    {"completions", DialectId::openai_completions},
};

class Reader {
 public:
  Reader(const AnswerSource& source, const EventVisitor& visit) : source_(source), visit_(visit) {}

  AnswerReading read(std::string_view body) {
    const std::size_t chunk = source_.chunk == 0 ? std::max<std::size_t>(body.size(), 1) : source_.chunk;
    std::string head;  // held back until it can be told what it begins
    for (std::size_t at = 0; at < body.size() && !whole_; at += chunk) {
      const std::string_view piece = body.substr(at, chunk);
      if (framer_) {
        feed(piece);
        continue;
      }
      head += piece;
      if (const auto shape = wire::sniff(source_.content_type, head, BodyHead::partial)) begin(*shape, head);
    }
    if (!framer_ && !whole_) {
      begin(wire::sniff(source_.content_type, head, BodyHead::whole).value_or(BodyShape::text), head);
    }
    // Values one behind the other are told from one value by what follows the first, which may be far away.
    if (shape_ == BodyShape::json && !json::valid(body)) {
      begin(BodyShape::ndjson, body);
    } else if (whole_) {
      return read_whole(body);
    }
    end();
    return reading_;
  }

 private:
  void begin(BodyShape shape, std::string_view head) {
    shape_ = shape;
    whole_ = shape == BodyShape::json || shape == BodyShape::html || shape == BodyShape::text ||
             shape == BodyShape::empty;
    if (whole_) return;
    reading_.streamed = true;
    framer_ = std::make_unique<wire::Framer>(shape);
    decoder_ = source_.dialect->make_decoder(source_.quirks);
    feed(head);
  }

  void feed(std::string_view bytes) {
    framer_->feed(bytes);
    drain();
  }

  void drain() {
    for (wire::Frame frame; framer_->next(frame);) {
      events_.clear();
      decoder_->decode(frame, events_);
      if (said_nothing_) first_ = std::string(frame.data);
      hand_on(frame.kind == wire::Frame::Kind::stray ? AnswerPlace::stray : AnswerPlace::frame);
    }
  }

  void end() {
    framer_->finish();
    drain();
    if (framer_->failed()) reading_.faulty = true;
    if (said_nothing_ && !first_.empty()) not_ours(first_);
    reading_.truncated = !over_;
  }

  AnswerReading read_whole(std::string_view body) {
    if (shape_ == BodyShape::empty) {
      reading_.truncated = true;
      return reading_;
    }
    std::string scratch;
    events_.clear();
    source_.dialect->decode_answer(body, source_.quirks, events_, scratch);
    hand_on(AnswerPlace::whole);
    if (said_nothing_) not_ours(body);
    return reading_;
  }

  // What no event of an answer was found in: the provider's words are all there is to tell.
  void not_ours(std::string_view text) {
    std::string block;
    dialect::Scratch scratch(block);
    scratch.reset(text.size());
    reading_.faulty = true;
    events_.assign(1, dialect::error_from(text, scratch));
    visit_(reading_.streamed ? AnswerPlace::frame : AnswerPlace::whole, events_);
    over_ = true;
  }

  void hand_on(AnswerPlace place) {
    for (const Event& each : events_) {
      const bool bad = std::holds_alternative<event::BadFrame>(each);
      reading_.faulty = reading_.faulty || bad;
      if (!bad && !std::holds_alternative<event::Ping>(each) && !std::holds_alternative<event::Extra>(each))
        said_nothing_ = false;
      if (std::holds_alternative<event::Finish>(each) || std::holds_alternative<event::Done>(each))
        over_ = true;
    }
    visit_(place, events_);
  }

  const AnswerSource& source_;
  const EventVisitor& visit_;
  AnswerReading reading_;
  BodyShape shape_ = BodyShape::text;
  bool whole_ = false;        // no frames: one JSON value, or nothing the dialect speaks
  bool over_ = false;         // a finish or the terminator came
  bool said_nothing_ = true;  // nothing of an answer, nor an error, so far
  std::string first_;         // the first frame, while that is so
  std::unique_ptr<wire::Framer> framer_;
  std::unique_ptr<dialect::StreamDecoder> decoder_;
  EventList events_;
};

}  // namespace

AnswerReading read_answer(const AnswerSource& source, std::string_view body, const EventVisitor& visit) {
  return Reader(source, visit).read(body);
}

std::optional<DialectId> dialect_called(std::string_view name) {
  for (const Alias& alias : kAliases) {
    if (alias.name == name) return alias.dialect;
  }
  return dialect_named(name);
}

}  // namespace shunt::native
