// Redaction by runs of ASCII: each run between spaces, quotes and brackets is judged alone, by whom it begins
// like, by what it is called, and by how random it looks. What is quoted and more than one word may be an
// echoed prompt and goes. It hides too much rather than too little.
#include "classify/redact.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"

namespace shunt::classify {
namespace {

constexpr std::size_t kRead = 4 * kShownBytes;  // what is hidden is longer than what stands for it
constexpr std::string_view kHiddenKey = "[key]";
constexpr std::string_view kHiddenHost = "[host]";
constexpr std::string_view kHiddenPerson = "[email]";
constexpr std::string_view kEllipsis = "…";

constexpr bool is_word(char c) { return is_alpha(c) || is_digit(c); }
constexpr bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_small(char c) { return is_alpha(c) && !is_capital(c); }
constexpr bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
constexpr bool is_any_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }
constexpr bool is_run(char c) { return is_word(c) || is_any_of(c, "-_.@:/+=~%?&*#"); }

template <typename Accept>
bool any_of_list(std::string_view list, Accept accept) {
  while (!list.empty()) {
    if (accept(cut(list, '|'))) return true;
  }
  return false;
}

// Beginnings of providers' keys and of JSON web tokens, anywhere in a run where a word begins.
bool has_key_prefix(std::string_view run) {
  constexpr std::string_view kPrefixes =
      "sk-|sk_|pk-|rk-|ak-|csk-|pa-|tgp_|AIza|AQ.|gsk_|xai-|AKIA|ASIA|AKID|AKLT|LTAI|ALTAK|hf_|r8_|fw_|key_|"
      "vda_|ghp_|gho_|github_pat_|eyJ|ya29.|nvapi-|pplx-";
  constexpr std::size_t kShortest = 8;  // "sk-1" in an example is no key
  return any_of_list(kPrefixes, [run](std::string_view prefix) {
    for (std::size_t at = run.find(prefix); at != std::string_view::npos; at = run.find(prefix, at + 1)) {
      const bool begins = at == 0 || !is_word(run[at - 1]) || (at >= 3 && run[at - 3] == '%');
      if (begins && run.size() - at >= kShortest) return true;
    }
    return false;
  });
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

// Base64 broken by its own '/', '+', '-' and '_', and UUIDs, which some providers hand out as keys. Random
// letters change between small, capital and digit at almost every second place; the most restless names of
// models ("Qwen3-235B-A22B-Instruct-2507-FP8") and of quotas ("…RequestsPerDayPerProjectPerModel") far less.
bool looks_random(std::string_view run) {
  constexpr std::size_t kShortest = 24;
  constexpr std::size_t kUuid = 32;
  if (run.size() < kShortest) return false;
  std::size_t changes = 0;
  bool small = false;
  bool capital = false;
  bool digit = false;
  char before = '-';
  for (std::size_t at = 0; at + 1 < run.size(); ++at) {
    const char c = run[at];
    const char next = run[at + 1];
    small = small || is_small(c);
    capital = capital || is_capital(c);
    digit = digit || is_digit(c);
    const bool odd = is_digit(c)     ? is_alpha(next)
                     : is_small(c)   ? is_digit(next) || is_capital(next)
                     : is_capital(c) ? is_digit(next) || (is_capital(before) && is_small(next))
                                     : false;
    changes += odd ? 1 : 0;
    before = c;
  }
  if (small && capital && changes * (digit ? 6 : 5) >= run.size()) return true;
  const auto hex = static_cast<std::size_t>(std::count_if(run.begin(), run.end(), is_hex));
  return hex >= kUuid && std::all_of(run.begin(), run.end(), [](char c) { return is_hex(c) || c == '-'; });
}

bool is_secret(std::string_view run) {
  return has_key_prefix(run) || has_long_token(run) || looks_random(run);
}

// "max_tokens" names an amount.
bool names_a_secret(std::string_view name) {
  return !contains_fold(name, "tokens") &&
         any_of_list("key|token|secret|password|authorization|signature|credential|cookie",
                     [name](std::string_view part) { return contains_fold(name, part); });
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
  host = host.substr(0, host.find_first_of(":/"));
  while (host.ends_with('-') || host.ends_with('.')) host.remove_suffix(1);  // "10.0.0.5:80->10.0.0.6:443"
  const std::string name = to_lower(host);
  return name == "localhost" || is_ipv4(name) ||
         (name.starts_with("ip-") && name.size() > 3 && is_digit(name[3])) ||
         any_of_list(".internal|.local|.svc|.lan|.corp|.intranet|.home.arpa|.consul|.localdomain",
                     [&name](std::string_view end) { return std::string_view(name).ends_with(end); });
}

// Scheme, host and path stay; user names, queries and fragments go. A host of one word is somebody's own.
void hide_url(std::string_view url, std::size_t scheme_end, std::string& out) {
  std::string_view rest = url.substr(scheme_end);
  rest = rest.substr(0, rest.find_first_of("?#&"));
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view host = rest.substr(0, slash);
  if (const std::size_t at = host.rfind('@'); at != std::string_view::npos) host.remove_prefix(at + 1);
  const bool bare = !host.empty() && host.find('.') == std::string_view::npos;
  out += url.substr(0, scheme_end);
  out += bare || is_hidden_host(host) ? kHiddenHost : host;
  std::string_view path = rest.substr(slash);
  while (!path.empty()) {
    out += '/';
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view step = path.substr(0, end);
    out += is_secret(step) ? kHiddenKey : step;
    path.remove_prefix(end);
  }
}

void hide_run(std::string_view run, std::string& out) {
  if (const std::size_t scheme = run.find("://"); scheme != std::string_view::npos)
    return hide_url(run, scheme + 3, out);
  // The query of an address without its scheme may be signed.
  if (const std::size_t query = run.find('?');
      run.find('=', std::min(query, run.size())) != std::string_view::npos)
    run = run.substr(0, query);
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
  if (is_secret(run)) {
    out += kHiddenKey;
    return;
  }
  if (const std::size_t sign = run.find_first_of("/&#"); sign != std::string_view::npos) {
    hide_run(run.substr(0, sign), out);
    out += run[sign];
    return hide_run(run.substr(sign + 1), out);
  }
  out += run;
}

// At most `most` bytes, not ending inside a character.
void shorten(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  std::size_t end = most - kEllipsis.size();
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
  text += kEllipsis;
}

// Reads a text once, from left to right.
class Redactor {
 public:
  explicit Redactor(std::string_view text) : text_(text) {}

  std::string take() {
    while (at_ < text_.size() && at_ < kRead) {
      if (is_run(text_[at_])) {
        run();
      } else if (!quoted()) {
        other();
      }
    }
    shorten(out_, kShownBytes);
    return std::move(out_);
  }

 private:
  // What announces a secret: a scheme of authorization, or a name and a sign between it and its value.
  enum class Announced : std::uint8_t { nothing, named, scheme, value };

  // Quoted text of more than one word, or in a script without spaces, goes; a name stays.
  bool quoted() {
    if (at_ == name_end_) return false;
    struct Pair {
      std::string_view opens, closes;
    };
    constexpr std::array<Pair, 6> kPairs = {
        {{"\"", "\""}, {"`", "`"}, {"'", "'"}, {"“", "”"}, {"「", "」"}, {"『", "』"}}};
    const std::string_view rest = text_.substr(at_);
    for (const Pair& pair : kPairs) {
      if (!rest.starts_with(pair.opens)) continue;
      if (pair.opens == "'" && at_ > 0 && is_word(text_[at_ - 1])) return false;
      const std::size_t from = at_ + pair.opens.size();
      const std::size_t end = closing(pair.closes, from);
      if (end >= text_.size() && pair.opens == "'") return false;  // an apostrophe
      const std::string_view inside = text_.substr(from, end - from);
      const bool name =
          std::all_of(inside.begin(), inside.end(), [](char c) { return is_ascii(c) && c > ' '; });
      if (name) {
        name_end_ = end;
        return false;
      }
      out_ += pair.opens;
      out_ += kEllipsis;
      out_ += text_.substr(end, pair.closes.size());
      at_ = std::min(end + pair.closes.size(), text_.size());
      announced_ = Announced::nothing;
      return true;
    }
    return false;
  }

  std::size_t closing(std::string_view mark, std::size_t from) const {
    const bool escaped = at_ > 0 && text_[at_ - 1] == '\\';
    for (std::size_t end = text_.find(mark, from); end != std::string_view::npos;
         end = text_.find(mark, end + 1)) {
      const bool inside = mark == "'" && end + 1 < text_.size() && is_word(text_[end + 1]);
      if (!inside && (escaped || text_[end - 1] != '\\')) return end;
    }
    return text_.size();
  }

  // Between runs. Behind a backslash stands an escape, not the first letter of a word.
  void other() {
    const char c = text_[at_++];
    out_ += is_ascii(c) && (c < 0x20 || c == 0x7F) ? ' ' : c;
    if (c == '\\' && at_ < text_.size() && is_any_of(text_[at_], "nrt")) out_ += text_[at_++];
    if (!is_any_of(c, " \"'\\")) announced_ = Announced::nothing;
  }

  void run() {
    std::size_t end = at_;
    while (end < text_.size() && is_run(text_[end])) ++end;
    std::size_t last = end;  // punctuation at the end belongs to the sentence
    while (last > at_ && is_any_of(text_[last - 1], ".:?#&=")) --last;
    const std::string_view word = text_.substr(at_, last - at_);
    const std::string_view signs = text_.substr(last, end - last);
    if (!word.empty() && is_announced(word)) {
      out_ += kHiddenKey;
    } else {
      hide_run(word, out_);
    }
    out_ += signs;
    at_ = end;
    announce(word, signs);
  }

  bool is_announced(std::string_view word) const {
    const bool plain = std::all_of(word.begin(), word.end(), is_small);
    switch (announced_) {
      case Announced::nothing:
      case Announced::named: return false;
      case Announced::scheme: return !equal_fold(word, "token") && !equal_fold(word, "authentication");
      case Announced::value: return !plain && !equal_fold(word, "bearer") && !equal_fold(word, "basic");
    }
    return false;
  }

  void announce(std::string_view word, std::string_view signs) {
    const bool sign = is_any_of(':', signs) || is_any_of('=', signs);
    if (equal_fold(word, "bearer") || (equal_fold(word, "basic") && announced_ == Announced::value)) {
      announced_ = Announced::scheme;
    } else if (!word.empty() && names_a_secret(word)) {
      announced_ = sign ? Announced::value : Announced::named;
    } else if (word.empty() && sign && announced_ == Announced::named) {
      announced_ = Announced::value;
    } else {
      announced_ = Announced::nothing;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t name_end_ = 0;  // where the quotes around a name close
  std::string out_;
  Announced announced_ = Announced::nothing;
};

}  // namespace

std::string redacted(std::string_view text) {
  std::string clean;
  append_replacing(clean, trim(text).substr(0, 2 * kRead));
  return Redactor(clean).take();
}

}  // namespace shunt::classify
