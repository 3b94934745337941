// Code that AVX2 and AVX-512 share, included by both inside an anonymous namespace.

template <class Id>
void conjunction_of(const std::uint64_t* columns, const Id* ids, std::size_t size, std::uint64_t* uses) {
  const auto column = [&](std::size_t i) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(columns + kLookaheadWords * std::size_t{ids[i]}));
  };
  const auto both = [](__m256i a, __m256i b) { return _mm256_and_si256(a, b); };
  __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(uses));
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const __m256i first = both(both(column(i), column(i + 1)), both(column(i + 2), column(i + 3)));
    const __m256i second = both(both(column(i + 4), column(i + 5)), both(column(i + 6), column(i + 7)));
    all = both(all, both(first, second));
    if (_mm256_testz_si256(all, all)) break;  // no bit left to clear
  }
  if (i + 8 > size) {
    for (; i < size; ++i) all = both(all, column(i));
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(uses), all);
}

std::size_t count(const std::uint64_t* words, std::size_t size) {
  std::size_t n = 0;
  for (std::size_t w = 0; w < size; ++w) n += static_cast<std::size_t>(_mm_popcnt_u64(words[w]));
  return n;
}

void sum_slots(const std::uint8_t* values, std::size_t step, std::size_t count, std::uint16_t* sums) {
  __m256i sum = _mm256_setzero_si256();
  for (std::size_t s = 0; s < count; ++s, values += step) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(values));
    sum = _mm256_add_epi16(sum, _mm256_cvtepu8_epi16(bytes));
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums), sum);
}

struct Quad {
  static constexpr std::size_t kWords = 4;
  __m256i v;
  static Quad load(const std::uint64_t* p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))}; }
  void store(std::uint64_t* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
  static Quad fill(std::uint64_t x) { return {_mm256_set1_epi64x(static_cast<long long>(x))}; }
  static Quad load_rows(const std::uint32_t* p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))}; }
  static Quad fill_rows(std::uint32_t x) { return {_mm256_set1_epi32(static_cast<int>(x))}; }
  bool is_zero() const { return _mm256_testz_si256(v, v) != 0; }
  Quad any_quad() const { return *this; }
  /// The OR of its words.
  std::uint64_t any() const {
    const __m128i two = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))));
  }
};
Quad operator&(const Quad& a, const Quad& b) { return {_mm256_and_si256(a.v, b.v)}; }
Quad operator|(const Quad& a, const Quad& b) { return {_mm256_or_si256(a.v, b.v)}; }
Quad down(const Quad& a, std::uint32_t bits) {
  return {_mm256_srl_epi64(a.v, _mm_cvtsi32_si128(static_cast<int>(bits)))};
}
