// Where a string ends. A quote is believed by what stands around it: what follows must be able to follow a
// string of this place. What is rejected is content; when the text ends first, the best that was rejected, or
// the first delimiter that makes sense, is taken.
#include "text/string_end.h"

#include <string_view>

#include "base/strings.h"
#include "text/loose_number.h"

namespace shunt::text {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kLongestKey = 128;  // looked at when a key is sought; keys of LLM output have up to 60

// A backslash takes the next byte with it.
std::size_t step_length(std::string_view text, std::size_t at) {
  return text[at] == '\\' && at + 1 < text.size() ? 2 : 1;
}

// The comma at `at` is the last: nothing or a closing bracket follows.
bool last_comma(Source& source, std::size_t at) {
  if (source.peek(at) != ',') return false;
  const std::size_t next = skip_space(source.text, at + 1);
  source.pay(next - at);
  return next >= source.text.size() || is_one_of(source.text[next], "}]");
}

class Search {
 public:
  Search(Source& source, std::size_t begin, Quote opening, Place place)
      : source_(source), text_(source.text), begin_(begin), opening_(opening), place_(place) {}

  StringSpan run();

 private:
  enum class Verdict : std::uint8_t { end, content, before };

  Verdict judge(std::size_t at, std::size_t length);
  Verdict judge_what_follows(std::size_t at, std::size_t next);
  Verdict judge_content(std::size_t at, std::size_t next);
  bool comma_ends(std::size_t comma);
  bool lost_key_end(std::size_t at);
  bool member_ends(std::size_t quote);
  bool second_quote_ends(std::size_t next);
  bool bracket_ends(std::size_t next);
  std::size_t literal_end(std::size_t open);
  std::size_t comma_before(std::size_t at);
  std::size_t closers_before(std::size_t at);
  StringSpan without_end();
  std::size_t first_stop();
  bool stops_at(std::size_t at);
  void note_bracket(char c);
  bool opens_inner(std::size_t at, std::size_t next) const {
    return at > begin_ && (space_length(text_, at - 1) > 0 || is_one_of(text_[at - 1], "([{<=")) &&
           at + 1 == next;
  }
  StringSpan cut(std::size_t end) const { return {trimmed_end(text_, begin_, end), end, false}; }

