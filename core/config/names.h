// The texts of a configuration that have a grammar of their own: ids, addresses, headers, names of secrets.
// Each read consumes the value, reports what is wrong with it, and leaves `into` alone then.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/drafts.h"
#include "config/reader.h"

namespace shunt::config {

bool valid_id(std::string_view text);
// An id as a key or value that stands at `at`; reports and returns false when it is none.
bool check_id(Reader& in, const std::string& text, std::uint64_t at);
bool read_id(Reader& in, Name& into);
void read_id_text(Reader& in, std::string& into);  // the same, where nothing refers to its place
// Roles of a line, or those a route wants: names, each once.
inline constexpr std::size_t kRoles = 32;
void read_roles(Reader& in, std::vector<std::string>& into);
// A reference: any text, resolved later; an unknown one is reported then with the nearest known name.
bool read_name(Reader& in, Name& into);
// http(s)://host[:port][/path], without a trailing slash, query, fragment or user name.
bool read_base_url(Reader& in, std::string& into);
// A path under a base URL: starts with '/', no space or control character.
bool read_path(Reader& in, std::string& into);
// "*" or scheme://host[:port].
bool read_origin(Reader& in, std::string& into);
// The name under which the host knows a secret: [A-Za-z_][A-Za-z0-9_]{0,127}. Never the secret itself.
bool read_secret_name(Reader& in, std::string& into);
void check_secret_name(Reader& in);  // for what has no use yet
// An object of fixed request headers, names in lower case.
void read_headers(Reader& in, Headers& into);
// 64 hexadecimal digits, in lower case.
bool read_sha256(Reader& in, std::string& into);

}  // namespace shunt::config
