// What the readers and writers of request bodies share: places for problems, ranges of the outline, pieces
// with commas. Knows JSON and the canonical request; the words of one API stand in its own file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/outline.h"
#include "base/strings.h"
#include "canonical/request.h"
#include "catalog/dialect_id.h"

namespace shunt::dialect {

// How to outline a client's body of this dialect: one node for each schema, metadata object or tool input,
// and the JSON of tool calls kept, because translating it escapes or unescapes it. The spans are constants.
std::span<const std::string_view> request_opaque_keys(DialectId id);
std::span<const std::string_view> request_keep_keys(DialectId id);
json::Outline::Options request_outline_options(DialectId id);

// Where in the body something stands. Places live on the stack of the walk and become text only when a
// problem is told.
class Place {
 public:
  Place() = default;
  Place(const Place& outer, std::string_view key) : outer_(&outer), key_(key) {}
  Place(const Place& outer, std::size_t index) : outer_(&outer), index_(index) {}
  std::string text() const;

 private:
  const Place* outer_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

class Reader;
// A top-level key and how it is read.
struct TopKey {
  std::string_view key;
  bool (*read)(Reader& in, json::NodeId node, const Place& place);
};
using ReadElement = bool (*)(Reader& in, json::NodeId element, const Place& place, std::size_t index);
using ReadPart = bool (*)(Reader& in, json::NodeId element, const Place& place, std::vector<Part>& parts);

// One reading of a body into a Request. A body of which a part has arrived is read as if what is open ended
// there: missing members of open objects are no problem then.
class Reader {
 public:
  Reader(const json::Outline& body, Request& request, RequestProblem& problem)
      : o(body), out(request), problem_(problem) {}

  const json::Outline& o;
  Request& out;

  // Reads the whole body by the dialect's table of top-level keys. Every dialect demands a JSON object whose
  // keys stand once, with messages under the key it has for them; empty = the dialect looks itself.
  bool read(std::span<const TopKey> fields, std::string_view messages = "messages");
  // Reads each element of an array, until one fails; what is no array is a problem.
  bool each(json::NodeId array, const Place& place, ReadElement read_one);
  // Parts from a bare string, which is one text, or from an array; `otherwise` is the problem with the rest.
  bool parts(json::NodeId content, const Place& place, std::vector<Part>& into, ReadPart read_one,
             std::string_view otherwise);

  // The request cannot be read by anyone; always false.
  bool fail(const Place& place, std::string_view what) const;
  // It can be read, but only its own dialect can say this.
  void only_here(const Place& place, std::string_view what, int status = 400);
  void ignore(std::string_view what);  // lists a key as unknown, once

  bool is(json::NodeId node, json::Kind kind) const { return o.kind(node) == kind; }
  bool is_null(json::NodeId node) const { return is(node, json::Kind::null); }
  bool is_string(json::NodeId node) const { return is(node, json::Kind::string); }
  bool is_object(json::NodeId node, const Place& place) const;  // else a problem
  bool flag(json::NodeId object, std::string_view key) const { return o.is_true(o.find(object, key)); }
  // A short string, empty when it is none; dies at the next word.
  std::string_view word(json::NodeId node);
  std::string_view word(json::NodeId object, std::string_view key) { return word(o.find(object, key)); }

  // Strings and values into the fields of a request; what is none leaves the field absent.
  void content(json::NodeId string, Text& field) const;  // raw content, by range
  void content(json::NodeId object, std::string_view key, Text& field) const;
  void counted(json::NodeId string, Text& field);  // the same, for the estimate of tokens too
  // The same, copied when short: writers may have to mend ids.
  void id(json::NodeId object, std::string_view key, Text& field) const;
  void value(json::NodeId node, Raw& field) const;  // JSON, by range
  void value(json::NodeId object, std::string_view key, Raw& field) const;
  // "data:<media type>;base64,<data>" -> the type and the range of the data; false when it is not of that
  // form.
  bool data_url(json::NodeId string, std::string& media_type, Text& data) const;

  // Parameters: the wrong type is for the provider of this dialect to judge, no other gets it.
  void number(json::NodeId node, const Place& place, Raw& field);
  void integer(json::NodeId node, const Place& place, std::optional<std::int64_t>& field);
  void string(json::NodeId node, const Place& place, Text& field);
  CacheMark mark(json::NodeId node);                                     // its cache_control
  void response_schema(json::NodeId schema_holder, const Place& place);  // {"schema": …, "name": …}

