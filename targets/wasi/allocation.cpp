// new, delete, malloc and free of the wasm builds over one Heap; exhausted memory is a trap. Also the three
// copying functions that compilers call. Knows nothing of the core.
#include <cstddef>
#include <cstdint>
#include <new>

#include "wasi/heap.h"

extern "C" unsigned char __heap_base;  // the linker's: the first byte behind the static data

namespace {

constexpr std::uint32_t kPage = 65536;
constexpr std::uint32_t kPages = 65535;  // a page short of 4 GB, so that every end fits 32 bits

// The module's linear memory. Offsets are addresses.
struct LinearMemory {
  static constexpr std::uintptr_t base() { return 0; }
  static std::uint32_t begin() {
    return (reinterpret_cast<std::uintptr_t>(&__heap_base) + 15U) & ~std::uint32_t{15};
  }
  static std::uint32_t end() { return static_cast<std::uint32_t>(__builtin_wasm_memory_size(0)) * kPage; }
  static bool grow(std::uint32_t bytes) {
    const std::uint32_t pages = (bytes - 1) / kPage + 1;
    return pages <= kPages - __builtin_wasm_memory_size(0) &&
           __builtin_wasm_memory_grow(0, pages) != SIZE_MAX;
  }
};

constinit shunt::wasm::Heap<LinearMemory> heap;

void* take_or_trap(std::size_t bytes) {
  void* block = heap.take(bytes);
  if (block == nullptr) __builtin_trap();
  return block;
}

}  // namespace

void* operator new(std::size_t bytes) { return take_or_trap(bytes); }
void* operator new[](std::size_t bytes) { return take_or_trap(bytes); }
void operator delete(void* block) noexcept { heap.give(block); }
void operator delete[](void* block) noexcept { heap.give(block); }
void operator delete(void* block, std::size_t) noexcept { heap.give(block); }
void operator delete[](void* block, std::size_t) noexcept { heap.give(block); }
// Asks for a scratch buffer that may be refused.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return heap.take(bytes); }
void operator delete(void* block, const std::nothrow_t&) noexcept { heap.give(block); }

// Without these, libc's allocator would come in beside ours, over the same memory.
extern "C" {
void* malloc(std::size_t bytes) { return heap.take(bytes); }
void free(void* block) { heap.give(block); }
}
