// AVX-512 with AES instructions of 64 bytes (VAES) and look-ups of bytes (VBMI), which the same processors have.
#include "kernels/kernels.h"

#if defined(__AVX512BW__)
#include <immintrin.h>

namespace falsum::avx512_vaes {
namespace {

#include "kernels/avx512_bytes_body.h"
//
#include "kernels/avx512_body.h"
#include "kernels/x86_aes_body.h"

/// The draws of a key in order, 64 at a time.
class Draws {
 public:
  explicit Draws(DrawKey key, std::uint64_t first_block = 0) {
    const DrawStart start(key);
    base_ = _mm512_broadcast_i64x2(start.base());
    const __m256i low = _mm256_set_m128i(steps(1), steps(0)), high = _mm256_set_m128i(steps(3), steps(2));
    next_ = _mm512_add_epi64(_mm512_broadcast_i64x2(start.at(first_block)),
                             _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
  }
  Lanes next() {
    const __m512i first = _mm512_aesenc_epi128(next_, _mm512_broadcast_i64x2(draw_round()));
    next_ = _mm512_add_epi64(next_, _mm512_broadcast_i64x2(steps(4)));
    return {_mm512_aesenc_epi128(first, base_)};
  }

 private:
  __m512i base_, next_;
};

#include "kernels/dense_body.h"
#include "kernels/table_body.h"

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels = table("avx512+vaes");

}  // namespace falsum::avx512_vaes
#endif
