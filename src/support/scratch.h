// scratch: a buffer of the calling thread, so that a prediction allocates nothing once it has run. Whoever asks first
// and for most decides its size; it goes with the thread.
#pragma once

#include <cstdint>

#include "support/aligned.h"

namespace falsum {

/// So many words on a 64-byte boundary, holding anything. Good until the thread asks again.
inline std::uint64_t* scratch(std::size_t words) {
  thread_local AlignedArray<std::uint64_t> buffer;
  if (buffer.size() < words) buffer = AlignedArray<std::uint64_t>(words);
  return buffer.data();
}

}  // namespace falsum
