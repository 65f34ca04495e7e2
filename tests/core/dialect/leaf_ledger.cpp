// See leaf_ledger.h.
#include "leaf_ledger.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace shunt::dialect::test {
namespace {

using nlohmann::json;

json parsed(std::string_view text) { return json::parse(text, nullptr, false); }

bool is_index(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view cut_part(std::string_view& path) {
  const std::size_t at = std::min(path.find('/'), path.size());
  const std::string_view part = path.substr(0, at);
  path.remove_prefix(std::min(at + 1, path.size()));
  return part;
}

bool fits(std::string_view pattern, std::string_view path) {
  while (!pattern.empty() && !path.empty()) {
    const std::string_view want = cut_part(pattern);
    const std::string_view have = cut_part(path);
    if (want != have && !(want == "*" && is_index(have))) return false;
  }
  return pattern.empty() && path.empty();
}

// The last part of a path that is a key.
std::string_view last_key(std::string_view path) {
  std::string_view last;
  while (!path.empty()) {
    const std::string_view part = cut_part(path);
    if (!is_index(part)) last = part;
  }
  return last;
}

bool is_one_of(std::string_view words, const std::string& value) {
  while (!words.empty()) {
    const std::size_t at = std::min(words.find('|'), words.size());
    if (words.substr(0, at) == value) return true;
    words.remove_prefix(std::min(at + 1, words.size()));
  }
  return false;
}

// nlohmann counts a string as one value, empty or not.
const Whole* whole_of(DialectId dialect, std::string_view key) {
  for (const Whole& each : wholes()) {
    if (each.dialect == dialect && each.key == key) return &each;
  }
  return nullptr;
}

// Every value at and below `node`, with the last key above it.
void each_value(const json& node, std::string_view key,
                const std::function<void(const json&, std::string_view)>& visit) {
  visit(node, key);
  if (!node.is_structured()) return;
  for (const auto& [name, value] : node.items()) each_value(value, node.is_object() ? name : key, visit);
}

bool says_nothing(const json& node) { return node.is_null() || node == "" || node.empty(); }

}  // namespace

void LeafLedger::frame(const json& value, const EventList& events) {
  root_ = value;
  take(events);
  if (value.is_array()) {  // Gemini's answers in one list
    for (const json& each : value) walk(each, {}, nullptr);
  } else {
    walk(value, {}, nullptr);
  }
  for (const Kept& each : extra_) {
    if (!each.used) leave(each);
  }
}

std::vector<std::string> LeafLedger::faults() {
  std::vector<std::string> lines;
  for (const json& patch : patches_) {
    if (!is_in_arguments(patch)) faults_.push_back({"in no arguments", "partialArgs", patch});
  }
  for (const Fault& each : faults_) {
    if (each.may_come && comes_later(each)) continue;
    lines.push_back(each.what + ": " + each.path + " = " + each.value.dump().substr(0, 160));
  }
  return lines;
}

// An extra that no member was found for: a whole may hold what rows have told already.
void LeafLedger::leave(const Kept& extra) {
  const Whole* whole = whole_of(dialect_, extra.key);
  bool found = whole != nullptr && (whole->made == "*" || whole->made == extra.value.dump());
  each_value(root_, {}, [&](const json& value, std::string_view) { found = found || value == extra.value; });
  if (whole != nullptr && found) {
    used_wholes_.insert(whole->key);
  } else {
    faults_.push_back(
        {found ? "an extra of what events have" : "an extra of nothing", extra.key, extra.value});
  }
}

// Who is told before the answer begins; and of a Response all that its last event repeats.
bool LeafLedger::comes_later(const Fault& fault) const {
  if (fault.path == "id" || fault.path == "model") return fault.value == id_ || fault.value == model_;
  bool found = false;
  if (dialect_ != DialectId::openai_responses) return false;
  const std::string_view name = last_key(fault.path);
  for (const auto& [path, extra] : extras_) {
    each_value(extra, path, [&](const json& value, std::string_view key) {
      found = found || (key == name && value == fault.value);
    });
  }
  return found;
}

bool LeafLedger::is_near(double number) const {
  bool found = false;
  for (const auto& [path, extra] : extras_) {
    each_value(extra, {}, [&](const json& value, std::string_view) {
      found = found || (value.is_number() && std::abs(value.get<double>() - number) < 1e-4);
    });
  }
  return found;
}

bool LeafLedger::is_in_arguments(const json& patch) const {
  bool found = false;
  for (const auto& [call, so_far] : arguments_) {
    each_value(parsed(so_far), {}, [&](const json& value, std::string_view key) {
      if (value == patch) found = true;
      if (!patch.is_string()) return;
      const std::string text = patch;
      // A JSON path ends with the key of the value.
      if (!key.empty() && text.ends_with(key)) found = true;
      if (value.is_string() && value.get<std::string>().find(text) != std::string::npos) found = true;
    });
  }
  return found;
}

void LeafLedger::take_call(int choice, int call, std::string_view id, std::string_view name) {
  arguments_[{choice, call}];
  ids_.emplace(id);
  names_.emplace(name);
}

void LeafLedger::take(const EventList& events) {
  told_.clear();
  extra_.clear();
  error_.clear();
  const auto tell = [&](Fate fate, std::string_view text) {
    if (text.empty()) return;
    told_[fate].push_back({std::string(text)});
    so_far_[fate] += text;
  };
  for (const Event& each : events) {
    std::visit(overloaded{
                   [&](const event::Start& e) {
                     started_ = true;
                     id_ = e.id;
                     model_ = e.model;
                     created_ = e.created;
                   },
                   [&](const event::TextDelta& e) { tell(Fate::text, e.text); },
                   [&](const event::ReasoningDelta& e) {
                     tell(Fate::reasoning, e.text);
                     tell(Fate::reasoning, e.signature);
                     tell(Fate::reasoning, e.redacted);
                   },
                   [&](const event::RefusalDelta& e) { tell(Fate::refusal, e.text); },
                   [&](const event::ToolCallStart& e) { take_call(e.choice, e.call, e.id, e.name); },
                   [&](const event::ToolCallName& e) { take_call(e.choice, e.call, e.id, e.name); },
                   [&](const event::ToolCallArguments& e) {
                     tell(Fate::arguments, e.json);
                     arguments_[{e.choice, e.call}] += e.json;
                   },
                   [](const event::ToolCallEnd&) {},
                   [&](const event::UsageUpdate& e) { usages_.push_back(parsed(e.raw)); },
                   [&](const event::Finish& e) { finishes_.emplace(e.raw); },
                   [&](const event::Error& e) { error_.push_back({std::string(e.message), parsed(e.raw)}); },
                   [](const event::Ping&) {},
                   [&](const event::Extra& e) { extra_.push_back({std::string(e.key), parsed(e.raw)}); },
                   [&](const event::BadFrame& e) { faults_.push_back({"a bad frame", {}, e.data}); },
                   [](const event::Done&) {},
               },
               each);
  }
}

// A list or object that rows tell more of.
bool LeafLedger::is_above_rows(std::string path) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) {
    for (std::string_view pattern = row.path; pattern.find('/') != std::string_view::npos;) {
      pattern = pattern.substr(0, pattern.rfind('/'));
      if (fits(pattern, path)) return true;
    }
    return false;
  });
}

