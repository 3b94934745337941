// The round by tables. Included inside namespace falsum by aes.h, and inside the anonymous namespaces of kernel sets
// without instructions for AES: these must not share an inline function with the baseline (kernels.h).

constexpr AesBlock aes_round(const AesBlock& x, const AesBlock& key) {
  const std::uint32_t column[4] = {static_cast<std::uint32_t>(x.low), static_cast<std::uint32_t>(x.low >> 32),
                                   static_cast<std::uint32_t>(x.high), static_cast<std::uint32_t>(x.high >> 32)};
  std::uint64_t mixed[4] = {};
  for (std::size_t c = 0; c < 4; ++c) {
    for (std::size_t r = 0; r < 4; ++r) mixed[c] ^= kAesTables[r][(column[(c + r) % 4] >> (8 * r)) & 0xff];
  }
  return {(mixed[0] | mixed[1] << 32) ^ key.low, (mixed[2] | mixed[3] << 32) ^ key.high};
}
