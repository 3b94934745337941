// Blocks of 128 KB and more, asked of the system and given back to it, one by one.
//
// Why not malloc: glibc does the same, until the first such block is freed. From then on it takes blocks up to that
// size from its heap, and gives a heap back from its end alone. A server that learns has thousands of small blocks that
// stay (bank/hot_set.h), and they settle behind a model that is made, a checkpoint that is packed. When those are
// freed, holes of megabytes are left, the next buffer is a little larger than each of them, and resident memory goes up
// by steps for an hour while no more is in use (docs/reliability.md).
//
//   LargeVector<T>   a vector for what may be large: less than 128 KB it takes from the heap
//   LargeBytes       the same for bytes
//   RawBytes         room for bytes to come
//
// Cost: two calls of the system a block, and its pages are zeroed when they are first touched.
#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <string>
#include <vector>

namespace falsum {

constexpr std::size_t kLargeBlock = std::size_t{128} << 10;

/// Zeroed; `alignment` is a power of two. Throws std::bad_alloc.
void* new_large_block(std::size_t bytes, std::size_t alignment = 64);
/// With the same numbers.
void delete_large_block(void* block, std::size_t bytes, std::size_t alignment = 64) noexcept;

template <class T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <class Other>
  LargeAllocator(const LargeAllocator<Other>&) {}

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t bytes = count * sizeof(T);
    return static_cast<T*>(bytes < kLargeBlock ? ::operator new(bytes) : new_large_block(bytes));
  }
  void deallocate(T* block, std::size_t count) noexcept {
    const std::size_t bytes = count * sizeof(T);
    bytes < kLargeBlock ? ::operator delete(block) : delete_large_block(block, bytes);
  }
  bool operator==(const LargeAllocator&) const { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;
using LargeBytes = std::basic_string<char, std::char_traits<char>, LargeAllocator<char>>;

/// A char that begins with no value: making room for many costs nothing, and what is not written to is never touched.
struct RawChar {
  RawChar() noexcept {}  // NOLINT: = default would set it to 0
  char value;
};
using RawBytes = LargeVector<RawChar>;

}  // namespace falsum
