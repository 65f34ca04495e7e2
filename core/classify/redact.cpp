// Redaction by runs of ASCII: each run between spaces, quotes and brackets is judged alone. It
// hides too much rather than too little.
#include "classify/redact.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace shunt::classify {
namespace {

constexpr std::string_view kHiddenKey = "[key]";
constexpr std::string_view kHiddenHost = "[host]";
constexpr std::string_view kHiddenPerson = "[email]";

constexpr bool is_word(char c) { return is_alpha(c) || is_digit(c); }

constexpr bool is_run(char c) {
  return is_word(c) || std::string_view("-_.@:/+=~%?&*#").find(c) != std::string_view::npos;
}

constexpr bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Beginnings of providers' keys and of JSON web tokens.
bool has_key_prefix(std::string_view run) {
  constexpr std::array<std::string_view, 17> kPrefixes = {"sk-",  "sk_",  "pk-",   "rk-",    "AIza", "gsk_",
                                                          "xai-", "AKIA", "ASIA",  "ak-",    "hf_",  "r8_",
                                                          "ghp_", "eyJ",  "ya29.", "nvapi-", "pplx-"};
  constexpr std::size_t kShortest = 8;  // "sk-1" in an example is no key
  return run.size() >= kShortest &&
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return run.starts_with(prefix); });
}

// An unbroken piece of 20 letters and digits, or of 16 hexadecimal digits: no word and no model
// name is like that.
bool has_long_token(std::string_view run) {
  constexpr std::size_t kMixed = 20;
  constexpr std::size_t kHex = 16;
  std::size_t length = 0;
  bool digits = false;
  bool letters = false;
  bool hex = true;
  for (const char c : run) {
    if (!is_word(c)) {
      length = 0;
      digits = letters = false;
      hex = true;
      continue;
    }
    ++length;
    digits = digits || is_digit(c);
    letters = letters || is_alpha(c);
    hex = hex && is_hex(c);
    if ((length >= kMixed && digits && letters) || (length >= kHex && hex && digits && letters)) return true;
  }
  return false;
}

bool names_a_secret(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames = {"key",      "token",         "secret",
                                                      "password", "authorization", "signature"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view part) { return contains_fold(name, part); });
}

bool is_ipv4(std::string_view host) {
  int parts = 0;
  while (!host.empty() || parts == 0) {
    const auto part = parse_uint(cut(host, '.'));
    if (!part || *part > 255) return false;
    ++parts;
  }
  return parts == 4;
}

bool is_ipv6(std::string_view host) {
  const auto colons = std::count(host.begin(), host.end(), ':');
  return colons >= 2 &&
         std::all_of(host.begin(), host.end(), [](char c) { return is_hex(c) || c == ':' || c == '.'; }) &&
         (colons >= 4 || host.find("::") != std::string_view::npos);
}

// Addresses and names that only mean something inside somebody's network.
bool is_hidden_host(std::string_view host) {
  if (is_ipv6(host)) return true;
  host = host.substr(0, host.find(':'));
  host = host.substr(0, host.find('/'));
  constexpr std::array<std::string_view, 8> kInside = {".internal", ".local",    ".svc",       ".lan",
                                                       ".corp",     ".intranet", ".home.arpa", ".consul"};
  return equal_fold(host, "localhost") || is_ipv4(host) ||
         std::any_of(kInside.begin(), kInside.end(),
                     [&](std::string_view end) { return to_lower(host).ends_with(end); });
}

void hide_run(std::string_view run, std::string& out);

// Scheme, host and path stay; user names, queries and fragments go.
void hide_url(std::string_view url, std::size_t scheme_end, std::string& out) {
  std::string_view rest = url.substr(scheme_end);
  rest = rest.substr(0, rest.find_first_of("?#"));
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view host = rest.substr(0, slash);
  if (const std::size_t at = host.rfind('@'); at != std::string_view::npos) host.remove_prefix(at + 1);
  out += url.substr(0, scheme_end);
  out += is_hidden_host(host) ? kHiddenHost : host;
  std::string_view path = rest.substr(slash);
  while (!path.empty()) {
    out += '/';
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view step = path.substr(0, end);
    out += has_key_prefix(step) || has_long_token(step) ? kHiddenKey : step;
    path.remove_prefix(end);
  }
}

void hide_run(std::string_view run, std::string& out) {
  if (const std::size_t scheme = run.find("://"); scheme != std::string_view::npos)
    return hide_url(run, scheme + 3, out);
  const std::size_t at = run.find('@');
  if (at != std::string_view::npos && at > 0 && run.find('.', at) != std::string_view::npos) {
    out += kHiddenPerson;
    return;
  }
  if (is_hidden_host(run)) {
    out += kHiddenHost;
    return;
  }
  if (const std::size_t sign = run.find_first_of("=:"); sign != std::string_view::npos && sign > 0) {
    const std::string_view name = run.substr(0, sign);
    const std::string_view value = run.substr(sign + 1);
    hide_run(name, out);
    out += run[sign];
    if (!value.empty() && names_a_secret(name))
      out += kHiddenKey;
    else
      hide_run(value, out);
    return;
  }
  out += has_key_prefix(run) || has_long_token(run) ? kHiddenKey : run;
}

// At most `most` bytes, not ending inside a character.
void shorten(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  constexpr std::string_view kEllipsis = "…";
  std::size_t end = most - kEllipsis.size();
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
  text += kEllipsis;
}

}  // namespace

std::string redacted(std::string_view text) {
  constexpr std::size_t kRead = 4 * kShownBytes;  // what is hidden is longer than what stands for it
  std::string out;
  text = trim(text);
  bool secret_next = false;  // "Bearer x", "api key: x"
  for (std::size_t at = 0; at < text.size() && at < kRead;) {
    const char c = text[at];
    if (!is_run(c)) {
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_run(text[end])) ++end;
    std::size_t last = end;  // punctuation at the end belongs to the sentence
    while (last > at && std::string_view(".:?#&=").find(text[last - 1]) != std::string_view::npos) --last;
    const std::string_view run = text.substr(at, last - at);
    if (secret_next && !run.empty())
      out += kHiddenKey;
    else
      hide_run(run, out);
    secret_next = equal_fold(run, "bearer") || equal_fold(run, "basic");
    out += text.substr(last, end - last);
    at = end;
  }
  shorten(out, kShownBytes);
  return out;
}

}  // namespace shunt::classify
