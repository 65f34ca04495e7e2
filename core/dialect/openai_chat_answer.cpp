// A folded answer -> one chat.completion. See openai_chat_encode.h.
#include "base/json_writer.h"
#include "dialect/call_id.h"
#include "dialect/finish.h"
#include "dialect/openai_chat_encode.h"
#include "dialect/usage.h"

namespace shunt::dialect {
namespace {

void write_calls(const FoldedChoice& choice, std::string_view id, int index, json::Writer& out) {
  out.key("tool_calls").begin_array();
  for (std::size_t i = 0; i < choice.calls.size(); ++i) {
    const FoldedCall& call = choice.calls[i];
    out.begin_object();
    out.field("id", call.id.empty() ? made_call_id("call_", id, index, static_cast<int>(i)) : call.id);
    out.field("type", "function").key("function").begin_object();
    out.field("name", std::string_view(call.name)).field("arguments", std::string_view(call.arguments));
    out.end_object().end_object();
  }
  out.end_array();
}

void write_message(const FoldedChoice& choice, std::string_view id, int index, json::Writer& out) {
  out.begin_object().field("role", "assistant").key("content");
  // Only calls or a refusal: there is no text, not an empty one.
  if (choice.text.empty() && (!choice.calls.empty() || !choice.refusal.empty())) {
    out.null();
  } else {
    out.string(choice.text);
  }
  if (const std::string reasoning = choice.reasoning_text(); !reasoning.empty()) {
    out.field("reasoning_content", std::string_view(reasoning));
  }
  out.key("refusal");
  if (choice.refusal.empty()) {
    out.null();
  } else {
    out.string(choice.refusal);
  }
  if (!choice.calls.empty()) write_calls(choice, id, index, out);
  out.end_object();
}

}  // namespace

void encode_openai_chat_answer(const Folded& answer, const EncodeOptions& options, std::string& out) {
  const std::string_view id = answer.id.empty() ? options.id : std::string_view(answer.id);
  json::Writer writer(out);
  writer.begin_object().field("id", id).field("object", "chat.completion");
  writer.field("created", answer.created != 0 ? answer.created : options.created);
  writer.field("model", answer.model.empty() ? options.model : std::string_view(answer.model));
  writer.key("choices").begin_array();
  for (std::size_t i = 0; i < answer.choices.size(); ++i) {
    const FoldedChoice& choice = answer.choices[i];
    const int index = static_cast<int>(i);
    writer.begin_object().field("index", std::int64_t{index}).key("message");
    write_message(choice, id, index, writer);
    writer.key("logprobs").null();
    writer.field("finish_reason", finish_to_openai(told(choice.finish, !choice.calls.empty()))).end_object();
  }
  writer.end_array();
  if (answer.usage != Usage{}) {
    writer.key("usage");
    write_openai_usage(answer.usage, writer);
  }
  writer.end_object();
}

}  // namespace shunt::dialect
