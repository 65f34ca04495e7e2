// Header lines, one at a time.
#include "canonical/http.h"

namespace shunt {

std::string_view HeaderBlock::get(std::string_view name) const {
  std::string_view found;
  each([&](std::string_view key, std::string_view value) {
    if (found.data() == nullptr && equal_fold(key, name)) found = value;
  });
  return found;
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).push_back('\n');
}

}  // namespace shunt
