// The one assertion of the core: a broken invariant of our own traps; never used on anyone's input.
#pragma once

namespace shunt {

[[noreturn]] inline void trap() { __builtin_trap(); }

}  // namespace shunt

#define CORE_CHECK(condition)      \
  do {                             \
    if (!(condition)) [[unlikely]] \
      ::shunt::trap();             \
  } while (false)
