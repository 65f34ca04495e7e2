// Faults: gathering them, placing them in the document, saying them. Knows JSON's shape, not the keys.
#include "config/faults.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/json.h"
#include "base/strings.h"
#include "config/shown.h"

namespace shunt::config {
namespace {

bool plain_name(std::string_view name) {
  if (name.empty() || is_digit(name.front())) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return is_alpha(c) || is_digit(c) || c == '_'; });
}

// Walks a document and keeps the path of the token it stands at.
class Walk {
 public:
  explicit Walk(std::string_view text) { scanner_.feed(text, true); }

  // Goes on until the token that ends after `offset`; stays at the end, or where the text stops being JSON.
  void to(std::uint64_t offset) {
    while (!stopped_ && scanner_.end() <= offset) step();
  }

  std::string path() const {
    std::string out = "$";
    for (const Level& level : levels_) {
      if (level.array) {
        if (level.index < 0) continue;
        out += '[';
        append_int(out, level.index);
        out += ']';
      } else if (level.has_key) {
        append_name(level, out);
      }
    }
    return out;
  }

 private:
  struct Level {
    bool array = false;
    std::int64_t index = -1;
    bool has_key = false;
    bool escaped = false;
    std::string_view key{};  // raw, of the document
  };

  static void append_name(const Level& level, std::string& out) {
    std::string name;
    if (level.escaped) {
      json::unescape(level.key, name);
    } else {
      name = level.key;
    }
    if (plain_name(name)) {
      out += '.';
      out += name;
    } else {
      out += "['";
      out += shown(name);
      out += "']";
    }
  }

  void step() {
    if (leave_) levels_.pop_back();
    leave_ = false;
    if (enter_) levels_.push_back({.array = enter_array_});
    enter_ = false;
    const json::Token token = scanner_.next();
    switch (token) {
      case json::Token::need_more:
      case json::Token::end:
      case json::Token::error: stopped_ = true; return;
      case json::Token::key:
        levels_.back().has_key = true;
        levels_.back().key = scanner_.text();
        levels_.back().escaped = scanner_.escaped();
        return;
      case json::Token::object_end:
      case json::Token::array_end:
        levels_.back().has_key = false;
        levels_.back().index = -1;
        leave_ = true;
        return;
      case json::Token::object_begin:
      case json::Token::array_begin:
        enter_ = true;
        enter_array_ = token == json::Token::array_begin;
        break;
      case json::Token::string:
      case json::Token::number:
      case json::Token::boolean_true:
      case json::Token::boolean_false:
      case json::Token::null: break;
    }
    if (!levels_.empty() && levels_.back().array) ++levels_.back().index;
  }

  json::Scanner scanner_;
  std::vector<Level> levels_;
  bool enter_ = false;  // the last token opened a container: what follows is inside
  bool enter_array_ = false;
  bool leave_ = false;  // the last token closed one
  bool stopped_ = false;
};

// Lines and columns of growing offsets.
class Ruler {
 public:
  explicit Ruler(std::string_view text) : text_(text) {}
  void to(std::uint64_t offset) {
    for (; at_ < offset && at_ < text_.size(); ++at_) {
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (byte == '\n') {
        ++line;
        column = 1;
      } else if ((byte & 0xC0U) != 0x80U) {  // not a UTF-8 continuation
        ++column;
      }
    }
  }
  int line = 1;
  int column = 1;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string describe(const Fault& fault) {
  std::string out = fault.warning ? "warning: " : "";
  out += fault.path;
  out += " (line ";
  append_int(out, fault.line);
  out += ", column ";
  append_int(out, fault.column);
  out += "): found ";
  out += fault.found;
  if (!fault.allowed.empty()) {
    out += fault.warning ? "; " : "; allowed: ";
    out += fault.allowed;
  }
  out += '.';
  if (!fault.suggestion.empty()) {
    out += " Did you mean \"";
    out += fault.suggestion;
    out += "\"?";
  }
  return out;
}

void Report::fault(std::uint64_t offset, const char* found, const char* allowed) {
  fault(offset, found, allowed, {});
}

void Report::fault_about(std::uint64_t offset, const char* found, const std::string& value,
                         const char* allowed) {
  std::string_view after = found;
  const std::string_view before = cut(after, '%');
  fault(offset, joined({before, quoted(value), after}), allowed);
}

void Report::fault(std::uint64_t offset, const std::string& found, const char* allowed) {
  fault(offset, found, allowed, {});
}

void Report::fault(std::uint64_t offset, const std::string& found, const std::string& allowed,
                   const std::string& suggestion) {
  failed_ = true;
  add(offset, false, found, allowed, suggestion);
}

void Report::warn(std::uint64_t offset, const char* found, const char* allowed) {
  add(offset, true, found, allowed, {});
}

void Report::warn(std::uint64_t offset, const std::string& found, const char* allowed) {
  add(offset, true, found, allowed, {});
}

void Report::warn(std::uint64_t offset, const std::string& found, const std::string& allowed,
                  const std::string& suggestion) {
  add(offset, true, found, allowed, suggestion);
}

void Report::not_in_force(const void* row, std::uint64_t offset, std::string_view what) {
  if (std::find(rows_warned_.begin(), rows_warned_.end(), row) != rows_warned_.end()) return;
  rows_warned_.push_back(row);
  warn(offset, quoted(std::string(what)), "read, not yet in force");
}

// The same sentence about the same place is said once: a default that is wrong is wrong for every line.
void Report::add(std::uint64_t offset, bool warning, const std::string& found, const std::string& allowed,
                 const std::string& suggestion) {
  std::size_t& kept = warning ? warnings_ : faults_;
  if (kept >= kFaults) return;
  auto place = entries_.end();
  while (place != entries_.begin() && std::prev(place)->offset > offset) --place;
  for (auto said = place; said != entries_.begin() && std::prev(said)->offset == offset;) {
    const Fault& fault = (--said)->fault;
    if (fault.warning == warning && fault.found == found && fault.allowed == allowed &&
        fault.suggestion == suggestion)
      return;
  }
  ++kept;
  Entry& entry = *entries_.emplace(place);
  entry.offset = offset;
  entry.fault.warning = warning;
  entry.fault.found = found;
  entry.fault.allowed = allowed;
  entry.fault.suggestion = suggestion;
}

void Report::settle(std::string_view text, std::vector<Fault>& faults, std::vector<Fault>& warnings) {
  Walk walk(text);
  Ruler ruler(text);
  for (auto& [offset, fault] : entries_) {
    walk.to(offset);
    ruler.to(offset);
    fault.path = walk.path();
    fault.line = ruler.line;
    fault.column = ruler.column;
    (fault.warning ? warnings : faults).push_back(std::move(fault));
  }
  entries_.clear();
}

}  // namespace shunt::config
