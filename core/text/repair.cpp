// A whole text: what stands around its values, and which of several are meant.
#include "text/repair.h"

#include <vector>

#include "base/check.h"
#include "base/json.h"
#include "text/bare_word.h"
#include "text/find_json.h"
#include "text/loose_number.h"
#include "text/string_content.h"
#include "text/structure.h"

namespace shunt::text {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// Well-formed JSON, written anew: compact, half pairs replaced, numbers beyond a double as strings.
std::string rewritten(std::string_view text, RepairOptions options) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (space_length(text, at) > 0) {
      at += space_length(text, at);
    } else if (c == '"') {
      std::size_t end = at + 1;
      while (text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      ContentRules rules;
      rules.latex = options.latex;
      out += '"';
      CORE_CHECK(append_content(out, text.substr(at + 1, end - at - 1), rules));
      out += '"';
      at = end + 1;
    } else if (is_one_of(c, "{}[]:,")) {
      out += c;
      ++at;
    } else {
      std::size_t end = at;
      while (end < text.size() && is_one_of(text[end], "+-.0123456789aeflnrstuE")) ++end;
      const std::string_view word = text.substr(at, end - at);
      const bool plain = !keyword(word).empty() || !loose_number(word).empty();
      if (plain) {
        out += word;
      } else {
        out.append("\"").append(word).append("\"");
      }
      at = end;
    }
  }
  return out;
}

bool is_empty(std::string_view json) { return json == "{}" || json == "[]"; }
bool is_container(std::string_view json) { return json.starts_with('{') || json.starts_with('['); }

class Document {
 public:
  Document(Source& source, RepairOptions options)
      : source_(source), text_(source.text), structure_(source, options) {}

  std::optional<std::string> read();

 private:
  bool in_prose();
  void read_list();
  void read_found(bool fenced);
  void read_one();
  bool skip_between();
  bool goes_on();
  bool scalar_here();
  std::string joined() const;

  struct Value {
    std::string json;
    bool own_line = false;  // a line break stood before it
  };

  Source& source_;
  std::string_view text_;
  Structure structure_;
  std::vector<Value> values_;
  bool apart_ = false;  // a comma or a line break was skipped
  bool comma_ = false;  // a comma was
  bool lines_ = false;  // a line break was
};

// Skips what may stand between values; notes whether a comma or a line break was there.
bool Document::skip_between() {
  apart_ = comma_ = lines_ = false;
  while (!source_.ended()) {
    const std::size_t begin = source_.at;
    source_.at = skip_space(text_, begin);
    const std::string_view gap = text_.substr(begin, source_.at - begin);
    if (gap.find('\n') != kNone) lines_ = apart_ = true;
    if (source_.here() == ',') comma_ = apart_ = true;
    if (is_one_of(source_.here(), ",;}])")) {
      ++source_.at;
    } else {
      const std::size_t fence = fence_length(text_, source_.at);
      source_.at += fence;
      if (fence == 0) break;
    }
  }
  return !source_.ended();
}

// {"a":1}, "b":2}: the object was closed too early.
bool Document::goes_on() {
  if (values_.empty() || !values_.back().json.ends_with('}') || is_empty(values_.back().json) || !apart_) {
    return false;
  }
  const QuoteMark quote = quote_at(text_, source_.at);
  if (quote.length == 0) return false;
  if (key_follows(source_, source_.at)) return true;
  const StringSpan key = find_string_end(source_, source_.at + quote.length, quote.kind, Place::key);
  return key.closed && quote_at(text_, skip_space(text_, key.next)).length > 0;
}

// A number, a keyword or a string, and then the end of a list's item: the list lacks its bracket.
bool Document::scalar_here() {
  std::size_t end = source_.at;
  const QuoteMark quote = quote_at(text_, end);
  if (quote.length > 0) {
    end = find_string_end(source_, end + quote.length, quote.kind, Place::root).next;
  } else {
    while (end < text_.size() && (is_name(text_[end]) || is_one_of(text_[end], "+-."))) ++end;
    const std::string_view word = text_.substr(source_.at, end - source_.at);
    if (keyword(word).empty() && loose_number(word).empty()) return false;
  }
  const std::size_t next = skip_space(text_, end);
  source_.pay(next - source_.at);
  return next >= text_.size() || is_one_of(text_[next], ",]");
}

void Document::read_one() {
  Value value;
  value.own_line = lines_ || values_.empty();
  const std::size_t begin = source_.at;
  if (structure_.read(value.json)) values_.push_back(std::move(value));
  if (source_.at == begin) ++source_.at;
}

// Values one behind the other: JSON Lines, a list without brackets, values side by side. Behind a container
// only containers count: the rest is prose.
void Document::read_list() {
  while (skip_between() && !structure_.too_deep()) {
    const bool container = !values_.empty() && is_container(values_.back().json);
    if (goes_on()) {
      if (!structure_.read_on(values_.back().json)) return;
    } else if (!container || is_one_of(source_.here(), "{[") || (comma_ && scalar_here())) {
      if (!values_.empty() && !container && !apart_) {  // words that are no list
        values_.clear();
        return read_found(false);
      }
      read_one();
      if (values_.empty()) return;
    } else {
      return read_found(false);
    }
  }
}

void Document::read_found(bool fenced) {
  while (!structure_.too_deep()) {
    const std::size_t at = find_json(text_, source_.at, fenced);
    if (at == kNone) return;
    source_.at = at;
    const std::size_t count = values_.size();
    read_one();
    if (values_.size() > count && is_empty(values_.back().json)) values_.pop_back();
  }
}

// The text begins with words, and there is JSON further on.
bool Document::in_prose() {
  const char c = source_.here();
  if (is_one_of(c, "{[(\\") || quote_at(text_, source_.at).length > 0) return false;
  return call_bracket(text_, source_.at) == 0 && !scalar_here() &&
         find_json(text_, source_.at, false) != kNone;
}

// An empty container beside another value in its line is an accident of writing.
std::string Document::joined() const {
  std::string out = "[";
  std::size_t count = 0;
  const Value* last = nullptr;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const bool own_line = values_[i].own_line && (i + 1 == values_.size() || values_[i + 1].own_line);
    if (values_.size() > 1 && is_empty(values_[i].json) && !own_line) continue;
    if (count++ > 0) out += ',';
    out += values_[i].json;
    last = &values_[i];
  }
  if (count == 0) return values_.front().json;
  return count == 1 ? last->json : out + "]";
}

std::optional<std::string> Document::read() {
  source_.at = skip_space(text_, 0);
  const bool bracket = is_one_of(source_.here(), "{[");
  if (!bracket && find_json(text_, source_.at, true) != kNone) {
    read_found(true);
  } else if (in_prose()) {
    read_found(false);
  } else {
    read_list();
  }
  if (values_.empty() || structure_.too_deep()) return std::nullopt;
  return joined();
}

}  // namespace

std::optional<std::string> repair_json(std::string_view text, RepairOptions options, std::size_t* steps) {
  if (json::valid(text)) return rewritten(text, options);
  const std::string_view bare = unwrapped(text);
  const auto plain = undisguised(bare);
  const std::string_view seen = plain ? std::string_view(*plain) : bare;
  Source source(seen);
  auto json = Document(source, options).read();
  if (steps != nullptr) *steps += source.steps;
  // Where a round bracket stood is a space.
  if (json && json->find(' ') != std::string::npos && json::valid(*json)) json = rewritten(*json, {});
  return json;
}

}  // namespace shunt::text
