// The allocator of the wasm builds, run natively over a buffer: every block is filled and checked against an
// oracle, and what is given back must be found again.
#include "wasi/heap.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <vector>

namespace {

constexpr std::uint32_t kPage = 65536;

// A stretch of native memory of fixed size that is opened page by page.
struct Buffer {
  explicit Buffer(std::uint32_t bytes) : size(bytes) {
    storage = static_cast<unsigned char*>(::operator new(bytes, std::align_val_t{16}));
  }
  ~Buffer() { ::operator delete(storage, std::align_val_t{16}); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  unsigned char* storage = nullptr;
  std::uint32_t size;
  std::uint32_t open = kPage;
};

struct BufferMemory {
  Buffer* of = nullptr;

  std::uintptr_t base() const { return reinterpret_cast<std::uintptr_t>(of->storage); }
  static std::uint32_t begin() { return 1024; }
  std::uint32_t end() const { return of->open; }
  bool grow(std::uint32_t bytes) const {
    const std::uint64_t pages = (std::uint64_t{bytes} + kPage - 1) / kPage;
    if (of->open + pages * kPage > of->size) return false;
    of->open += static_cast<std::uint32_t>(pages) * kPage;
    return true;
  }
};

using Heap = shunt::wasm::Heap<BufferMemory>;

// Blocks with a pattern each; any overlap or lost byte breaks one.
class Blocks {
 public:
  explicit Blocks(Heap& heap) : heap_(heap) {}

  bool take(std::size_t bytes) {
    auto* at = static_cast<unsigned char*>(heap_.take(bytes));
    if (at == nullptr) return false;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % Heap::kAlignment, 0U);
    const auto fill = static_cast<unsigned char>(next_++ % 251);
    std::memset(at, fill, bytes);
    blocks_.push_back({at, bytes, fill});
    live_ += bytes;
    return true;
  }

  void give(std::size_t index) {
    const Block block = blocks_[index];
    for (std::size_t i = 0; i < block.bytes; ++i) ASSERT_EQ(block.at[i], block.fill) << block.bytes;
    heap_.give(block.at);
    live_ -= block.bytes;
    blocks_[index] = blocks_.back();
    blocks_.pop_back();
  }
  void give_all() {
    while (!blocks_.empty()) give(blocks_.size() - 1);
  }

  std::size_t count() const { return blocks_.size(); }
  std::size_t live() const { return live_; }

 private:
  struct Block {
    unsigned char* at;
    std::size_t bytes;
    unsigned char fill;
  };
  Heap& heap_;
  std::vector<Block> blocks_;
  std::size_t live_ = 0;
  std::size_t next_ = 0;
};

TEST(Heap, GivesAlignedBlocksThatDoNotOverlap) {
  Buffer buffer(64 * kPage);
  Heap heap(BufferMemory{&buffer});
  Blocks blocks(heap);
  for (std::size_t bytes = 0; bytes < 2000; bytes += 7) ASSERT_TRUE(blocks.take(bytes));
  blocks.give_all();
}

TEST(Heap, JoinsWhatIsGivenBackInAnyOrder) {
  Buffer buffer(4 * kPage);
  Heap heap(BufferMemory{&buffer});
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    Blocks blocks(heap);
    while (blocks.take(random() % 3000)) {
    }
    while (blocks.count() > 0) blocks.give(random() % blocks.count());
    // All of it but the first bytes, two headers and the rounding.
    ASSERT_TRUE(blocks.take(4 * kPage - 1024 - 48)) << round;
    blocks.give_all();
  }
}

TEST(Heap, GrowsByWhatIsNeededAndRefusesMoreThanThereIs) {
  Buffer buffer(16 * kPage);
  Heap heap(BufferMemory{&buffer});
  void* const small = heap.take(100);
  EXPECT_EQ(buffer.open, kPage);
  void* const large = heap.take(3 * kPage);
  EXPECT_LE(buffer.open, 5 * kPage);
  EXPECT_EQ(heap.take(16 * kPage), nullptr);
  EXPECT_EQ(heap.take(std::size_t{1} << 31U), nullptr);
  EXPECT_EQ(heap.take(~std::size_t{0}), nullptr);
  heap.give(large);
  heap.give(small);
  heap.give(nullptr);
  EXPECT_NE(heap.take(4 * kPage), nullptr);
}

// The host may grow the memory, too.
TEST(Heap, SkipsPagesThatOthersAdded) {
  Buffer buffer(16 * kPage);
  Heap heap(BufferMemory{&buffer});
  Blocks blocks(heap);
  ASSERT_TRUE(blocks.take(kPage / 2));
  unsigned char* const theirs = buffer.storage + buffer.open;
  buffer.open += kPage;
  std::memset(theirs, 0x5A, kPage);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(blocks.take(kPage / 2));
  for (std::uint32_t i = 0; i < kPage; ++i) ASSERT_EQ(theirs[i], 0x5A);
  blocks.give_all();
}

TEST(Heap, ABlockGivenTwiceTraps) {
  Buffer buffer(kPage);
  Heap heap(BufferMemory{&buffer});
  void* const block = heap.take(100);
  heap.give(block);
  EXPECT_DEATH(heap.give(block), "");
}

// A string that grows by appending: each time a larger block, then the old one back.
TEST(Heap, GrowingBuffersReuseWhatTheyLeft) {
  Buffer buffer(64 * kPage);
  Heap heap(BufferMemory{&buffer});
  for (int round = 0; round < 1000; ++round) {
    void* held = heap.take(16);
    for (std::size_t bytes = 32; bytes <= 8 * kPage; bytes *= 2) {
      void* const larger = heap.take(bytes);
      ASSERT_NE(larger, nullptr);
      heap.give(held);
      held = larger;
    }
    heap.give(held);
  }
  EXPECT_LE(buffer.open, 24 * kPage);
}

// The sizes of a gateway: mostly small, some buffers, few large ones. Whatever the order, what is open stays
// within twice of what was in use at most.
TEST(Heap, FragmentsLittleUnderRandomTraffic) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Buffer buffer(512 * kPage);
    Heap heap(BufferMemory{&buffer});
    Blocks blocks(heap);
    std::mt19937 random(seed);
    const auto some = [&]() -> std::size_t {
      const auto kind = random() % 100;
      if (kind < 80) return random() % 200;
      if (kind < 98) return random() % 5000;
      return random() % 200000;
    };
    std::size_t most = 0;
    for (int step = 0; step < 40000; ++step) {
      // Tides: the number of live blocks rises and falls.
      const bool rising = step / 4000 % 2 == 0;
      if (blocks.count() == 0 || random() % 100 < (rising ? 60 : 40)) {
        ASSERT_TRUE(blocks.take(some()));
      } else {
        blocks.give(random() % blocks.count());
      }
      most = std::max(most, blocks.live());
    }
    EXPECT_LE(buffer.open, 2 * most + kPage) << "seed " << seed;
    blocks.give_all();
  }
}

}  // namespace
