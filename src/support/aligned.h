// AlignedArray: a fixed number of trivially copyable values on a 64-byte boundary, for SIMD rows. Zeroed. Large ones
// ask for huge pages: learning jumps from row to row, and page tables for 4 KB pages would not stay in the caches.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace falsum {

template <class T>
class AlignedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    const std::size_t bytes = size * sizeof(T);
    const std::align_val_t alignment{bytes >= 4 * kHugePage ? kHugePage : 64};
    data_ = {static_cast<T*>(::operator new(bytes, alignment)), Free{alignment}};
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // Whole huge pages only, so that memory does not grow; a kernel that refuses loses nothing.
    if (bytes >= 4 * kHugePage) (void)madvise(data_.get(), bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
    std::memset(static_cast<void*>(data_.get()), 0, bytes);
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{1} << 21;
  struct Free {
    std::align_val_t alignment{64};
    void operator()(T* p) const { ::operator delete(p, alignment); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace falsum
