#include "live_bytes.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
}

namespace falsum::bench {
namespace {

std::atomic<std::uint64_t> live{0};

void* born(void* block) {
  if (block != nullptr) live.fetch_add(malloc_usable_size(block), std::memory_order_relaxed);
  return block;
}
void* gone(void* block) {
  if (block != nullptr) live.fetch_sub(malloc_usable_size(block), std::memory_order_relaxed);
  return block;
}

}  // namespace

std::uint64_t live_bytes() { return live.load(std::memory_order_relaxed); }

}  // namespace falsum::bench

extern "C" {
using falsum::bench::born;
using falsum::bench::gone;
void* malloc(std::size_t size) noexcept { return born(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) noexcept { return born(__libc_calloc(count, size)); }
void* memalign(std::size_t alignment, std::size_t size) noexcept { return born(__libc_memalign(alignment, size)); }
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return born(__libc_memalign(alignment, size)); }
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  *block = born(__libc_memalign(alignment, size));
  return *block == nullptr ? ENOMEM : 0;
}
void* realloc(void* block, std::size_t size) noexcept {
  const std::size_t before = block == nullptr ? 0 : malloc_usable_size(block);
  void* const moved = __libc_realloc(block, size);
  if (moved != nullptr || size == 0) falsum::bench::live.fetch_sub(before, std::memory_order_relaxed);
  return born(moved);
}
void free(void* block) noexcept { __libc_free(gone(block)); }
// The library's large blocks. What glibc maps for itself does not come by here.
void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
  const long mapped = syscall(SYS_mmap, address, size, protection, flags, file, offset);
  if (mapped != -1) falsum::bench::live.fetch_add(size, std::memory_order_relaxed);
  return reinterpret_cast<void*>(mapped);
}
int munmap(void* address, std::size_t size) noexcept {
  const long result = syscall(SYS_munmap, address, size);
  if (result == 0) falsum::bench::live.fetch_sub(size, std::memory_order_relaxed);
  return static_cast<int>(result);
}
}
