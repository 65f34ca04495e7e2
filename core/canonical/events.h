// One answer as a sequence of events: what every decoder gives and every encoder takes, streamed or whole.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "canonical/finish.h"
#include "canonical/usage.h"

namespace shunt {

// All texts are unescaped UTF-8 unless their comment says raw JSON. All views are borrowed from the decoder
// and die at its next call.
namespace event {

struct Start {  // once per answer, first; ids may be empty (the encoder makes its own)
  std::string_view id;
  std::string_view model;
  std::int64_t created = 0;  // seconds since 1970, 0 = not said
};
struct TextDelta {
  int choice = 0;
  std::string_view text;
};
struct ReasoningDelta {  // text or signature or redacted, any of them empty; a signature closes its block
  int choice = 0;
  std::string_view text;
  std::string_view signature;
  std::string_view redacted;
};
struct RefusalDelta {
  int choice = 0;
  std::string_view text;
};
struct ToolCallStart {  // `call` counts 0, 1, … per choice in order of first appearance
  int choice = 0;
  int call = 0;
  std::string_view id;    // empty = the provider gave none
  std::string_view name;  // may be empty here and complete in a later ToolCallName
  bool custom = false;    // its arguments are plain text
};
struct ToolCallName {
  int choice = 0;
  int call = 0;
  std::string_view id;
  std::string_view name;
};  // what came late; either may be empty
struct ToolCallArguments {
  int choice = 0;
  int call = 0;
  std::string_view json;
};  // a fragment of JSON text, or of the plain text
struct ToolCallEnd {
  int choice = 0;
  int call = 0;
};  // only where the provider says so
struct UsageUpdate {
  Usage usage;
  std::string_view raw;
};  // raw: the provider's usage object, raw JSON
struct Finish {
  int choice = 0;
  FinishReason reason = FinishReason::unknown;
  std::string_view raw;
};
struct Error {  // the provider's own words inside an answer; raw: the error value as raw JSON or text
  std::string_view type;
  std::string_view code;
  std::string_view message;
  std::string_view raw;
  int status = 0;  // an HTTP status it names, 0 = none
};
struct Ping {};
struct Extra {
  int choice = -1;
  std::string_view key;
  std::string_view raw;
};  // what no other event says, raw JSON; choice -1 = of the answer
struct BadFrame {
  std::string_view data;
};  // a frame that is not JSON: dropped, counted, noted
struct Done {};  // the stream's own terminator ([DONE], message_stop)

}  // namespace event

using Event = std::variant<event::Start, event::TextDelta, event::ReasoningDelta, event::RefusalDelta,
                           event::ToolCallStart, event::ToolCallName, event::ToolCallArguments,
                           event::ToolCallEnd, event::UsageUpdate, event::Finish, event::Error, event::Ping,
                           event::Extra, event::BadFrame, event::Done>;

using EventList = std::vector<Event>;  // reused from call to call: clear(), never shrink

// clang 14 does not deduce the guide of an aggregate.
template <class... Fs>
struct overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
overloaded(Fs...) -> overloaded<Fs...>;

}  // namespace shunt
