// Shared steps of reading and writing request bodies; no word of any one API beyond the key tables.
#include "dialect/request_common.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/json_writer.h"
#include "base/strings.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

constexpr std::array<std::string_view, 4> kOpenAiOpaque = {"parameters", "schema", "metadata", "logit_bias"};
constexpr std::array<std::string_view, 2> kOpenAiKeep = {"arguments", "input"};
constexpr std::array<std::string_view, 3> kAnthropicOpaque = {"input_schema", "schema", "input"};
constexpr std::array<std::string_view, 1> kAnthropicKeep = {"input"};

constexpr std::array<std::string_view, 8> kGeminiOpaque = {"args",
                                                           "response",
                                                           "parameters",
                                                           "parametersJsonSchema",
                                                           "parameters_json_schema",
                                                           "responseSchema",
                                                           "response_schema",
                                                           "responseJsonSchema"};
constexpr std::array<std::string_view, 6> kGeminiKeep = {"args",           "response",        "parameters",
                                                         "responseSchema", "response_schema", "data"};

// They end up in one warning header.
constexpr std::size_t kUnknownListed = 32;

constexpr Word kEfforts[] = {
    {"none", Effort::none}, {"minimal", Effort::minimal}, {"low", Effort::low}, {"medium", Effort::medium},
    {"high", Effort::high}, {"xhigh", Effort::xhigh},     {"max", Effort::max}};

bool problem_at(std::string where, std::string_view what, int status, RequestProblem& problem) {
  problem.where = std::move(where);
  problem.what = what;
  problem.status = status;
  return false;
}

// A range of the string's content that starts `skip` raw bytes in.
Text content_from(const json::Outline& o, json::NodeId string, std::size_t skip) {
  const std::uint64_t begin = o.begin(string) + 1 + skip;
  const std::uint64_t end = o.end(string) - (o.open(string) ? 0U : 1U);
  return Text::range(begin, end > begin ? end - begin : 0);
}

}  // namespace

std::span<const std::string_view> request_opaque_keys(DialectId id) {
  if (id == DialectId::anthropic_messages) return kAnthropicOpaque;
  if (id == DialectId::gemini_generate) return kGeminiOpaque;
  return kOpenAiOpaque;
}

std::span<const std::string_view> request_keep_keys(DialectId id) {
  if (id == DialectId::anthropic_messages) return kAnthropicKeep;
  if (id == DialectId::gemini_generate) return kGeminiKeep;
  return kOpenAiKeep;
}

json::Outline::Options request_outline_options(DialectId id) {
  json::Outline::Options options;
  options.opaque_keys = request_opaque_keys(id);
  options.keep_keys = request_keep_keys(id);
  return options;
}

std::string Place::text() const {
  if (outer_ == nullptr) return {};
  std::string text = outer_->text();
  if (key_.data() != nullptr) {
    if (!text.empty()) text += '.';
    text += key_;
  } else {
    text += '[';
    append_uint(text, index_);
    text += ']';
  }
  return text;
}

bool Reader::begin() {
  out = Request{};
  const Place root;
  if (o.state() == json::Outline::State::failed) {
    std::string what = "not JSON: ";
    what += o.error().what;
    what += " at byte ";
    append_uint(what, o.error().offset);
    return fail(root, what);
  }
  if (o.empty() || !is(0, json::Kind::object)) return fail(root, "must be a JSON object");
  const json::NodeId twice = o.duplicate(0);
  if (twice != json::kNoNode) return fail(Place(root, o.key(twice)), "stands twice");
  out.partial = o.state() == json::Outline::State::reading;
  const json::NodeId open = out.partial ? o.open_string() : json::kNoNode;
  if (open != json::kNoNode) out.open_string = o.begin(open);
  return true;
}

bool Reader::fail(const Place& place, std::string_view what) const {
  return problem_at(place.text(), what, 400, problem_);
}

