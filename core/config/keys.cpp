// The walk over one object that every table of keys shares, and the words for what is not in the table.
#include "config/keys.h"

#include <bit>

#include "base/strings.h"

namespace shunt::config {

std::optional<int> read_object(Reader& in, std::span<const KeyName> keys, void* into,
                               void (*read)(void* into, std::size_t i, Reader& in)) {
  const std::uint64_t object_at = in.at();
  if (!in.enter_object()) return std::nullopt;
  std::uint64_t seen = 0;  // a bit per row
  while (in.next_key()) {
    std::size_t i = 0;
    while (i < keys.size() && keys[i].name != in.key()) ++i;
    if (i == keys.size()) {
      std::vector<std::string_view> names;
      for (const KeyName& key : keys) names.push_back(key.name);
      in.unknown_key(names);
      continue;
    }
    const std::uint64_t bit = 1ULL << i;
    if ((seen & bit) != 0) {
      in.duplicate_key();
      continue;
    }
    seen |= bit;
    if (keys[i].stand == Stand::later) in.report().not_in_force(keys[i].row, in.key_at(), keys[i].name);
    read(into, i, in);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].stand == Stand::required && (seen & (1ULL << i)) == 0) {
      in.report().fault(object_at, joined({"no \"", keys[i].name, "\""}), "the key is required");
    }
  }
  return std::popcount(seen);
}

std::optional<std::size_t> read_word_of(Reader& in, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!in.is_string(names[i])) continue;
    in.skip();
    return i;
  }
  in.wrong_word(names);
  return std::nullopt;
}

}  // namespace shunt::config
