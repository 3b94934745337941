// AVX2 with AES instructions of 32 bytes (VAES).
#include "kernels/kernels.h"

#if defined(__AVX2__)
#include <immintrin.h>

namespace falsum::avx2_vaes {
namespace {

#include "kernels/avx2_body.h"
#include "kernels/x86_aes_body.h"

/// The draws of a key in order, 64 at a time.
class Draws {
 public:
  explicit Draws(DrawKey key, std::uint64_t first_block = 0) {
    const DrawStart start(key);
    base_ = twice(start.base());
    low_ = _mm256_add_epi64(twice(start.at(first_block)), _mm256_set_m128i(steps(1), steps(0)));
  }
  Lanes next() {
    const __m256i high = _mm256_add_epi64(low_, twice(steps(2)));
    const Lanes drawn = {rounds(low_), rounds(high)};
    low_ = _mm256_add_epi64(low_, twice(steps(4)));
    return drawn;
  }

 private:
  static __m256i twice(__m128i x) { return _mm256_broadcastsi128_si256(x); }
  __m256i rounds(__m256i x) const { return _mm256_aesenc_epi128(_mm256_aesenc_epi128(x, twice(draw_round())), base_); }
  __m256i base_, low_;
};

#include "kernels/dense_body.h"
#include "kernels/table_body.h"

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels = table("avx2+vaes");

}  // namespace falsum::avx2_vaes
#endif
