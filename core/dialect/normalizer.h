// One provider's answer, as its bytes come, in the words of another dialect: what clients of that one are
// sent. Beside a gateway, for those who call a provider themselves; knows no routing and no failure rules.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dialect/answer_reader.h"

namespace shunt::dialect {

class Normalizer {
 public:
  struct Source {
    const Dialect* dialect;
    Quirks quirks = 0;
    std::string_view content_type;  // empty = not known
  };

  // `to` must have an encoder. Names in `options` stand where the provider gave none; copied.
  Normalizer(const Source& from, const Dialect& to, const EncodeOptions& options);

  // Appends what the bytes lead to. A stream comes out as it goes in; a plain answer at its end.
  void feed(std::string_view bytes, std::string& out);
  // Ends the answer: closes what is open and writes the terminator; a stream that was cut, or an error in it,
  // ends in the dialect's own error event.
  void end(std::string& out);

  bool streamed() const { return reader_.streamed(); }
  bool faulty() const { return reader_.faulty(); }  // something in it could not be read

 private:
  void drain(std::string& out);
  void fail(std::string_view message, std::string& out);
  StreamEncoder& encoder();

  AnswerReader reader_;
  const Dialect& to_;
  std::string id_;
  std::string model_;
  EncodeOptions options_;
  std::unique_ptr<StreamEncoder> encoder_;
  Folded folded_;  // of a plain answer
  bool broken_ = false;
};

// By names: dialects, and a preset or an alias of one (unknown or empty = no deviations). Null: nothing reads
// the one or writes the other.
std::unique_ptr<Normalizer> make_normalizer(std::string_view from, std::string_view to,
                                            std::string_view provider, std::string_view content_type,
                                            const EncodeOptions& options);

}  // namespace shunt::dialect
