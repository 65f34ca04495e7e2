// Header lines, one at a time.
#include "canonical/http.h"

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/simd.h"

namespace shunt {

void HeaderBlock::each_line(void* visitor, Call call) const {
  constexpr std::size_t kNone = std::string_view::npos;
  const char* const text = lines_.data();
  std::size_t begin = 0;  // of the line
  std::size_t colon = kNone;
  const auto take = [&](std::size_t end) {
    const bool formed = begin < colon && colon < end;
    const bool enough = formed && call(visitor, trim({text + begin, colon - begin}),
                                       trim({text + colon + 1, end - colon - 1}));
    begin = end + 1;
    colon = kNone;
    return enough;
  };
  const auto first = [](std::uint32_t marks) { return static_cast<std::size_t>(std::countr_zero(marks)); };
  for (std::size_t at = 0; at < lines_.size(); at += simd::kBlock) {
    const auto block = simd::next_block(lines_, at);
    std::uint32_t colons = block.equal_to(':').bits();
    for (std::uint32_t ends = block.equal_to('\n').bits();; ends &= ends - 1) {
      if (colon == kNone && colons != 0) colon = at + first(colons);
      if (ends == 0) break;
      if (take(at + first(ends))) return;
      colons &= ~(ends ^ (ends - 1));  // those behind the line's end
    }
  }
  if (begin < lines_.size()) take(lines_.size());
}

std::string_view HeaderBlock::get(std::string_view name) const {
  struct Search {
    std::string_view name, value;
  } search{name, {}};
  each_line(&search, [](void* visitor, std::string_view key, std::string_view value) {
    auto& wanted = *static_cast<Search*>(visitor);
    if (!equal_fold(key, wanted.name)) return false;
    wanted.value = value;
    return true;
  });
  return search.value;
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).push_back('\n');
}

}  // namespace shunt
