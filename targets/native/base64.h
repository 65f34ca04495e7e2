// Base64 (RFC 4648, section 4) for payloads in JSON Lines. Knows no trace.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace shunt::native {

void append_base64(std::string& out, std::string_view bytes);
// None when `text` is not base64 with its padding.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace shunt::native
