// "alerts" and "rules": words that are checked against lists.
#include "config/sections.h"

#include "canonical/failure.h"

namespace shunt::config::sections {

void check_alerts(Reader& in) {
  if (!in.enter_array()) return;
  while (in.next_element()) read_word(in, "open latch all_protected quota");
}
void check_class(Reader& in) {
  Names names;
  for (int i = 0; i < kErrorClasses; ++i) names.push_back(name_of(static_cast<ErrorClass>(i)));
  read_word_of(in, names);
}
void check_scope(Reader& in) {
  Names names;
  for (int i = 0; i <= static_cast<int>(Scope::own_host); ++i)
    names.push_back(name_of(static_cast<Scope>(i)));
  read_word_of(in, names);
}

}  // namespace shunt::config::sections
