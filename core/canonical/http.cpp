// Header lines, one at a time.
#include "canonical/http.h"

namespace shunt {

bool HeaderBlock::next(std::string_view& name, std::string_view& value) {
  while (!lines_.empty()) {
    value = cut(lines_, '\n');
    const std::size_t colon = value.find(':');
    if (colon == std::string_view::npos || colon == 0) continue;
    name = trim(value.substr(0, colon));
    value = trim(value.substr(colon + 1));
    return true;
  }
  return false;
}

std::string_view HeaderBlock::get(std::string_view name) const {
  HeaderBlock rest = *this;
  for (std::string_view key, value; rest.next(key, value);) {
    if (equal_fold(key, name)) return value;
  }
  return {};
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).push_back('\n');
}

}  // namespace shunt
