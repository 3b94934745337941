// scratch: a buffer of the calling thread, so that only the first predictions allocate memory. The largest request so
// far determines its size; it is freed when the thread ends.
#pragma once

#include <cstdint>

#include "support/aligned.h"

namespace falsum {

/// `words` words on a 64-byte boundary, uninitialised. Valid until the next call on this thread.
inline std::uint64_t* scratch(std::size_t words) {
  thread_local AlignedArray<std::uint64_t> buffer;
  if (buffer.size() < words) buffer = AlignedArray<std::uint64_t>(words);
  return buffer.data();
}

}  // namespace falsum
