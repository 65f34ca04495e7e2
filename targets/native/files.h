// Files and standard streams, whole: the only code of the command that touches the operating system.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace shunt::native {

// All bytes of `path`, or of standard input for "" and "-". None when it cannot be read; standard error then
// says why.
std::optional<std::string> read_input(const std::string& path);
// What messages call it.
std::string shown_name(const std::string& path);
// A line for machines. NEL and the separators U+2028 and U+2029 end a line for some readers (Python's
// splitlines): they are written as escapes, which is the same JSON.
std::string json_line(std::string_view json);
void print(std::string_view text);  // standard output
void note(std::string_view line);   // standard error, as "shunt: LINE\n"

}  // namespace shunt::native
