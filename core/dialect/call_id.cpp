// Ids of tool calls whose provider gave none. See call_id.h.
#include "dialect/call_id.h"

#include "base/rng.h"
#include "base/strings.h"

namespace shunt::dialect {

std::string made_call_id(std::string_view prefix, std::string_view answer_id, int choice, int call) {
  std::uint64_t seed = 0;
  for (const char c : answer_id) seed = mix64(seed ^ static_cast<unsigned char>(c));
  std::string id(prefix);
  const auto place = static_cast<std::uint64_t>(choice) << 32U | static_cast<std::uint64_t>(call);
  append_hex(id, mix64(seed ^ mix64(place)), 16);
  return id;
}

}  // namespace shunt::dialect
