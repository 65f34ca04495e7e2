// Presets: what is known of a provider before anyone configures it. Rows of facts; a new OpenAI-compatible
// provider is one row.
#pragma once

#include <span>
#include <string_view>

#include "catalog/catalog.h"

namespace shunt {

struct FixedHeader {
  std::string_view name;  // lower case
  std::string_view value;
};

struct Preset {
  std::string_view name{};
  std::string_view aliases{};  // other names it goes by, separated by spaces
  DialectId dialect = DialectId::openai_chat;
  Framing framing = Framing::sse;
  std::string_view base_url{};     // no trailing slash; "{…}" = the configuration must give its own
  std::string_view path{};         // after base_url{}; "{model}" is replaced
  std::string_view stream_path{};  // where streams differ; empty = path
  AuthKind auth = AuthKind::bearer;
  std::string_view auth_name = "authorization";
  std::span<const FixedHeader> headers{};
  Quirks quirks = 0;
  bool keyless = false;  // serves without a key: a server of one's own
};

std::span<const Preset> presets();
// By name or alias, ASCII case ignored; null = unknown.
const Preset* find_preset(std::string_view name);
// What a provider of this dialect looks like when nothing else is said: path, framing, auth and headers{}; no
// name and no address.
const Preset& dialect_defaults(DialectId id);

constexpr bool is_template(std::string_view base_url) { return base_url.find('{') != std::string_view::npos; }

}  // namespace shunt
