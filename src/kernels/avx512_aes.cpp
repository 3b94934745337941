// AVX-512 with AES instructions of 16 bytes (Skylake-X, Cascade Lake).
#include "kernels/kernels.h"

#if defined(__AVX512BW__)
#include <immintrin.h>

namespace falsum::avx512_aes {
namespace {

#include "kernels/avx512_body.h"
#include "kernels/bytes_body.h"
#include "kernels/x86_aes_body.h"

/// The draws of a key in order, 64 at a time.
class Draws {
 public:
  explicit Draws(DrawKey key, std::uint64_t first_block = 0) : blocks_(key, first_block) {}
  Lanes next() {
    __m128i four[4];
    blocks_.next(four);
    const __m256i low = _mm256_set_m128i(four[1], four[0]), high = _mm256_set_m128i(four[3], four[2]);
    return {_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1)};
  }

 private:
  FourBlocks blocks_;
};

#include "kernels/dense_body.h"
#include "kernels/table_body.h"

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels = table("avx512+aes");

}  // namespace falsum::avx512_aes
#endif
