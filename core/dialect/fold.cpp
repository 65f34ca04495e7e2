// A whole answer gathered from its events. See fold.h.
#include "dialect/fold.h"

#include "dialect/logprobs.h"

namespace shunt::dialect {
namespace {

FoldedChoice& choice_at(Folded& folded, int index) {
  const auto at = static_cast<std::size_t>(index < 0 ? 0 : index);
  while (folded.choices.size() <= at) folded.choices.emplace_back();
  return folded.choices[at];
}

FoldedCall& call_at(Folded& folded, int choice, int call) {
  FoldedChoice& of = choice_at(folded, choice);
  const auto at = static_cast<std::size_t>(call < 0 ? 0 : call);
  while (of.calls.size() <= at) of.calls.emplace_back();
  return of.calls[at];
}

std::string extra_text(const event::Extra& extra) {
  std::string text(extra.key);
  text += '\n';
  text += extra.raw;
  return text;
}

// A signature or sealed text ends its block: what follows begins another.
void add_reasoning(FoldedChoice& choice, const event::ReasoningDelta& delta) {
  std::vector<FoldedReasoning>& blocks = choice.reasoning;
  const bool closed = blocks.empty() || !blocks.back().signature.empty() || !blocks.back().redacted.empty();
  if (closed || (!delta.redacted.empty() && !blocks.back().text.empty())) blocks.emplace_back();
  blocks.back().text += delta.text;
  blocks.back().signature += delta.signature;
  blocks.back().redacted += delta.redacted;
}

void set_if_said(std::string& field, std::string_view value) {
  if (!value.empty()) field = value;
}

}  // namespace

std::string FoldedChoice::reasoning_text() const {
  std::string joined;
  for (const FoldedReasoning& block : reasoning) joined += block.text;
  return joined;
}

bool FoldedChoice::has_content() const { return !text.empty() || !calls.empty() || !refusal.empty(); }

void Folded::add(const Event& event) {
  const overloaded visitor{
      [&](const event::Start& e) {
        set_if_said(id, e.id);
        set_if_said(model, e.model);
        if (e.created != 0) created = e.created;
      },
      [&](const event::TextDelta& e) { choice_at(*this, e.choice).text += e.text; },
      [&](const event::ReasoningDelta& e) { add_reasoning(choice_at(*this, e.choice), e); },
      [&](const event::RefusalDelta& e) { choice_at(*this, e.choice).refusal += e.text; },
      [&](const event::ToolCallStart& e) {
        FoldedCall& call = call_at(*this, e.choice, e.call);
        set_if_said(call.id, e.id);
        set_if_said(call.name, e.name);
        call.custom = e.custom;
      },
      [&](const event::ToolCallName& e) {
        FoldedCall& call = call_at(*this, e.choice, e.call);
        set_if_said(call.id, e.id);
        set_if_said(call.name, e.name);
      },
      [&](const event::ToolCallArguments& e) { call_at(*this, e.choice, e.call).arguments += e.json; },
      [](const event::ToolCallEnd&) {},
      [&](const event::UsageUpdate& e) {
        overwrite(usage, e.usage);
        usage_raw = e.raw;
      },
      [&](const event::Finish& e) {
        FoldedChoice& choice = choice_at(*this, e.choice);
        choice.finished = true;
        choice.finish = e.reason;
        choice.finish_raw = e.raw;
      },
      [&](const event::Error& e) {
        errors.push_back(
            {std::string(e.type), std::string(e.code), std::string(e.message), std::string(e.raw), e.status});
      },
      [](const event::Ping&) {},
      [&](const event::Extra& e) {
        if (e.key == kLogprobsKey && append_tokens(choice_at(*this, e.choice).logprobs, e.raw)) return;
        (e.choice < 0 ? extras : choice_at(*this, e.choice).extras).push_back(extra_text(e));
      },
      [&](const event::BadFrame&) { ++bad_frames; },
      [&](const event::Done&) { done = true; },
  };
  std::visit(visitor, event);
}

void Folded::add(const EventList& events) {
  for (const Event& event : events) add(event);
}

std::size_t Folded::bytes() const {
  std::size_t sum = id.size() + model.size() + usage_raw.size();
  for (const std::string& extra : extras) sum += extra.size();
  for (const FoldedError& error : errors) sum += error.message.size() + error.raw.size();
  for (const FoldedChoice& choice : choices) {
    sum += choice.text.size() + choice.refusal.size() + choice.finish_raw.size() + choice.logprobs.size();
    for (const FoldedReasoning& block : choice.reasoning) {
      sum += block.text.size() + block.signature.size() + block.redacted.size();
    }
    for (const FoldedCall& call : choice.calls)
      sum += call.id.size() + call.name.size() + call.arguments.size();
    for (const std::string& extra : choice.extras) sum += extra.size();
  }
  return sum;
}

}  // namespace shunt::dialect
