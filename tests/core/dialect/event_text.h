// Events as lines of text, so that a test shows a stream and what is read from it side by side.
#pragma once

#include <string>

#include "streams.h"

namespace shunt::dialect::test {

inline std::string said(std::string_view name, std::string_view value) {
  return value.empty() ? std::string() : " " + std::string(name) + "=" + std::string(value);
}

inline std::string event_text(const Event& event) {
  const auto n = [](auto value) { return std::to_string(value); };
  return std::visit(
      overloaded{
          [&](const event::Start& e) {
            return "start" + said("id", e.id) + said("model", e.model) + " " + n(e.created);
          },
          [&](const event::TextDelta& e) { return "text " + n(e.choice) + " " + std::string(e.text); },
          [&](const event::ReasoningDelta& e) {
            return "reasoning " + n(e.choice) + said("text", e.text) + said("signature", e.signature) +
                   said("redacted", e.redacted);
          },
          [&](const event::RefusalDelta& e) { return "refusal " + n(e.choice) + " " + std::string(e.text); },
          [&](const event::ToolCallStart& e) {
            return (e.custom ? "custom " : "call ") + n(e.choice) + "." + n(e.call) + said("id", e.id) +
                   said("name", e.name);
          },
          [&](const event::ToolCallName& e) {
            return "late " + n(e.choice) + "." + n(e.call) + said("id", e.id) + said("name", e.name);
          },
          [&](const event::ToolCallArguments& e) {
            return "args " + n(e.choice) + "." + n(e.call) + " " + std::string(e.json);
          },
          [&](const event::ToolCallEnd& e) { return "call-end " + n(e.choice) + "." + n(e.call); },
          [&](const event::UsageUpdate& e) {
            return "usage " + n(e.usage.prompt.value_or(-1)) + "+" + n(e.usage.completion.value_or(-1));
          },
          [&](const event::Finish& e) {
            return "finish " + n(e.choice) + " " + name_of(e.reason) + " (" + std::string(e.raw) + ")";
          },
          [&](const event::Error& e) {
            return "error" + said("type", e.type) + said("code", e.code) + said("message", e.message) +
                   (e.status != 0 ? " status=" + n(e.status) : "");
          },
          [&](const event::Ping&) { return std::string("ping"); },
          [&](const event::Extra& e) {
            return "extra " + n(e.choice) + " " + std::string(e.key) + " " + std::string(e.raw);
          },
          [&](const event::BadFrame&) { return std::string("bad frame"); },
          [&](const event::Done&) { return std::string("done"); },
      },
      event);
}

inline std::string event_lines(DialectId id, std::string_view bytes, Quirks quirks = 0) {
  std::string text;
  const auto decoder = find(id)->make_decoder(quirks);
  each_frame(*decoder, bytes, {}, [&](const EventList& events) {
    for (const Event& event : events) text += event_text(event) + "\n";
  });
  return text;
}

}  // namespace shunt::dialect::test
