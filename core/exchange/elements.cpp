// Elements of an array, as they come. See elements.h.
#include "exchange/elements.h"

#include "base/strings.h"

namespace shunt::exchange {

void Elements::add(std::string_view json, std::string& out) {
  out += begun_ ? ",\r\n" : "[";
  out += json;
  begun_ = true;
}

void Elements::add_frames(std::string_view sse, std::string& out) {
  while (!sse.empty()) {
    std::string_view line = cut(sse, '\n');
    if (cut(line, ' ') == "data:") add(trim(line), out);
  }
}

void Elements::end(std::string& out) const { out += begun_ ? "\r\n]" : "[]"; }

}  // namespace shunt::exchange
