// Tags are found, not parsed: a page is read for its words alone.
#include "classify/page.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/simd.h"
#include "base/strings.h"

namespace shunt::classify {
namespace {

bool begins_fold(std::string_view text, std::string_view with) {
  return !text.empty() && to_lower(text.front()) == with.front() &&
         equal_fold(text.substr(0, with.size()), with);
}

}  // namespace

bool looks_like_page(std::string_view text) {
  constexpr std::size_t kNear = 512;
  text = text.substr(0, kNear);
  for (std::size_t at = text.find('<'); at < text.size(); ++at) {
    if (at + simd::kBlock < text.size()) {  // sixteen at once: a bracket, and a first letter behind it
      const auto next = simd::Block::load(text.data() + at + 1);
      const std::uint32_t found = simd::Block::load(text.data() + at).equal_to('<').bits() &
                                  (next.equal_to('!') | next.equal_to('h') | next.equal_to('H')).bits();
      at += found == 0 ? simd::kBlock - 1 : static_cast<std::size_t>(std::countr_zero(found));
    }
    if (text[at] != '<') continue;
    const std::string_view name = text.substr(at + 1);
    if (begins_fold(name, "!doctype") || begins_fold(name, "html") || begins_fold(name, "head")) return true;
  }
  return false;
}

std::string text_of_page(std::string_view html, std::size_t most) {
  std::string out;
  out.reserve(std::min(html.size(), most));
  for (std::size_t at = 0; at < html.size() && out.size() < most;) {
    const std::size_t tag = std::min(html.find('<', at), html.size());
    out += html.substr(at, std::min(tag - at, most - out.size()));
    if (tag == html.size()) break;
    const std::size_t end = html.find('>', tag);
    at = end == std::string_view::npos ? html.size() : end + 1;
    const std::string_view name = html.substr(tag + 1);
    if (begins_fold(name, "script") || begins_fold(name, "style"))
      at = std::min(html.find("</", at), html.size());
    if (out.size() < most) out.push_back(' ');
  }
  return out;
}

}  // namespace shunt::classify
