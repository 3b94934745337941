// Clauses as tests of bytes of a row, for sets with VBMI: a row of 128 bytes is two vectors, in which an instruction
// looks up 64 bytes.

constexpr bool kBytesAreFast = true;

class RowVectors {
 public:
  explicit RowVectors(const std::uint8_t* row) : low_(_mm512_loadu_si512(row)), high_(_mm512_loadu_si512(row + 64)) {}
  /// The bits that fail their tests.
  __m512i failed(__m512i places, __m512i masks) const {
    const __m512i bytes = _mm512_permutex2var_epi8(low_, places, high_);
    const __mmask64 must_be_on = _mm512_movepi8_mask(places);
    return _mm512_and_si512(_mm512_mask_sub_epi8(bytes, must_be_on, _mm512_set1_epi8(-1), bytes), masks);
  }

 private:
  __m512i low_, high_;
};

std::size_t byte_heads(const std::uint8_t* row, const ByteHeads* heads, std::size_t count, std::uint32_t* clauses) {
  const RowVectors look(row);
  std::uint32_t* to = clauses;
  __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (std::size_t i = 0; i < count; ++i) {
    const __m512i failed = look.failed(_mm512_loadu_si512(heads[i].place), _mm512_loadu_si512(heads[i].mask));
    const __mmask16 passed = _mm512_testn_epi32_mask(failed, failed);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(passed, numbers));
    to += _mm_popcnt_u32(passed);
    numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(kHeadClauses));
  }
  return static_cast<std::size_t>(to - clauses);
}

std::size_t byte_tails(const std::uint8_t* row, const std::uint8_t* tests, const std::uint32_t* starts,
                       std::uint32_t* clauses, std::size_t count) {
  const RowVectors look(row);
  std::size_t passed = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t c = clauses[i];
    const std::uint8_t* at = tests + starts[c];
    std::uint32_t left = (starts[c + 1] - starts[c]) / 2;
    __m512i failed = _mm512_setzero_si512();
    for (; left > kTailTests; left -= kTailTests, at += 2 * kTailTests) {
      failed = _mm512_or_si512(failed, look.failed(_mm512_loadu_si512(at), _mm512_loadu_si512(at + kTailTests)));
    }
    const __mmask64 inside = _bzhi_u64(~std::uint64_t{0}, left);
    failed = _mm512_or_si512(
        failed, look.failed(_mm512_maskz_loadu_epi8(inside, at), _mm512_maskz_loadu_epi8(inside, at + left)));
    clauses[passed] = c;
    passed += _mm512_test_epi64_mask(failed, failed) == 0;
  }
  return passed;
}
