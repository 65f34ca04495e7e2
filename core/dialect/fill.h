// JSON of ours said as it reads, with `$` where a value goes. Knows nothing of dialects.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shunt::dialect {

// Appends the template. Templates are plain pointers: wasm passes a view of a literal through memory.
void fill(std::string& out, const char* json, std::string_view text);    // escaped
void fill(std::string& out, const char* json, const std::string& text);  // escaped
void fill(std::string& out, const char* json, std::int64_t number);
// Raw JSON on one line: a provider's value may span lines, and in an SSE data line a break would end the
// field.
void fill_raw(std::string& out, const char* json, std::string_view raw);
void append_one_line(std::string& out, std::string_view raw);

}  // namespace shunt::dialect
