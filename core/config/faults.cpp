// Faults: gathering them, placing them in the document, saying them. Knows JSON's shape, not the keys.
#include "config/faults.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/order.h"
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

void Report::fault(std::uint64_t offset, std::string_view found, std::string_view allowed,
                   std::string_view suggestion) {
  failed_ = true;
  if (full()) return;
  faults_ +=
      add(offset, {false, {}, 0, 0, std::string(found), std::string(allowed), std::string(suggestion)});
}

void Report::warn(std::uint64_t offset, std::string_view found, std::string_view allowed) {
  if (warnings_ >= kFaults) return;
  warnings_ += add(offset, {true, {}, 0, 0, std::string(found), std::string(allowed), {}});
}

void Report::not_in_force(const void* row, std::uint64_t offset, std::string_view what) {
  if (std::find(rows_warned_.begin(), rows_warned_.end(), row) != rows_warned_.end()) return;
  rows_warned_.push_back(row);
  warn(offset, quoted(what), "read, not yet in force");
}

// The same sentence about the same place is said once: a default that is wrong is wrong for every line.
std::size_t Report::add(std::uint64_t offset, Fault fault) {
  const bool said = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.offset == offset && entry.fault == fault;
  });
  if (said) return 0;
  entries_.push_back({offset, std::move(fault)});
  return 1;
}

void Report::settle(std::string_view text, std::vector<Fault>& faults, std::vector<Fault>& warnings) {
  std::vector<std::uint32_t> in_order(entries_.size());
  for (std::size_t i = 0; i < in_order.size(); ++i) in_order[i] = static_cast<std::uint32_t>(i);
  stable_order(in_order,
               [this](std::uint32_t a, std::uint32_t b) { return entries_[a].offset < entries_[b].offset; });
  Walk walk(text);
  Ruler ruler(text);
  for (const std::uint32_t index : in_order) {
    Entry& entry = entries_[index];
    walk.to(entry.offset);
    ruler.to(entry.offset);
    entry.fault.path = walk.path();
    entry.fault.line = ruler.line;
    entry.fault.column = ruler.column;
    std::vector<Fault>& into = entry.fault.warning ? warnings : faults;
    into.push_back(std::move(entry.fault));
  }
  entries_.clear();
}

}  // namespace shunt::config
