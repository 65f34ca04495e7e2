// Bedrock's InvokeModel. See envelope.h.
#include "dialect/envelope.h"

#include <utility>

#include "dialect/members.h"

namespace shunt::dialect {
namespace {

constexpr Member kBytes[] = {{"bytes", 0, true}};

int digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Up to the padding, or to what is no base64: the decoder inside says what it thinks of the rest.
void append_base64(std::string& out, std::string_view text) {
  unsigned value = 0;
  int bits = 0;
  for (const char c : text) {
    const int digit = digit_of(c);
    if (digit < 0) return;
    value = value << 6U | static_cast<unsigned>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(value >> static_cast<unsigned>(bits) & 0xFFU);
  }
}

class Decoder final : public StreamDecoder {
 public:
  explicit Decoder(std::unique_ptr<StreamDecoder> inner) : inner_(std::move(inner)) {}

  void decode(const wire::Frame& frame, EventList& out) override {
    json::Cursor cursor(frame.data);
    Value bytes;
    if (frame.kind == wire::Frame::Kind::event) take_object(cursor, kBytes, &bytes);
    if (bytes.kind != json::Kind::string) return inner_->decode(frame, out);
    unwrapped_.clear();
    append_base64(unwrapped_, bytes.raw);
    wire::Frame inside = frame;
    inside.event = {};
    inside.data = unwrapped_;
    inner_->decode(inside, out);
  }

 private:
  std::unique_ptr<StreamDecoder> inner_;
  std::string unwrapped_;  // events are views of it until the next frame
};

}  // namespace

std::unique_ptr<StreamDecoder> decoder_for(const Dialect& dialect, Quirks quirks, wire::BodyShape shape) {
  std::unique_ptr<StreamDecoder> decoder = dialect.make_decoder(quirks);
  if (shape != wire::BodyShape::aws_eventstream) return decoder;
  return std::make_unique<Decoder>(std::move(decoder));
}

}  // namespace shunt::dialect
