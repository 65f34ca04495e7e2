// A folded answer -> one chat.completion. See openai_chat_encode.h.
#include "base/json_writer.h"
#include "dialect/call_id.h"
#include "dialect/fill.h"
#include "dialect/finish.h"
#include "dialect/openai_chat_encode.h"
#include "dialect/usage.h"

namespace shunt::dialect {
namespace {

void write_calls(const FoldedChoice& choice, std::string_view id, int index, std::string& out) {
  for (std::size_t i = 0; i < choice.calls.size(); ++i) {
    const FoldedCall& call = choice.calls[i];
    out += i == 0 ? R"(,"tool_calls":[{"id":")" : R"(,{"id":")";
    if (call.id.empty()) {
      out += made_call_id("call_", id, index, static_cast<int>(i));
    } else {
      json::append_escaped(out, call.id);
    }
    fill(out,
         call.custom ? R"(","type":"custom","custom":{"name":"$")"
                     : R"(","type":"function","function":{"name":"$")",
         call.name);
    fill(out, call.custom ? R"(,"input":"$"}})" : R"(,"arguments":"$"}})", call.arguments);
  }
  if (!choice.calls.empty()) out += ']';
}

void write_message(const FoldedChoice& choice, std::string_view id, int index, std::string& out) {
  // Only calls or a refusal: there is no text, not an empty one.
  const bool no_text = choice.text.empty() && (!choice.calls.empty() || !choice.refusal.empty());
  fill(out, no_text ? R"({"role":"assistant","content":null)" : R"({"role":"assistant","content":"$")",
       choice.text);
  const std::string reasoning = choice.reasoning_text();
  if (!reasoning.empty()) fill(out, R"(,"reasoning_content":"$")", reasoning);
  fill(out, choice.refusal.empty() ? R"(,"refusal":null)" : R"(,"refusal":"$")", choice.refusal);
  write_calls(choice, id, index, out);
  out += '}';
}

}  // namespace

void encode_openai_chat_answer(const Folded& answer, const EncodeOptions& options, std::string& out) {
  const std::string_view id = answer.id.empty() ? options.id : std::string_view(answer.id);
  fill(out, R"({"id":"$","object":"chat.completion",)", id);
  fill(out, R"("created":$,)", answer.created != 0 ? answer.created : options.created);
  fill(out, R"("model":"$","choices":[)",
       answer.model.empty() ? options.model : std::string_view(answer.model));
  for (std::size_t i = 0; i < answer.choices.size(); ++i) {
    const FoldedChoice& choice = answer.choices[i];
    const int index = static_cast<int>(i);
    fill(out, i == 0 ? R"({"index":$,"message":)" : R"(,{"index":$,"message":)", std::int64_t{index});
    write_message(choice, id, index, out);
    fill_raw(
        out,
        choice.logprobs.empty() ? ",\"logprobs\":null" : ",\"logprobs\":{\"content\":[$],\"refusal\":null}",
        choice.logprobs);
    fill(out, R"(,"finish_reason":"$"})", finish_to_openai(told(choice.finish, !choice.calls.empty())));
  }
  out += ']';
  if (answer.usage != Usage{}) {
    out += R"(,"usage":)";
    write_openai_usage(answer.usage, out);
  }
  out += '}';
}

}  // namespace shunt::dialect
