#include "data/formats.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return falsum::fuzz::try_load(falsum::fuzz::bytes_of(data, size), [](auto bytes, const auto& options) {
    const falsum::NpyArray array = falsum::parse_npy(bytes, "fuzz.npy");
    return falsum::npy_source(array, nullptr, "fuzz.npy", options);
  });
}
