// Quoting and its exception: what looks like a secret is counted, not shown. Heuristics err on the side of
// hiding.
#include "config/shown.h"

#include <algorithm>
#include <cstddef>

#include "base/strings.h"

namespace shunt::config {
namespace {

// Prefixes that providers give their keys.
constexpr std::string_view kPrefixes =
    "sk-,sk_,pk-,rk-,gsk_,xai-,AIza,hf_,AKIA,ASIA,pplx-,fw_,nvapi-,r8_,csk-,tgp_,ghp_,github_pat_,glpat-,"
    "ya29.,eyJ,Bearer ,bearer ,Basic ,bce-v3/";

struct Mix {
  bool lower = false, upper = false, digit = false;
  bool hex = true;
  std::size_t length = 0;

  void add(char c) {
    lower |= c >= 'a' && c <= 'z';
    upper |= c >= 'A' && c <= 'Z';
    digit |= is_digit(c);
    hex = hex && (is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
    ++length;
  }
};

// A run without word breaks, as words are written in names: long, with letters and digits mixed.
bool random_run(std::string_view text, std::size_t least) {
  Mix mix;
  const auto is_random = [&] {
    return mix.length >= least && mix.digit &&
           ((mix.lower && mix.upper) || (mix.hex && (mix.lower || mix.upper)));
  };
  for (const char c : text) {
    if (is_alpha(c) || is_digit(c)) {
      mix.add(c);
      continue;
    }
    if (is_random()) return true;
    mix = {};
  }
  return is_random();
}

bool key_prefix(std::string_view text, std::size_t least) {
  if (text.size() < least) return false;
  for (std::string_view rest = kPrefixes; !rest.empty();) {
    if (text.starts_with(cut(rest, ','))) return true;
  }
  return false;
}

constexpr std::size_t kShownBytes = 60;

}  // namespace

bool looks_secret(std::string_view text) { return key_prefix(text, 16) || random_run(text, 24); }

bool looks_like_key_value(std::string_view text) { return key_prefix(text, 8) || random_run(text, 16); }

std::string shown(std::string_view text) {
  std::string out;
  if (looks_secret(text)) {
    out += '(';
    append_uint(out, text.size());
    out += " characters, not shown)";
    return out;
  }
  std::size_t length = std::min(text.size(), kShownBytes);
  while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
    --length;
  for (const char c : text.substr(0, length)) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    out += control ? '?' : c;
  }
  if (length < text.size()) out += "…";
  return out;
}

std::string quoted(const std::string& text) {
  const bool secret = looks_secret(text);
  std::string out = secret ? "a string " : "\"";
  out += shown(text);
  if (!secret) out += '"';
  return out;
}

}  // namespace shunt::config
