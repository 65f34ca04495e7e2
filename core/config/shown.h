// How values of a configuration are quoted in messages: short, printable, and never a secret.
#pragma once

#include <string>
#include <string_view>

namespace shunt::config {

// A key or token by its looks: a known prefix, or a long unbroken run of mixed characters. For text shown
// anywhere.
bool looks_secret(std::string_view text);
// The same where the name of a secret belongs, so that less is needed to refuse: nobody names a variable so.
bool looks_like_key_value(std::string_view text);

// The text, cut to 60 bytes, with control characters as '?'; a secret as "(51 characters, not shown)".
std::string shown(std::string_view text);
// The same in double quotes; a secret without them.
std::string quoted(const std::string& text);

}  // namespace shunt::config
