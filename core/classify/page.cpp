// Tags are found, not parsed: a page is read for its words alone.
#include "classify/page.h"

#include <algorithm>

#include "base/strings.h"

namespace shunt::classify {
namespace {

bool begins_fold(std::string_view text, std::string_view with) {
  return text.size() > 1 && to_lower(text[0]) == with[0] && to_lower(text[1]) == with[1] &&
         equal_fold(text.substr(0, with.size()), with);
}

}  // namespace

bool looks_like_page(std::string_view text) {
  constexpr std::size_t kNear = 512;
  text = text.substr(0, kNear);
  for (std::size_t at = text.find('<'); at < text.size(); ++at) {
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
