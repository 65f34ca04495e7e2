// Raw JSON inside an SSE data line: a provider's value may span lines, and a line break there would end the
// field.
#pragma once

#include <string>
#include <string_view>

namespace shunt::dialect {

// Between JSON tokens a line break is white space like any other, and inside strings there is none.
inline void append_one_line(std::string& out, std::string_view json) {
  const std::size_t begin = out.size();
  out += json;
  for (std::size_t at = out.find_first_of("\r\n", begin); at != std::string::npos;
       at = out.find_first_of("\r\n", at)) {
    out[at] = ' ';
  }
}

}  // namespace shunt::dialect
