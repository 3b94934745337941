#include "support/large_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>

#include "sanitized.h"
#include "support/aligned.h"

namespace falsum::large_block_test {
namespace {

TEST(LargeBlock, IsZeroedAndAligned) {
  for (const std::size_t bytes : {kLargeBlock, kLargeBlock + 1, std::size_t{5} << 20}) {
    for (const std::size_t alignment : {std::size_t{64}, std::size_t{1} << 21}) {
      auto* const block = static_cast<unsigned char*>(new_large_block(bytes, alignment));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u);
      EXPECT_EQ(std::count(block, block + bytes, 0), static_cast<std::ptrdiff_t>(bytes));
      std::fill_n(block, bytes, 255);
      delete_large_block(block, bytes, alignment);
    }
  }
}

TEST(LargeBlock, TooMuchIsBadAlloc) {
#if defined(FALSUM_ADDRESS_SANITIZER)
  GTEST_SKIP() << "the address sanitizer ends the process instead";
#endif
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(new_large_block(most), std::bad_alloc);
  EXPECT_THROW(new_large_block(most / 2), std::bad_alloc);
  EXPECT_THROW(new_large_block(most - (1 << 21), 1 << 22), std::bad_alloc);
  EXPECT_THROW(AlignedArray<std::uint64_t>(most / 4), std::bad_alloc) << "times 8 it would be little";
  EXPECT_THROW(LargeAllocator<std::uint64_t>().allocate(most / 4), std::bad_alloc);
}

TEST(LargeBlock, AVectorGrowsAcrossTheLine) {
  LargeVector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 200000; ++i) numbers.push_back(i);
  for (std::uint32_t i = 0; i < 200000; ++i) ASSERT_EQ(numbers[i], i);
  numbers.resize(10);
  numbers.shrink_to_fit();
  EXPECT_EQ(numbers, (LargeVector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

#if defined(__linux__) && !defined(FALSUM_ADDRESS_SANITIZER)
std::size_t mapped_pages() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages;
}

TEST(LargeBlock, AllOfItGoesBack) {
  { const AlignedArray<std::uint8_t> warm(std::size_t{20} << 20); }
  const std::size_t before = mapped_pages();
  for (int i = 0; i < 100; ++i) {
    const AlignedArray<std::uint8_t> huge((std::size_t{20} << 20) + 12345), large(kLargeBlock + 1);
    LargeBytes bytes(1 << 20, 'x');
    bytes.append(1 << 20, 'y');
  }
  EXPECT_LE(mapped_pages(), before + 64);
}
#endif

}  // namespace
}  // namespace falsum::large_block_test
