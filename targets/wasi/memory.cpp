// What compilers and libc++ call on bytes, for the wasm builds: short copies in place, long ones by the one
// instruction for it, and searches as plain loops. libc's are unrolled for engines without that instruction.
//
// Compiled for bulk memory, without link-time optimisation: there the compiler may call these on its own.
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

namespace {

// Up to two words, which overlap when the count is between one and two: everything is read before anything
// is written, so the ranges may overlap, too.
template <typename Word>
void move_ends(unsigned char* to, const unsigned char* from, std::size_t count) {
  Word head;
  Word tail;
  __builtin_memcpy(&head, from, sizeof head);
  __builtin_memcpy(&tail, from + count - sizeof tail, sizeof tail);
  __builtin_memcpy(to, &head, sizeof head);
  __builtin_memcpy(to + count - sizeof tail, &tail, sizeof tail);
}

}  // namespace

extern "C" {

void* memmove(void* to, const void* from, std::size_t count) {
  auto* const out = static_cast<unsigned char*>(to);
  const auto* const in = static_cast<const unsigned char*>(from);
  if (count > 16) {
    __builtin_memmove(to, from, count);
  } else if (count >= 8) {
    move_ends<std::uint64_t>(out, in, count);
  } else if (count >= 4) {
    move_ends<std::uint32_t>(out, in, count);
  } else if (count >= 2) {
    move_ends<std::uint16_t>(out, in, count);
  } else if (count == 1) {
    *out = *in;
  }
  return to;
}

void* memcpy(void* to, const void* from, std::size_t count) __attribute__((alias("memmove")));

// Sixteen bytes at a time until one of them matches.
void* memchr(const void* bytes, int byte, std::size_t count) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  const v128_t wanted = wasm_i8x16_splat(static_cast<std::int8_t>(byte));
  while (count >= sizeof wanted && !wasm_v128_any_true(wasm_i8x16_eq(wasm_v128_load(at), wanted))) {
    at += sizeof wanted;
    count -= sizeof wanted;
  }
  for (; count != 0; ++at, --count) {
    if (*at == static_cast<unsigned char>(byte)) return const_cast<unsigned char*>(at);
  }
  return nullptr;
}

std::size_t strlen(const char* text) {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}

void* memset(void* to, int byte, std::size_t count) {
  __builtin_memset(to, byte, count);
  return to;
}
}
