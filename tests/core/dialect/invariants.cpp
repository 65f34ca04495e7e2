// Checkers of encoded streams. See invariants.h.
#include "invariants.h"

#include <map>
#include <set>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/oracle.h"

namespace shunt::dialect::test {
using nlohmann::json;

std::vector<Block> blocks(std::string_view bytes, std::string& breach) {
  std::vector<Block> all;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find("\n\n");
    if (end == std::string_view::npos) {
      breach = "the last block has no blank line";
      return all;
    }
    std::string_view text = bytes.substr(0, end);
    bytes.remove_prefix(end + 2);
    Block block;
    block.comment = text.substr(0, 1) == ":";
    if (text.substr(0, 7) == "event: ") {
      const std::size_t line = text.find('\n');
      block.event = text.substr(7, line - 7);
      text.remove_prefix(line + 1);
    }
    if (!block.comment && (text.substr(0, 6) != "data: " || text.find('\n') != std::string_view::npos)) {
      breach = "not one data line: " + std::string(text);
      return all;
    }
    if (!block.comment) block.data = text.substr(6);
    all.push_back(block);
  }
  return all;
}

namespace {

struct OpenAiChoice {
  bool role = false;
  bool finished = false;
  long long calls = 0;
};

std::string check_call(OpenAiChoice& choice, const json& call) {
  const long long index = call.value("index", -1LL);
  const bool custom = call.contains("custom");
  const json& function = call[custom ? "custom" : "function"];
  const char* const arguments = custom ? "input" : "arguments";
  if (!function.contains(arguments) || !function[arguments].is_string()) return "arguments are not a string";
  if (!call.contains("id"))
    return index >= 0 && index < choice.calls ? "" : "arguments of a call that has not begun";
  if (index != choice.calls++) return "indexes of calls are not contiguous";
  if (call["id"].get<std::string>().empty()) return "an empty id";
  if (call.value("type", "") != (custom ? "custom" : "function") || !function.contains("name"))
    return "a start without type or name";
  return function[arguments] == "" ? "" : "a start with arguments";
}

std::string check_choice(std::map<int, OpenAiChoice>& choices, const json& part) {
  OpenAiChoice& choice = choices[part["index"].get<int>()];
  const json& delta = part["delta"];
  if (choice.finished) return "something after the finish";
  if (delta.contains("role") == choice.role) return "role not once and first";
  if (delta.contains("role") && delta != json{{"role", "assistant"}, {"content", ""}})
    return "role with something else";
  choice.role = true;
  for (const auto& [key, value] : delta.items()) {
    const bool text = key == "role" || key == "content" || key == "reasoning_content" || key == "refusal";
    if (!(text ? value.is_string() : value.is_structured())) return "a strange member of delta: " + key;
  }
  if (delta.contains("tool_calls")) {
    for (const json& call : delta["tool_calls"]) {
      if (std::string breach = check_call(choice, call); !breach.empty()) return breach;
    }
  }
  if (!part.contains("finish_reason")) return "no finish_reason";
  if (!part["finish_reason"].is_null()) {
    choice.finished = true;
    if (!delta.empty()) return "a finish with a delta";
    static const std::set<std::string> known = {"stop", "length", "tool_calls", "content_filter", "error"};
    if (known.count(part["finish_reason"].get<std::string>()) == 0) return "an unknown finish";
    if (choice.calls > 0 && part["finish_reason"] == "stop") return "stop after tool calls";
  }
  return "";
}

std::string check_anthropic_delta(const json& event, const std::string& open, bool& signed_off) {
  const json& delta = event["delta"];
  const std::string type = delta.value("type", "");
  if (signed_off) return "a delta after the signature";
  if (type == "text_delta" || type == "citations_delta")
    return open == "text" ? "" : "text outside of a text block";
  if (type == "thinking_delta") return open == "thinking" ? "" : "thinking outside of a thinking block";
  if (type == "signature_delta") {
    signed_off = true;
    return open == "thinking" ? "" : "a signature outside of a thinking block";
  }
  return type != "input_json_delta" || open.find("tool_use") != std::string::npos
             ? ""
             : "input outside of a tool block";
}

}  // namespace

