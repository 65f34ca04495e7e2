// Grammars of ids, addresses, headers and names of secrets.
#include "config/names.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/strings.h"
#include "config/shown.h"

namespace shunt::config {
namespace {

bool id_char(char c) {
  return is_alpha(c) || is_digit(c) || std::string_view("._@/:-").find(c) != std::string_view::npos;
}
bool visible(char c) { return c > 0x20 && c < 0x7F; }
bool token_char(char c) {  // RFC 9110, 5.6.2
  return is_alpha(c) || is_digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

// Headers that carry credentials (keys never stand in configuration) or that the host writes itself.
constexpr auto kRefusedHeaders = std::to_array<std::string_view>({
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "cookie",
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "upgrade",
    "te",
    "trailer",
    "keep-alive",
    "accept-encoding",
});

// A text that passes `valid`; else reported with `allowed`.
template <typename Valid>
std::optional<Name> read_valid(Reader& in, std::string_view allowed, Valid valid) {
  Name name{{}, in.at()};
  auto text = in.text();
  if (!text) return std::nullopt;
  if (!valid(*text)) {
    in.report().fault(name.at, quoted(*text), allowed);
    return std::nullopt;
  }
  name.value = std::move(*text);
  return name;
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
    return !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
      return is_digit(c) || is_alpha(c) || c == ':' || c == '.';
    });
  }
  return !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
    return is_digit(c) || is_alpha(c) || c == '-' || c == '.' || c == '_';
  });
}

bool valid_base_url(std::string_view url) {
  const std::string_view rest = after_scheme(url);
  if (!std::all_of(rest.begin(), rest.end(), visible)) return false;
  if (rest.find_first_of("?#@{}\\\"<>") != std::string_view::npos) return false;
  return valid_authority(rest.substr(0, rest.find('/')));
}

bool valid_secret_name(std::string_view text) {
  if (text.empty() || text.size() > 128 || is_digit(text.front())) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return is_alpha(c) || is_digit(c) || c == '_'; });
}

bool valid_header_value(std::string_view value) {
  return value.size() <= limits::kHeaderBytes && trim(value) == value &&
         std::all_of(value.begin(), value.end(), [](char c) { return visible(c) || c == ' ' || c == '\t'; });
}

std::string counted(std::string_view text) {
  std::string out = "a string of ";
  append_uint(out, text.size());
  return out + " bytes";
}

}  // namespace

bool valid_id(std::string_view text) {
  return !text.empty() && text.size() <= kIdBytes && std::all_of(text.begin(), text.end(), id_char);
}

bool check_id(Reader& in, std::string_view text, std::uint64_t at) {
  if (valid_id(text)) return true;
  in.report().fault(at, quoted(text), kIdGrammar);
  return false;
}

std::optional<Name> read_id(Reader& in) { return read_valid(in, kIdGrammar, valid_id); }

std::optional<Name> read_name(Reader& in) {
  return read_valid(in, "a name", [](std::string_view text) { return !text.empty(); });
}

std::optional<Name> read_base_url(Reader& in) {
  auto url = read_valid(
      in, "http:// or https://, a host, and perhaps a port and a path; no spaces, query or user name",
      valid_base_url);
  while (url && url->value.ends_with('/')) url->value.pop_back();
  return url;
}

std::optional<std::string> read_path(Reader& in) {
  const auto path =
      read_valid(in, "a path that begins with \"/\", without spaces; \"{model}\" stands for the model",
                 [](std::string_view text) {
                   return text.starts_with('/') && std::all_of(text.begin(), text.end(), visible) &&
                          text.find('#') == std::string_view::npos;
                 });
  return path ? std::optional<std::string>(path->value) : std::nullopt;
}

std::optional<std::string> read_origin(Reader& in) {
  const auto origin =
      read_valid(in, "\"*\", or an origin: https://host or https://host:port, nothing after it",
                 [](std::string_view text) { return text == "*" || valid_authority(after_scheme(text)); });
  return origin ? std::optional<std::string>(origin->value) : std::nullopt;
}

std::optional<std::string> read_secret_name(Reader& in) {
  constexpr std::string_view kAllowed =
      "the name of a secret (an environment variable such as OPENAI_API_KEY), never the key itself";
  if (!in.is_string()) {
    in.wrong(kAllowed);
    return std::nullopt;
  }
  const std::uint64_t at = in.at();
  std::string text = in.text().value_or("");
  if (looks_like_key_value(text)) {
    in.report().fault(at, joined({"what looks like a key itself: ", counted(text), ", not shown"}), kAllowed);
    return std::nullopt;
  }
  if (!valid_secret_name(text)) {
    in.report().fault(at, text.empty() ? std::string("an empty string") : counted(text) + " that is no name",
                      kAllowed);
    return std::nullopt;
  }
  return text;
}

void read_headers(Reader& in, std::vector<std::pair<std::string, std::string>>& into) {
  in.each_member([&](std::string_view key, std::uint64_t key_at) {
    const std::string name = to_lower(key);
    const std::uint64_t at = in.at();
    const auto value = in.text();
    if (name.empty() || !std::all_of(name.begin(), name.end(), token_char)) {
      in.report().fault(key_at, quoted(key), "the name of a header");
    } else if (std::find(kRefusedHeaders.begin(), kRefusedHeaders.end(), name) != kRefusedHeaders.end()) {
      in.report().fault(
          key_at, "the header " + quoted(name),
          "headers that carry no credential and are not the host's own; keys stand in \"keys\", by name");
    } else if (value && !valid_header_value(*value)) {
      in.report().fault(at, counted(*value) + " that no header can carry",
                        "visible ASCII, with spaces between words only");
    } else if (std::any_of(into.begin(), into.end(),
                           [&](const auto& header) { return header.first == name; })) {
      in.report().fault(key_at, joined({"the header ", quoted(name), " a second time"}),
                        "each header once, whatever its case");
    } else if (value && into.size() == limits::kHeaderCount) {
      in.report().fault(key_at, "one header too many", "at most 128 headers");
    } else if (value) {
      into.emplace_back(name, *value);
    }
  });
}

std::optional<std::string> read_sha256(Reader& in) {
  const std::uint64_t at = in.at();
  const auto text = in.text();
  if (!text) return std::nullopt;
  const bool hex = std::all_of(text->begin(), text->end(), [](char c) {
    return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'f');
  });
  if (!hex || text->size() != 64) {  // perhaps the key itself: never quoted
    in.report().fault(at, counted(*text) + ", not shown",
                      "the SHA-256 of the client's key as 64 hexadecimal digits");
    return std::nullopt;
  }
  return to_lower(*text);
}

}  // namespace shunt::config
