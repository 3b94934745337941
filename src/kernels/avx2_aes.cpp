// AVX2 with AES instructions of 16 bytes.
#include "kernels/kernels.h"

#if defined(__AVX2__)
#include <immintrin.h>

namespace falsum::avx2_aes {
namespace {

#include "kernels/avx2_body.h"
#include "kernels/x86_aes_body.h"

/// The draws of a key in order, 64 at a time.
class Draws {
 public:
  explicit Draws(DrawKey key, std::uint64_t first_block = 0) : blocks_(key, first_block) {}
  Lanes next() {
    __m128i four[4];
    blocks_.next(four);
    return {_mm256_set_m128i(four[1], four[0]), _mm256_set_m128i(four[3], four[2])};
  }

 private:
  FourBlocks blocks_;
};

#include "kernels/dense_body.h"
#include "kernels/table_body.h"

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels = table("avx2+aes");

}  // namespace falsum::avx2_aes
#endif
