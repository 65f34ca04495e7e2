// Shared steps of reading and writing request bodies; no word of any one API beyond the key tables.
#include "dialect/request_common.h"

#include <algorithm>
#include <array>

#include "base/json_writer.h"
#include "base/strings.h"

namespace shunt::dialect {
namespace {

constexpr std::array<std::string_view, 5> kOpenAiOpaque = {"parameters", "schema", "metadata", "logit_bias",
                                                           "cache_control"};
constexpr std::array<std::string_view, 1> kOpenAiKeep = {"arguments"};
constexpr std::array<std::string_view, 4> kAnthropicOpaque = {"input_schema", "schema", "input",
                                                              "cache_control"};
constexpr std::array<std::string_view, 1> kAnthropicKeep = {"input"};

// They end up in one warning header.
constexpr std::size_t kUnknownListed = 32;

struct EffortName {
  std::string_view name;
  Effort effort;
};
constexpr std::array<EffortName, 7> kEfforts = {{{"none", Effort::none},
                                                 {"minimal", Effort::minimal},
                                                 {"low", Effort::low},
                                                 {"medium", Effort::medium},
                                                 {"high", Effort::high},
                                                 {"xhigh", Effort::xhigh},
                                                 {"max", Effort::max}}};

}  // namespace

std::span<const std::string_view> request_opaque_keys(DialectId id) {
  if (id == DialectId::anthropic_messages) return kAnthropicOpaque;
  return kOpenAiOpaque;
}

std::span<const std::string_view> request_keep_keys(DialectId id) {
  if (id == DialectId::anthropic_messages) return kAnthropicKeep;
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
  problem_ = {place.text(), std::string(what), 400};
  return false;
}

void Reader::only_here(const Place& place, std::string_view what, int status) {
  if (!out.untranslatable) out.untranslatable = {place.text(), std::string(what), status};
}

void Reader::ignore(std::string_view what) {
  std::vector<std::string>& seen = out.unknown;
  if (seen.size() >= kUnknownListed) return;
  if (std::find(seen.begin(), seen.end(), what) == seen.end()) seen.emplace_back(what);
}

std::string Reader::word(json::NodeId node) const { return o.text(node).value_or(std::string()); }

Text Reader::content(json::NodeId string) const { return content_from(string, 0); }

Text Reader::content_from(json::NodeId string, std::size_t skip) const {
  if (!is_string(string)) return {};
  const std::uint64_t begin = o.begin(string) + 1 + skip;
  const std::uint64_t end = o.end(string) - (o.open(string) ? 0U : 1U);
  return Text::range(begin, end > begin ? end - begin : 0);
}

Text Reader::id(json::NodeId string) const {
  if (is_string(string) && o.whole(string)) return Text::of(o.raw_head(string));
  return content(string);
}

Raw Reader::value(json::NodeId node) const {
  if (node == json::kNoNode) return {};
  return Raw::range(o.begin(node), o.end(node) - o.begin(node));
}

void Reader::number(json::NodeId node, const Place& place, Raw& field) {
  if (!is(node, json::Kind::number)) return only_here(place, "must be a number");
  field = value(node);
}

void Reader::integer(json::NodeId node, const Place& place, std::optional<std::int64_t>& field) {
  field = o.integer(node);
  if (!field) only_here(place, "must be a whole number");
}

void Reader::string(json::NodeId node, const Place& place, Text& field) {
  if (!is_string(node)) return only_here(place, "must be a string");
  field = content(node);
}

void Reader::response_schema(json::NodeId schema_holder, const Place& place) {
  const json::NodeId schema = o.find(schema_holder, "schema");
  if (!is(schema, json::Kind::object)) return only_here(place, "has no schema");
  ResponseFormat& format = out.params.response_format;
  format.kind = ResponseFormat::Kind::json_schema;
  format.schema = value(schema);
  format.name = content(o.find(schema_holder, "name"));
  out.wants_json_schema = true;
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
  media_type = std::string(trim(cut(types, ';')));
  data = content_from(string, comma + 1);
  return !media_type.empty();
}

bool Reader::read(std::span<const Field> fields) {
  if (!begin()) return false;
  const Place root;
  for (json::NodeId node = o.first(0); node != json::kNoNode; node = o.next(node)) {
    if (is_null(node)) continue;
    const std::string_view key = o.key(node);
    const auto known =
        std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.key == key; });
    if (known == fields.end()) {
      ignore(key);
    } else if (!known->read(*this, node, Place(root, known->key))) {
      return false;
    }
  }
  if (!out.partial && !is(o.find(0, "messages"), json::Kind::array)) {
    return fail(Place(root, "messages"), "is missing");
  }
  out.input_tokens_estimate = static_cast<std::int64_t>(bytes_ / 4);
  return true;
}