void Reader::only_here(const Place& place, std::string_view what, int status) {
  if (!out.untranslatable) problem_at(place.text(), what, status, out.untranslatable.emplace());
}

void Reader::ignore(std::string_view what) {
  std::vector<std::string>& seen = out.unknown;
  if (seen.size() >= kUnknownListed) return;
  if (std::find(seen.begin(), seen.end(), what) == seen.end()) seen.emplace_back(what);
}

bool Reader::is_object(json::NodeId node, const Place& place) const {
  return is(node, json::Kind::object) || fail(place, "must be an object");
}

std::string_view Reader::word(json::NodeId node) {
  if (!is_string(node) || !o.whole(node)) return {};
  if (!o.escaped(node)) return o.raw_head(node);
  word_.clear();
  json::unescape(o.raw_head(node), word_);
  return word_;
}

void Reader::content(json::NodeId string, Text& field) const {
  if (is_string(string)) field = content_from(o, string, 0);
}

void Reader::content(json::NodeId object, std::string_view key, Text& field) const {
  content(o.find(object, key), field);
}

void Reader::counted(json::NodeId string, Text& field) {
  content(string, field);
  count(field);
}

void Reader::id(json::NodeId object, std::string_view key, Text& field) const {
  const json::NodeId string = o.find(object, key);
  content(string, field);
  if (is_string(string) && o.whole(string)) field = Text::of(o.raw_head(string));
}

void Reader::value(json::NodeId node, Raw& field) const {
  if (node != json::kNoNode) field = Raw::range(o.begin(node), o.end(node) - o.begin(node));
}

void Reader::value(json::NodeId object, std::string_view key, Raw& field) const {
  value(o.find(object, key), field);
}

void Reader::number(json::NodeId node, const Place& place, Raw& field) {
  if (!is(node, json::Kind::number)) return only_here(place, "must be a number");
  value(node, field);
}

void Reader::integer(json::NodeId node, const Place& place, std::optional<std::int64_t>& field) {
  field = o.integer(node);
  if (!field) only_here(place, "must be a whole number");
}

void Reader::string(json::NodeId node, const Place& place, Text& field) {
  if (!is_string(node)) return only_here(place, "must be a string");
  content(node, field);
}

CacheMark Reader::mark(json::NodeId node) {
  const json::NodeId control = o.find(node, "cache_control");
  if (!is(control, json::Kind::object)) return CacheMark::none;
  out.has_marks = true;
  return word(control, "ttl") == "1h" ? CacheMark::hour : CacheMark::usual;
}

void Reader::response_schema(json::NodeId schema_holder, const Place& place) {
  const json::NodeId schema = o.find(schema_holder, "schema");
  if (!is(schema, json::Kind::object)) return only_here(place, "has no schema");
  ResponseFormat& format = out.params.response_format;
  format.kind = ResponseFormat::Kind::json_schema;
  value(schema, format.schema);
  content(schema_holder, "name", format.name);
  out.needs.add(Ability::json_schema);
  count(format.schema);
}

// RFC 2397; case is ignored in the scheme, the type and the word base64. A comma cannot be part of a JSON
// escape, so the first one in the raw content ends the head.
bool Reader::data_url(json::NodeId string, std::string& media_type, Text& data) const {
  const std::string_view raw = o.raw_head(string);
  const std::size_t comma = raw.find(',');
  if (comma == std::string_view::npos) return false;
  std::string head;
  json::unescape(raw.substr(0, comma), head);
  head = to_lower(head);
  constexpr std::string_view kScheme = "data:";
  constexpr std::string_view kCoding = ";base64";
  if (!head.starts_with(kScheme) || !head.ends_with(kCoding)) return false;
  std::string_view types(head);
  types.remove_prefix(kScheme.size());
  media_type = trim(cut(types, ';'));
  data = content_from(o, string, comma + 1);
  return !media_type.empty();
}

