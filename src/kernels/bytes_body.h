// Clauses as tests of bytes of a row, for the sets that have no instruction that looks up bytes in a row. Included
// inside the anonymous namespace of a set.

constexpr bool kBytesAreFast = false;

/// The bits of a test that are on in the row, or off if the test is of what must be on.
inline std::uint8_t byte_test(const std::uint8_t* row, std::uint8_t place, std::uint8_t mask) {
  const std::uint8_t byte = row[place % kRowBytes];
  return static_cast<std::uint8_t>((place < kRowBytes ? byte : ~byte) & mask);
}

std::size_t byte_heads(const std::uint8_t* row, const ByteHeads* heads, std::size_t count, std::uint32_t* clauses) {
  std::size_t passed = 0;
  for (std::uint32_t c = 0; c < kHeadClauses * count; ++c) {
    const ByteHeads& some = heads[c / kHeadClauses];
    const std::size_t first = kHeadTests * (c % kHeadClauses);
    unsigned failed = 0;
    for (std::size_t i = first; i < first + kHeadTests; ++i) failed |= byte_test(row, some.place[i], some.mask[i]);
    clauses[passed] = c;
    passed += failed == 0;
  }
  return passed;
}

std::size_t byte_tails(const std::uint8_t* row, const std::uint8_t* tests, const std::uint32_t* starts,
                       std::uint32_t* clauses, std::size_t count) {
  std::size_t passed = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t c = clauses[i];
    const std::uint8_t *place = tests + starts[c], *const end = tests + starts[c + 1];
    bool failed = false;
    while (place != end && !failed) {
      const auto left = static_cast<std::size_t>(end - place) / 2;
      const std::size_t some = left < kTailTests ? left : kTailTests;
      for (std::size_t t = 0; t < some && !failed; ++t) failed = byte_test(row, place[t], place[some + t]) != 0;
      place += 2 * some;
    }
    clauses[passed] = c;
    passed += !failed;
  }
  return passed;
}
