// Blocks of 128 KB and more, each requested from the system and returned to it.
//
// Why not malloc: glibc does the same, until the first such block is freed. From then on it takes blocks up to that
// size from its heap, and a heap shrinks only at its end. A server that learns has thousands of small, long-lived
// blocks (bank/hot_set.h). They are allocated behind large buffers, such as those of a new model or a packed
// checkpoint. When the buffers are freed, they leave holes of megabytes; the next buffer is a little larger than each
// hole, and resident memory rises in steps for an hour while no more is in use (docs/reliability.md).
//
//   LargeVector<T>   a vector that may be large: below 128 KB it uses the heap
//   LargeBytes       the same for bytes
//   RawBytes         uninitialised bytes
//
// Cost: two system calls per block, and its pages are zeroed when they are first touched.
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
/// With the same size and alignment.
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

/// A char that starts uninitialised: allocating many costs nothing, and pages that are never written are never touched.
struct RawChar {
  RawChar() noexcept {}  // NOLINT: = default would set it to 0
  char value;
};
using RawBytes = LargeVector<RawChar>;

}  // namespace falsum
