// One block of draws by the AES instruction that every x86-64 processor with AVX2 has, in practice. Included inside the
// anonymous namespaces of the sets that use it.

__m128i both_words(std::uint64_t low, std::uint64_t high) {
  return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
}

/// The start of the draws of a key; see support/random.h for the definition.
struct DrawStart {
  std::uint64_t low, high;
  explicit DrawStart(DrawKey key) : low(key.word), high((key.word << 32 | key.word >> 32) ^ kDrawUpper) {}
  __m128i base() const { return both_words(low, high); }
  __m128i at(std::uint64_t block) const {
    return both_words(low + block * kDrawStep.low, high + block * kDrawStep.high);
  }
};
/// The steps of some blocks, as a multiple of one step.
__m128i steps(std::uint64_t blocks) { return both_words(blocks * kDrawStep.low, blocks * kDrawStep.high); }
__m128i draw_round() { return both_words(kDrawRound.low, kDrawRound.high); }
__m128i two_rounds(__m128i x, __m128i base) { return _mm_aesenc_si128(_mm_aesenc_si128(x, draw_round()), base); }

/// Four blocks of 16 draws at a time, each in a register of its own.
class FourBlocks {
 public:
  FourBlocks(DrawKey key, std::uint64_t first_block) : base_(DrawStart(key).base()) {
    const DrawStart start(key);
    for (std::uint64_t q = 0; q < 4; ++q) next_[q] = start.at(first_block + q);
  }
  void next(__m128i (&out)[4]) {
    for (int q = 0; q < 4; ++q) {
      out[q] = two_rounds(next_[q], base_);
      next_[q] = _mm_add_epi64(next_[q], steps(4));
    }
  }

 private:
  __m128i base_, next_[4];
};

void draw_block(DrawKey key, std::uint64_t block, std::uint8_t* to) {
  const DrawStart start(key);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), two_rounds(start.at(block), start.base()));
}
