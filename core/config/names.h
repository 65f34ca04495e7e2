// The texts of a configuration that have a grammar of their own: ids, addresses, headers, names of secrets.
// Each read reports what is wrong with the value, consumes it, and gives none then.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/drafts.h"
#include "config/reader.h"

namespace shunt::config {

inline constexpr std::string_view kIdGrammar = "an id: 1 to 64 of A-Z a-z 0-9 . _ @ / : -";

bool valid_id(std::string_view text);
// An id as a key or value that stands at `at`; reports and returns false when it is none.
bool check_id(Reader& in, std::string_view text, std::uint64_t at);
std::optional<Name> read_id(Reader& in);
// A reference: any text, resolved later; an unknown one is reported then with the nearest known name.
std::optional<Name> read_name(Reader& in);
// http(s)://host[:port][/path], without a trailing slash, query, fragment or user name.
std::optional<Name> read_base_url(Reader& in);
// A path under a base URL: starts with '/', no space or control character.
std::optional<std::string> read_path(Reader& in);
// "*" or scheme://host[:port].
std::optional<std::string> read_origin(Reader& in);
// The name under which the host knows a secret: [A-Za-z_][A-Za-z0-9_]{0,127}. Never the secret itself.
std::optional<std::string> read_secret_name(Reader& in);
// An object of fixed request headers, names in lower case.
void read_headers(Reader& in, std::vector<std::pair<std::string, std::string>>& into);
// 64 hexadecimal digits, in lower case.
std::optional<std::string> read_sha256(Reader& in);

}  // namespace shunt::config
