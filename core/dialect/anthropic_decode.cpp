// anthropic_messages streams and answers -> events: what a frame is. anthropic_reader.h reads the JSON in it.
#include "dialect/anthropic_decode.h"

#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/anthropic_reader.h"
#include "dialect/provider_error.h"
#include "dialect/stencil.h"

namespace shunt::dialect {
namespace {

class Decoder final : public StreamDecoder {
 public:
  Decoder() : reader_(block_) {}

  void decode(const wire::Frame& frame, EventList& out) override {
    // After message_stop only keep-alives go on counting (some proxies ping with their cost there).
    if (frame.kind == wire::Frame::Kind::comment) {
      add_ping(out);
      return;
    }
    if (frame.kind == wire::Frame::Kind::exception || frame.kind == wire::Frame::Kind::broken) {
      return add_transport_error(out, frame, reader_.error_from(frame.data));
    }
    if (reader_.stopped() || stencil_.match(frame, out)) return;
    const std::size_t mark = out.size();
    data(frame, out);
    reader_.was_delta() ? stencil_.learn(frame, out, mark, {}) : stencil_.forget();
  }

 private:
  void data(const wire::Frame& frame, EventList& out) {
    const std::string_view text = trim(frame.data);
    if (text.empty()) return;
    if (text == "[DONE]") return;  // OpenRouter writes one after message_stop; without that it ends nothing
    if (frame.kind == wire::Frame::Kind::stray) return stray(text, out);
    if (!reader_.read(text, out)) {
      if (frame.event == "error") {
        add_error(out, reader_.error_from(text));
      } else {
        add_bad_frame(out, frame.data);
      }
    }
  }

  void stray(std::string_view line, EventList& out) {
    constexpr std::string_view kErrorField = "error:";
    if (line.starts_with(kErrorField)) {
      add_error(out, reader_.error_from(trim(line.substr(kErrorField.size()))));
    } else if (!line.starts_with('{') || !reader_.read(line, out)) {
      add_bad_frame(out, line);
    }
  }

  std::string block_;
  AnthropicReader reader_;
  Stencil stencil_;
};

}  // namespace

std::unique_ptr<StreamDecoder> make_anthropic_decoder(Quirks) { return std::make_unique<Decoder>(); }

void decode_anthropic_answer(std::string_view body, Quirks, EventList& out, std::string& scratch) {
  AnthropicReader reader(scratch);
  if (!reader.read_answer(body, out)) add_bad_frame(out, body);
}

}  // namespace shunt::dialect
