// Where a provider's address leads, by the host of its base URL: to this machine, or into a network of one's
// own. Nothing is looked up.
#pragma once

#include <string_view>

namespace shunt::config {

// `base_url` is one that read_base_url() took: http(s)://host[:port][/path].
bool is_loopback(std::string_view base_url);  // 127/8, ::1, localhost
// … or 10/8, 172.16/12, 192.168/16, fc00::/7, *.local, *.internal
bool is_private(std::string_view base_url);

}  // namespace shunt::config
