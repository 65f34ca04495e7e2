// Presets: what is known of a provider before anyone configures it. Rows of facts; a new OpenAI-compatible
// provider is one row.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "catalog/catalog.h"

namespace shunt {

// How a dialect is spoken where nothing else is said.
struct DialectShape {
  const char* path;              // under a base URL; "{model}" is replaced, "{+model}" with its slashes
  const char* stream_path = "";  // where streams differ; empty = path
  Framing framing = Framing::sse;
  AuthKind auth = AuthKind::bearer;
  const char* auth_name = "authorization";
  const char* header = "";  // fixed, lower case; empty = none
  const char* header_value = "";
};
const DialectShape& shape_of(DialectId id, Quirks quirks = 0);

// A text of a preset: a place in the one string that holds the texts of all.
struct PresetText {
  std::uint16_t at;
  operator std::string_view() const;
  PresetText next() const;  // the text that follows it there
};

// A provider that speaks its dialect in the usual shape.
struct Preset {
  DialectId dialect;
  std::uint8_t quirks;
  bool keyless;  // serves without a key: a server of one's own
  PresetText name;
  PresetText base_url;  // no trailing slash; "{...}" = the configuration must give its own

  std::string_view aliases() const { return name.next(); }  // other names it goes by, separated by spaces
  // The header that takes the key, where it is not the dialect's.
  std::string_view key_header() const { return base_url.next(); }
};

std::span<const Preset> presets();
// By name or alias, ASCII case ignored; null = unknown.
const Preset* find_preset(std::string_view name);

constexpr bool is_template(std::string_view base_url) { return base_url.find('{') != std::string_view::npos; }

}  // namespace shunt
