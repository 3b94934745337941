#include <zlib.h>

#include "data/formats.h"
#include "fuzz.h"

namespace {

std::uint32_t u32_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<std::uint8_t>(bytes[at + i])} << (8 * i);
  return value;
}

/// A fuzzer guesses no checksum. Those of stored members are made right, so that what is behind them is reached.
std::string with_checksums(std::string_view original) {
  std::string bytes(original);
  for (std::size_t at = bytes.find("PK\x01\x02"); at != std::string::npos; at = bytes.find("PK\x01\x02", at + 4)) {
    if (bytes.size() - at < 46) break;
    const std::uint64_t size = u32_at(bytes, at + 20), header = u32_at(bytes, at + 42);
    if (bytes[at + 10] != 0 || header + 30 > bytes.size()) continue;
    const std::uint64_t start =
        header + 30 + (u32_at(bytes, header + 26) & 0xffff) + (u32_at(bytes, header + 26) >> 16);
    if (start > bytes.size() || size > bytes.size() - start) continue;
    const auto sum = static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + start), static_cast<z_size_t>(size)));
    for (std::size_t i = 0; i < 4; ++i) bytes[at + 16 + i] = static_cast<char>(sum >> (8 * i));
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return falsum::fuzz::try_load(falsum::fuzz::bytes_of(data, size), [](auto bytes, const auto& options) {
    return falsum::load_npz(with_checksums(bytes), "fuzz.npz", options);
  });
}
