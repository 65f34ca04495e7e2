// Redaction by runs of ASCII: each run between spaces, quotes and brackets is judged alone. What is quoted
// and more than one word may be an echoed prompt and goes. It hides too much rather than too little.
#include "classify/redact.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"
#include "classify/secrets.h"

namespace shunt::classify {
namespace {

constexpr std::size_t kRead = 4 * kShownBytes;  // what is hidden is longer than what stands for it
constexpr std::string_view kHiddenKey = "[key]";
constexpr std::string_view kHiddenHost = "[host]";
constexpr std::string_view kHiddenPerson = "[email]";
constexpr std::string_view kEllipsis = "…";

constexpr bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
// A loop the compiler unrolls: the sets are short, and this is asked for every character.
constexpr bool is_any_of(char c, std::string_view set) {
  for (const char one : set) {
    if (one == c) return true;
  }
  return false;
}

// What a character is to a run: 0 ends it, kName may stand in one name or number, kSign parts several.
enum RunCharacter : std::uint8_t { kName = 1, kSign = 2 };
constexpr std::array<std::uint8_t, 256> kRunCharacters = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c) {
    const char character = static_cast<char>(c);
    const bool name = is_word(character) || is_any_of(character, "-_+~*");
    table[c] = name ? kName : is_any_of(character, ".@:/=%?&#") ? kSign : 0;
  }
  return table;
}();
constexpr std::uint8_t run_character(char c) { return kRunCharacters[static_cast<unsigned char>(c)]; }
constexpr bool is_run(char c) { return run_character(c) != 0; }

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

bool ends_fold(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && equal_fold(text.substr(text.size() - end.size()), end);
}

// "ip-10-0-0-5"
bool is_local_name(std::string_view host) {
  return equal_fold(host, "localhost") ||
         (host.size() > 3 && host[2] == '-' && equal_fold(host.substr(0, 2), "ip") && is_digit(host[3]));
}

// Addresses and names that only mean something inside somebody's network.
bool is_hidden_host(std::string_view host) {
  if (is_ipv6(host)) return true;
  host = host.substr(0, host.find_first_of(":/"));
  while (host.ends_with('-') || host.ends_with('.')) host.remove_suffix(1);  // "10.0.0.5:80->10.0.0.6:443"
  if (is_local_name(host)) return true;
  if (host.find('.') == std::string_view::npos) return false;
  return is_digit(host.front())
             ? is_ipv4(host)
             : any_of_list(".internal|.local|.svc|.lan|.corp|.intranet|.home.arpa|.consul|.localdomain",
                           [host](std::string_view end) { return ends_fold(host, end); });
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
  if (std::none_of(run.begin(), run.end(), [](char c) { return run_character(c) == kSign; })) {
    out += is_secret(run) ? kHiddenKey : is_local_name(run) ? kHiddenHost : run;
    return;
  }
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

// Reads a text once, from left to right. What stays as it is is copied when something else follows it.
class Redactor {
 public:
  explicit Redactor(std::string_view text) : text_(text) { out_.reserve(2 * kShownBytes); }

  std::string take() {
    while (at_ < text_.size() && at_ < kRead && out_.size() + (at_ - kept_) <= kShownBytes) {
      if (text_[at_] == ' ') {
        ++at_;  // announces nothing, ends nothing
      } else if (is_run(text_[at_])) {
        run();
      } else if (!quoted()) {
        other();
      }
    }
    keep(at_);
    shorten(out_, kShownBytes);
    return std::move(out_);
  }

 private:
  // Everything before `end` has been shown.
  void keep(std::size_t end) {
    out_ += text_.substr(kept_, end - kept_);
    kept_ = end;
  }

  // What announces a secret: a scheme of authorization, or a name and a sign between it and its value.
  enum class Announced : std::uint8_t { nothing, named, scheme, value };

  // Quoted text of more than one word, or in a script without spaces, goes; a name stays.
  bool quoted() {
    const char first = text_[at_];
    if (at_ == name_end_ || (is_ascii(first) && !is_any_of(first, "\"`'"))) return false;
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
      keep(from);
      out_ += kEllipsis;
      kept_ = std::min(end, text_.size());
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
    const char c = text_[at_];
    if (is_ascii(c) && (c < 0x20 || c == 0x7F)) {
      keep(at_);
      out_ += ' ';
      ++kept_;
    }
    ++at_;
    if (c == '\\' && at_ < text_.size() && is_any_of(text_[at_], "nrt")) ++at_;
    if (!is_any_of(c, " \"'\\")) announced_ = Announced::nothing;
  }

  void run() {
    const std::size_t from = at_;
    const std::uint32_t letters = plain_word();
    if (letters != 0 && announced_ == Announced::nothing) {
      const std::string_view word = text_.substr(from, at_ - from);
      if (may_name_a_secret(letters) || equal_fold(word, "bearer")) announce(word, "");
      return;
    }
    while (at_ < text_.size() && is_run(text_[at_])) ++at_;
    std::size_t last = at_;  // punctuation at the end belongs to the sentence
    while (last > from && is_any_of(text_[last - 1], ".:?#&=")) --last;
    const std::string_view word = text_.substr(from, last - from);
    const std::string_view signs = text_.substr(last, at_ - last);
    keep(from);
    kept_ = last;
    if (!word.empty() && is_announced(word)) {
      out_ += kHiddenKey;
    } else {
      hide_run(word, out_);
    }
    announce(word, signs);
  }

  // A word as most of a sentence is: short, small letters but for the first, and nothing of a run behind it.
  // Steps over it and returns its letters, a bit each; 0: there is none, and nothing was done.
  std::uint32_t plain_word() {
    constexpr std::size_t kShort = 15;
    constexpr std::string_view kLocal = "localhost";
    std::uint32_t letters = letter_bit(text_[at_]);
    std::size_t end = at_ + 1;
    for (; end < text_.size() && is_small(text_[end]); ++end) letters |= letter_bit(text_[end]);
    const bool plain = is_alpha(text_[at_]) && end - at_ <= kShort &&
                       (end == text_.size() || !is_run(text_[end])) &&
                       (end - at_ != kLocal.size() || !equal_fold(text_.substr(at_, end - at_), kLocal));
    if (!plain) return 0;
    at_ = end;
    return letters;
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
  std::size_t kept_ = 0;      // everything before has been shown
  std::size_t name_end_ = 0;  // where the quotes around a name close
  std::string out_;
  Announced announced_ = Announced::nothing;
};

}  // namespace

std::string redacted(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  append_replacing(clean, trim(text).substr(0, 2 * kRead));
  return Redactor(clean).take();
}

}  // namespace shunt::classify