  Source& source_;
  std::string_view text_;
  std::size_t begin_;
  Quote opening_;
  Place place_;
  int round_ = 0, square_ = 0, curly_ = 0;  // brackets opened inside the string and not closed
  bool balanced_ = false;                   // … or closed
  bool inner_ = false;                      // an inner quotation is open
  std::size_t judged_ = 0;                  // the quote being judged
  std::size_t rejected_ = kNone;            // the quote to fall back on
  std::size_t resume_ = 0;                  // behind an object that stands in the string
  std::size_t cut_ = 0;                     // with Verdict::before
};

void Search::note_bracket(char c) {
  const auto close = [this](int& count) {
    balanced_ = balanced_ || count > 0;
    count -= count > 0 ? 1 : 0;
  };
  switch (c) {
    case '(': ++round_; break;
    case '[': ++square_; break;
    case '{': ++curly_; break;
    case ')': close(round_); break;
    case ']': close(square_); break;
    case '}': close(curly_); break;
    default: break;
  }
}

StringSpan Search::run() {
  for (std::size_t at = begin_; at < text_.size();) {
    const QuoteMark mark = quote_at(text_, at);
    if (source_.purse == 0) {
      if (ends(opening_, mark.kind)) return {at, at + mark.length, true};
    } else if (ends(opening_, mark.kind)) {
      judged_ = at;
      resume_ = at + mark.length;
      switch (judge(at, mark.length)) {
        case Verdict::end: return {at, at + mark.length, true};
        case Verdict::before: return cut(cut_);
        case Verdict::content: at = resume_; continue;
      }
    } else if (opening_ == Quote::double_plain && mark.kind == Quote::double_like && rejected_ == kNone &&
               is_one_of(source_.peek(skip_space(text_, at + mark.length)), ":,}]")) {
      rejected_ = at;  // “…” inside is content, unless no straight quote ends the string
    }
    note_bracket(text_[at]);
    const std::size_t length = step_length(text_, at);
    source_.pay(1);
    at += length;
  }
  return without_end();
}

Search::Verdict Search::judge(std::size_t at, std::size_t length) {
  const std::size_t next = skip_space(text_, at + length);
  source_.pay(next - at);
  // ""value": the opening quote stands twice.
  if (at == begin_ && (is_alpha(source_.peek(next)) || (next == at + 1 && is_digit(source_.peek(next))))) {
    return Verdict::content;
  }
  return judge_what_follows(at, next);
}

Search::Verdict Search::judge_what_follows(std::size_t at, std::size_t next) {
  if (next >= text_.size()) return Verdict::end;
  const char c = text_[next];
  const bool opens = opens_inner(at, next);
  if (fence_length(text_, next) > 0) return Verdict::end;
  switch (c) {
    case ';':
    case ',': return place_ != Place::member || comma_ends(next) ? Verdict::end : judge_content(at, next);
    case ':': return place_ == Place::member && inner_ ? judge_content(at, next) : Verdict::end;
    case '=': return place_ == Place::key ? Verdict::end : judge_content(at, next);
    case ')':
    case ']':
    case '}':
      if (place_ == Place::key && lost_key_end(at)) return Verdict::before;
      return bracket_ends(next) ? Verdict::end : judge_content(at, next);
    case '+': {
      const std::size_t then = skip_space(text_, next + 1);
      const bool joins = then >= text_.size() || quote_at(text_, then).length > 0;
      return joins ? Verdict::end : judge_content(at, next);
    }
    case '[':
    case '{':
      return opens || place_ == Place::member || place_ == Place::root ? judge_content(at, next)
                                                                       : Verdict::end;
    default: break;
  }
  if (quote_at(text_, next).length > 0) {
    return (opens && place_ != Place::key) || second_quote_ends(next) ? judge_content(at, next)
                                                                      : Verdict::end;
  }
  if (is_digit(c) || (c == '-' && is_digit(source_.peek(next + 1)))) {
    return opens || inner_ ? judge_content(at, next) : Verdict::end;
  }
  const std::string_view gap = text_.substr(at, next - at);
  if (gap.find('\n') != kNone && (place_ != Place::member || key_follows(source_, next))) return Verdict::end;
  // "a" true, in a key's place; "a" b", "c" among items.
  const bool closes = !opens && !inner_;
  const bool apart = closes && gap.size() > 1;
  if (apart && (place_ == Place::item || (place_ == Place::key && is_alpha(c)))) return Verdict::end;
  if (apart && place_ == Place::member && key_follows(source_, next)) return Verdict::end;
  if (closes && rejected_ == kNone) rejected_ = at;
  return judge_content(at, next);
}

// The quote is no end. It may be the beginning of what follows a string that lacks its end.
Search::Verdict Search::judge_content(std::size_t at, std::size_t next) {
  const std::size_t comma = comma_before(at);
  if (comma != kNone) {
    cut_ = comma;
    return Verdict::before;
  }
  const std::size_t before = trimmed_end(text_, begin_, at);
  const char bracket = before > begin_ ? text_[before - 1] : '\0';
  if (bracket == '{' && place_ == Place::member) {
    const std::size_t end = literal_end(before - 1);
    if (end != kNone) {
      --curly_;
      balanced_ = true;
      resume_ = end;
      return Verdict::content;
    }
  }
  if (place_ == Place::item && is_one_of(bracket, "{[")) {  // ["a, {"b": 1}]
    cut_ = first_stop();
    if (cut_ < at) return Verdict::before;
  }
  inner_ = !inner_ && opens_inner(at, next);
  return Verdict::content;
}

// The comma or line's end that ends the string when the quote at `at` begins the next key or item: … ,"b" or
// … , b: "c".
std::size_t Search::comma_before(std::size_t at) {
  std::size_t before = trimmed_end(text_, begin_, at);
  if (before >= begin_ + 2 && text_.substr(before - 2, 2) == "*/") {  // a comment stands between
    const std::size_t open = text_.rfind("/*", before - 2);
    source_.pay(before - (open == kNone ? 0 : open));
    if (open != kNone && open >= begin_) before = trimmed_end(text_, begin_, open);
  }
  if (before <= begin_) return kNone;
  if (text_[before - 1] == '+' && text_.substr(before, at - before).find('\n') != kNone) return before - 1;
  if (text_[before - 1] == ',') {
    const std::size_t brackets = closers_before(before - 1);
    if (place_ == Place::member) return key_follows(source_, at) ? brackets : kNone;
    if (place_ == Place::key) return key_follows(source_, at) && lost_key_end(at) ? cut_ : kNone;
    if (brackets < before - 1 && key_follows(source_, at)) return brackets;
    std::size_t quote = at + 1;  // among items: what begins here must end like an item
    while (quote < text_.size() && !ends(opening_, quote_at(text_, quote).kind))
      quote += step_length(text_, quote);
    source_.pay(quote - at);
    const std::size_t then = skip_space(text_, quote + 1);
    return then >= text_.size() || is_one_of(text_[then], ",]}") ? before - 1 : kNone;
  }
  if (text_[before - 1] == ':' && place_ == Place::key) return member_ends(at) ? before - 1 : kNone;
  if (text_[before - 1] != ':' || place_ != Place::member) return kNone;
  std::size_t name = trimmed_end(text_, begin_, before - 1);
  while (name > begin_ && is_name(text_[name - 1])) --name;
  const std::size_t comma = trimmed_end(text_, begin_, name);
  source_.pay(at - comma);
  if (comma <= begin_ || name == before - 1) return kNone;
  const bool in_line = text_.substr(comma, name - comma).find('\n') == kNone;
  if ((in_line && text_[comma - 1] != ',') || !member_ends(at)) return kNone;
  return text_[comma - 1] == ',' ? comma - 1 : comma;
}

// Where the closing brackets before `at` begin that close nothing in the string: … c}], "d": 1.
std::size_t Search::closers_before(std::size_t at) {
  if (round_ + square_ + curly_ > 0 || balanced_) return at;
  std::size_t begin = at;
  while (true) {
    const std::size_t last = trimmed_end(text_, begin_, begin);
    if (last <= begin_ || !is_one_of(text_[last - 1], "}]")) return begin;
    begin = last - 1;
  }
}

// A comma behind a member's quote ends the value only when another member, or nothing, follows.
bool Search::comma_ends(std::size_t comma) {
  const std::size_t next = skip_space(text_, comma + 1);
  source_.pay(next - comma);
  if (next >= text_.size() || is_one_of(text_[next], ",{[")) return true;
  if (is_one_of(text_[next], "}]")) return bracket_ends(next);
  return ellipsis_length(text_, next) > 0 || key_follows(source_, next);
}

// {"a:"b"}: what looks like a key has its colon and value inside.
bool Search::lost_key_end(std::size_t at) {
  const std::size_t colon = text_.substr(0, at).find(':', begin_);
  source_.pay(at - begin_);
  if (colon == kNone) return false;
  cut_ = colon;
  return true;
}

// The string that the quote at `quote` begins ends as a member's value does.
bool Search::member_ends(std::size_t quote) {
  std::size_t at = quote + quote_at(text_, quote).length;
  while (at < text_.size() && !ends(opening_, quote_at(text_, at).kind)) at += step_length(text_, at);
  source_.pay(at - quote);
  const std::size_t next = skip_space(text_, at + 1);
  source_.pay(next > at ? next - at : 0);
  if (next >= text_.size() || is_one_of(text_[next], "}]")) return true;
  return text_[next] == ',' ? comma_ends(next) : key_follows(source_, next);
}

// Another quote follows: it is the real end when what stands behind it can follow a string.
bool Search::second_quote_ends(std::size_t next) {
  if (place_ == Place::key || text_[next] != '"') return false;
  const std::size_t then = skip_space(text_, next + 1);
  source_.pay(then - next);
  if (then < text_.size() && !is_one_of(text_[then], ",}]")) return false;
  if (place_ == Place::item) return inner_;
  if (last_comma(source_, then)) return false;
  return then >= text_.size() || text_[then] != ',' || comma_ends(then);
}

// A closing bracket behind the quote ends the string, unless it closes one that stands in the string.
bool Search::bracket_ends(std::size_t next) {
  const char c = text_[next];
  const int open = c == ')' ? round_ : c == ']' ? square_ : curly_;
  if (open == 0) return true;
  const std::size_t then = skip_space(text_, next + 1);
  source_.pay(then - next);
  const bool ends = c != ')' && (then >= text_.size() || is_one_of(text_[then], ",]}"));
  if (!ends && rejected_ == kNone) rejected_ = judged_;
  return ends;
}

// Behind the balanced object that begins at `open`, strings in it skipped; none when it is not balanced.
std::size_t Search::literal_end(std::size_t open) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = open; at < text_.size(); at += step_length(text_, at)) {
    if (!source_.pay(1)) return kNone;
    const char c = text_[at];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) return at + 1;
  }
  return kNone;
}