  void count(const BodyText& text) { bytes_ += text.bytes(); }  // for the estimate of tokens

 private:
  bool begin();

  RequestProblem& problem_;
  std::uint64_t bytes_ = 0;
  std::string word_;  // the last word, when it was escaped
};

// Readers of fields that dialects share.
bool read_model(Reader& in, json::NodeId node, const Place& place);
bool read_stream(Reader& in, json::NodeId node, const Place& place);
bool read_temperature(Reader& in, json::NodeId node, const Place& place);
bool read_logprobs(Reader& in, json::NodeId node, const Place& place);
// A list of what the answer may be made of: what is more than text only some lines can give.
bool read_modalities(Reader& in, json::NodeId node, const Place& place);
// A part of a type that only the client's dialect has.
void read_other_part(Reader& in, std::string_view type, const Place& place, Part& part);
bool read_effort(Reader& in, json::NodeId node, const Place& place);
bool read_stop(Reader& in, json::NodeId node, const Place& place);
template <Raw Params::* Member>
bool read_number(Reader& in, json::NodeId node, const Place& place) {
  in.number(node, place, in.out.params.*Member);
  return true;
}
template <Text Params::* Member>
bool read_string(Reader& in, json::NodeId node, const Place& place) {
  in.string(node, place, in.out.params.*Member);
  return true;
}
template <std::optional<std::int64_t> Params::* Member>
bool read_integer(Reader& in, json::NodeId node, const Place& place) {
  in.integer(node, place, in.out.params.*Member);
  return true;
}

// By CacheMark; the first is not used.
using MarkWords = const char* [3];

// Pieces of a JSON body. What is ours is said as it reads, with `$` where something of the client goes:
//   w.put(R"({"type":"image_url","image_url":{"url":"$"}})", part.text);
// A comma is put before it where one is due, so a call says whole members and elements, or opens and closes.
// What is empty needs no `$`.
class PieceWriter {
 public:
  explicit PieceWriter(BodyPieces& pieces) : out(pieces) {}
  BodyPieces& out;

  // Literals are plain pointers: wasm passes a view of one through memory, and there are very many.
  void put(const char* json);
  void put(const char* json, const BodyText& hole);
  void put(const char* json, const BodyText& first, const BodyText& second);
  void present(const char* json, const BodyText& hole);     // when the client gave it
  void word(const char* json, std::string_view unescaped);  // what is to go there must be escaped
  void integer(const char* json, std::int64_t value);
  void schema(const char* key, const Raw& schema);  // of a tool: every one has some
  const char* go_on(const char* json);              // inside a string, or ending one: up to a hole; the rest
  void mark(const MarkWords& words, CacheMark mark);
  void input(const char* key, const Part& call);  // its object; one of plain text has that as its one member
  void drop(const char* what) { out.drop(what); }
  void drop(std::string_view what, std::string_view type) { out.drop(joined({what, type})); }

 private:
  const char* begin(const char* json);

  bool due_ = false;  // a comma, before the next member or element
};

inline constexpr char kBlockBreak[] = "\\n\\n";  // between texts that were blocks of their own
inline bool is_system(const Message& message) {
  return message.role == Role::system || message.role == Role::developer;
}
inline bool is_text(const Part& part) {
  return part.kind == PartKind::text || part.kind == PartKind::refusal;
}

// Text as the content of a JSON string.
Text escaped(std::string_view text);

// Tool ids must match [a-zA-Z0-9_-]+ at Anthropic and Bedrock; others have dots and colons in theirs. The
// same id is mended the same way in call and result.
Text mended_id(const Text& id);

// What every writer of another dialect begins and ends with.
bool translatable(const Request& request, RequestProblem& problem);
// `marks`: the target has taken those for its cache.
void list_dropped(const Request& request, BodyPieces& out, bool marks = false);
// The target gives one answer; false: more were asked for.
bool only_one_choice(const Request& request, RequestProblem& problem);
// Call when the messages are written: of a body that is still arriving nothing else can be. Cuts `out` after
// the string that stands open, or empties it when that one is not among what was written.
void end_partial(const Request& request, BodyPieces& out);
// The target cannot say something of the message: always false.
bool refuse(const Message& message, std::string_view what, RequestProblem& problem);

}  // namespace shunt::dialect
