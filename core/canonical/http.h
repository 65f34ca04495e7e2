// HTTP as values: header blocks as the host hands them in ("name: value\n" lines, names lower case). No
// parsing of bodies.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace shunt {

// A borrowed block of header lines. Valid while the text it was made from is.
class HeaderBlock {
 public:
  constexpr HeaderBlock() = default;
  constexpr explicit HeaderBlock(std::string_view lines) : lines_(lines) {}

  // The first value of `name` (lower case), trimmed; empty when there is none.
  std::string_view get(std::string_view name) const;

  // Calls visit(name, value) for each well-formed line, in order, both trimmed.
  template <typename Visit>
  void each(Visit visit) const {
    each_line(&visit, [](void* called, std::string_view name, std::string_view value) {
      (*static_cast<Visit*>(called))(name, value);
      return false;
    });
  }

  std::string_view text() const { return lines_; }

 private:
  // Compiled once for all visitors; ends where the call says true.
  using Call = bool (*)(void* visitor, std::string_view name, std::string_view value);
  void each_line(void* visitor, Call call) const;

  std::string_view lines_;
};

// Appends "name: value\n".
void append_header(std::string& out, std::string_view name, std::string_view value);

}  // namespace shunt
