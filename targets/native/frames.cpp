// `shunt frames`: the bytes of a stream as its frames, cut into chunks of any size on the way in.
#include <algorithm>
#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/strings.h"
#include "native/commands.h"
#include "native/files.h"
#include "wire/sse.h"

namespace shunt::native {
namespace {

using wire::Frame;
using wire::SseFramer;
using wire::SseProfile;

// An event is {event, data, id, retry}; what profile llm adds has one key that says what it is.
std::string as_json(const Frame& frame) {
  std::string line;
  json::Writer out(line);
  out.begin_object();
  switch (frame.kind) {
    case Frame::Kind::event:
      out.field("event", frame.event).key("data");
      frame.has_data ? out.string(frame.data) : out.null();
      out.field("id", frame.id).key("retry");
      frame.retry ? out.uinteger(*frame.retry) : out.null();
      break;
    case Frame::Kind::comment: out.field("comment", frame.data); break;
    case Frame::Kind::stray: out.field("stray", frame.data); break;
    case Frame::Kind::exception:
    case Frame::Kind::broken: out.field("error", frame.event).field("data", frame.data); break;
  }
  out.end_object();
  return json_line(line);
}

std::string as_text(const Frame& frame) {
  std::string out;
  switch (frame.kind) {
    case Frame::Kind::event: out = "event"; break;
    case Frame::Kind::comment: out = "comment"; break;
    case Frame::Kind::stray: out = "stray line"; break;
    case Frame::Kind::exception: out = "exception"; break;
    case Frame::Kind::broken: out = "broken"; break;
  }
  if (!frame.event.empty()) out.append(" ").append(frame.event);
  if (!frame.id.empty()) out.append("  id ").append(frame.id);
  if (frame.retry) {
    out += "  retry ";
    append_uint(out, *frame.retry);
    out += " ms";
  }
  out += '\n';
  for (std::string_view rest = frame.data; !rest.empty();)
    out.append("  ").append(cut(rest, '\n')).push_back('\n');
  return out;
}

}  // namespace

int run_frames(const FramesOptions& options) {
  if (options.format != "sse") {
    note("frames: this build frames sse only, not " + options.format);
    return kUsage;
  }
  const auto bytes = read_input(options.file);
  if (!bytes) return kUsage;

  SseFramer framer(options.profile == "llm" ? SseProfile::llm : SseProfile::whatwg);
  std::string out;
  const auto drain = [&] {
    for (Frame frame; framer.next(frame);) out += options.json ? as_json(frame) : as_text(frame);
  };
  const std::size_t chunk = options.chunk == 0 ? std::max<std::size_t>(bytes->size(), 1) : options.chunk;
  for (std::size_t at = 0; at < bytes->size(); at += chunk) {
    framer.feed(std::string_view(*bytes).substr(at, chunk));
    drain();
  }
  framer.finish();
  drain();
  print(out);
  if (!framer.failed()) return kFine;
  note("frames: " + shown_name(options.file) + ": a frame is over 16 MiB; reading stopped there");
  return kDifference;
}

}  // namespace shunt::native
