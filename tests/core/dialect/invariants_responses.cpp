// What every encoded stream of openai_responses must hold. See invariants.h.
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "core/oracle.h"
#include "invariants.h"

namespace shunt::dialect::test {
namespace {

using nlohmann::json;

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

struct Output {
  json begun;  // as it was added
  json done;   // null while it is open
  json parts = json::array();
  json open_part;  // null = none
  bool text_done = false;
  bool arguments_done = false;
  std::string text;  // of the open part, or the arguments
};

// One event at a time; the first breach is returned.
class Checker {
 public:
  std::string take(const Block& block) {
    const json event = json::parse(for_the_oracle(block.data), nullptr, false);
    if (!event.is_object() || text_of(event, "type") != block.event) return "event and type differ";
    if (ended_) return "something after the end";
    if (event.value("sequence_number", -1LL) != sequence_++) return "sequence_number is not the next";
    const std::string type = block.event;
    if (type == "error") return error(event);
    if (type.rfind("response.", 0) != 0) return begun_ < 2 || error_ ? "no event of this API" : "";
    const std::string name = type.substr(9);
    if (error_ && name != "failed") return "an error without response.failed";
    if (begun_ < 2) {
      const char* due = begun_++ == 0 ? "created" : "in_progress";
      if (name != due && !error_) return std::string(due) + " is missing";
      if (name == due) return beginning(event["response"]);
    }
    if (name == "created" || name == "in_progress") return "it begins twice";
    if (name == "completed" || name == "incomplete" || name == "failed")
      return ending(name, event["response"]);
    const long long index = event.value("output_index", -1LL);
    if (name == "output_item.added") return added(index, event["item"]);
    if (!event.contains("output_index") && !is_piece(name)) return "";
    if (index < 0 || index >= static_cast<long long>(items_.size())) return "an item that was not added";
    Output& item = items_[static_cast<std::size_t>(index)];
    const bool ended = !item.done.is_null();
    if (name == "output_item.done") return ended ? "an item is done twice" : done(item, event["item"]);
    if (!is_ours(text_of(item.begun, "type"))) return "";
    if (ended) return "something of an item that is done";
    if (text_of(event, "item_id") != text_of(item.begun, "id")) return "the id of an item changed";
    return piece(item, name, event);
  }

  bool ended() const { return ended_; }
  bool failed() const { return failed_; }

 private:
  std::string error(const json& event) {
    error_ = true;
    return text_of(event, "message").empty() ? "an error without message" : "";
  }

  std::string beginning(const json& response) {
    if (text_of(response, "status") != "in_progress") return "it does not begin in progress";
    if (response["output"] != json::array()) return "it begins with output";
    return constant(response);
  }

  std::string constant(const json& response) {
    const json now = {response["id"], response["created_at"], response["model"]};
    if (head_.is_null()) head_ = now;
    if (head_ != now || text_of(response, "id").empty()) return "id, created_at or model changed or empty";
    return text_of(response, "object") == "response" ? "" : "wrong object";
  }

  std::string ending(const std::string& name, const json& response) {
    ended_ = true;
    failed_ = name == "failed";
    if (std::string found = constant(response); !found.empty()) return found;
    if (text_of(response, "status") != name) return "status and event differ";
    const json& details = response["incomplete_details"];
    static const std::set<std::string> reasons = {"max_output_tokens", "content_filter"};
    if (name == "incomplete") {
      if (!details.is_object() || reasons.count(text_of(details, "reason")) == 0)
        return "incomplete without reason";
    } else if (!details.is_null()) {
      return "a reason without incomplete";
    }
    if (failed_) return error_ && response["error"].is_object() ? "" : "failed without error";
    if (!response["error"].is_null()) return "an error in a good answer";
    json output = json::array();
    for (const Output& item : items_) {
      if (item.done.is_null()) return "an item is not done";
      output.push_back(item.done);
    }
    return output == response["output"] ? "" : "the output is not what was told";
  }

  std::string added(long long index, const json& item) {
    if (index != static_cast<long long>(items_.size())) return "output indexes are not contiguous";
    const std::string type = text_of(item, "type");
    const std::string id = text_of(item, "id");
    if (id.empty() && is_ours(type)) return "an empty id";
    for (const Output& other : items_) {
      const bool both = is_ours(type) && is_ours(text_of(other.begun, "type"));
      if (both && other.done.is_null() && text_of(other.begun, "id") == id) return "two open items of one id";
    }
    const bool call = type == "function_call" || type == "custom_tool_call";
    if (call && (text_of(item, "call_id").empty() || !item.contains("name")))
      return "a call without id or name";
    if (call && !text_of(item, type == "function_call" ? "arguments" : "input").empty())
      return "a call begins with arguments";
    if (type == "message" && item["content"] != json::array()) return "a message begins with content";
    if ((call || type == "message") && text_of(item, "status") != "in_progress") return "not in progress";
    items_.emplace_back().begun = item;
    return "";
  }

