// Reader, then encoder: a provider's answer in another dialect. See normalizer.h.
#include "dialect/normalizer.h"

#include "catalog/providers.h"

namespace shunt::dialect {
namespace {

ErrorText error_text(std::string_view message) {
  return {502, {}, "provider_error", message.empty() ? "The provider gave an error." : message, {}};
}

const Dialect* named(std::string_view name) {
  const auto id = dialect_named(name);
  return id ? find(*id) : nullptr;
}

}  // namespace

std::unique_ptr<Normalizer> make_normalizer(std::string_view from, std::string_view to,
                                            std::string_view provider, std::string_view content_type,
                                            const EncodeOptions& options) {
  const Dialect* const in = named(from);
  const Dialect* const out = named(to);
  if (in == nullptr || out == nullptr || out->make_encoder == nullptr) return nullptr;
  const Preset* const preset = find_preset(provider);
  const Normalizer::Source source{in, preset == nullptr ? Quirks{} : preset->quirks, content_type};
  return std::make_unique<Normalizer>(source, *out, options);
}

Normalizer::Normalizer(const Source& from, const Dialect& to, const EncodeOptions& options)
    : reader_(*from.dialect, from.quirks, from.content_type),
      to_(to),
      id_(options.id),
      model_(options.model),
      options_(options) {
  options_.id = id_;
  options_.model = model_;
}

StreamEncoder& Normalizer::encoder() {
  if (!encoder_) encoder_ = to_.make_encoder(options_);
  return *encoder_;
}

void Normalizer::feed(std::string_view bytes, std::string& out) {
  reader_.feed(bytes);
  drain(out);
}

void Normalizer::drain(std::string& out) {
  while (reader_.step()) {
    if (reader_.place() == AnswerReader::Place::whole) {
      folded_.add(reader_.events());
      continue;
    }
    for (const Event& each : reader_.events()) {
      if (const auto* error = std::get_if<event::Error>(&each)) fail(error->message, out);
      if (!broken_) encoder().encode(each, out);
    }
  }
}

void Normalizer::end(std::string& out) {
  reader_.finish();
  drain(out);
  if (reader_.streamed()) {
    if (reader_.truncated()) fail("The provider's stream ended early.", out);
    if (!broken_) encoder().end(out);
  } else if (!folded_.errors.empty()) {
    to_.write_error(error_text(folded_.errors.front().message), out);
  } else if (reader_.truncated()) {
    to_.write_error(error_text("The provider's answer is empty."), out);
  } else {
    to_.encode_answer(folded_, options_, out);
  }
}

void Normalizer::fail(std::string_view message, std::string& out) {
  if (broken_) return;
  std::string body;
  to_.write_error(error_text(message), body);
  encoder().broken(body, out);
  broken_ = true;
}

}  // namespace shunt::dialect
