// What the tests of booleanizers share: a row as text, a booleanizer as bytes.
#pragma once

#include <string>

#include "falsum/bit_matrix.h"
#include "falsum/booleanizer.h"
#include "support/bytes.h"

namespace falsum::testing_booleanize {

/// One row as text: "0110".
inline std::string row(const BitMatrix& matrix, std::size_t r) {
  std::string text;
  for (std::size_t c = 0; c < matrix.columns(); ++c) text += matrix.get(r, c) ? '1' : '0';
  return text;
}

inline std::string write(const Booleanizer& booleanizer) {
  ByteWriter writer;
  booleanizer.write(writer);
  return writer.take();
}

}  // namespace falsum::testing_booleanize