const Row* LeafLedger::row_at(const std::string& path) const {
  for (const Row& row : rows_) {
    if (fits(row.path, path)) return &row;
  }
  return nullptr;
}

void LeafLedger::walk(const json& node, const std::string& path, Inside* inside) {
  if (node.is_null()) return;
  const Row* row = row_at(path);
  if (row != nullptr && is_said(*row, node)) {
    const bool tells = row->fate != Fate::fixed && row->fate != Fate::place && row->fate != Fate::near;
    if (inside != nullptr && tells && !says_nothing(node)) ++inside->ours;
    return;
  }
  for (Kept& each : error_) {
    if (each.value == node || (node.is_string() && node == each.key)) return;
  }
  if (inside == nullptr && kept(node, path)) return;
  if (node.is_structured() && !node.empty()) return each_inside(node, path, inside);
  if (node.empty() && row == nullptr && is_above_rows(path)) return;
  if (inside != nullptr) {
    ++inside->theirs;
    return;
  }
  faults_.push_back({row == nullptr ? "nowhere" : "not as the table says", path, node, true});
}

void LeafLedger::each_inside(const json& node, const std::string& path, Inside* inside) {
  std::size_t place = 0;
  for (const auto& [key, value] : node.items()) {
    const std::string part = node.is_array() ? std::to_string(place++) : key;
    walk(value, path.empty() ? part : path + "/" + part, inside);
  }
}