std::string breach_of_openai(std::string_view bytes, bool include_usage, bool broken) {
  std::string breach;
  std::map<int, OpenAiChoice> choices;
  json head;
  bool done = false, usage = false, error = false;
  for (const Block& block : blocks(bytes, breach)) {
    if (block.comment) continue;
    if (done || error) return "something after the end";
    if (block.data == "[DONE]") {
      done = true;
      continue;
    }
    const json chunk = json::parse(for_the_oracle(block.data), nullptr, false);
    if (!chunk.is_object()) return "not JSON: " + block.data;
    if (chunk.contains("error")) {
      error = true;
      continue;
    }
    if (chunk.value("object", "") != "chat.completion.chunk") return "wrong object";
    const json now = {chunk["id"], chunk["created"], chunk["model"]};
    if (head.is_null()) head = now;
    if (head != now || chunk["id"].get<std::string>().empty()) return "id, created or model changed or empty";
    if (usage) return "a chunk after usage";
    if (chunk.contains("usage") && chunk["usage"].is_object()) {
      if (!chunk["choices"].empty()) return "usage with choices";
      usage = true;
    }
    for (const json& part : chunk["choices"]) {
      if (std::string found = check_choice(choices, part); !found.empty()) return found + ": " + block.data;
    }
  }
  if (!breach.empty()) return breach;
  if (broken) return error && !done ? "" : "a broken stream without its error";
  if (!done || error || usage != include_usage || choices.empty()) return "no clean end";
  for (const auto& [index, choice] : choices) {
    if (!choice.finished) return "a choice without finish";
  }
  return "";
}

std::string breach_of_anthropic(std::string_view bytes, bool broken) {
  std::string breach, open;
  bool started = false, delta = false, stopped = false, error = false, signed_off = false;
  long long index = 0;
  for (const Block& block : blocks(bytes, breach)) {
    if (block.comment) return "a comment";
    const json event = json::parse(for_the_oracle(block.data), nullptr, false);
    if (!event.is_object() || event.value("type", "") != block.event)
      return "event and type differ: " + block.data;
    if (stopped || error) return "something after the end";
    if (block.event == "ping") continue;
    if (block.event == "error") {
      error = true;
      continue;
    }
    if (started == (block.event == "message_start")) return "message_start not once and first";
    started = true;
    if (delta && block.event != "message_stop") return "something after message_delta";
    if (event.contains("index") && event["index"] != index) return "indexes of blocks are not contiguous";
    if (block.event == "content_block_start") {
      if (!open.empty()) return "two open blocks";
      open = event["content_block"].value("type", "?");
      signed_off = false;
      if (open == "tool_use" && event["content_block"]["input"] != json::object())
        return "tool_use starts with input";
      if (open == "tool_use" && event["content_block"].value("id", "").empty()) return "an empty id";
    } else if (block.event == "content_block_delta") {
      if (open.empty()) return "a delta without block";
      if (std::string found = check_anthropic_delta(event, open, signed_off); !found.empty())
        return found + block.data;
    } else if (block.event == "content_block_stop") {
      if (open.empty()) return "a stop without block";
      open.clear();
      ++index;
    } else if (block.event == "message_delta") {
      if (!open.empty()) return "message_delta inside a block";
      if (!event["delta"]["stop_reason"].is_string() || !event["usage"].contains("output_tokens"))
        return "no stop_reason";
      delta = true;
    } else if (block.event == "message_stop") {
      if (!delta) return "message_stop without message_delta";
      stopped = true;
    }
  }
  if (!breach.empty()) return breach;
  if (broken) return error && !stopped ? "" : "a broken stream without its error";
  return stopped || error ? "" : "no end";
}

std::string breach_of(DialectId to, std::string_view bytes, bool broken) {
  if (to == DialectId::openai_chat) return breach_of_openai(bytes, !broken, broken);
  if (to == DialectId::openai_responses) return breach_of_responses(bytes, broken);
  return to == DialectId::gemini_generate ? breach_of_gemini(bytes, broken)
                                          : breach_of_anthropic(bytes, broken);
}

}  // namespace shunt::dialect::test
