// What AVX2 and AVX-512 do alike, included by both inside an anonymous namespace.

void conjunction(const std::uint64_t* columns, const std::uint32_t* ids, std::size_t size, std::uint64_t* out) {
  const auto column = [&](std::size_t i) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(columns + 4 * std::size_t{ids[i]}));
  };
  __m256i even = _mm256_set1_epi8(-1), odd = even;
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    even = _mm256_and_si256(even, _mm256_and_si256(column(i), column(i + 1)));
    odd = _mm256_and_si256(odd, _mm256_and_si256(column(i + 2), column(i + 3)));
  }
  for (; i < size; ++i) even = _mm256_and_si256(even, column(i));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_and_si256(even, odd));
}

std::size_t count(const std::uint64_t* words, std::size_t size) {
  std::size_t n = 0;
  for (std::size_t w = 0; w < size; ++w) n += static_cast<std::size_t>(_mm_popcnt_u64(words[w]));
  return n;
}
