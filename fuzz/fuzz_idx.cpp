#include "data/formats.h"
#include "fuzz.h"

// Labels would come from a file beside the images; their format is the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return falsum::fuzz::try_load(falsum::fuzz::bytes_of(data, size), [](auto bytes, auto options) {
    options.labelled = false;
    return falsum::load_idx(std::string(bytes), "fuzz-images-idx3-ubyte", options);
  });
}
