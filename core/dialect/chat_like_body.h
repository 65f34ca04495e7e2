// Request bodies of the dialects that word a chat nearly as openai_chat does. Targets only, but openai_chat,
// which is a table too: openai_chat_body.cpp.
#pragma once

#include "dialect/body_words.h"

namespace shunt::dialect {

// What is no text: refused; as parts of a list, where there is any; the same, base64 alone; as parts of a
// list that texts are in too; a list of base64 beside the text.
enum class Images : std::uint8_t { none, parts, data_parts, list, apart };

// How it words calls, and their results.
struct CallWords {
  const char* open;      // up to the first call
  const char* call;      // id, name; up to its arguments
  const char* end = "";  // of a call
  const char* close;     // of the last
  const char* result;    // up to its content
  const char* of;        // behind that: the call's id
  bool named = false;    // … or, like the call, the function's name alone
  bool objects = false;  // arguments are objects
};
extern const CallWords kOpenAiCalls;
inline constexpr ToolWords kOpenAiTools = {.open = R"("tools":[)",
                                           .tool = R"({"type":"function","function":{"name":"$")",
                                           .schema = R"("parameters":)",
                                           .end = "}}"};
constexpr ToolWords with_choices(ToolWords tools, const ChoiceWords& choices) {
  tools.choices = &choices;
  return tools;
}

// How such a dialect words a chat.
struct ChatWords {
  BodyWords params;
  const char* open = R"({"messages":[)";
  const char* close = "]";
  const char* settings = nullptr;  // opens the object that all but the messages are in
  const char* sampling = nullptr;  // opens the object that sampling is in
  Images images = Images::none;
  const CallWords* calls = &kOpenAiCalls;
  const char* system = nullptr;  // a member of its own, up to the text; else a message
  bool turns = false;            // the user, or one result, and the assistant, or one call, alternate
  bool model = true;             // else it is in the path
  const char* empty = R"("content":"")";  // of an assistant that only calls
  ToolWords tools;
  const char* streamed = R"("stream":true)";
  const char* plain = nullptr;  // where streaming is the default
};

bool write_chat_like(const ChatWords& words, const Request& request, const RequestTarget& target,
                     BodyPieces& out, RequestProblem& problem);

// All that systems say, as one member: `opening` goes up to the text.
bool write_system(const char* opening, const Request& request, PieceWriter& w, RequestProblem& problem);

bool write_cohere(const Request& request, const RequestTarget& target, BodyPieces& out,
                  RequestProblem& problem);
bool write_ollama(const Request& request, const RequestTarget& target, BodyPieces& out,
                  RequestProblem& problem);
bool write_dashscope(const Request& request, const RequestTarget& target, BodyPieces& out,
                     RequestProblem& problem);
bool write_workers_ai(const Request& request, const RequestTarget& target, BodyPieces& out,
                      RequestProblem& problem);
bool write_ernie(const Request& request, const RequestTarget& target, BodyPieces& out,
                 RequestProblem& problem);

}  // namespace shunt::dialect