bool Reader::read(std::span<const TopKey> fields, std::string_view messages) {
  if (!begin()) return false;
  const Place root;
  for (json::NodeId node = o.first(0); node != json::kNoNode; node = o.next(node)) {
    if (is_null(node)) continue;
    const std::string_view key = o.key(node);
    const auto known =
        std::find_if(fields.begin(), fields.end(), [&](const TopKey& field) { return field.key == key; });
    if (known == fields.end()) {
      ignore(key);
    } else if (!known->read(*this, node, Place(root, known->key))) {
      return false;
    }
  }
  const json::NodeId said = o.find(0, messages);
  if (!out.partial && !messages.empty() && (said == json::kNoNode || is_null(said))) {
    return fail(Place(root, messages), "is missing");
  }
  out.input_tokens_estimate = static_cast<std::int64_t>(bytes_ / 4);
  return true;
}

bool Reader::each(json::NodeId array, const Place& place, ReadElement read_one) {
  if (!is(array, json::Kind::array)) return fail(place, "must be an array");
  std::size_t index = 0;
  for (json::NodeId one = o.first(array); one != json::kNoNode; one = o.next(one)) {
    if (!read_one(*this, one, Place(place, index), index)) return false;
    ++index;
  }
  return true;
}

bool Reader::parts(json::NodeId content, const Place& place, std::vector<Part>& into, ReadPart read_one,
                   std::string_view otherwise) {
  if (content == json::kNoNode || is_null(content)) return true;
  if (is_string(content)) {
    counted(content, into.emplace_back().text);
    return true;
  }
  if (!is(content, json::Kind::array)) return fail(place, otherwise);
  std::size_t index = 0;
  for (json::NodeId one = o.first(content); one != json::kNoNode; one = o.next(one)) {
    if (!read_one(*this, one, Place(place, index++), into)) return false;
  }
  return true;
}

bool read_model(Reader& in, json::NodeId node, const Place& place) {
  if (!in.is_string(node)) return in.fail(place, "must be a string");
  in.out.model = in.word(node);
  return true;
}

bool read_stream(Reader& in, json::NodeId node, const Place& place) {
  if (!in.is(node, json::Kind::boolean)) return in.fail(place, "must be true or false");
  in.out.stream = in.o.is_true(node);
  return true;
}

bool read_temperature(Reader& in, json::NodeId node, const Place& place) {
  Params& params = in.out.params;
  in.number(node, place, params.temperature);
  // One too large for millionths is above every dialect's bound all the same.
  if (params.temperature.present) {
    params.temperature_micros = parse_micros(in.o.raw_head(node)).value_or(INT64_MAX);
  }
  return true;
}

bool read_modalities(Reader& in, json::NodeId node, const Place& place) {
  for (json::NodeId one = in.o.first(node); one != json::kNoNode; one = in.o.next(one)) {
    const std::string_view word = in.word(one);
    if (equal_fold(word, "text")) continue;
    if (equal_fold(word, "audio")) in.out.needs.add(Ability::audio_output);
    if (equal_fold(word, "image")) in.out.needs.add(Ability::image_output);
    in.only_here(place, "asks for more than text");
  }
  return true;
}

void read_other_part(Reader& in, std::string_view type, const Place& place, Part& part) {
  part.kind = PartKind::other;
  part.type = type;
  if (type == "input_audio") in.out.needs.add(Ability::audio);
  if (type == "video_url") in.out.needs.add(Ability::video);
  in.only_here(place, joined({"is of type ", type, ", which only this dialect has"}));
}

bool read_logprobs(Reader& in, json::NodeId node, const Place&) {
  in.out.params.logprobs = in.o.is_true(node);
  return true;
}

bool read_effort(Reader& in, json::NodeId node, const Place& place) {
  const int known = find_word(kEfforts, in.word(node));
  if (known == kNoWord) {
    in.only_here(place, "is not a known effort");
  } else {
    in.out.params.effort = static_cast<Effort>(known);
  }
  return true;
}

