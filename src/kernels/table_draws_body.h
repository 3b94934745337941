// The draws of a key by tables, for processors without instructions for AES. Included inside the anonymous namespace of
// a kernel set, after Lanes.

#include "support/aes_round_body.h"

/// Blocks of 16 draws in order. `next` gives four of them.
class Draws {
 public:
  explicit Draws(DrawKey key, std::uint64_t first_block = 0)
      : base_{key.word, (key.word << 32 | key.word >> 32) ^ kDrawUpper},
        next_{base_.low + first_block * kDrawStep.low, base_.high + first_block * kDrawStep.high} {}

  Lanes next() {
    std::uint8_t bytes[64];
    for (int q = 0; q < 4; ++q) next_block(bytes + 16 * q);
    return Lanes::load(bytes);
  }
  void next_block(std::uint8_t* to) {
    // In parentheses: the one of this set, not the one of the baseline.
    const AesBlock block = (aes_round)((aes_round)(next_, kDrawRound), base_);
    for (int b = 0; b < 8; ++b) {  // low byte first, whatever the computer's byte order
      to[b] = static_cast<std::uint8_t>(block.low >> (8 * b));
      to[b + 8] = static_cast<std::uint8_t>(block.high >> (8 * b));
    }
    next_ = {next_.low + kDrawStep.low, next_.high + kDrawStep.high};
  }

 private:
  AesBlock base_, next_;
};

void draw_block(DrawKey key, std::uint64_t block, std::uint8_t* to) { Draws(key, block).next_block(to); }
