#include "data/formats.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return falsum::fuzz::try_load(falsum::fuzz::bytes_of(data, size), [](auto bytes, const auto& options) {
    return falsum::load_csv(bytes, "fuzz.csv", options);
  });
}
