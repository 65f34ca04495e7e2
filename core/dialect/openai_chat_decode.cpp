// openai_chat streams and answers -> events: what a frame is. openai_chat_reader.h reads the JSON in it.
#include "dialect/openai_chat_decode.h"

#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/openai_chat_reader.h"
#include "dialect/provider_error.h"
#include "dialect/stencil.h"

namespace shunt::dialect {
namespace {

constexpr std::string_view kErrorField = "error:";

class Decoder final : public StreamDecoder {
 public:
  explicit Decoder(Quirks quirks) : reader_(quirks, block_) {}

  void decode(const wire::Frame& frame, EventList& out) override {
    if (done_) return;  // a second [DONE] and whatever else follows the first is no part of the answer
    switch (frame.kind) {
      case wire::Frame::Kind::comment: add_ping(out); return;
      case wire::Frame::Kind::stray: stray(frame.data, out); return;
      case wire::Frame::Kind::event: event(frame, out); return;
      case wire::Frame::Kind::exception:
      case wire::Frame::Kind::broken: add_transport_error(out, frame, reader_.error_from(frame.data)); return;
    }
  }

 private:
  void event(const wire::Frame& frame, EventList& out) {
    if (stencil_.match(frame, out)) return;
    const std::size_t mark = out.size();
    data(frame, out);
    stencil_.learn(frame, out, mark, reader_.padding());
  }

  void data(const wire::Frame& frame, EventList& out) {
    const std::string_view text = trim(frame.data);
    if (text.empty()) return;
    if (text == "[DONE]") {
      done_ = true;
      add_done(out);
    } else if (frame.event == "error") {  // Groq
      error(text, out);
    } else if (!reader_.read(text, out)) {
      add_bad_frame(out, frame.data);
    }
  }

  // Lines no SSE field covers: "error: {…}" (old llama.cpp, GPUStack), or JSON without "data:".
  void stray(std::string_view line, EventList& out) {
    const std::string_view text = trim(line);
    if (text.starts_with(kErrorField)) return error(trim(text.substr(kErrorField.size())), out);
    if (!text.starts_with('{') || !reader_.read(text, out)) add_bad_frame(out, line);
  }

  void error(std::string_view text, EventList& out) { add_error(out, reader_.error_from(text)); }

  std::string block_;
  OpenAiChatReader reader_;
  Stencil stencil_;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<StreamDecoder> make_openai_chat_decoder(Quirks quirks) {
  return std::make_unique<Decoder>(quirks);
}

void decode_openai_chat_answer(std::string_view body, Quirks quirks, EventList& out, std::string& scratch) {
  OpenAiChatReader reader(quirks, scratch);
  if (!reader.read(body, out)) add_bad_frame(out, body);
}

}  // namespace shunt::dialect
