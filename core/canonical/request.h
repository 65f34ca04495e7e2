// One request, with contents by reference: texts, schemas and images are ranges of the client's body, which
// stays with the host. Values only; knows no dialect.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "canonical/abilities.h"

namespace shunt {

// JSON text that is either ours or a range of the client's body. For `Text` fields it is the raw content of a
// JSON string (escapes kept, no quotes), which is valid string content in any JSON body; for `Raw` fields it
// is a whole JSON value.
struct BodyText {
  std::string literal;  // used when length == 0
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  bool present = false;  // false = the client gave none

  static BodyText of(std::string_view ours) { return {std::string(ours), 0, 0, true}; }
  static BodyText range(std::uint64_t offset, std::uint64_t length) { return {{}, offset, length, true}; }
  bool empty() const { return literal.empty() && length == 0; }
  std::uint64_t bytes() const { return length != 0 ? length : literal.size(); }
  friend bool operator==(const BodyText&, const BodyText&) = default;
};
using Text = BodyText;  // string content, JSON-escaped
using Raw = BodyText;   // a JSON value

enum class Role : std::uint8_t { system, developer, user, assistant, tool };

enum class PartKind : std::uint8_t {
  text,
  refusal,
  image_url,
  image_base64,
  document_url,
  document_base64,
  tool_call,
  tool_result,
  thinking,  // readable or redacted: bound to the dialect it came from
  other,     // what no other kind says
};

// Up to here the prompt may be kept for the next request: for the provider's usual time, or for an hour.
enum class CacheMark : std::uint8_t { none, usual, hour };

struct Part {
  PartKind kind = PartKind::text;
  Text text;               // text, refusal; the URL of *_url; the data of *_base64; a tool_call's plain text
  std::string media_type;  // of *_base64
  Text detail;             // of images: how closely to look, in OpenAI's words
  Text id;                 // tool_call, tool_result: the call's id
  Text name;       // tool_call, a tool_result that names it: the function; documents: title or file name
  Raw input;       // tool_call: the arguments as a JSON object …
  Text arguments;  // … and the same as string content; of plain text the object of it, unless too long
  std::vector<Part> content;  // tool_result: its parts
  bool is_error = false;      // tool_result
  CacheMark mark = CacheMark::none;
  std::string type;  // kind other: the source dialect's word for it
};

struct Message {
  Role role = Role::user;
  std::vector<Part> parts;
  bool plain = false;  // content was a bare string
  int position = -1;   // index in the client's messages; -1 = a system prompt that stood apart from them
};

struct Tool {
  Text name;
  Text description;
  Raw schema;  // JSON schema of its parameters
  bool strict = false;
  bool custom = false;   // it takes plain text and has no schema …
  Text syntax, grammar;  // … but perhaps a grammar, and the language that one is in
  CacheMark mark = CacheMark::none;
  std::string type;  // not a function: the source dialect's word for it (nothing else is kept)
};

enum class ToolChoice : std::uint8_t { unset, automatic, none, required, named };

// How hard the model shall think, in the union of the dialects' words.
enum class Effort : std::uint8_t { unset, none, minimal, low, medium, high, xhigh, max };

struct ResponseFormat {
  enum class Kind : std::uint8_t { text, json_object, json_schema };
  Kind kind = Kind::text;
  Text name;
  Raw schema;
  bool strict = true;  // the schema keeps to what strict decoding takes
};

// Parameters that more than one dialect knows under one meaning.
struct Params {
  Raw temperature, top_p, top_k;  // numbers
  Raw seed, presence_penalty, frequency_penalty;
  std::int64_t temperature_micros = 0;  // the same number, for the dialects that bound it
  Text user;
  std::vector<Text> stop;
  bool logprobs = false;                     // of the answer's tokens …
  std::optional<std::int64_t> top_logprobs;  // … and of so many others at each place
  std::optional<std::int64_t> max_tokens;
  std::optional<std::int64_t> choices;  // openai: n
  std::optional<bool> parallel_tool_calls;
  Effort effort = Effort::unset;
  std::optional<std::int64_t> thinking_budget;  // tokens
  ResponseFormat response_format;
};

struct RequestProblem {
  std::string where;  // JSON path: "messages[2].content[0]"; empty = the body itself
  std::string what;   // plain words: what was found and what is allowed
  int status = 400;
};

struct Request {
  std::string model;  // empty = the client named none (a path or header may)
  bool stream = false;
  bool include_usage = false;  // openai: stream_options.include_usage
  std::vector<Message> messages;
  std::vector<Tool> tools;
  ToolChoice tool_choice = ToolChoice::unset;
  Text tool_choice_name;
  bool tool_choice_custom = false;  // it takes plain text
  std::string custom_tools;         // names of all that do: see dialect/custom_calls.h
  Params params;

  // What translation loses: keys no field above covers ("seed", "messages[].name"; the first few), dropped
  // with a warning …
  std::vector<std::string> unknown;
  // … and what must not be lost: the first of it; the writer of another dialect refuses with this.
  std::optional<RequestProblem> untranslatable;

  // The body is still arriving. open_string: where the string begins (opening quote) that it stands in, if
  // that one may be sent on already. See dialect/openai_chat_request.h.
  bool partial = false;
  std::optional<std::uint64_t> open_string;

  // For routing: what it needs of a line, and about how large it is.
  Abilities needs;
  bool has_marks = false;
  std::int64_t input_tokens_estimate = 0;  // bytes of text / 4
};

// Where a request goes.
struct RequestTarget {
  std::string_view model;
  std::uint32_t quirks = 0;
  std::optional<std::int64_t> default_max_tokens;  // where the dialect demands one and the client gave none
  // What the line changes, in the words of its provider's API; all of it lives elsewhere.
  std::string_view system = {};  // plain text before the client's own system prompt
  std::span<const std::pair<std::string, std::string>> params = {};  // top-level members: name, JSON
  std::span<const std::string> drop = {};                            // top-level members left out
};

// The body of an attempt: our literals and ranges of the client's body, in order.
struct BodyPieces {
  struct Piece {
    bool literal = true;
    std::uint64_t offset = 0;  // into `text` or into the client's body
    std::uint64_t length = 0;
    friend bool operator==(const Piece&, const Piece&) = default;
  };
  std::string text;  // all literals
  std::vector<Piece> pieces;
  std::vector<std::string> dropped;  // what the target cannot say: goes into a warning header

  void literal(std::string_view bytes);                    // joins a literal piece before it
  void range(std::uint64_t offset, std::uint64_t length);  // joins an adjacent range before it
  void content(const BodyText& text_or_raw);               // literal or range
  void drop(std::string_view what);                        // lists it once
  // Keeps the pieces up to and including the first range that begins after `offset`; false when there is
  // none.
  bool cut_after_range_past(std::uint64_t offset);
  std::uint64_t size() const;  // bytes of the whole body
  void clear();
};

}  // namespace shunt
