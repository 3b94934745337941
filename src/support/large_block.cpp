#include "support/large_block.h"

#include <cstdint>
#include <cstring>

// The address and memory sanitizers check only the heap.
#if defined(__SANITIZE_ADDRESS__)
#define FALSUM_FROM_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define FALSUM_FROM_HEAP 1
#endif
#endif
#if defined(__linux__) && !defined(FALSUM_FROM_HEAP)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace falsum {

#if defined(__linux__) && !defined(FALSUM_FROM_HEAP)

namespace {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}
std::size_t whole_pages(std::size_t bytes) { return (bytes + page_bytes() - 1) / page_bytes() * page_bytes(); }

}  // namespace

void* new_large_block(std::size_t bytes, std::size_t alignment) {
  // The excess at both ends is returned at once.
  const std::size_t more = alignment > page_bytes() ? alignment : 0;
  const std::size_t size = whole_pages(bytes);
  if (size < bytes || size + more < size) throw std::bad_alloc();
  void* const all = mmap(nullptr, size + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  auto* const first = static_cast<std::byte*>(all);
  if (more == 0) return first;
  const std::size_t before = (alignment - reinterpret_cast<std::uintptr_t>(all) % alignment) % alignment;
  if (before > 0) (void)munmap(first, before);
  if (before < more) (void)munmap(first + before + size, more - before);
  return first + before;
}

void delete_large_block(void* block, std::size_t bytes, std::size_t /*alignment*/) noexcept {
  (void)munmap(block, whole_pages(bytes));
}

#else

void* new_large_block(std::size_t bytes, std::size_t alignment) {
  return std::memset(::operator new (bytes, std::align_val_t{alignment}), 0, bytes);
}

void delete_large_block(void* block, std::size_t /*bytes*/, std::size_t alignment) noexcept {
  ::operator delete (block, std::align_val_t{alignment});
}

#endif

}  // namespace falsum
