// Where JSON stands in what a model wrote: in a fence, in prose, behind its thinking, escaped or encoded once
// more. Knows how JSON begins, not how it goes on.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace shunt::text {

// The text without what was done to it as a whole: {\"a\": 1} and {&quot;a&quot;: 1}. None when nothing was.
std::optional<std::string> undisguised(std::string_view text);

// The text without the thinking in front and the fence around or behind it.
std::string_view unwrapped(std::string_view text);

// Where the first bracket at or behind `from` stands that begins JSON rather than prose, as "{x}" and
// "[link]" are; npos for none. With `fenced`, only directly behind a fence.
std::size_t find_json(std::string_view text, std::size_t from, bool fenced);

}  // namespace shunt::text
