// NEON on AArch64 with the crypto extension.
#include "kernels/kernels.h"

#if FALSUM_NEON
#include <arm_neon.h>

namespace falsum::neon_aes {
namespace {

#include "kernels/neon_body.h"

uint8x16_t both_words(std::uint64_t low, std::uint64_t high) {
  return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
}

/// The draws of a key in order, 64 at a time.
class Draws {
 public:
  explicit Draws(DrawKey key, std::uint64_t first_block = 0) {
    const std::uint64_t low = key.word, high = (key.word << 32 | key.word >> 32) ^ kDrawUpper;
    base_ = both_words(low, high);
    next_ = both_words(low + first_block * kDrawStep.low, high + first_block * kDrawStep.high);
  }
  Lanes next() {
    Lanes v;
    for (int q = 0; q < 4; ++q) v.quarter[q] = next_block();
    return v;
  }
  uint8x16_t next_block() {
    const uint8x16_t block = round(round(next_, both_words(kDrawRound.low, kDrawRound.high)), base_);
    const uint8x16_t step = both_words(kDrawStep.low, kDrawStep.high);
    next_ = vreinterpretq_u8_u64(vaddq_u64(vreinterpretq_u64_u8(next_), vreinterpretq_u64_u8(step)));
    return block;
  }

 private:
  static uint8x16_t round(uint8x16_t x, uint8x16_t key) {
    return veorq_u8(vaesmcq_u8(vaeseq_u8(x, vdupq_n_u8(0))), key);  // aese adds its key first, x86 adds it last
  }
  uint8x16_t base_, next_;
};

void draw_block(DrawKey key, std::uint64_t block, std::uint8_t* to) { vst1q_u8(to, Draws(key, block).next_block()); }

#include "kernels/dense_body.h"
#include "kernels/table_body.h"

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels = table("neon+aes");

}  // namespace falsum::neon_aes
#endif
