// Makes every way to die a trap: libc++ and libc++abi would print first, which drags stdio and its host
// imports into the module (13 KB, three imports). wasm builds only; knows nothing of the core.
#include <cstddef>

extern "C" {
[[noreturn]] void __cxa_pure_virtual();
void __cxa_pure_virtual() { __builtin_trap(); }
[[noreturn]] void abort_message(const char* format, ...);
void abort_message(const char*, ...) { __builtin_trap(); }
}

#ifdef _LIBCPP_VERSION
_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) { __builtin_trap(); }
_LIBCPP_END_NAMESPACE_STD
#endif
