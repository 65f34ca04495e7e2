// Streams through framer, decoder and encoder, for the tests of this room.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"
#include "wire/framer.h"

namespace shunt::dialect::test {

// Calls visit(events) for each frame of the stream, framed as its first bytes say and cut into pieces of the
// given sizes (the last one repeats; empty = whole). Each piece and each frame is copied into memory of its
// exact size, so that a sanitizer sees reads beyond it.
inline void each_frame(StreamDecoder& decoder, std::string_view bytes, const std::vector<std::size_t>& sizes,
                       const std::function<void(const EventList&)>& visit) {
  wire::Framer framer(wire::sniff({}, bytes, wire::BodyHead::whole).value_or(wire::BodyShape::sse));
  EventList events;
  const auto drain = [&] {
    wire::Frame frame;
    while (framer.next(frame)) {
      const std::vector<char> data(frame.data.begin(), frame.data.end());
      frame.data = {data.data(), data.size()};
      events.clear();
      decoder.decode(frame, events);
      visit(events);
    }
  };
  std::size_t at = 0;
  for (std::size_t i = 0; at < bytes.size(); ++i) {
    const std::size_t size = sizes.empty() ? bytes.size() : sizes[std::min(i, sizes.size() - 1)];
    const std::string_view piece = bytes.substr(at, size);
    const std::vector<char> chunk(piece.begin(), piece.end());
    framer.feed({chunk.data(), chunk.size()});
    drain();
    at += piece.size();
  }
  framer.finish();
  drain();
}

inline Folded fold_stream(DialectId id, std::string_view bytes, const std::vector<std::size_t>& sizes = {},
                          Quirks quirks = 0) {
  Folded folded;
  const auto decoder = find(id)->make_decoder(quirks);
  each_frame(*decoder, bytes, sizes, [&](const EventList& events) { folded.add(events); });
  return folded;
}

inline Folded fold_answer(DialectId id, std::string_view body, Quirks quirks = 0) {
  Folded folded;
  EventList events;
  std::string scratch;
  find(id)->decode_answer(body, quirks, events, scratch);
  folded.add(events);
  return folded;
}

// The stream in the client's dialect: ended, or broken when an error came.
inline std::string encode_stream(DialectId from, std::string_view bytes, DialectId to,
                                 EncodeOptions options = {}) {
  std::string out;
  bool error = false;
  if (options.id.empty()) options.id = "made-id";
  if (options.model.empty()) options.model = "made-model";
  const auto decoder = find(from)->make_decoder(0);
  const auto encoder = find(to)->make_encoder(options);
  each_frame(*decoder, bytes, {}, [&](const EventList& events) {
    for (const Event& event : events) {
      error = error || std::holds_alternative<event::Error>(event);
      if (!error) encoder->encode(event, out);
    }
  });
  if (!error) {
    encoder->end(out);
    return out;
  }
  std::string body;
  find(to)->write_error({502, {}, "temporary", "The provider's stream broke.", {}}, body);
  encoder->broken(body, out);
  return out;
}

// One event through an encoder, for tests that write events themselves.
inline std::string encode_events(DialectId to, const EventList& events, const EncodeOptions& options) {
  std::string out;
  const auto encoder = find(to)->make_encoder(options);
  for (const Event& event : events) encoder->encode(event, out);
  encoder->end(out);
  return out;
}

inline std::filesystem::path shared_data() {
  if (const char* path = std::getenv("SHUNT_DATA")) return path;
  return std::filesystem::path(SHUNT_SOURCE_DIR) / ".." / "shared" / "data";
}

}  // namespace shunt::dialect::test
