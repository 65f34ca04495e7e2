// Objects of plain-text tools, taken apart while they come. See custom_calls.h.
#include "dialect/custom_calls.h"

#include "base/json_lex.h"
#include "base/strings.h"

namespace shunt::dialect {
namespace {

// Where a call stands once its head is read.
constexpr std::size_t kText = kInputHead.size();
constexpr std::size_t kBehind = kText + 1;
constexpr std::size_t kOther = kText + 2;  // in what is no object of ours
constexpr std::size_t kHeld = 64;          // of a head with much white space

}  // namespace

const EventList& CustomCalls::adapted(const EventList& events) {
  if (names_.empty()) return events;
  out_.clear();
  std::size_t bytes = 0;
  for (const Event& event : events) {
    out_.push_back(event);
    if (const auto* said = std::get_if<event::ToolCallArguments>(&event)) bytes += said->json.size();
  }
  scratch_.reset(2 * bytes);  // half an escape is read again with its rest
  for (Event& event : out_) {
    if (auto* start = std::get_if<event::ToolCallStart>(&event)) {
      if (start->custom || !listed(start->name)) continue;
      start->custom = true;
      Call& call = calls_.add();
      call.choice = start->choice;
      call.call = start->call;
    } else if (auto* said = std::get_if<event::ToolCallArguments>(&event)) {
      for (std::size_t i = calls_.size(); i-- > 0;) {
        if (calls_[i].choice != said->choice || calls_[i].call != said->call) continue;
        said->json = unwrapped(calls_[i], said->json);
        break;
      }
    }
  }
  return out_;
}

bool CustomCalls::listed(std::string_view name) const {
  return !name.empty() && names_.find(joined({"\n", name, "\n"})) != std::string_view::npos;
}

// What of the text these bytes of its object say.
std::string_view CustomCalls::unwrapped(Call& call, std::string_view json) {
  while (call.at < kText && !json.empty()) {
    const char c = json.front();
    call.held += c;
    json.remove_prefix(1);
    if (c == kInputHead[call.at]) {
      if (++call.at == kText) call.held.clear();
    } else if (!json::lex::is_space(c) || call.held.size() > kHeld) {
      call.at = kOther;
    }
  }
  if (call.at < kText || call.at == kBehind) return {};
  if (!call.held.empty()) json = scratch_.joined(call.held, json);
  call.held.clear();
  if (call.at == kOther) return json;
  std::size_t end = 0;
  bool escaped = false;
  while (end < json.size()) {
    if (json[end] == '"') {
      call.at = kBehind;
      break;
    }
    std::size_t size = 1;
    if (json[end] == '\\') {
      escaped = true;
      size = json.substr(end + 1, 1) == "u" ? 6 : 2;
    }
    if (size > json.size() - end) {
      call.held = json.substr(end);
      break;
    }
    end += size;
  }
  return scratch_.text(json.substr(0, end), escaped, call.split);
}

}  // namespace shunt::dialect
