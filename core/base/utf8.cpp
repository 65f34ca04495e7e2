// UTF-8: checking, cutting and mending.
#include "base/utf8.h"

#include <bit>
#include <cstring>

#include "base/simd.h"
#include "base/utf8_run.h"

namespace shunt {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the longest prefix that is ASCII.
std::size_t ascii_run(std::string_view text) {
  std::size_t at = 0;
  for (; at + simd::kBlock <= text.size(); at += simd::kBlock) {
    const std::uint32_t highs = simd::Block::load(text.data() + at).bits();
    if (highs != 0) return at + static_cast<std::size_t>(std::countr_zero(highs));
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

// Length of a prefix that is well formed and needs no closer look: ASCII, then characters of three bytes.
std::size_t plain_run(std::string_view text) {
  const char* const from = text.data() + ascii_run(text);
  return static_cast<std::size_t>(three_byte_run(from, text.data() + text.size()) - text.data());
}

const char* run(const char* at, const char* end, bool in_json) { return utf8_run(at, end, in_json); }

// Length of a prefix that is well formed, up to the first character that is not or is cut short.
std::size_t well_formed(std::string_view text) {
  return static_cast<std::size_t>(run(text.data(), text.data() + text.size(), false) - text.data());
}

// Bytes at the start of `text` (not empty) that belong together: a whole character, or the maximal part of
// one.
struct Part {
  std::size_t size = 1;
  bool whole = false;
  bool cut_short = false;  // the text ended before the character did
};

Part first_part(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {1, true, false};
  Utf8Tail tail = utf8_tail(lead);
  if (tail.due == 0) return {};
  for (std::size_t i = 1; i <= tail.due; ++i) {
    if (i == text.size()) return {i, false, true};
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < tail.low || byte > tail.high) return {i, false, false};
    tail.low = 0x80;
    tail.high = 0xBF;
  }
  return {static_cast<std::size_t>(tail.due) + 1, true, false};
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const Part part = first_part(text);
  return part.whole ? part.size : 0;
}

const char* three_byte_run(const char* at, const char* end) {
  // Bits that tell what must follow: E0 wants A0..BF next, ED wants 80..9F.
  const auto well = [](std::uint64_t bounds) { return bounds != 0 && bounds != 0x200DU; };
  constexpr std::uint64_t kBounds = 0x200FU;
  while (end - at >= 8) {  // two characters at once
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    const bool shape = (word & 0xC0C0F0C0C0F0U) == 0x8080E08080E0U;
    if (!shape || !well(word & kBounds) || !well(word >> 24U & kBounds)) break;
    at += 6;
  }
  std::uint32_t word = 0;
  if (end - at < 4) return at;
  std::memcpy(&word, at, sizeof word);
  return (word & 0xC0C0F0U) == 0x8080E0U && well(word & kBounds) ? at + 3 : at;
}

bool valid_utf8(std::string_view text) {
  text.remove_prefix(plain_run(text));  // most texts end here, or soon
  return well_formed(text) == text.size();
}

const char* json_text_run(const char* at, const char* end) { return run(at, end, true); }

std::size_t utf8_whole(std::string_view text) {
  // An unfinished sequence has at most three bytes, so its lead is among the last three.
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const std::size_t at = text.size() - back;
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x80 && byte < 0xC0) continue;
    return byte >= 0x80 && first_part(text.substr(at)).cut_short ? at : text.size();
  }
  return text.size();
}

std::size_t append_replacing(std::string& out, std::string_view text, bool last) {
  std::size_t copied = 0;  // text[copied, at) is well formed and waits to be copied in one go
  std::size_t at = 0;
  while (at < text.size()) {
    at += well_formed(text.substr(at));
    if (at == text.size()) break;
    const Part part = first_part(text.substr(at));
    if (!part.whole) {
      out.append(text.substr(copied, at - copied));
      if (part.cut_short && !last) return at;
      out.append(kReplacement);
      copied = at + part.size;
    }
    at += part.size;
  }
  out.append(text.substr(copied));
  return text.size();
}

}  // namespace shunt
