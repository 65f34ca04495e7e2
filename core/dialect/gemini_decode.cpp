// gemini_generate streams and answers -> events: what a frame is. gemini_reader.h reads the JSON in it.
// The stream ends with the connection: there is no terminator, and no finish reason ends it.
#include "dialect/gemini_decode.h"

#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/gemini_reader.h"

namespace shunt::dialect {
namespace {

class Decoder final : public StreamDecoder {
 public:
  Decoder() : reader_(block_) {}

  void decode(const wire::Frame& frame, EventList& out) override {
    if (frame.kind == wire::Frame::Kind::comment) {
      add_ping(out);
      return;
    }
    std::string_view text = trim(frame.data);
    if (text.empty() || text == "[DONE]") return;  // a proxy's: means nothing here
    bool error = frame.event == "error";
    if (frame.kind == wire::Frame::Kind::stray) {
      constexpr std::string_view kErrorField = "error:";
      error = text.starts_with(kErrorField);
      if (error) text = trim(text.substr(kErrorField.size()));
    }
    if (error) {
      add_error(out, reader_.error_from(text));
    } else if (!reader_.read(text, out)) {
      add_bad_frame(out, frame.data);
    }
  }

 private:
  std::string block_;
  GeminiReader reader_;
};

}  // namespace

std::unique_ptr<StreamDecoder> make_gemini_decoder(Quirks) { return std::make_unique<Decoder>(); }

void decode_gemini_answer(std::string_view body, Quirks, EventList& out, std::string& scratch) {
  GeminiReader reader(scratch);
  if (!json::valid(body) || !reader.read(body, out)) add_bad_frame(out, body);
}

}  // namespace shunt::dialect