  std::string done(Output& item, const json& ended) {
    const std::string type = text_of(item.begun, "type");
    item.done = ended;
    if (!is_ours(type)) return is_ours(text_of(ended, "type")) ? "an item changed when it was done" : "";
    for (const char* key : {"type", "id", "call_id", "name"}) {
      if (text_of(ended, key) != text_of(item.begun, key)) return "an item changed when it was done";
    }
    if (!item.open_part.is_null()) return "an item is done before its part";
    if (type == "message" && ended["content"] != item.parts) return "content is not what was told";
    if (type == "reasoning" && ended["summary"] != item.parts) return "a summary is not what was told";
    if (type == "function_call" || type == "custom_tool_call") {
      if (!item.arguments_done) return "a call is done before its arguments";
      if (text_of(ended, type == "function_call" ? "arguments" : "input") != item.text)
        return "arguments are not what was told";
    }
    const std::string status = text_of(ended, "status");
    if (type != "reasoning" && status != "completed" && status != "incomplete")
      return "an item without status";
    return "";
  }

  std::string piece(Output& item, const std::string& name, const json& event) {
    const std::string type = text_of(item.begun, "type");
    const bool custom = type == "custom_tool_call";
    const std::string stem = custom ? "custom_tool_call_input" : "function_call_arguments";
    if (custom || type == "function_call") {
      if (item.arguments_done) return "something after the arguments";
      if (name == stem + ".delta") {
        item.text += text_of(event, "delta");
      } else if (name == stem + ".done") {
        item.arguments_done = true;
        if (text_of(event, custom ? "input" : "arguments") != item.text)
          return "arguments are not what was told";
      } else {
        return "no event of a call";
      }
      return "";
    }
    return part(item, name, event, type == "reasoning");
  }

  std::string part(Output& item, const std::string& name, const json& event, bool reasoning) {
    const std::string stem = reasoning ? "reasoning_summary_part" : "content_part";
    const char* number = reasoning ? "summary_index" : "content_index";
    if (event.value(number, -1LL) != static_cast<long long>(item.parts.size()))
      return "parts are not contiguous";
    if (name == stem + ".added") {
      if (!item.open_part.is_null()) return "two open parts";
      item.open_part = event["part"];
      item.text.clear();
      item.text_done = false;
      return text_of(item.open_part, key_of(item)).empty() ? "" : "a part begins with text";
    }
    if (item.open_part.is_null()) return "something of no part";
    if (name == stem + ".done") {
      if (!item.text_done) return "a part is done before its text";
      if (text_of(event["part"], key_of(item)) != item.text) return "a part is not what was told";
      if (text_of(event["part"], "type") != text_of(item.open_part, "type"))
        return "the type of a part changed";
      item.parts.push_back(event["part"]);
      item.open_part = json();
      return "";
    }
    const std::string of_part = text_of(item.open_part, "type");
    const std::string word = of_part == "summary_text" ? "reasoning_summary_text" : of_part;
    if (item.text_done) return "something after the text";
    if (name == word + ".delta") {
      item.text += text_of(event, "delta");
    } else if (name == word + ".done") {
      item.text_done = true;
      if (text_of(event, key_of(item)) != item.text) return "a text is not what was told";
    } else if (name != word + ".annotation.added") {
      return "no event of this part";
    }
    return "";
  }

  static bool is_piece(const std::string& name) {
    static const std::set<std::string> known = {"output_item.added",
                                                "output_item.done",
                                                "content_part.added",
                                                "content_part.done",
                                                "output_text.delta",
                                                "output_text.done",
                                                "output_text.annotation.added",
                                                "refusal.delta",
                                                "refusal.done",
                                                "reasoning_summary_part.added",
                                                "reasoning_summary_part.done",
                                                "reasoning_summary_text.delta",
                                                "reasoning_summary_text.done",
                                                "function_call_arguments.delta",
                                                "function_call_arguments.done",
                                                "custom_tool_call_input.delta",
                                                "custom_tool_call_input.done"};
    return known.count(name) != 0;
  }

  // The others are passed on as the provider tells of them.
  static bool is_ours(const std::string& type) {
    return type == "message" || type == "reasoning" || type == "function_call" || type == "custom_tool_call";
  }

  static const char* key_of(const Output& item) {
    return text_of(item.open_part, "type") == "refusal" ? "refusal" : "text";
  }

  std::vector<Output> items_;
  json head_;
  long long sequence_ = 0;
  int begun_ = 0;
  bool error_ = false, ended_ = false, failed_ = false;
};

}  // namespace

std::string breach_of_responses(std::string_view bytes, bool broken) {
  std::string breach;
  Checker checker;
  for (const Block& block : blocks(bytes, breach)) {
    if (block.comment) continue;
    if (std::string found = checker.take(block); !found.empty()) return found + ": " + block.data;
  }
  if (!breach.empty()) return breach;
  if (!checker.ended()) return "no end";
  if (broken && !checker.failed()) return "a broken stream without its error";
  return "";
}

}  // namespace shunt::dialect::test
