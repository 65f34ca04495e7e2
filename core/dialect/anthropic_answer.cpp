// A folded answer -> one message. See anthropic_encode.h.
#include "base/json.h"
#include "base/json_writer.h"
#include "dialect/anthropic_encode.h"
#include "dialect/call_id.h"
#include "dialect/finish.h"
#include "dialect/usage.h"

namespace shunt::dialect {
namespace {

void write_reasoning(const FoldedReasoning& block, json::Writer& out) {
  if (!block.text.empty() || !block.signature.empty()) {
    out.begin_object().field("type", "thinking").field("thinking", std::string_view(block.text));
    out.field("signature", std::string_view(block.signature)).end_object();
  }
  if (!block.redacted.empty()) {
    out.begin_object()
        .field("type", "redacted_thinking")
        .field("data", std::string_view(block.redacted))
        .end_object();
  }
}

void write_input(std::string_view arguments, json::Writer& out) {
  if (json::Cursor(arguments).peek() == json::Kind::object && json::valid(arguments)) {
    out.raw(arguments);
    return;
  }
  out.begin_object();
  if (!arguments.empty()) out.field("raw_arguments", arguments);
  out.end_object();
}

void write_text(std::string_view text, json::Writer& out) {
  if (!text.empty()) out.begin_object().field("type", "text").field("text", text).end_object();
}

}  // namespace

void encode_anthropic_answer(const Folded& answer, const EncodeOptions& options, std::string& out) {
  const std::string_view id = answer.id.empty() ? options.id : std::string_view(answer.id);
  const FoldedChoice none;
  const FoldedChoice& choice = answer.choices.empty() ? none : answer.choices.front();
  json::Writer writer(out);
  writer.begin_object().field("id", id).field("type", "message").field("role", "assistant");
  writer.field("model", answer.model.empty() ? options.model : std::string_view(answer.model));
  writer.key("content").begin_array();
  for (const FoldedReasoning& block : choice.reasoning) write_reasoning(block, writer);
  write_text(choice.text, writer);
  write_text(choice.refusal, writer);
  for (std::size_t i = 0; i < choice.calls.size(); ++i) {
    const FoldedCall& call = choice.calls[i];
    writer.begin_object().field("type", "tool_use");
    writer.field("id", call.id.empty() ? made_call_id("toolu_", id, 0, static_cast<int>(i)) : call.id);
    writer.field("name", std::string_view(call.name)).key("input");
    write_input(call.arguments, writer);
    writer.end_object();
  }
  writer.end_array();
  const FinishReason reason = choice.refusal.empty() ? choice.finish : FinishReason::content_filter;
  writer.field("stop_reason", finish_to_anthropic(told(reason, !choice.calls.empty()), choice.finish_raw));
  writer.key("stop_sequence").null().key("usage");
  write_anthropic_usage(answer.usage, writer);
  writer.end_object();
}

}  // namespace shunt::dialect
