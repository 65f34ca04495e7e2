// Names and schemas of the Gemini API, which are those of protocol buffers. See gemini_request.h.
// https://ai.google.dev/api/caching#Schema
#include "base/json.h"
#include "base/strings.h"
#include "dialect/gemini_request.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

enum KeyKind : std::uint8_t { kType, kCount };
// 64-bit integers are strings in the JSON form of protocol buffers.
constexpr Word kKeys[] = {{"type", kType},          {"maxItems", kCount},  {"minItems", kCount},
                          {"maxLength", kCount},    {"minLength", kCount}, {"maxProperties", kCount},
                          {"minProperties", kCount}};

enum TypeName : std::uint8_t { kUnspecified, kString, kNumber, kInteger, kBoolean, kArray, kObject, kNull };
constexpr std::string_view kTypes[] = {"TYPE_UNSPECIFIED", "STRING", "NUMBER", "INTEGER",
                                       "BOOLEAN",          "ARRAY",  "OBJECT", "NULL"};

// The type that a string or a number of the enumeration says; empty when it is none of them.
std::string_view type_of(std::string_view said) {
  const std::optional<std::uint64_t> number = parse_uint(said);
  if (number && *number < std::size(kTypes)) return kTypes[*number];
  for (const std::string_view type : kTypes) {
    if (type == said) return type;
  }
  return {};
}

}  // namespace

bool same_name(std::string_view key, std::string_view camel) {
  std::size_t at = 0;
  for (char c : camel) {
    if (is_capital(c) && at < key.size() && key[at] == '_') {
      ++at;
      c = to_lower(c);
    }
    if (at == key.size() || key[at++] != c) return false;
  }
  return at == key.size();
}

bool json_schema_of(std::string_view schema, std::string& out) {
  json::Scanner scanner;
  scanner.feed(schema, true);
  std::size_t copied = 0;
  int key = kNoWord;
  while (true) {
    const json::Token token = scanner.next();
    if (token == json::Token::error) return false;
    if (token == json::Token::end) break;
    std::string_view by;
    if (token == json::Token::string || token == json::Token::number) {
      if (key == kType) by = type_of(scanner.text());
      if (key == kCount && parse_uint(scanner.text())) by = scanner.text();
    }
    if (!by.empty()) {
      const auto begin = static_cast<std::size_t>(scanner.begin());
      out += schema.substr(copied, begin - copied);
      out += key == kType ? joined({"\"", to_lower(by), "\""}) : std::string(by);
      copied = static_cast<std::size_t>(scanner.end());
    }
    key = token == json::Token::key ? find_word(kKeys, scanner.text()) : kNoWord;
  }
  out += schema.substr(copied);
  return true;
}

}  // namespace shunt::dialect
