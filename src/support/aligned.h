// AlignedArray: a fixed number of trivially copyable values on a 64-byte boundary, for SIMD rows. Zeroed. Large arrays
// come from the system (large_block.h), and those of 2 MB or more request huge pages: learning jumps from row to row,
// and page tables for 4 KB pages would not stay in the caches.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "support/large_block.h"

namespace falsum {

template <class T>
class AlignedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t bytes = size * sizeof(T);
    if (bytes < kLargeBlock) {
      data_ = {static_cast<T*>(::operator new (bytes, std::align_val_t{kAlignment})), Free{}};
      std::memset(static_cast<void*>(data_.get()), 0, bytes);
      return;
    }
    const std::size_t alignment = bytes >= kHugePage ? kHugePage : kAlignment;
    data_ = {static_cast<T*>(new_large_block(bytes, alignment)), Free{bytes, alignment}};
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // Whole huge pages only, so that memory does not grow. If the kernel refuses, nothing is lost.
    if (alignment == kHugePage) (void)madvise(data_.get(), bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  static constexpr std::size_t kAlignment = 64, kHugePage = std::size_t{1} << 21;
  struct Free {
    std::size_t bytes = 0, alignment = 0;  // of a large block
    void operator()(T* p) const {
      bytes == 0 ? ::operator delete (p, std::align_val_t{kAlignment}) : delete_large_block(p, bytes, alignment);
    }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace falsum
