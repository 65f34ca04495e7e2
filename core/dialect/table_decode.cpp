// Streams and answers of the dialects that a table describes: what a frame is. table_reader.h reads the JSON.
#include "dialect/table_decode.h"

#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/provider_error.h"

namespace shunt::dialect {
namespace {

class Decoder final : public StreamDecoder {
 public:
  explicit Decoder(const Field* table) : reader_(table, table == kDashscopeTable, block_) {}

  void decode(const wire::Frame& frame, EventList& out) override {
    if (done_) return;
    const std::string_view text = trim(frame.data);
    switch (frame.kind) {
      case wire::Frame::Kind::comment: return add_ping(out);
      case wire::Frame::Kind::exception:
      case wire::Frame::Kind::broken: return add_transport_error(out, frame, reader_.error_from(frame.data));
      case wire::Frame::Kind::stray:
        if (text.starts_with(kErrorField)) return error(text.substr(kErrorField.size()), out);
        break;
      case wire::Frame::Kind::event: break;
    }
    if (text.empty()) return;
    if (text == "[DONE]") {
      done_ = true;
      return add_done(out);
    }
    if (reader_.read(frame.event, text, out)) return;
    frame.event == "error" ? error(text, out) : add_bad_frame(out, frame.data);
  }

 private:
  static constexpr std::string_view kErrorField = "error:";

  void error(std::string_view text, EventList& out) { add_error(out, reader_.error_from(trim(text))); }

  std::string block_;
  TableReader reader_;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<StreamDecoder> make_table_decoder(const Field* table) {
  return std::make_unique<Decoder>(table);
}

void decode_table_answer(const Field* table, std::string_view body, EventList& out, std::string& scratch) {
  TableReader reader(table, false, scratch);
  if (!reader.read({}, body, out)) add_bad_frame(out, body);
}

}  // namespace shunt::dialect
