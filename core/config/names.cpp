// Grammars of ids, addresses, headers and names of secrets.
#include "config/names.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/strings.h"
#include "config/shown.h"

namespace shunt::config {
namespace {

bool is_name(char c) { return is_alpha(c) || is_digit(c); }
bool one_of(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }
bool id_char(char c) { return is_name(c) || one_of("._@/:-", c); }
bool host_char(char c) { return is_name(c) || one_of("-._", c); }
bool ipv6_char(char c) { return is_name(c) || one_of(":.", c); }
bool secret_char(char c) { return is_name(c) || c == '_'; }
bool token_char(char c) { return is_name(c) || one_of("!#$%&'*+-.^_`|~", c); }  // RFC 9110, 5.6.2
bool hex_digit(char c) { return is_digit(c) || one_of("abcdefABCDEF", c); }
bool visible(char c) { return c > 0x20 && c < 0x7F; }
bool value_char(char c) { return visible(c) || c == ' ' || c == '\t'; }

bool all_of(std::string_view text, bool (*is)(char c)) { return std::all_of(text.begin(), text.end(), is); }

// Headers that carry credentials (keys never stand in configuration) or that the host writes itself.
bool refused_header(std::string_view name) {
  std::string_view refused =
      "authorization proxy-authorization x-api-key api-key x-goog-api-key cookie host content-length "
      "transfer-encoding connection upgrade te trailer keep-alive accept-encoding";
  while (!refused.empty()) {
    if (cut(refused, ' ') == name) return true;
  }
  return false;
}

bool has_header(const Headers& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(),
                     [name](const auto& header) { return header.first == name; });
}

constexpr const char* kIdGrammar = "an id: 1 to 64 of A-Z a-z 0-9 . _ @ / : -";

using Valid = bool (*)(std::string_view text);

// A text that passes `valid`; else reported with `allowed`.
bool read_valid(Reader& in, const char* allowed, Valid valid, std::string& into) {
  const std::uint64_t at = in.at();
  std::string text;
  if (!in.text(text)) return false;
  if (!valid(text)) {
    in.report().fault_about(at, "%", text, allowed);
    return false;
  }
  into = std::move(text);
  return true;
}

bool read_valid(Reader& in, const char* allowed, Valid valid, Name& into) {
  const std::uint64_t at = in.at();
  if (!read_valid(in, allowed, valid, into.value)) return false;
  into.at = at;
  return true;
}

// What follows "http://" or "https://"; empty when the text begins otherwise.
std::string_view after_scheme(std::string_view url) {
  for (const std::string_view scheme : {std::string_view("https://"), std::string_view("http://")}) {
    if (url.starts_with(scheme)) return url.substr(scheme.size());
  }
  return {};
}

// host or host:port; hosts may be names, addresses, or [IPv6].
bool valid_authority(std::string_view text) {
  std::string_view host = text;
  std::string_view port;
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && text.find(']', colon) == std::string_view::npos) {
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
    const auto number = parse_uint(port);
    if (!number || *number == 0 || *number > 65535) return false;
  }
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
    return !host.empty() && all_of(host, ipv6_char);
  }
  return !host.empty() && all_of(host, host_char);
}

bool valid_base_url(std::string_view url) {
  const std::string_view rest = after_scheme(url);
  if (!all_of(rest, visible)) return false;
  if (rest.find_first_of("?#@{}\\\"<>") != std::string_view::npos) return false;
  return valid_authority(rest.substr(0, rest.find('/')));
}

bool valid_path(std::string_view path) {
  return path.starts_with('/') && all_of(path, visible) && path.find('#') == std::string_view::npos;
}

bool valid_origin(std::string_view text) { return text == "*" || valid_authority(after_scheme(text)); }

bool valid_secret_name(std::string_view text) {
  return !text.empty() && text.size() <= 128 && !is_digit(text.front()) && all_of(text, secret_char);
}

bool valid_header_value(std::string_view value) {
  return value.size() <= limits::kHeaderBytes && trim(value) == value && all_of(value, value_char);
}

bool not_empty(std::string_view text) { return !text.empty(); }

std::string counted(std::string_view text) {
  std::string out = "a string of ";
  append_uint(out, text.size());
  return out + " bytes";
}

}  // namespace

