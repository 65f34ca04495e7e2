// openai_responses streams and answers -> events: what a frame is. openai_responses_reader.h reads the JSON
// in it.
#include "dialect/openai_responses_decode.h"

#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/openai_responses_reader.h"

namespace shunt::dialect {
namespace {

class Decoder final : public StreamDecoder {
 public:
  Decoder() : reader_(block_) {}

  void decode(const wire::Frame& frame, EventList& out) override {
    if (frame.kind == wire::Frame::Kind::comment) return add_ping(out);
    std::string_view text = trim(frame.data);
    if (text.empty()) return;
    if (text == "[DONE]") return;  // OpenRouter writes one after the last event; alone it ends nothing
    constexpr std::string_view kErrorField = "error:";
    const bool stray = frame.kind == wire::Frame::Kind::stray;
    const bool error_line = stray && text.starts_with(kErrorField);
    if (error_line) text = trim(text.substr(kErrorField.size()));
    const bool readable = !error_line && !(stray && !text.starts_with('{'));
    if ((readable && reader_.read(text, out)) || reader_.stopped()) return;
    if (error_line || frame.event == "error") {
      add_error(out, reader_.error_from(text));
    } else {
      add_bad_frame(out, frame.data);
    }
  }

 private:
  std::string block_;
  ResponsesReader reader_;
};

}  // namespace

std::unique_ptr<StreamDecoder> make_openai_responses_decoder(Quirks) { return std::make_unique<Decoder>(); }

void decode_openai_responses_answer(std::string_view body, Quirks, EventList& out, std::string& scratch) {
  ResponsesReader reader(scratch);
  if (!reader.read_answer(body, out)) add_bad_frame(out, body);
}

}  // namespace shunt::dialect