bool read_stop(Reader& in, json::NodeId node, const Place& place) {
  std::vector<Text>& stop = in.out.params.stop;
  const bool one = in.is_string(node);
  bool strings = one || in.is(node, json::Kind::array);
  if (one) in.content(node, stop.emplace_back());
  for (json::NodeId each = in.o.first(node); each != json::kNoNode; each = in.o.next(each)) {
    strings = strings && in.is_string(each);
    in.content(each, stop.emplace_back());
  }
  if (!strings) in.only_here(place, "must be a string or strings");
  return true;
}

const char* PieceWriter::go_on(const char* json) {
  const char* end = json;
  while (*end != '\0' && *end != '$') ++end;
  if (end != json) {
    out.literal(std::string_view(json, static_cast<std::size_t>(end - json)));
    due_ = end[-1] != '{' && end[-1] != '[' && end[-1] != ':';
  }
  return *end == '$' ? end + 1 : end;
}

const char* PieceWriter::begin(const char* json) {
  if (due_ && *json != '}' && *json != ']') out.literal(",");
  due_ = true;
  return go_on(json);
}

void PieceWriter::put(const char* json) { begin(json); }

void PieceWriter::put(const char* json, const BodyText& hole) {
  const char* rest = begin(json);
  out.content(hole);
  due_ = true;
  go_on(rest);
}

void PieceWriter::put(const char* json, const BodyText& first, const BodyText& second) {
  const char* rest = begin(json);
  out.content(first);
  rest = go_on(rest);
  out.content(second);
  due_ = true;
  go_on(rest);
}

void PieceWriter::present(const char* json, const BodyText& hole) {
  if (hole.present) put(json, hole);
}

void PieceWriter::word(const char* json, std::string_view unescaped) { put(json, escaped(unescaped)); }

void PieceWriter::integer(const char* json, std::int64_t value) {
  Text digits;
  append_int(digits.literal, value);
  put(json, digits);
}

void PieceWriter::mark(const MarkWords& words, CacheMark mark) {
  if (mark != CacheMark::none) put(words[static_cast<std::size_t>(mark)]);
}

void PieceWriter::schema(const char* key, const Raw& schema) {
  put(key);
  schema.present ? put("$", schema) : put(R"({"type":"object","properties":{}})");
}

void PieceWriter::input(const char* key, const Part& call) {
  put(key);
  call.text.present ? put(R"({"input":"$"})", call.text) : put("$", call.input);
}

Text escaped(std::string_view text) {
  Text content;
  content.present = true;
  json::append_escaped(content.literal, text);
  return content;
}

Text mended_id(const Text& id) {
  Text mended = id;
  for (char& c : mended.literal) {
    if (!is_alpha(c) && !is_digit(c) && c != '-') c = '_';
  }
  return mended;
}

bool only_one_choice(const Request& request, RequestProblem& problem) {
  if (request.params.choices.value_or(1) == 1) return true;
  problem = {"n", "only 1 is possible at this provider", 400};
  return false;
}

bool translatable(const Request& request, RequestProblem& problem) {
  if (!request.untranslatable) return true;
  problem = *request.untranslatable;
  return false;
}

void list_dropped(const Request& request, BodyPieces& out, bool marks) {
  if (request.has_marks && !marks) out.drop("cache_control");
  for (const std::string& key : request.unknown) out.drop(key);
}

void end_partial(const Request& request, BodyPieces& out) {
  if (!request.open_string || !out.cut_after_range_past(*request.open_string)) out.clear();
}

bool refuse(const Message& message, std::string_view what, RequestProblem& problem) {
  std::string where = "system";
  if (message.position >= 0) {
    where = "messages[";
    append_int(where, message.position);
    where += ']';
  }
  return problem_at(std::move(where), what, 400, problem);
}

}  // namespace shunt::dialect
