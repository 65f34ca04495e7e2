// Request bodies of the dialects that word a chat nearly as openai_chat does, and of those that take one
// prompt. Targets only, but openai_chat, which is a table too: openai_chat_body.cpp.
#pragma once

#include "dialect/body_words.h"

namespace shunt::dialect {

// What is no text: refused; as parts of a list, where there is any; as parts of a list that texts are in too;
// a list of base64 beside the text.
enum class Images : std::uint8_t { none, parts, list, apart };

// How such a dialect words a chat.
struct ChatWords {
  BodyWords params;
  const char* open = R"({"messages":[)";
  const char* close = "]";
  const char* settings = nullptr;  // opens the object that all but the messages are in
  const char* sampling = nullptr;  // opens the object that sampling is in
  Images images = Images::none;
  bool call_objects = false;              // calls hold an object and no id, results the function's name
  bool model = true;                      // else it is in the path
  const char* empty = R"("content":"")";  // of an assistant that only calls
  const ChoiceWords* choices = nullptr;
  const CustomWords* custom = nullptr;
  const char* strict = nullptr;  // of a tool
  const char* serial = nullptr;  // no calls in parallel
  const char* streamed = R"("stream":true)";
  const char* plain = nullptr;  // where streaming is the default
};

bool write_chat_like(const ChatWords& words, const Request& request, const RequestTarget& target,
                     BodyPieces& out, RequestProblem& problem);

bool write_cohere(const Request& request, const RequestTarget& target, BodyPieces& out,
                  RequestProblem& problem);
bool write_ollama(const Request& request, const RequestTarget& target, BodyPieces& out,
                  RequestProblem& problem);
bool write_dashscope(const Request& request, const RequestTarget& target, BodyPieces& out,
                     RequestProblem& problem);
bool write_workers_ai(const Request& request, const RequestTarget& target, BodyPieces& out,
                      RequestProblem& problem);
// One user message of plain text; another conversation is refused.
bool write_completions(const Request& request, const RequestTarget& target, BodyPieces& out,
                       RequestProblem& problem);
bool write_lmstudio(const Request& request, const RequestTarget& target, BodyPieces& out,
                    RequestProblem& problem);

}  // namespace shunt::dialect
