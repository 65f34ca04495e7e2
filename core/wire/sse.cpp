// The rules of https://html.spec.whatwg.org/multipage/server-sent-events.html, quoted below, over chunks.
#include "wire/sse.h"

#include <limits>

#include "base/simd.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "wire/line_scan.h"

namespace shunt::wire {

namespace {

constexpr std::string_view kDataField = "data:";
constexpr std::string_view kEventField = "event:";
constexpr std::string_view kBom = "\xEF\xBB\xBF";

// "If the field value consists of only ASCII digits, then interpret the field value as an integer in base
// ten." A number past 64 bits is as good as for ever.
std::optional<std::uint64_t> retry_ms(std::string_view value) {
  if (value.empty()) return std::nullopt;
  for (const char c : value) {
    if (!is_digit(c)) return std::nullopt;
  }
  return parse_uint(value).value_or(std::numeric_limits<std::uint64_t>::max());
}

// `text` as the decoded stream has it; `buffer` holds it when it had to be changed.
std::string_view decoded(std::string_view text, bool ascii, std::string& buffer) {
  if (ascii || valid_utf8(text)) return text;
  buffer.clear();
  append_replacing(buffer, text);
  return buffer;
}

// "If value starts with a U+0020 SPACE character, remove it from value."
std::string_view value_of(std::string_view behind_colon) {
  if (!behind_colon.empty() && behind_colon.front() == ' ') behind_colon.remove_prefix(1);
  return behind_colon;
}

// Bytes of the line end at text[at]: LF or CRLF. 0 for a bare CR, whose LF may be still to come.
std::size_t line_end_at(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '\n') return 1;
  return text.size() - at >= 2 && text[at] == '\r' && text[at + 1] == '\n' ? 2 : 0;
}

// One large frame must not keep its memory for the rest of the stream; most events are far below this.
constexpr std::size_t kKeptBytes = 8 * 1024;
void shrink(std::string& buffer) {
  if (buffer.capacity() > kKeptBytes) std::string().swap(buffer);
}

}  // namespace

void SseFramer::feed(std::string_view chunk) {
  if (failed_) return;
  open_.feed(chunk);
  if (!block_.joined) shrink(joined_);
  shrink(repaired_);
}

bool SseFramer::next(Frame& out) {
  if (failed_) return false;
  open_.release();
  if (open_.frame().empty()) {
    line_begin_ = 0;
    if (whole_frame(out)) return true;
  }
  Line line;
  while (take_line(line)) {
    if (on_line(line, out)) return true;
  }
  return finished_ && !failed_ && profile_ == SseProfile::llm && flush(out);
}

// The frames most streams consist of: one data line, perhaps behind the event's name, and the blank line,
// inside the chunk. Gives what the general path below would give, in one step.
bool SseFramer::whole_frame(Frame& out) {
  if (after_cr_ || first_line_ || block_.open) return false;
  const std::string_view rest = open_.rest();
  const bool same = !opening_.empty() && simd::begins_with(rest, opening_);
  if (!same && !read_opening(rest)) return false;
  const std::string_view from = rest.substr(opening_.size());
  const LineScan scan = scan_line(from);
  const std::size_t line_end = line_end_at(from, scan.end);
  const std::size_t blank = line_end == 0 ? 0 : line_end_at(from, scan.end + line_end);
  if (blank == 0 || !open_.take(opening_.size() + scan.end + line_end + blank)) return false;
  out.kind = Frame::Kind::event;  // one by one: clearing the whole frame first takes longer than all the rest
  out.has_data = true;
  out.event = rest.substr(name_.begin, name_.size);
  out.data = decoded(value_of(from.substr(0, scan.end)), scan.ascii, repaired_);
  out.id = last_id_;
  out.retry.reset();
  out.raw = open_.frame();
  open_.give();
  return true;
}

// What such a frame begins with, up to the colon of its data: kept, because the next one begins with the
// same. False, and nothing is kept, when it is none or longer than names are.
bool SseFramer::read_opening(std::string_view rest) {
  constexpr std::size_t kMostBytes = 64;
  opening_.clear();
  name_ = {};
  std::size_t at = 0;
  if (simd::begins_with(rest, kEventField)) {
    const LineScan scan = scan_line(rest.substr(0, kMostBytes));
    const std::string_view name = value_of(rest.substr(kEventField.size(), scan.end - kEventField.size()));
    name_ = slice(name, true);
    at = scan.end + line_end_at(rest, scan.end);
    if (at == scan.end || !scan.ascii) return false;
  }
  if (!simd::begins_with(rest.substr(at), kDataField)) return false;
  opening_ = rest.substr(0, at + kDataField.size());
  return true;
}

// ---- Bytes -> lines

bool SseFramer::take(std::size_t count) { return open_.take(count) || fail(); }

// "Lines must be separated by either a … (CRLF) character pair, a single … (LF) character, or a single … (CR)
// character." A CR that ends the chunk ends the line now: waiting for a LF would hold the event back and lose
// it at the end of the stream.
bool SseFramer::take_line(Line& out) {
  if (after_cr_ && !open_.rest().empty()) {
    after_cr_ = false;
    if (open_.rest().front() == '\n') {
      if (!take(1)) return false;
      line_begin_ = open_.frame().size();
    }
  }
  const std::string_view rest = open_.rest();
  const LineScan scan = scan_line(rest);
  line_ascii_ = line_ascii_ && scan.ascii;
  if (scan.end == rest.size()) return hold_rest();

  std::size_t count = scan.end + 1;
  if (rest[scan.end] == '\r') {
    after_cr_ = count == rest.size();
    if (!after_cr_ && rest[count] == '\n') ++count;
  }
  const std::size_t size = open_.frame().size() - line_begin_ + scan.end;
  if (!take(count)) return false;
  out = {open_.frame().substr(line_begin_, size), line_ascii_};
  line_begin_ = open_.frame().size();
  line_ascii_ = true;
  return true;
}

