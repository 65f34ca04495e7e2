// Redaction by runs of ASCII: each run between spaces, quotes and brackets is judged alone. What is quoted
// and more than one word may be an echoed prompt and goes. It hides too much rather than too little.
#include "classify/redact.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/simd.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "classify/prose.h"
#include "classify/run.h"
#include "classify/secrets.h"

namespace shunt::classify {
namespace {

constexpr std::size_t kRead = 4 * kShownBytes;       // what is hidden is longer than what stands for it
constexpr std::size_t kRunRead = kShownBytes + 100;  // of a run: no key is known by more; what follows goes
constexpr std::size_t kAtOnce = kShownBytes + 2 * simd::kBlock;
constexpr std::string_view kEllipsis = "…";

// The first byte of a Chinese character, which has three.
constexpr bool is_han(char c) { return c >= '\xE4' && c <= '\xE9'; }
constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

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
    const std::size_t end = std::min(text_.size(), kRead);
    while (at_ < end && out_.size() + (at_ - kept_) <= kShownBytes) {
      const char c = text_.data()[at_];
      if (is_run(c)) {
        if (!prose(end)) run();
        if (at_ >= end || text_.data()[at_] != ' ') continue;
        ++at_;  // announces nothing, ends nothing
      } else if (c == ' ') {
        ++at_;
      } else if (is_han(c)) {
        while (at_ < end && is_han(text_.data()[at_])) at_ += 3;
        announced_ = Announced::nothing;
      } else if (!may_open(c) || !quoted()) {
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

  // The first byte of a mark of quotation, and of other characters in Chinese.
  static constexpr bool may_open(char c) {
    return c == '"' || c == '`' || c == '\'' || c == '\xE2' || c == '\xE3';
  }

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
      keep(from);
      out_ += kEllipsis;
      kept_ = std::min(end, text_.size());
      at_ = std::min(end + pair.closes.size(), text_.size());
      announced_ = Announced::nothing;
      return true;
    }
    return false;
  }

  // An apostrophe that closes nothing is met again and again: what it would be closed by is remembered.
  std::size_t closing(std::string_view mark, std::size_t from) {
    const bool escaped = at_ > 0 && text_[at_ - 1] == '\\';
    const bool single = mark == "'";
    std::size_t& known = quote_end_[escaped ? 1 : 0];
    if (single && known >= from) return known;
    std::size_t end = text_.find(mark, from);
    for (; end != std::string_view::npos; end = text_.find(mark, end + 1)) {
      const bool inside = single && end + 1 < text_.size() && is_word(text_[end + 1]);
      if (!inside && (escaped || text_[end - 1] != '\\')) break;
    }
    end = std::min(end, text_.size());
    if (single) known = end;
    return end;
  }

  // Between runs. Behind a backslash stands an escape, not the first letter of a word.
  void other() {
    const char c = text_[at_];
    if (is_ascii(c) && (c < 0x20 || c == 0x7F)) {
      keep(at_);
      out_ += ' ';
      ++kept_;
    }
    at_ += is_ascii(c) ? 1 : std::size_t{utf8_tail(static_cast<unsigned char>(c)).due} + 1;
    if (c == '\\' && may_end_escape(at_)) ++at_;
    if (!announces_on(c)) announced_ = Announced::nothing;
  }

  // What may stand between a name and its sign, and that and its value.
  static constexpr bool announces_on(char c) { return is_one_of(c, " \"'\\"); }
  bool may_end_escape(std::size_t at) const { return at < text_.size() && is_one_of(text_[at], "nrt"); }

  // Goes over plain words. Where there were none twice, others that are none will follow.
  bool prose(std::size_t end) {
    if (announced_ != Announced::nothing || at_ < prose_from_) return false;
    const std::size_t size = prose_size(text_.substr(at_, std::min(end, kept_ + kAtOnce) - at_));
    at_ += size;
    if (size == 0 && missed_) prose_from_ = at_ + 2 * simd::kBlock;
    missed_ = size == 0;
    return size > 0;
  }

