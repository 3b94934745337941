#include "fuzz.h"
#include "support/inflate.h"

// gzip, xz and raw deflate: the first byte chooses. The limit must hold whatever the stream says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 20;
  if (size == 0) return 0;
  const std::string_view bytes = falsum::fuzz::bytes_of(data + 1, size - 1);
  try {
    std::string out;
    switch (data[0] % 3) {
      case 0:
        out = falsum::gunzip(bytes, "fuzz.gz", kLimit);
        break;
      case 1:
        out = falsum::unxz(bytes, "fuzz.xz", kLimit);
        break;
      default:
        out = falsum::inflate_raw(bytes, data[0] * std::uint64_t{64}, "fuzz.npz");
    }
    if (out.size() > kLimit) __builtin_trap();
  } catch (const falsum::Error&) {
  }
  return 0;
}
