// Drives a framer over bytes cut anywhere and writes down what it gave; checks on the way that raws and tail
// add up to the stream. Each chunk lives in a heap buffer of its exact size that is gone before the next
// one comes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "wire/sse.h"

namespace shunt::wire::test {

inline std::string quoted(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      ((out += "\\x") += kHex[(c >> 4) & 15]) += kHex[c & 15];
    } else {
      out += c;
    }
  }
  return out += '"';
}

// One line a frame, leaving out what is empty: `event name="x" data="y" id="1" retry=5`, `comment " ping"`.
inline std::string log_line(const Frame& frame) {
  if (frame.kind == Frame::Kind::comment) return "comment " + quoted(frame.data);
  if (frame.kind == Frame::Kind::stray) return "stray " + quoted(frame.data);
  std::string out = frame.kind == Frame::Kind::exception ? "exception"
                    : frame.kind == Frame::Kind::broken  ? "broken"
                                                         : "event";
  if (!frame.event.empty()) out += " name=" + quoted(frame.event);
  out += frame.has_data ? " data=" + quoted(frame.data) : " no-data";
  if (!frame.id.empty()) out += " id=" + quoted(frame.id);
  if (frame.retry) out += " retry=" + std::to_string(*frame.retry);
  return out;
}

struct Reading {
  std::string log;                // the frames, then `end` with what the framer is left with
  std::vector<std::string> raws;  // of the frames, in order
  std::string tail;
  std::string total;  // raws and tail together
  bool failed = false;
};

template <typename AnyFramer>
void drain(AnyFramer& framer, Reading& run) {
  Frame frame;
  while (framer.next(frame)) {
    run.log += log_line(frame) + "\n";
    run.raws.emplace_back(frame.raw);
    run.total += frame.raw;
  }
}

template <typename AnyFramer>
void finish(AnyFramer& framer, Reading& run) {
  framer.finish();
  drain(framer, run);
  run.tail = framer.tail();
  run.total += run.tail;
  run.failed = framer.failed();
  run.log += "end";
  if constexpr (std::is_same_v<AnyFramer, SseFramer>) {
    if (!framer.last_event_id().empty()) run.log += " last_id=" + quoted(framer.last_event_id());
    if (framer.reconnection_ms()) run.log += " reconnect=" + std::to_string(*framer.reconnection_ms());
  }
  run.log += "\n";
}

template <typename AnyFramer>
void feed(AnyFramer& framer, std::string_view chunk, Reading& run) {
  const auto bytes = std::make_unique<char[]>(chunk.size());
  chunk.copy(bytes.get(), chunk.size());
  framer.feed({bytes.get(), chunk.size()});
  drain(framer, run);
  framer.feed({});
  drain(framer, run);
}

// `sizes`: of the chunks; the rest of the bytes is one last chunk.
template <typename AnyFramer>
Reading run_framer(AnyFramer framer, std::string_view bytes, const std::vector<std::size_t>& sizes) {
  Reading run;
  for (const std::size_t size : sizes) {
    feed(framer, bytes.substr(0, size), run);
    bytes.remove_prefix(size < bytes.size() ? size : bytes.size());
  }
  feed(framer, bytes, run);
  finish(framer, run);
  return run;
}

inline Reading run_split(SseProfile profile, std::string_view bytes, const std::vector<std::size_t>& sizes) {
  return run_framer(SseFramer(profile), bytes, sizes);
}

inline Reading run_whole(SseProfile profile, std::string_view bytes) { return run_split(profile, bytes, {}); }

inline Reading run_bytewise(SseProfile profile, std::string_view bytes) {
  return run_split(profile, bytes, std::vector<std::size_t>(bytes.size(), 1));
}

}  // namespace shunt::wire::test
