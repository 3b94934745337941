// Packing of bytes into bits, written once over `Lanes`; included inside the anonymous namespace of a kernel set.

std::uint8_t pack(const ByteRowsView& rows, std::uint64_t* out) {
  const std::size_t whole = rows.columns / 64, rest = rows.columns % 64;
  Lanes largest = Lanes::broadcast(0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const std::uint8_t* const bytes = rows.bytes + static_cast<std::ptrdiff_t>(r) * rows.stride;
    for (std::size_t w = 0; w < whole; ++w) {
      const Lanes lanes = Lanes::load(bytes + 64 * w);
      largest = most(largest, lanes);
      *out++ = lanes.nonzero();
    }
    if (rest == 0) continue;
    if (whole > 0) {  // the last 64 bytes overlap the previous word; only their end is new
      const Lanes lanes = Lanes::load(bytes + rows.columns - 64);
      largest = most(largest, lanes);
      *out++ = lanes.nonzero() >> (64 - rest);
    } else {
      std::uint8_t few[64] = {};
      for (std::size_t k = 0; k < rest; ++k) few[k] = bytes[k];
      const Lanes lanes = Lanes::load(few);
      largest = most(largest, lanes);
      *out++ = lanes.nonzero();
    }
  }
  std::uint8_t lane[64], found = 0;
  largest.store(lane);
  for (const std::uint8_t value : lane) found = value > found ? value : found;
  return found;
}