  void run() {
    const std::size_t from = at_;
    unsigned signs = 0;
    const std::size_t most = std::min(text_.size(), from + kRunRead);
    std::size_t last = from;
    for (; last < most && is_run(text_.data()[last]); ++last) signs |= run_character(text_.data()[last]);
    at_ = last;
    const bool whole = last == text_.size() || !is_run(text_.data()[last]);
    while (last > from && is_end(text_[last - 1])) --last;  // punctuation at the end belongs to the sentence
    const std::string_view word = text_.substr(from, last - from);
    const std::string_view end = whole ? text_.substr(last, at_ - last) : ":";  // it may be further on
    if (whole && is_plain_name(word, signs)) return announce(word, signs, end);
    keep(from);
    show(word, signs, whole);
    const bool more = !whole && out_.size() <= kShownBytes;
    while (more && at_ < text_.size() && is_run(text_.data()[at_])) ++at_;
    kept_ = whole ? last : at_;
    announce(word, signs, end);
  }

  // Where something of a run that was not read to its end is hidden, what is next to it might be its rest.
  void show(std::string_view word, unsigned signs, bool whole) {
    const std::size_t shown = out_.size();
    if (!is_announced(word)) {
      hide_run(word, signs, out_, kShownBytes);
      if (whole || simd::begins_with(word, std::string_view(out_).substr(shown))) return;
      out_.resize(shown);
    }
    out_ += kHiddenKey;
  }

  static constexpr bool is_end(char c) { return is_one_of(c, ".:?#&="); }

  // One that stays as it is, whoever it is: too short for a key, or of digits alone and for a random one.
  bool is_plain_name(std::string_view word, unsigned signs) const {
    const bool small = word.size() < kShortestKey ||
                       (word.size() < kShortestRandom && std::none_of(word.begin(), word.end(), is_alpha));
    return word.empty() || (small && (signs & kSigns) == 0 && !is_announced(word) && !is_local_name(word));
  }

  bool is_announced(std::string_view word) const {
    switch (announced_) {
      case Announced::nothing:
      case Announced::named: return false;
      case Announced::scheme: return !equal_fold(word, "token") && !equal_fold(word, "authentication");
      case Announced::value:
        return !std::all_of(word.begin(), word.end(), is_small) && !equal_fold(word, "bearer") &&
               !equal_fold(word, "basic");
    }
    return false;
  }

  // `signs` are those of the word and of what ends it.
  void announce(std::string_view word, unsigned signs, std::string_view end) {
    if (announced_ == Announced::nothing && (signs & kTelling) == 0) return;  // nor is it "bearer"
    const bool sign = is_one_of(':', end) || is_one_of('=', end);
    if (equal_fold(word, "bearer") || (equal_fold(word, "basic") && announced_ == Announced::value)) {
      announced_ = Announced::scheme;
    } else if ((sign || sign_follows()) && names_a_secret(word)) {
      announced_ = sign ? Announced::value : Announced::named;
    } else if (word.empty() && sign && announced_ == Announced::named) {
      announced_ = Announced::value;
    } else {
      announced_ = Announced::nothing;
    }
  }

  // Whether what could be a sign comes before the next word. A name that none follows announces nothing.
  bool sign_follows() const {
    std::size_t at = at_;
    while (at < text_.size() && announces_on(text_[at])) {
      ++at;
      if (text_[at - 1] == '\\' && may_end_escape(at)) ++at;
    }
    return at < text_.size() && is_end(text_[at]);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t kept_ = 0;                    // everything before has been shown
  std::size_t name_end_ = 0;                // where the quotes around a name close
  std::array<std::size_t, 2> quote_end_{};  // the last end of single quotes found; behind a backslash, too
  std::string out_;
  std::size_t prose_from_ = 0;  // not looked for before
  bool missed_ = false;
  Announced announced_ = Announced::nothing;
};

}  // namespace

std::string redacted(std::string_view text) {
  text = trim(text).substr(0, 2 * kRead);
  if (valid_utf8(text)) return Redactor(text).take();
  std::string clean;
  append_replacing(clean, text);
  return Redactor(clean).take();
}

}  // namespace shunt::classify
