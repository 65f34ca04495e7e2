// Pages that proxies and edges send in place of an answer. Knows no errors.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shunt::classify {

// One of a page's first tags stands near the beginning.
bool looks_like_page(std::string_view text);

// What stands outside tags, scripts and styles, at most so many bytes of it; a blank for each tag.
std::string text_of_page(std::string_view html, std::size_t most);

}  // namespace shunt::classify
