// JSON said as it reads. See fill.h.
#include "dialect/fill.h"

#include "base/json_writer.h"
#include "base/strings.h"

namespace shunt::dialect {
namespace {

// Appends up to the hole; what stands behind it.
const char* up_to_hole(std::string& out, const char* json) {
  const char* end = json;
  while (*end != '\0' && *end != '$') ++end;
  out.append(json, static_cast<std::size_t>(end - json));
  return *end == '$' ? end + 1 : end;
}

}  // namespace

void fill(std::string& out, const char* json, std::string_view text) {
  const char* rest = up_to_hole(out, json);
  json::append_escaped(out, text);
  out += rest;
}

void fill(std::string& out, const char* json, const std::string& text) {
  fill(out, json, std::string_view(text));
}

void fill(std::string& out, const char* json, std::int64_t number) {
  const char* rest = up_to_hole(out, json);
  append_int(out, number);
  out += rest;
}

void fill_raw(std::string& out, const char* json, std::string_view raw) {
  const char* rest = up_to_hole(out, json);
  append_one_line(out, raw);
  out += rest;
}

// Between JSON tokens a line break is white space like any other, and inside strings there is none.
void append_one_line(std::string& out, std::string_view raw) {
  const std::size_t begin = out.size();
  out += raw;
  for (std::size_t at = out.find_first_of("\r\n", begin); at != std::string::npos;
       at = out.find_first_of("\r\n", at)) {
    out[at] = ' ';
  }
}

}  // namespace shunt::dialect
