// `shunt frames`: the bytes of a stream as its frames, cut into chunks of any size on the way in.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/strings.h"
#include "native/base64.h"
#include "native/commands.h"
#include "native/files.h"
#include "wire/aws_event_stream.h"
#include "wire/framer.h"

namespace shunt::native {
namespace {

using wire::AwsType;
using wire::Frame;

// An event is {event, data, id, retry}; what profile llm adds has one key that says what it is.
std::string sse_json(const Frame& frame) {
  std::string line;
  json::Writer out(line);
  out.begin_object();
  if (frame.kind == Frame::Kind::comment) {
    out.field("comment", frame.data);
  } else if (frame.kind == Frame::Kind::stray) {
    out.field("stray", frame.data);
  } else {
    out.field("event", frame.event).key("data");
    frame.has_data ? out.string(frame.data) : out.null();
    out.field("id", frame.id).key("retry");
    frame.retry ? out.uinteger(*frame.retry) : out.null();
  }
  out.end_object();
  return json_line(line);
}

// {data, error}: the text of a value, or what is none with the word for why.
std::string value_json(const Frame& frame) {
  std::string line;
  json::Writer out(line);
  out.begin_object().field("data", frame.data).key("error");
  frame.kind == Frame::Kind::broken ? out.string(frame.event) : out.null();
  out.end_object();
  return json_line(line);
}

void write_header(json::Writer& out, const wire::AwsHeader& header) {
  constexpr std::array<std::string_view, 10> kNames = {"bool", "bool",   "byte",   "short",     "int",
                                                       "long", "binary", "string", "timestamp", "uuid"};
  out.key(header.name).begin_object().field("type", kNames[static_cast<std::size_t>(header.type)]);
  out.key("value");
  std::string text;
  switch (header.type) {
    case AwsType::yes: out.boolean(true); break;
    case AwsType::no: out.boolean(false); break;
    case AwsType::int8:
    case AwsType::int16:
    case AwsType::int32:
    case AwsType::int64:
    case AwsType::timestamp: out.integer(wire::aws_integer(header.value)); break;
    case AwsType::bytes:
      append_base64(text, header.value);
      out.string(text);
      break;
    case AwsType::text: out.string(header.value); break;
    case AwsType::uuid:
      for (const char c : header.value) append_hex(text, static_cast<unsigned char>(c), 2);
      out.string(text);
      break;
  }
  out.end_object();
}

// {headers, payload_base64, error}. Damage has an error and nothing else, but for how many bytes a stream
// that ended inside a message had of it.
std::string aws_json(const Frame& frame, const wire::AwsFramer& framer) {
  std::string line;
  json::Writer out(line);
  out.begin_object().key("headers");
  if (frame.kind == Frame::Kind::broken) {
    out.null().key("payload_base64").null().field("error", frame.event);
    if (frame.event == wire::fault::kIncomplete) {
      out.key("incomplete_bytes_at_eof").uinteger(frame.raw.size());
    }
  } else {
    out.begin_object();
    wire::AwsHeaders headers(framer.headers());
    for (wire::AwsHeader header; headers.next(header);) write_header(out, header);
    std::string payload;
    append_base64(payload, framer.payload());
    out.end_object().field("payload_base64", payload).key("error").null();
  }
  out.end_object();
  return json_line(line);
}

std::string_view heading(Frame::Kind kind) {
  switch (kind) {
    case Frame::Kind::event: return "event";
    case Frame::Kind::comment: return "comment";
    case Frame::Kind::stray: return "stray line";
    case Frame::Kind::exception: return "exception";
    case Frame::Kind::broken: return "broken";
  }
  return {};
}

std::string as_text(const Frame& frame) {
  std::string out{heading(frame.kind)};
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

// Hands `bytes` to the framer by chunks and every frame to `show`; false when something in them is damaged.
template <typename AnyFramer, typename Show>
bool each_frame(AnyFramer& framer, std::string_view bytes, std::size_t chunk, Show show) {
  bool fine = true;
  const auto drain = [&] {
    for (Frame frame; framer.next(frame);) {
      fine = fine && frame.kind != Frame::Kind::broken;
      show(frame);
    }
  };
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    framer.feed(bytes.substr(at, chunk));
    drain();
  }
  framer.finish();
  drain();
  return fine && !framer.failed();
}

wire::BodyShape shape_of(std::string_view format) {
  if (format == "ndjson") return wire::BodyShape::ndjson;
  return format == "json" ? wire::BodyShape::json : wire::BodyShape::sse;
}

}  // namespace

int run_frames(const FramesOptions& options) {
  const auto bytes = read_input(options.file);
  if (!bytes) return kUsage;
  const std::size_t chunk = options.chunk == 0 ? std::max<std::size_t>(bytes->size(), 1) : options.chunk;

  std::string out;
  bool fine = true;
  bool too_large = false;
  if (options.format == "aws") {
    wire::AwsFramer framer;
    fine = each_frame(framer, *bytes, chunk, [&](const Frame& frame) {
      out += options.json ? aws_json(frame, framer) : as_text(frame);
    });
  } else {
    const auto json = options.format == "sse" ? sse_json : value_json;
    wire::Framer framer(shape_of(options.format),
                        options.profile == "llm" ? wire::SseProfile::llm : wire::SseProfile::whatwg);
    fine = each_frame(framer, *bytes, chunk,
                      [&](const Frame& frame) { out += options.json ? json(frame) : as_text(frame); });
    too_large = framer.failed();
  }
  print(out);
  if (too_large)
    note("frames: " + shown_name(options.file) + ": a frame is over 16 MiB; reading stopped there");
  return fine ? kFine : kDifference;
}

}  // namespace shunt::native
