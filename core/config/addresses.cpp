// Loopback and private addresses, and the names that stand for them.
#include "config/addresses.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/strings.h"

namespace shunt::config {
namespace {

// In lower case, without brackets, port and the dot that may end a name.
std::string host_of(std::string_view base_url) {
  const std::size_t begin = base_url.find("//");
  if (begin == std::string_view::npos) return {};  // none, or one that was refused
  std::string_view host = base_url.substr(begin + 2);
  host = host.substr(0, host.find('/'));
  if (host.starts_with('[')) {
    host.remove_prefix(1);
    host = host.substr(0, host.find(']'));
  } else {
    host = host.substr(0, host.find(':'));
    if (host.ends_with('.')) host.remove_suffix(1);
  }
  return to_lower(host);
}

using Ipv4 = std::array<std::uint32_t, 4>;
std::optional<Ipv4> ipv4_of(std::string_view host) {
  Ipv4 parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = parse_uint(cut(host, '.'));
    if (!number || *number > 255) return std::nullopt;
    parts[i] = static_cast<std::uint32_t>(*number);
    if (host.empty() != (i + 1 == parts.size())) return std::nullopt;
  }
  return parts;
}

bool is_own_machine(const std::string& host) {
  if (const auto ip = ipv4_of(host)) return (*ip)[0] == 127;
  return host == "localhost" || host == "::1" || host == "0:0:0:0:0:0:0:1";
}

// fc00::/7: the first of eight groups is written with all its four digits.
bool is_unique_local(std::string_view host) {
  const std::string_view group = host.substr(0, host.find(':'));
  return group.size() == 4 && group.size() < host.size() && group[0] == 'f' &&
         (group[1] == 'c' || group[1] == 'd');
}

}  // namespace

bool is_loopback(std::string_view base_url) { return is_own_machine(host_of(base_url)); }

bool is_private(std::string_view base_url) {
  const std::string host = host_of(base_url);
  if (is_own_machine(host) || is_unique_local(host)) return true;
  if (const auto ip = ipv4_of(host)) {
    const auto& [a, b, c, d] = *ip;
    return a == 10 || (a == 172 && b >= 16 && b <= 31) || (a == 192 && b == 168);
  }
  return host.ends_with(".local") || host.ends_with(".internal");
}

}  // namespace shunt::config
