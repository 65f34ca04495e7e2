// What the readers and writers of request bodies share: places for problems, ranges of the outline, pieces
// with commas. Knows JSON and the canonical request; the words of one API stand in its own file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/outline.h"
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
struct Field {
  std::string_view key;
  bool (*read)(Reader& in, json::NodeId node, const Place& place);
};

// One reading of a body into a Request. A body of which a part has arrived is read as if what is open ended
// there: missing members of open objects are no problem then.
class Reader {
 public:
  Reader(const json::Outline& body, Request& request, RequestProblem& problem)
      : o(body), out(request), problem_(problem) {}

  const json::Outline& o;
  Request& out;

  // Reads the whole body by the dialect's table of top-level keys. Every dialect demands a JSON object whose
  // keys stand once, with messages.
  bool read(std::span<const Field> fields);

  // The request cannot be read by anyone; always false.
  bool fail(const Place& place, std::string_view what) const;
  // It can be read, but only its own dialect can say this.
  void only_here(const Place& place, std::string_view what, int status = 400);
  void ignore(std::string_view what);  // lists a key as unknown, once

  bool is(json::NodeId node, json::Kind kind) const { return o.kind(node) == kind; }
  bool is_null(json::NodeId node) const { return is(node, json::Kind::null); }
  bool is_string(json::NodeId node) const { return is(node, json::Kind::string); }
  std::string word(json::NodeId node) const;  // a short string; empty when it is none
  Text content(json::NodeId string) const;    // its raw content by range; absent when it is no string
  Text id(json::NodeId string) const;         // the same, copied when short: writers may have to mend ids
  Raw value(json::NodeId node) const;         // its JSON by range
  bool flag(json::NodeId node) const { return o.is_true(node); }

  // Parameters: the wrong type is for the provider of this dialect to judge, no other gets it.
  void number(json::NodeId node, const Place& place, Raw& field);
  void integer(json::NodeId node, const Place& place, std::optional<std::int64_t>& field);
  void string(json::NodeId node, const Place& place, Text& field);
  void response_schema(json::NodeId schema_holder, const Place& place);  // {"schema": …, "name": …}

  void count(const BodyText& text) { bytes_ += text.bytes(); }  // for the estimate of tokens

  // A range of the string's content that starts `skip` raw bytes in.
  Text content_from(json::NodeId string, std::size_t skip) const;
  // "data:<media type>;base64,<data>" -> the type and the range of the data; false when it is not of that
  // form.
  bool data_url(json::NodeId string, std::string& media_type, Text& data) const;

 private:
  bool begin();

  RequestProblem& problem_;
  std::uint64_t bytes_ = 0;
};

// Readers of fields that dialects share.
bool read_model(Reader& in, json::NodeId node, const Place& place);
bool read_stream(Reader& in, json::NodeId node, const Place& place);
bool read_temperature(Reader& in, json::NodeId node, const Place& place);
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

// Calls read(in, element, place, index) for each element of an array, until one fails; what is no array is a
// problem.
template <typename Read>
bool each_element(Reader& in, json::NodeId array, const Place& place, Read read) {
  if (!in.is(array, json::Kind::array)) return in.fail(place, "must be an array");
  std::size_t index = 0;
  for (json::NodeId one = in.o.first(array); one != json::kNoNode; one = in.o.next(one)) {
    if (!read(in, one, Place(place, index), index)) return false;
    ++index;
  }
  return true;
}

// Pieces of a JSON body: a comma where one is due. Calls must nest properly.
class PieceWriter {
 public:
  explicit PieceWriter(BodyPieces& pieces) : out(pieces) {}
  BodyPieces& out;

  PieceWriter& open(std::string_view bracket);  // "{" or "["
  PieceWriter& close(std::string_view bracket);
  PieceWriter& key(std::string_view name);  // a name of ours, without anything to escape
  PieceWriter& string(const Text& content);
  PieceWriter& joined(std::span<const Text> contents,
                      std::string_view between);  // one string; between: raw content
  PieceWriter& word(std::string_view text);       // escapes
  PieceWriter& raw(const Raw& value);
  PieceWriter& json(std::string_view value);  // JSON of ours
  PieceWriter& integer(std::int64_t value);
  PieceWriter& data_url(std::string_view media_type, const Text& data);
  PieceWriter& field(std::string_view name, std::string_view text) { return key(name).word(text); }
  void present(std::string_view name, const Raw& value);  // key and value when the value is there

 private:
  void comma();

  bool due_ = false;
};

// The schema of a tool whose client gave none.
inline constexpr std::string_view kEmptySchema = R"({"type":"object","properties":{}})";

// What every writer of another dialect begins and ends with.
bool translatable(const Request& request, RequestProblem& problem);
void list_dropped(const Request& request, BodyPieces& out);
// Call when the messages are written: of a body that is still arriving nothing else can be. Cuts `out` after
// the string that stands open, or empties it when that one is not among what was written.
void end_partial(const Request& request, BodyPieces& out);
// "messages[3]" or "system".
std::string place_of(const Message& message);

}  // namespace shunt::dialect