bool Search::stops_at(std::size_t at) {
  const char c = text_[at];
  if (place_ == Place::key && c == ':') return true;
  if (comment_length(text_, at) > 0 && c == '/' && text_[at - 1] != ':') return true;
  if (!is_one_of(c, ",[]{}\n+")) return false;
  if (place_ != Place::member) return true;
  const std::size_t next = skip_space(text_, at + 1);
  source_.pay(next - at);
  switch (c) {
    case ',':
    case '\n': return next >= text_.size() || is_one_of(text_[next], "}]") || key_follows(source_, next);
    case '}':
    case ']': return next >= text_.size() || is_one_of(text_[next], "}],");
    default: return c == '+' && (next >= text_.size() || quote_at(text_, next).length > 0);
  }
}

std::size_t Search::first_stop() {
  std::size_t at = begin_;
  while (at < text_.size() && !stops_at(at)) at += step_length(text_, at);
  source_.pay(at - begin_);
  return at;
}

// The text ended first. When it ends in a delimiter the end was lost before one; else the text was cut off
// inside the string.
StringSpan Search::without_end() {
  const std::size_t last = trimmed_end(text_, begin_, text_.size());
  const bool delimited = last > begin_ && is_one_of(text_[last - 1], ",:[]/{}()\n+");
  const bool cut_inside = place_ == Place::root && !delimited;
  if (rejected_ != kNone && !cut_inside)
    return {rejected_, rejected_ + quote_at(text_, rejected_).length, true};
  return cut(delimited || place_ == Place::key ? first_stop() : text_.size());
}