// An extra of this frame, or one that said the same before.
bool LeafLedger::kept(const json& node, const std::string& path) {
  const std::string_view name = last_key(path);
  for (Kept& each : extra_) {
    if (each.used || each.value != node) continue;
    const Whole* whole = whole_of(dialect_, each.key);
    const bool named = !name.empty() && each.key.ends_with(name);
    if (!named && whole == nullptr) continue;
    each.used = true;
    Inside inside;
    if (node.is_structured()) each_inside(node, path, &inside);
    if (whole != nullptr) {
      used_wholes_.insert(whole->key);
    } else if (inside.ours > 0) {
      faults_.push_back({"an extra of what events have", each.key, node});
    }
    extras_[path] = node;
    return true;
  }
  return was_said(node, path);
}

// By an extra of an earlier frame: the member itself, or what it stands in.
bool LeafLedger::was_said(const json& node, const std::string& path) const {
  for (std::string above = path;; above.resize(above.rfind('/'))) {
    const auto before = extras_.find(above);
    if (before != extras_.end()) {
      const json::json_pointer rest(path.substr(above.size()));
      if (before->second.contains(rest) && before->second[rest] == node) return true;
    }
    if (above.find('/') == std::string::npos) break;
  }
  if (!node.is_structured() || node.empty()) return false;
  return std::any_of(extras_.begin(), extras_.end(), [&](const auto& each) { return each.second == node; });
}

bool LeafLedger::is_same(const Row& row, std::string_view said, const json& node) {
  const std::string text = node.is_string() ? node.get<std::string>() : node.dump();
  return says_nothing(node) || (started_ && (row.again || text == said));
}

bool LeafLedger::is_said_text(Fate fate, bool again, const std::string& text) {
  if (text.empty()) return true;
  for (Told& each : told_[fate]) {
    if (each.used || each.text != text) continue;
    each.used = true;
    return true;
  }
  return again && so_far_[fate].find(text) != std::string::npos;
}

bool LeafLedger::is_said_arguments(const json& node) {
  if (says_nothing(node)) return true;
  for (const Told& each : told_[Fate::arguments]) {
    if (parsed(each.text) == node) return true;
  }
  for (const auto& [call, so_far] : arguments_) {
    if (parsed(so_far) == node) return true;
  }
  return false;
}

bool LeafLedger::is_said(const Row& row, const json& node) {
  const std::string text = node.is_string() ? node.get<std::string>() : node.dump();
  switch (row.fate) {
    case Fate::text:
    case Fate::reasoning:
    case Fate::refusal: return node.is_string() && is_said_text(row.fate, row.again, text);
    case Fate::any:
      if (!node.is_string()) return says_nothing(node);
      for (const Fate each : {Fate::text, Fate::reasoning, Fate::refusal, Fate::arguments})
        if (is_said_text(each, false, text)) return true;
      for (const Fate each : {Fate::text, Fate::reasoning, Fate::refusal, Fate::arguments})
        if (is_said_text(each, row.again, text)) return true;
      return false;
    case Fate::arguments:
      return node.is_string() ? is_said_text(row.fate, row.again, text) : is_said_arguments(node);
    case Fate::call_id: return text.empty() || (node.is_string() && ids_.count(text) > 0);
    case Fate::call_name: return text.empty() || (node.is_string() && names_.count(text) > 0);
    case Fate::usage: return std::find(usages_.begin(), usages_.end(), node) != usages_.end();
    case Fate::counts: return node.is_number() && !usages_.empty() && usages_.back() == root_;
    case Fate::finish: return says_nothing(node) || text == "null" || finishes_.count(text) > 0;
    case Fate::id: return is_same(row, id_, node);
    case Fate::model: return is_same(row, model_, node);
    case Fate::created:
      if (!node.is_number()) return false;
      return node == 0 || (started_ && (row.again || node.get<std::int64_t>() == created_));
    case Fate::place: return node.is_number() || (node.is_string() && row.again);
    case Fate::near: return node.is_number() && is_near(node.get<double>());
    case Fate::patch: patches_.push_back(node); return true;
    case Fate::padding: return node.is_string();
    case Fate::fixed: return is_one_of(row.words, node.dump());
  }
  return false;
}

}  // namespace shunt::dialect::test
