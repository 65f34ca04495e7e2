// The allocator of the wasm builds: boundary tags, one list of free blocks a size class, neighbours joined at
// once. Knows no platform: its memory is a parameter, so the tests run it natively.
//
// libc's allocators take 3 KB of the module more and give nothing the core asks for: it frees what it
// allocates, in one thread, and never resizes a block.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace shunt::wasm {

// Memory gives base() (the address that offsets count from), begin() and end() of what may be used, as
// offsets that are multiples of kAlignment, and grow(bytes), which moves end() up by at least that much or
// returns false.
template <typename Memory>
class Heap {
 public:
  static constexpr std::uint32_t kAlignment = 16;

  constexpr Heap() = default;
  constexpr explicit Heap(Memory memory) : memory_(memory) {}

  // `bytes` at a multiple of kAlignment, null when the memory cannot grow any more.
  void* take(std::size_t bytes) {
    if (bytes > kLargest) return nullptr;
    const std::uint32_t size = round_up(std::max(static_cast<std::uint32_t>(bytes) + kTag, kSmallest));
    At block = find(size);
    if (block == 0) block = extend(size);
    if (block == 0) return nullptr;
    remove(block);
    // No two free blocks are neighbours, so the block before a free one is in use.
    if (const std::uint32_t rest = size_of(block) - size; rest != 0) add(block + size, rest);
    tag(block) = size | kUsed | kAfterUsed;
    tag(next_to(block)) |= kAfterUsed;
    return pointer(block + kHeader);
  }

  void give(void* pointer_or_null) {
    if (pointer_or_null == nullptr) return;
    At block = offset(pointer_or_null) - kHeader;
    if ((tag(block) & kUsed) == 0) __builtin_trap();  // given twice
    std::uint32_t size = size_of(block);
    const At after = block + size;
    if ((tag(after) & kUsed) == 0) {
      size += size_of(after);
      remove(after);
    }
    if ((tag(block) & kAfterUsed) == 0) {
      const std::uint32_t before = word(block);
      block -= before;
      size += before;
      remove(block);
    }
    add(block, size);
    tag(block + size) &= ~kAfterUsed;
  }

 private:
  // A block is named by its offset, 8 below a multiple of 16:
  //   +0  size of the block before, while that one is free; else the last bytes of that one's content
  //   +4  own size, a multiple of 16, and two flags
  //   +8  content; of a free block, its neighbours in the list of its class
  // Behind the last block of a stretch of memory stands a header that is never free.
  using At = std::uint32_t;
  static constexpr std::uint32_t kTag = 4;
  static constexpr std::uint32_t kHeader = 8;
  static constexpr std::uint32_t kSmallest = 16;
  static constexpr std::uint32_t kLargest = 1U << 31U;
  static constexpr std::uint32_t kUsed = 1;
  static constexpr std::uint32_t kAfterUsed = 2;  // the block before is in use
  static constexpr std::uint32_t kFlags = kAlignment - 1;

  // Classes 0..31 hold one size each (16, 32, … 512 bytes), then two classes a power of two; the last is
  // open to the top. Any block of a higher class is large enough for a request of a lower one.
  static constexpr unsigned kClasses = 64;
  static constexpr std::uint32_t kExactClasses = 32;
  static unsigned class_of(std::uint32_t size) {
    const std::uint32_t units = size / kAlignment;
    if (units <= kExactClasses) return units - 1;
    const auto power = static_cast<unsigned>(std::bit_width(units)) - 1;
    const unsigned upper_half = (units >> (power - 1)) & 1U;
    return std::min(kExactClasses + 2 * (power - 5) + upper_half, kClasses - 1);
  }
  // Blocks of a request's own class that are looked at before a higher class serves it: it bounds the time
  // of one call.
  static constexpr int kLooks = 64;

  static std::uint32_t round_up(std::uint32_t bytes) { return (bytes + kFlags) & ~kFlags; }

  std::uint32_t& word(At at) { return *static_cast<std::uint32_t*>(pointer(at)); }
  std::uint32_t& tag(At block) { return word(block + kTag); }
  At& next_in_class(At block) { return word(block + kHeader); }
  At& previous_in_class(At block) { return word(block + kHeader + 4); }
  std::uint32_t size_of(At block) { return tag(block) & ~kFlags; }
  At next_to(At block) { return block + size_of(block); }
  void* pointer(At at) { return reinterpret_cast<void*>(memory_.base() + at); }
  At offset(void* of) { return static_cast<At>(reinterpret_cast<std::uintptr_t>(of) - memory_.base()); }

  At find(std::uint32_t size) {
    const unsigned own = class_of(size);
    At block = first_[own];
    for (int looks = 0; block != 0 && looks < kLooks; ++looks, block = next_in_class(block)) {
      if (size_of(block) >= size) return block;
    }
    const std::uint64_t higher = filled_ & (~std::uint64_t{1} << own);
    return higher != 0 ? first_[static_cast<unsigned>(std::countr_zero(higher))] : 0;
  }

  // A free block of at least `size` at the end of the memory, which grows when it must.
  At extend(std::uint32_t size) {
    const At begin = end_ == 0 ? memory_.begin() : memory_.end();
    // Room for the new end's header, and for an own first one when the stretch does not continue the last.
    const std::uint32_t needed = size + 2 * kAlignment;
    if ((end_ != 0 || memory_.end() - begin < needed) && !memory_.grow(needed)) return 0;
    const bool continues = end_ != 0 && begin == end_;
    const At block = continues ? begin - kHeader : begin + kHeader;
    const std::uint32_t flags = continues ? tag(block) & kAfterUsed : kAfterUsed;
    end_ = memory_.end();
    tag(end_ - kHeader) = kUsed | kAfterUsed;
    tag(block) = (end_ - kHeader - block) | kUsed | flags;
    give(pointer(block + kHeader));
    return find(size);
  }

  void add(At block, std::uint32_t size) {
    tag(block) = size | kAfterUsed;
    word(block + size) = size;
    const unsigned its = class_of(size);
    const At second = first_[its];
    next_in_class(block) = second;
    previous_in_class(block) = 0;
    if (second != 0) previous_in_class(second) = block;
    first_[its] = block;
    filled_ |= std::uint64_t{1} << its;
  }

  void remove(At block) {
    const At next = next_in_class(block);
    const At previous = previous_in_class(block);
    if (next != 0) previous_in_class(next) = previous;
    if (previous != 0) {
      next_in_class(previous) = next;
      return;
    }
    const unsigned its = class_of(size_of(block));
    first_[its] = next;
    if (next == 0) filled_ &= ~(std::uint64_t{1} << its);
  }

  [[no_unique_address]] Memory memory_;
  std::uint64_t filled_ = 0;  // the classes that have a free block
  At first_[kClasses] = {};   // 0: none, since no block begins at the start of the memory
  At end_ = 0;                // of the memory in hand
};

}  // namespace shunt::wasm