// Behind a key without its colon: a string, a number or a keyword, and then the member's end.
bool value_follows(Source& source, std::size_t at, std::size_t limit) {
  const std::string_view text = source.text.substr(0, limit);
  if (at >= text.size()) return false;
  const QuoteMark quote = quote_at(text, at);
  std::size_t end = at;
  if (quote.length > 0) {
    const std::size_t close = text.find(text.substr(at, quote.length), at + quote.length);
    if (close == kNone) return false;
    end = close + quote.length;
  } else {
    while (end < text.size() && (is_word(text[end]) || is_one_of(text[end], "+-."))) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (keyword(word).empty() && loose_number(word).empty()) return false;
  }
  const std::size_t then = skip_space(text, end);
  source.pay(then - at);
  return is_one_of(source.peek(then), ",}");
}

}  // namespace

StringSpan find_string_end(Source& source, std::size_t begin, Quote opening, Place place) {
  return Search(source, begin, opening, place).run();
}

std::size_t stray_quote_length(Source& source, std::size_t at, Quote opening) {
  const std::string_view text = source.text;
  const std::size_t quote = skip_space(text, at);
  const QuoteMark mark = quote_at(text, quote);
  source.pay(quote - at);
  if (!ends(opening, mark.kind)) return 0;
  const std::size_t next = skip_space(text, quote + mark.length);
  source.pay(next - quote);
  const bool doubled = quote == at && is_one_of(source.peek(next), ":,}]");
  return doubled || (quote > at && last_comma(source, next)) ? quote + mark.length - at : 0;
}

bool key_follows(Source& source, std::size_t at) {
  const std::string_view text = source.text;
  const QuoteMark opening = quote_at(text, at);
  const std::size_t begin = at + opening.length;
  std::size_t end = begin;
  const std::size_t limit = begin + kLongestKey;
  while (end < text.size() && end < limit) {
    const QuoteMark mark = quote_at(text, end);
    if (opening.length > 0 ? ends(opening.kind, mark.kind)
                           : mark.length > 0 || is_one_of(text[end], ",:=[]{}\n"))
      break;
    end += step_length(text, end);
  }
  source.pay(end - at);
  if (end >= text.size()) return opening.length > 0;
  if (end >= limit) return false;
  const bool stray_word = opening.length == 0 && quote_at(text, end).length > 0;
  std::size_t next = skip_space(text, end + quote_at(text, end).length);
  if (stray_word && next < text.size() && text[next] != ':') {  // words before a key: note "b": 2
    std::size_t second = end + 1;
    while (second < text.size() && second < limit && quote_at(text, second).length == 0) ++second;
    next = skip_space(text, second + quote_at(text, second).length);
  }
  source.pay(next - end);
  if (opening.length > 0 && end > begin && text[end - 1] == ':') return true;  // "a:"b"
  if (opening.length > 0 && (next >= text.size() || is_one_of(text[next], "{["))) return true;
  if (opening.length > 0 && source.peek(next) != ':') return value_follows(source, next, limit);
  return source.peek(next) == ':' && end > begin - (opening.length > 0 ? 1 : 0) &&
         text.substr(next, 3) != "://";
}

}  // namespace shunt::text
