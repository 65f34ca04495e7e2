// The words of JSON as automata that can stop at any byte.
#include "base/json_lex.h"

#include <algorithm>

#include "base/strings.h"

namespace shunt::json::lex {
namespace {

const char* fail(StringScan& scan, const char* at, const char* fault) {
  scan.step = Step::failed;
  scan.fault = fault;
  return at;
}

constexpr bool is_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'u': return true;
    default: return false;
  }
}

constexpr bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Over whole escapes, as long as one follows another.
const char* escape_run(const char* at, const char* end) {
  for (; end - at >= static_cast<std::ptrdiff_t>(simd::kBlock); at += 12) {  // two of \uXXXX at once
    const auto block = simd::Block::load(at);
    const auto hex = block.within('0', '9') | (block | simd::Block::of(' ')).within('a', 'f');
    constexpr std::uint32_t kDigits = 0xF3C;
    constexpr std::uint32_t kSlashes = 0x41;
    const bool two = (hex.bits() & kDigits) == kDigits &&
                     (block.equal_to('\\').bits() & kSlashes) == kSlashes && at[1] == 'u' && at[7] == 'u';
    if (!two) break;
  }
  while (end - at >= 6 && *at == '\\' && is_escape(at[1])) {
    if (at[1] == 'u' && !std::all_of(at + 2, at + 6, is_hex)) break;
    at += at[1] == 'u' ? 6 : 2;
  }
  return at;
}

}  // namespace

const char* advance(StringScan& scan, const char* at, const char* end) {
  using Phase = StringScan::Phase;
  int runs = 0;
  while (true) {
    if (scan.phase == Phase::plain) at = plain_run(at, end);
    if (at == end) return at;
    const char c = *at;
    const auto byte = static_cast<unsigned char>(c);
    switch (scan.phase) {
      case Phase::plain:
        if (c == '"') {
          scan.step = Step::done;
          return at;
        }
        if (c == '\\') {
          scan.escaped = true;
          if (const char* after = escape_run(at, end); after != at) {
            at = after;
            continue;
          }
          scan.phase = Phase::escape;
          break;
        }
        if (byte < 0x20) return fail(scan, at, kControl);
        if (const char* after = ++runs > kFewRuns ? json_text_run(at, end) : three_byte_run(at, end);
            after != at) {
          at = after;
          continue;
        }
        scan.tail = utf8_tail(byte);
        if (scan.tail.due == 0) return fail(scan, at, kUtf8);
        scan.phase = Phase::utf8;
        break;
      case Phase::escape:
        if (!is_escape(c)) return fail(scan, at, kEscape);
        scan.phase = c == 'u' ? Phase::hex : Phase::plain;
        scan.hex_due = 4;
        break;
      case Phase::hex:
        if (!is_hex(c)) return fail(scan, at, kEscape);
        if (--scan.hex_due == 0) scan.phase = Phase::plain;
        break;
      case Phase::utf8:
        if (byte < scan.tail.low || byte > scan.tail.high) return fail(scan, at, kUtf8);
        scan.tail = {static_cast<std::uint8_t>(scan.tail.due - 1), 0x80, 0xBF};
        if (scan.tail.due == 0) scan.phase = Phase::plain;
        break;
    }
    ++at;
  }
}

const char* advance(NumberScan& scan, const char* at, const char* end) {
  using Phase = NumberScan::Phase;
  for (; at != end; ++at) {
    if (scan.complete() && scan.phase != Phase::zero) {
      while (at != end && is_digit(*at)) ++at;
      if (at == end) return at;
    }
    const char c = *at;
    const bool digit = is_digit(c);
    const bool mark = c == 'e' || c == 'E';
    switch (scan.phase) {
      case Phase::start:
        if (c == '-') {
          scan.phase = Phase::sign;
          continue;
        }
        [[fallthrough]];
      case Phase::sign:
        if (!digit) return at;
        scan.phase = c == '0' ? Phase::zero : Phase::whole;
        continue;
      case Phase::whole:
      case Phase::zero:
        if (c != '.' && !mark) return at;
        scan.phase = mark ? Phase::mark : Phase::point;
        continue;
      case Phase::point:
        if (!digit) return at;
        scan.phase = Phase::fraction;
        continue;
      case Phase::fraction:
        if (!mark) return at;
        scan.phase = Phase::mark;
        continue;
      case Phase::mark:
        if (c == '+' || c == '-') {
          scan.phase = Phase::mark_sign;
          continue;
        }
        [[fallthrough]];
      case Phase::mark_sign:
      case Phase::exponent:
        if (!digit) return at;
        scan.phase = Phase::exponent;
        continue;
    }
  }
  return at;
}

const char* advance(LiteralRest& rest, const char* at, const char* end) {
  while (at != end && !rest.empty() && *at == rest.front()) {
    rest.remove_prefix(1);
    ++at;
  }
  return at;
}

std::string_view whole_prefix(std::string_view raw) {
  raw = raw.substr(0, utf8_whole(raw));
  // The last backslash that could leave an escape open is at most five bytes back: \uXXX.
  const std::size_t window = std::min<std::size_t>(raw.size(), 5);
  const std::size_t in_window = raw.substr(raw.size() - window).rfind('\\');
  if (in_window == std::string_view::npos) return raw;
  const std::size_t slash = raw.size() - window + in_window;
  // It begins an escape unless it is itself escaped: an even number of backslashes before it.
  std::size_t before = slash;
  while (before > 0 && raw[before - 1] == '\\') --before;
  if ((slash - before) % 2 != 0) return raw;
  const std::size_t have = raw.size() - slash;
  const std::size_t need = have > 1 && raw[slash + 1] == 'u' ? 6 : 2;
  return have < need ? raw.substr(0, slash) : raw;
}

}  // namespace shunt::json::lex
