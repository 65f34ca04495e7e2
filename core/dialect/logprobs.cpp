// Log probabilities between OpenAI's form and Gemini's. See logprobs.h.
// https://ai.google.dev/api/generate-content#LogprobsResult
#include "dialect/logprobs.h"

#include "base/json.h"
#include "base/strings.h"
#include "dialect/fill.h"
#include "dialect/members.h"

namespace shunt::dialect {
namespace {

enum Slot : std::uint8_t { kToken, kLogprob, kTops, kList, kSlots };
constexpr Member kMembers[] = {
    {"token", kToken},        {"logprob", kLogprob},        {"top_logprobs", kTops},
    {"content", kList},       {"logProbability", kLogprob}, {"candidates", kTops},
    {"topCandidates", kTops}, {"chosenCandidates", kList}};

// The objects of an array, one after the other.
struct Each {
  explicit Each(std::string_view array) : cursor(array) { more = cursor.enter_array(); }
  bool next() {
    more = more && cursor.next_element();
    for (Value& value : in) value = {};
    if (more) take_object(cursor, kMembers, in);
    return more;
  }
  json::Cursor cursor;
  Value in[kSlots];
  bool more;
};

void append_bytes(std::string& out, std::string_view raw) {
  std::string text;
  json::unescape(raw, text);
  out += ",\"bytes\":[";
  for (const char c : text) {
    append_uint(out, static_cast<unsigned char>(c));
    out += ',';
  }
  if (!text.empty()) out.pop_back();
  out += ']';
}

// The tokens of an array, in OpenAI's form or in Gemini's. `tops`: an element each, of those that might have
// stood in their place.
void append_each(std::string& out, std::string_view array, bool openai, Each* tops) {
  for (Each one(array); one.next();) {
    if (out.back() == '}') out += ',';
    out += "{\"token\":\"";
    out += one.in[kToken].raw;
    out += openai ? "\",\"logprob\":" : "\",\"logProbability\":";
    out += one.in[kLogprob].raw.empty() ? "0" : one.in[kLogprob].raw;
    if (openai) append_bytes(out, one.in[kToken].raw);
    if (tops != nullptr) {
      out += ",\"top_logprobs\":[";
      if (tops->next()) append_each(out, tops->in[kTops].raw, true, nullptr);
      out += ']';
    }
    out += '}';
  }
}

void take(std::string_view object, Value* in) {
  json::Cursor cursor(object);
  take_object(cursor, kMembers, in);
}

}  // namespace

void join_tokens(std::string& tokens, std::string_view more) {
  if (!tokens.empty() && !more.empty()) tokens += ',';
  append_one_line(tokens, more);
}

bool append_tokens(std::string& tokens, std::string_view told) {
  if (!json::valid(told)) return false;  // a reader steps over what it hands on
  Value in[kSlots];
  take(told, in);
  if (in[kList].kind == json::Kind::array) told = in[kList].raw;
  told = trim(told);
  if (!told.starts_with('[')) return false;
  join_tokens(tokens, trim(told.substr(1, told.size() - 2)));
  return true;
}

std::string openai_tokens(std::string_view result) {
  Value in[kSlots];
  take(result, in);
  Each tops(in[kTops].raw);
  std::string out = "[";
  append_each(out, in[kList].raw, true, &tops);
  return out + ']';
}

void append_gemini_logprobs(std::string& out, std::string_view tokens) {
  if (tokens.empty()) return;
  const std::string array = joined({"[", tokens, "]"});
  out += ",\"logprobsResult\":{\"chosenCandidates\":[";
  append_each(out, array, false, nullptr);
  out += "],\"topCandidates\":[";
  for (Each one(array); one.next();) {
    out += out.back() == '}' ? ",{\"candidates\":[" : "{\"candidates\":[";
    append_each(out, one.in[kTops].raw, false, nullptr);
    out += "]}";
  }
  out += "]}";
}

}  // namespace shunt::dialect
