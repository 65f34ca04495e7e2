// Debian's wasm compiler builtins (128-bit division) were built with a stack protector whose two
// symbols wasi-libc does not have. wasm builds only; knows nothing of the core.
#include <cstdint>

extern "C" {
extern const std::uintptr_t __stack_chk_guard;
const std::uintptr_t __stack_chk_guard = 0x5bd1e995;
[[noreturn]] void __stack_chk_fail();
void __stack_chk_fail() { __builtin_trap(); }
}
