// The true features of a row, whatever form the rows have.
#pragma once

#include <cstdint>

#include "falsum/rows.h"
#include "support/bits.h"

namespace falsum {

/// visit(feature) for every feature that is true in row r, ascending.
template <class Visit>
void for_each_feature(const Rows& rows, std::size_t r, const Visit& visit) {
  if (rows.is_sparse()) {
    for (const std::uint32_t feature : rows.sparse(r)) visit(std::size_t{feature});
  } else if (rows.form() == Rows::Form::kPacked) {
    for_each_bit(rows.packed(r).data(), rows.words_per_row(), visit);
  } else {
    const std::uint8_t* const bytes = rows.bytes().part(r, 1).bytes;
    for (std::size_t feature = 0; feature < rows.columns(); ++feature) {
      if (bytes[feature] != 0) visit(feature);
    }
  }
}

}  // namespace falsum
