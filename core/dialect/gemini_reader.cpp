// One GenerateContentResponse -> events. See gemini_reader.h.
// https://ai.google.dev/api/generate-content#GenerateContentResponse
#include "dialect/gemini_reader.h"

#include <iterator>

#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/finish.h"
#include "dialect/logprobs.h"
#include "dialect/others.h"
#include "dialect/provider_error.h"
#include "dialect/tool_identity.h"

namespace shunt::dialect {
namespace {

constexpr std::size_t kChoices = 128;  // as openai_chat; candidateCount is at most 8

enum ResponseSlot : std::uint8_t {
  kCandidates,
  kUsage,
  kFeedback,
  kModel,
  kId,
  kError,
  kWrapped,
  kResponseSlots
};
constexpr Member kResponse[] = {{"candidates", kCandidates},   {"usageMetadata", kUsage},
                                {"promptFeedback", kFeedback}, {"modelVersion", kModel},
                                {"responseId", kId},           {"error", kError},
                                {"response", kWrapped}};

enum CandidateSlot : std::uint8_t { kContent, kFinish, kIndex, kLogprobsResult, kCandidateSlots };
constexpr Member kCandidate[] = {
    {"content", kContent}, {"finishReason", kFinish}, {"index", kIndex}, {"logprobsResult", kLogprobsResult}};

enum ContentSlot : std::uint8_t { kParts, kContentSlots };
constexpr Member kContentMembers[] = {{"parts", kParts}};

enum PartSlot : std::uint8_t { kText, kThought, kSignature, kCall, kPartSlots };
constexpr Member kPart[] = {{"text", kText, true},
                            {"thought", kThought},
                            {"thoughtSignature", kSignature, true},
                            {"functionCall", kCall}};

enum CallSlot : std::uint8_t { kCallId, kName, kArgs, kPatches, kContinues, kCallSlots };
constexpr Member kCallMembers[] = {{"id", kCallId},
                                   {"name", kName},
                                   {"args", kArgs},
                                   {"partialArgs", kPatches},
                                   {"willContinue", kContinues}};

enum PatchSlot : std::uint8_t { kPath, kString, kValue, kNull, kPatchSlots };
constexpr Member kPatch[] = {{"jsonPath", kPath},
                             {"stringValue", kString, true},
                             {"numberValue", kValue},
                             {"boolValue", kValue},
                             {"nullValue", kNull}};

enum FeedbackSlot : std::uint8_t { kBlocked, kFeedbackSlots };
constexpr Member kFeedbackMembers[] = {{"blockReason", kBlocked}};

bool is_true(const Value& value) { return value.raw == "true"; }

}  // namespace

bool GeminiReader::read(std::string_view json, EventList& out) {
  std::size_t waiting = 0;  // arguments of earlier frames that may be told now
  for (std::size_t i = 0; i < choices_.size(); ++i) waiting += choices_[i].args.bytes();
  // Tokens are longer in the words they are told in, their bytes above all.
  const bool tokens = json.find("\"logprobsResult\"") != std::string_view::npos;
  scratch_.reset((tokens ? 4 * json.size() : json.size()) + waiting);
  out_ = &out;
  json::Cursor cursor(json);
  const auto kind = cursor.peek();
  if (kind == json::Kind::object) return read_response(json, false);
  if (!json::valid(json)) return false;
  for (bool more = cursor.enter_array() && cursor.next_element(); more; more = cursor.next_element()) {
    read_response(cursor.skip(), false);
  }
  return true;
}

event::Error GeminiReader::error_from(std::string_view text) {
  scratch_.reset(text.size());
  return dialect::error_from(text, scratch_);
}

// The whole object is read before anything is made of it: a frame that breaks off changes nothing. Code
// Assist wraps each response once: {"response":{…},"traceId":…}.
bool GeminiReader::read_response(std::string_view raw, bool wrapped) {
  json::Cursor cursor(raw);
  if (!cursor.enter_object()) return true;
  const std::size_t mark = out_->size();
  out_->push_back(event::Start{});
  Value in[kResponseSlots];
  std::string_view other;
  while (take_members(cursor, kResponse, in, other))
    add_other(*out_, scratch_, -1, "response.", other, cursor);
  const bool answer = in[kCandidates].named || in[kUsage].named || in[kFeedback].named || in[kId].named;
  if (!cursor.at_end() || !answer) cut_back(*out_, mark);
  if (!cursor.at_end()) return false;
  if (!answer && !wrapped && in[kWrapped].kind == json::Kind::object) {
    return read_response(in[kWrapped].raw, true);
  }
  event::Error error;
  if ((!answer || in[kError].named) &&
      read_error(raw, answer ? ErrorForm::marked : ErrorForm::any, scratch_, error)) {
    add_error(*out_, error);
  }
  if (!answer) return true;
  if (started_) {
    out_->erase(std::next(out_->begin(), static_cast<std::ptrdiff_t>(mark)));
  } else {
    *std::get_if<event::Start>(&(*out_)[mark]) = {text(in[kId]), text(in[kModel]), 0};
  }
  started_ = true;
  put_feedback(in[kFeedback].raw);
  put_candidates(in[kCandidates]);
  if (in[kUsage].kind == json::Kind::object) {
    usage_.read(in[kUsage].raw);
    add_usage(*out_, usage_.sums(), in[kUsage].raw);
  }
  return true;
}

// A prompt that was refused has no candidates.
void GeminiReader::put_feedback(std::string_view raw) {
  if (raw.empty()) return;
  Value in[kFeedbackSlots];
  json::Cursor cursor(raw);
  take_object(cursor, kFeedbackMembers, in);
  add_extra(*out_, -1, "response.promptFeedback", raw);
  const std::string_view reason = text(in[kBlocked]);
  if (!reason.empty()) add_finish(*out_, 0, FinishReason::content_filter, reason);
}

void GeminiReader::put_candidates(const Value& candidates) {
  if (candidates.kind != json::Kind::array) return;
  json::Cursor cursor(candidates.raw);
  int position = 0;
  for (bool more = cursor.enter_array() && cursor.next_element(); more; more = cursor.next_element()) {
    put_candidate(cursor.skip(), position++);
  }
}

void GeminiReader::put_candidate(std::string_view raw, int position) {
  Value in[kCandidateSlots];
  json::Cursor cursor(raw);
  take_object(cursor, kCandidate, in);
  // An index of 0 may be left out: the JSON form of protocol buffers drops defaults.
  const std::int64_t index = parse_int(in[kIndex].raw).value_or(position);
  if (index < 0 || static_cast<std::size_t>(index) >= kChoices) {
    return add_extra(*out_, -1, "response.candidate", raw);
  }
  Choice& choice = choices_[static_cast<std::size_t>(index)];
  choice.index = static_cast<int>(index);
  put_logprobs(json_of(in[kLogprobsResult]), choice.index);
  Value content[kContentSlots];
  json::Cursor inside(in[kContent].raw);
  take_object(inside, kContentMembers, content);
  json::Cursor parts(content[kParts].kind == json::Kind::array ? content[kParts].raw : std::string_view{});
  for (bool more = parts.enter_array() && parts.next_element(); more; more = parts.next_element()) {
    put_part(parts.skip(), choice);
  }
  add_others(*out_, scratch_, choice.index, "candidate.", raw, kCandidate);
  const bool number = in[kFinish].kind == json::Kind::number;
  const std::string_view finish = number ? in[kFinish].raw : text(in[kFinish]);
  if (finish.empty()) return;
  close_call(choice);
  add_finish(*out_, choice.index, finish_of_gemini(finish), finish);
}

void GeminiReader::put_logprobs(std::string_view raw, int index) {
  if (!json::valid(raw)) return;
  add_extra(*out_, index, kLogprobsKey, scratch_.joined(openai_tokens(raw), {}));
  add_extra(*out_, index, "candidate.logprobsResult", raw);  // with the tokens' numbers
}

void GeminiReader::put_part(std::string_view raw, Choice& choice) {
  Value in[kPartSlots];
  std::string_view other;
  const std::size_t mark = out_->size();
  json::Cursor cursor(raw);
  if (!cursor.enter_object()) return;
  while (take_members(cursor, kPart, in, other))
    add_other(*out_, scratch_, choice.index, "part.", other, cursor);
  const std::string_view text = this->text(in[kText]);
  const bool thought = is_true(in[kThought]);
  const bool call = in[kCall].kind == json::Kind::object;
  const bool sealed = in[kSignature].kind == json::Kind::string;
  if (!call && text.empty()) {  // of another kind, or an empty text, which may carry a signature
    const bool says_more = !in[kText].named || sealed || out_->size() != mark;
    cut_back(*out_, mark);
    if (says_more) add_extra(*out_, choice.index, "part", raw);
  } else if (sealed) {
    add_extra(*out_, choice.index, "part.thoughtSignature", json_of(in[kSignature]));
  }
  if (call) {
    put_signed(in[kSignature], choice);
    put_call(in[kCall].raw, choice);
  } else {
    if (!text.empty()) close_call(choice);
    if (thought) {
      if (!text.empty()) add_reasoning(*out_, {choice.index, text, {}, {}});
      choice.thinking = true;
    }
    put_signed(in[kSignature], choice);
    if (!thought && !text.empty()) add_text(*out_, choice.index, text);
  }
  if (!text.empty() || call) choice.thinking = thought;
}

// A signature that follows thoughts seals them; one without any is only its part's.
void GeminiReader::put_signed(const Value& signature, Choice& choice) {
  if (signature.raw.empty() || !choice.thinking) return;
  add_reasoning(*out_, {choice.index, {}, text(signature), {}});
  choice.thinking = false;
}

// Calls come whole, in most cases without an id. With streamFunctionCallArguments one begins with its name
// and willContinue; nameless patches follow, and one that does not continue, often {}, ends it.
void GeminiReader::put_call(std::string_view raw, Choice& choice) {
  Value in[kCallSlots];
  json::Cursor cursor(raw);
  take_object(cursor, kCallMembers, in);
  const std::string_view id = text(in[kCallId]);
  const std::string_view name = text(in[kName]);
  const bool same = name.empty() || (!id.empty() && id == choice.open_id);
  if (choice.open < 0 || !same) {
    close_call(choice);
    if (name.empty() && id.empty() && !in[kArgs].named) return;  // the end of none
    if (static_cast<std::size_t>(choice.calls) >= kToolCalls) return;
    choice.open = choice.calls++;
    choice.open_id = id;
    choice.whole = choice.lost = false;
    add_call(*out_, choice.index, choice.open, id, name);
  }
  if (in[kArgs].kind == json::Kind::object && !choice.whole) {
    choice.whole = true;
    add_arguments(*out_, choice.index, choice.open, scratch_.compact(in[kArgs].raw));
  }
  put_patches(in[kPatches], choice);
  if (!is_true(in[kContinues])) close_call(choice);
}

void GeminiReader::put_patches(const Value& patches, Choice& choice) {
  if (patches.kind != json::Kind::array) return;
  json::Cursor cursor(patches.raw);
  for (bool more = cursor.enter_array() && cursor.next_element(); more; more = cursor.next_element()) {
    if (choice.lost) return;
    Value in[kPatchSlots];
    take_object(cursor, kPatch, in);
    const bool string = in[kString].named;
    const std::string_view value = in[kNull].named ? "null" : json_of(in[kValue]);
    if (!string && value.empty()) continue;
    if (!choice.args.apply({text(in[kPath]), string ? in[kString].raw : value, string})) lose_call(choice);
  }
}

// Arguments that are only in part what the model said must not be run.
void GeminiReader::lose_call(Choice& choice) {
  if (choice.lost) return;
  choice.lost = true;
  add_error(*out_, {"protocol_error", {}, "partialArgs that cannot be put together", {}, 0});
}

void GeminiReader::close_call(Choice& choice) {
  if (choice.open < 0) return;
  std::string_view args;
  if (!choice.whole) {
    std::string json;
    choice.args.write(json);
    args = scratch_.joined(json, {});
    if (args.empty()) lose_call(choice);
  }
  if (!choice.lost) {
    if (!choice.whole) add_arguments(*out_, choice.index, choice.open, args);
    out_->push_back(event::ToolCallEnd{choice.index, choice.open});
  }
  choice.open = -1;
  choice.args.clear();
}

}  // namespace shunt::dialect
