// LaTeX in JSON strings. Knows which command names begin with a letter that JSON reads as an escape.
#pragma once

#include <string_view>

namespace shunt::text {

// "\frac", "\theta", "\beta", "\nu" and "\rho" are JSON for a control character and letters. `behind` is what
// stands behind the backslash: true when all its first letters together are a command of LaTeX.
bool is_latex_command(std::string_view behind);

}  // namespace shunt::text
