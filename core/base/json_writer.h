// Writes JSON text: a comma where one is due, escapes, nothing else. Output is compact; keys come out in the
// order written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shunt::json {

// Appends `text` (UTF-8; ill-formed bytes become U+FFFD) to `out` as the content of a JSON string, without
// quotes.
void append_escaped(std::string& out, std::string_view text);

// A writer over a caller's string. Calls must nest properly; that is the caller's contract.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  Writer& begin_object();
  Writer& end_object();
  Writer& begin_array();
  Writer& end_array();
  Writer& key(std::string_view name);  // a name of ours: escaped all the same
  Writer& string(std::string_view text);
  Writer& integer(std::int64_t value);
  Writer& uinteger(std::uint64_t value);
  Writer& micros(std::int64_t millionths);  // a decimal: 2500000 -> 2.5
  Writer& boolean(bool value);
  Writer& null();
  Writer& raw(std::string_view json);  // one value that is JSON already
  // Shorthands.
  Writer& field(std::string_view name, std::string_view text);
  Writer& field(std::string_view name, const char* text) { return field(name, std::string_view(text)); }
  Writer& field(std::string_view name, std::int64_t value);
  Writer& flag(std::string_view name, bool value);

 private:
  void comma();
  Writer& open(char bracket);
  Writer& close(char bracket);

  std::string& out_;
  bool due_ = false;  // a comma is due before the next value or key
};

}  // namespace shunt::json
