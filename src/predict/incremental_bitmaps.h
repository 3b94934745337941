// Flips and successors of a position whose index has bitmaps (falsum/incremental.h).
#pragma once

#include "falsum/incremental.h"

namespace falsum {

struct IncrementalPredictor::Bitmaps {
  static void flip(IncrementalPredictor& position, std::size_t feature);
  static void successors(IncrementalPredictor& position, std::int32_t* out);
  static bool is_true(const IncrementalPredictor& position, std::size_t clause);
};

}  // namespace falsum
