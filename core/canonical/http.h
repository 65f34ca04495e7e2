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

  // Takes the first well-formed line off the block; false when there is none.
  bool next(std::string_view& name, std::string_view& value);

  // Calls visit(name, value) for each well-formed line, in order.
  template <typename Visit>
  void each(Visit visit) const {
    HeaderBlock rest = *this;
    for (std::string_view name, value; rest.next(name, value);) visit(name, value);
  }

  std::string_view text() const { return lines_; }

 private:
  std::string_view lines_;
};

// Appends "name: value\n".
void append_header(std::string& out, std::string_view name, std::string_view value);

}  // namespace shunt
