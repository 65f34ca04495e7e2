// The content type says what to expect; the first bytes say what came.
#include "wire/sniff.h"

#include "base/strings.h"
#include "wire/crc32.h"

namespace shunt::wire {

namespace {

enum class Declared : std::uint8_t { unknown, sse, json, ndjson, aws_eventstream, html };

struct MediaType {
  std::string_view name;
  Declared declared;
};

constexpr MediaType kMediaTypes[] = {
    {"text/event-stream", Declared::sse},
    {"application/json", Declared::json},
    {"text/json", Declared::json},
    {"application/x-ndjson", Declared::ndjson},
    {"application/ndjson", Declared::ndjson},
    {"application/jsonl", Declared::ndjson},
    {"application/x-jsonlines", Declared::ndjson},
    {"application/stream+json", Declared::ndjson},
    {"application/vnd.amazon.eventstream", Declared::aws_eventstream},
    {"text/html", Declared::html},
    {"application/xhtml+xml", Declared::html},
    {"application/xml", Declared::html},
    {"text/xml", Declared::html},
};

Declared declared_by(std::string_view content_type) {
  const std::string_view type = trim(content_type.substr(0, content_type.find(';')));
  for (const MediaType& known : kMediaTypes) {
    if (equal_fold(type, known.name)) return known.declared;
  }
  constexpr std::string_view kJsonSuffix = "+json";
  const bool json = type.size() > kJsonSuffix.size() &&
                    equal_fold(type.substr(type.size() - kJsonSuffix.size()), kJsonSuffix);
  return json ? Declared::json : Declared::unknown;
}

std::uint32_t big_endian(std::string_view four) {
  std::uint32_t value = 0;
  for (const char c : four) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

// Prelude of an AWS event stream message: u32 total length, u32 headers length, u32 CRC of those eight bytes.
constexpr std::size_t kPreludeBytes = 12;
bool is_aws_prelude(std::string_view head) {
  return head.size() >= kPreludeBytes && crc32(head.substr(0, 8)) == big_endian(head.substr(8, 4));
}

// Messages stay below 2^25 bytes, so the first byte of the length is 0 or 1, with which no text begins.
bool may_be_aws_prelude(std::string_view head) {
  return !head.empty() && static_cast<unsigned char>(head.front()) <= 1;
}

enum class Match : std::uint8_t { no, so_far, yes };

// Whether the text begins with a comment or a line of a field that the SSE standard knows.
Match sse_line(std::string_view text) {
  if (text.front() == ':') return Match::yes;
  for (const std::string_view field : {"data", "event", "id", "retry"}) {
    if (text.size() <= field.size()) {
      if (field.substr(0, text.size()) == text) return Match::so_far;
    } else if (text.substr(0, field.size()) == field) {
      const char next = text[field.size()];
      if (next == ':' || next == '\n' || next == '\r') return Match::yes;
    }
  }
  return Match::no;
}

// Where the JSON object at the start of `text` ends; none when it does not end in it.
std::optional<std::size_t> object_end(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return at + 1;
    }
  }
  return std::nullopt;
}

// One object, the first of many, or a bare error line before events: what follows it tells.
std::optional<BodyShape> object_shape(std::string_view text, bool settle) {
  if (const std::optional<std::size_t> end = object_end(text)) {
    const std::string_view after = trim(text.substr(*end));
    if (!after.empty()) {
      if (after.front() == '{') return BodyShape::ndjson;
      const Match match = sse_line(after);
      if (match == Match::yes) return BodyShape::sse;
      if (match == Match::no || settle) return BodyShape::json;
    }
  }
  return settle ? std::optional{BodyShape::json} : std::nullopt;
}

// What bytes of no shape of their own are: as declared.
BodyShape fallback(Declared declared) {
  switch (declared) {
    case Declared::sse: return BodyShape::sse;
    case Declared::json: return BodyShape::json;
    case Declared::ndjson: return BodyShape::ndjson;
    case Declared::html: return BodyShape::html;
    case Declared::aws_eventstream: return BodyShape::aws_eventstream;
    case Declared::unknown: break;
  }
  return BodyShape::text;
}

}  // namespace

std::optional<BodyShape> sniff(std::string_view content_type, std::string_view head, BodyHead extent) {
  const Declared declared = declared_by(content_type);
  const bool whole = extent == BodyHead::whole;
  const bool settle = whole || head.size() >= kSniffBytes;
  head = head.substr(0, kSniffBytes);

  if (may_be_aws_prelude(head)) {
    if (declared == Declared::aws_eventstream || is_aws_prelude(head)) return BodyShape::aws_eventstream;
    if (!settle && head.size() < kPreludeBytes) return std::nullopt;
  }

  constexpr std::string_view kBom = "\xEF\xBB\xBF";
  std::string_view text = head;
  if (text.size() < kBom.size() && text == kBom.substr(0, text.size()) && !settle) return std::nullopt;
  if (text.substr(0, kBom.size()) == kBom) text.remove_prefix(kBom.size());
  while (!text.empty() && (text.front() == ' ' || (text.front() >= '\t' && text.front() <= '\r'))) {
    text.remove_prefix(1);
  }
  if (text.empty()) {
    if (whole) return BodyShape::empty;
    return settle ? std::optional{fallback(declared)} : std::nullopt;
  }
  if (text.front() == '<') return BodyShape::html;
  if (text.front() == '[') return BodyShape::json_array;
  if (text.front() == '{') {
    return declared == Declared::ndjson ? BodyShape::ndjson : object_shape(text, settle);
  }
  if (declared == Declared::sse) return BodyShape::sse;
  const Match match = sse_line(text);
  if (match == Match::yes) return BodyShape::sse;
  if (match == Match::so_far && !settle) return std::nullopt;
  return fallback(declared);
}

}  // namespace shunt::wire
