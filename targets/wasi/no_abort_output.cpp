// Makes every way to die a trap: libc++ and libc++abi would print first, which drags stdio and its host
// imports into the module (13 KB, three imports). wasm builds only; knows nothing of the core.
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {
void* allocate_or_trap(std::size_t size) {
  void* block = std::malloc(size != 0 ? size : 1);
  if (block == nullptr) __builtin_trap();
  return block;
}
void* allocate_or_trap(std::size_t size, std::size_t alignment) {
  // aligned_alloc wants a multiple of the alignment, which is a power of two.
  void* block = std::aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
  if (block == nullptr) __builtin_trap();
  return block;
}
}  // namespace

void* operator new(std::size_t size) { return allocate_or_trap(size); }
void* operator new[](std::size_t size) { return allocate_or_trap(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_trap(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_trap(size, static_cast<std::size_t>(alignment));
}
// The nothrow form is std::stable_sort's: its scratch buffer may fail, and it then sorts in place.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size != 0 ? size : 1);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

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
