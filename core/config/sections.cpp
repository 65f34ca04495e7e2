// "alerts": words that are checked against a list.
#include "config/sections.h"

namespace shunt::config::sections {

void check_alerts(Reader& in) {
  if (!in.enter_array()) return;
  while (in.next_element()) read_word(in, "open latch all_protected quota");
}

}  // namespace shunt::config::sections