// The chunk holds no further line end: what is open is kept beyond it. Always false: there is no line.
bool SseFramer::hold_rest() { return open_.hold() ? false : fail(); }

bool SseFramer::fail() {
  failed_ = true;
  open_.drop();
  std::string().swap(joined_);
  return false;
}

// ---- Lines -> frames

SseFramer::Slice SseFramer::slice(std::string_view text, bool ascii) const {
  return {static_cast<std::size_t>(text.data() - open_.frame().data()), text.size(), ascii};
}

bool SseFramer::on_line(Line line, Frame& out) {
  // "The UTF-8 decode algorithm strips one leading UTF-8 Byte Order Mark (BOM), if any." Only at byte 0: a
  // later one is part of a field name.
  if (first_line_) {
    first_line_ = false;
    if (line.text.substr(0, kBom.size()) == kBom) line.text.remove_prefix(kBom.size());
  }
  // "If the line is empty (a blank line): Dispatch the event."
  if (line.text.empty()) return dispatch(out);
  // "If the line starts with a U+003A COLON character (:): Ignore the line."
  if (line.text.front() == ':') {
    line.text.remove_prefix(1);
    return profile_ == SseProfile::llm && line_frame(Frame::Kind::comment, line, out);
  }
  // "Collect the characters on the line before the first U+003A COLON character (:), and let field be that
  // string." "Otherwise … using the whole line as the field name, and the empty string as the field value."
  const std::string_view name = line.text.substr(0, line.text.find(':'));
  // "Collect the characters on the line after the first U+003A COLON character (:), and let value be that
  // string."
  std::string_view value = line.text.substr(name.size());
  if (!value.empty()) value = value_of(value.substr(1));

  if (name == "data") {
    add_data(value, line.ascii);
    return false;
  }
  if (name == "event" || name == "id" || name == "retry") {
    on_field(name, value, line.ascii);
    return false;
  }
  // "Otherwise: The field is ignored." Servers put errors there.
  return profile_ == SseProfile::llm && line_frame(Frame::Kind::stray, line, out);
}

// "Append the field value to the data buffer, then append a single U+000A LINE FEED (LF) character to the
// data buffer"; the last LF, which dispatch strips, is never written.
void SseFramer::add_data(std::string_view value, bool ascii) {
  block_.open = true;
  if (!block_.has_data) {
    block_.has_data = true;
    block_.data = slice(value, ascii);
    return;
  }
  if (!block_.joined) {
    block_.joined = true;
    joined_.assign(open_.frame().substr(block_.data.begin, block_.data.size));
  }
  joined_ += '\n';
  joined_ += value;
  block_.data.ascii = block_.data.ascii && ascii;
}

void SseFramer::on_field(std::string_view name, std::string_view value, bool ascii) {
  block_.open = true;
  if (name == "event") {
    // "Set the event type buffer to the field value."
    block_.event = slice(value, ascii);
  } else if (name == "id") {
    // "If the field value does not contain U+0000 NULL, then set the last event ID buffer to the field value.
    // Otherwise, ignore the field."
    if (value.find('\0') != std::string_view::npos) return;
    id_buffer_.clear();
    if (ascii) {
      id_buffer_ = value;
    } else {
      append_replacing(id_buffer_, value);
    }
    id_changed_ = true;
  } else if (const std::optional<std::uint64_t> ms = retry_ms(value)) {
    // "… set the event stream's reconnection time to that integer": now, not at dispatch.
    reconnection_ms_ = ms;
    block_.retry = ms;
  }
}

bool SseFramer::dispatch(Frame& out) {
  // "Set the last event ID string of the event source to the value of the last event ID buffer." Comes first:
  // a block without data commits its id, too.
  if (id_changed_) {
    last_id_.swap(id_buffer_);
    id_changed_ = false;
  }
  const Block block = block_;
  block_ = {};
  // "If the data buffer is an empty string, set the data buffer and the event type buffer to the empty string
  // and return."
  if (!block.has_data && (profile_ == SseProfile::whatwg || block.event.size == 0)) return false;

  const std::string_view bytes = open_.frame();
  const auto text_of = [bytes](const Slice& s) { return bytes.substr(s.begin, s.size); };
  out = {};
  out.has_data = block.has_data;
  out.event = decoded(text_of(block.event), block.event.ascii, event_text_);
  out.data =
      decoded(block.joined ? std::string_view{joined_} : text_of(block.data), block.data.ascii, repaired_);
  out.id = last_id_;
  out.retry = block.retry;
  out.raw = bytes;
  open_.give();
  return true;
}

// Profile llm at the end of the stream: the line without an end, then the block without a blank line. An
// event name alone may be cut short and stays in the tail.
bool SseFramer::flush(Frame& out) {
  if (line_begin_ < open_.frame().size()) {
    const Line last{open_.frame().substr(line_begin_), line_ascii_};
    line_begin_ = open_.frame().size();
    if (on_line(last, out)) return true;
  }
  return block_.has_data && dispatch(out);
}

bool SseFramer::line_frame(Frame::Kind kind, Line line, Frame& out) {
  out = {};
  out.kind = kind;
  out.data = decoded(line.text, line.ascii, repaired_);
  out.id = last_id_;
  if (!block_.open) {
    out.raw = open_.frame();
    open_.give();
  }
  return true;
}

}  // namespace shunt::wire