bool read_model(Reader& in, json::NodeId node, const Place& place) {
  if (!in.is_string(node)) return in.fail(place, "must be a string");
  in.out.model = in.word(node);
  return true;
}

bool read_stream(Reader& in, json::NodeId node, const Place& place) {
  if (!in.is(node, json::Kind::boolean)) return in.fail(place, "must be true or false");
  in.out.stream = in.flag(node);
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

bool read_effort(Reader& in, json::NodeId node, const Place& place) {
  const std::string name = in.word(node);
  const auto known = std::find_if(kEfforts.begin(), kEfforts.end(),
                                  [&](const EffortName& effort) { return effort.name == name; });
  if (known == kEfforts.end()) {
    in.only_here(place, "is not a known effort");
  } else {
    in.out.params.effort = known->effort;
  }
  return true;
}

bool read_stop(Reader& in, json::NodeId node, const Place& place) {
  std::vector<Text>& stop = in.out.params.stop;
  const bool one = in.is_string(node);
  bool strings = one || in.is(node, json::Kind::array);
  if (one) stop.push_back(in.content(node));
  for (json::NodeId each = in.o.first(node); each != json::kNoNode; each = in.o.next(each)) {
    strings = strings && in.is_string(each);
    stop.push_back(in.content(each));
  }
  if (!strings) in.only_here(place, "must be a string or strings");
  return true;
}

void PieceWriter::comma() {
  if (due_) out.literal(",");
  due_ = true;
}

PieceWriter& PieceWriter::open(std::string_view bracket) {
  comma();
  out.literal(bracket);
  due_ = false;
  return *this;
}

PieceWriter& PieceWriter::close(std::string_view bracket) {
  out.literal(bracket);
  due_ = true;
  return *this;
}

PieceWriter& PieceWriter::key(std::string_view name) {
  comma();
  out.literal("\"");
  out.literal(name);
  out.literal("\":");
  due_ = false;
  return *this;
}

PieceWriter& PieceWriter::string(const Text& content) {
  return joined(std::span<const Text>(&content, 1), {});
}

PieceWriter& PieceWriter::joined(std::span<const Text> contents, std::string_view between) {
  comma();
  out.literal("\"");
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (i != 0) out.literal(between);
    out.content(contents[i]);
  }
  out.literal("\"");
  return *this;
}

PieceWriter& PieceWriter::word(std::string_view text) {
  std::string escaped;
  json::append_escaped(escaped, text);
  return string(Text::of(escaped));
}

PieceWriter& PieceWriter::raw(const Raw& value) {
  comma();
  out.content(value);
  return *this;
}

PieceWriter& PieceWriter::json(std::string_view value) {
  comma();
  out.literal(value);
  return *this;
}

PieceWriter& PieceWriter::integer(std::int64_t value) {
  std::string digits;
  append_int(digits, value);
  return json(digits);
}

PieceWriter& PieceWriter::data_url(std::string_view media_type, const Text& data) {
  std::string head = "data:";
  json::append_escaped(head, media_type);
  head += ";base64,";
  const std::array<Text, 2> url = {Text::of(head), data};
  return joined(url, {});
}

void PieceWriter::present(std::string_view name, const Raw& value) {
  if (value.present) key(name).raw(value);
}

bool translatable(const Request& request, RequestProblem& problem) {
  if (!request.untranslatable) return true;
  problem = *request.untranslatable;
  return false;
}

void list_dropped(const Request& request, BodyPieces& out) {
  for (const std::string& key : request.unknown) out.drop(key);
}

void end_partial(const Request& request, BodyPieces& out) {
  if (!request.open_string || !out.cut_after_range_past(*request.open_string)) out.clear();
}

std::string place_of(const Message& message) {
  if (message.position < 0) return "system";
  std::string place = "messages[";
  append_int(place, message.position);
  return place + "]";
}

}  // namespace shunt::dialect