bool valid_id(std::string_view text) {
  return !text.empty() && text.size() <= kIdBytes && all_of(text, id_char);
}

bool check_id(Reader& in, const std::string& text, std::uint64_t at) {
  if (valid_id(text)) return true;
  in.report().fault_about(at, "%", text, kIdGrammar);
  return false;
}

bool read_id(Reader& in, Name& into) { return read_valid(in, kIdGrammar, valid_id, into); }

void read_id_text(Reader& in, std::string& into) { read_valid(in, kIdGrammar, valid_id, into); }

void read_roles(Reader& in, std::vector<std::string>& into) {
  if (!in.enter_array()) return;
  while (in.next_element()) {
    Name role;
    if (!read_name(in, role)) continue;
    if (std::find(into.begin(), into.end(), role.value) != into.end()) {
      in.report().fault_about(role.at, "the role % a second time", role.value, "each role once");
    } else if (into.size() == kRoles) {
      in.report().fault(role.at, "one role too many", "at most 32 roles");
    } else {
      into.push_back(std::move(role.value));
    }
  }
}

bool read_name(Reader& in, Name& into) { return read_valid(in, "a name", not_empty, into); }

bool read_base_url(Reader& in, std::string& into) {
  if (!read_valid(in,
                  "http:// or https://, a host, and perhaps a port and a path; no spaces, query or user name",
                  valid_base_url, into))
    return false;
  while (into.ends_with('/')) into.pop_back();
  return true;
}

bool read_path(Reader& in, std::string& into) {
  return read_valid(in, "a path that begins with \"/\", without spaces; \"{model}\" stands for the model",
                    valid_path, into);
}

bool read_origin(Reader& in, std::string& into) {
  return read_valid(in, "\"*\", or an origin: https://host or https://host:port, nothing after it",
                    valid_origin, into);
}

bool read_secret_name(Reader& in, std::string& into) {
  constexpr const char* kAllowed =
      "the name of a secret (an environment variable such as OPENAI_API_KEY), never the key itself";
  if (!in.is_string()) {
    in.wrong(kAllowed);
    return false;
  }
  const std::uint64_t at = in.at();
  std::string text;
  in.text(text);
  if (looks_like_key_value(text)) {
    in.report().fault(at, "what looks like a key itself: " + counted(text) + ", not shown", kAllowed);
  } else if (text.empty()) {
    in.report().fault(at, "an empty string", kAllowed);
  } else if (!valid_secret_name(text)) {
    in.report().fault(at, counted(text) + " that is no name", kAllowed);
  } else {
    into = std::move(text);
    return true;
  }
  return false;
}

void check_secret_name(Reader& in) {
  std::string unused;
  read_secret_name(in, unused);
}

void read_headers(Reader& in, Headers& into) {
  for (Members members(in); members.next();) {
    const std::string name = to_lower(members.name());
    const std::uint64_t name_at = members.at();
    const std::uint64_t at = in.at();
    std::string value;
    const bool read = in.text(value);
    if (name.empty() || !all_of(name, token_char)) {
      in.report().fault_about(name_at, "%", members.name(), "the name of a header");
    } else if (refused_header(name)) {
      in.report().fault_about(
          name_at, "the header %", name,
          "headers that carry no credential and are not the host's own; keys stand in \"keys\", by name");
    } else if (read && !valid_header_value(value)) {
      in.report().fault(at, counted(value) + " that no header can carry",
                        "visible ASCII, with spaces between words only");
    } else if (has_header(into, name)) {
      in.report().fault_about(name_at, "the header % a second time", name,
                              "each header once, whatever its case");
    } else if (read && into.size() == limits::kHeaderCount) {
      in.report().fault(name_at, "one header too many", "at most 128 headers");
    } else if (read) {
      into.emplace_back(name, value);
    }
  }
}

bool read_sha256(Reader& in, std::string& into) {
  const std::uint64_t at = in.at();
  std::string text;
  if (!in.text(text)) return false;
  if (text.size() != 64 || !all_of(text, hex_digit)) {  // perhaps the key itself: never quoted
    in.report().fault(at, counted(text) + ", not shown",
                      "the SHA-256 of the client's key as 64 hexadecimal digits");
    return false;
  }
  into = to_lower(text);
  return true;
}

}  // namespace shunt::config
