// SampleRows: the rows that a machine learns from, packed or sparse, where the caller has them. Both give the same
// machine; sparse ones never become packed as a whole.
#pragma once

#include "falsum/bit_matrix.h"
#include "falsum/sparse_bits.h"

namespace falsum {

class SampleRows {
 public:
  SampleRows(const BitMatrix& bits) : bits_(&bits) {}
  SampleRows(const SparseBitsView& sparse) : sparse_(sparse) {}

  bool is_sparse() const { return bits_ == nullptr; }
  const BitMatrix& bits() const { return *bits_; }
  const SparseBitsView& sparse() const { return sparse_; }
  std::size_t rows() const { return is_sparse() ? sparse_.rows() : bits_->rows(); }
  std::size_t columns() const { return is_sparse() ? sparse_.columns : bits_->columns(); }

 private:
  const BitMatrix* bits_ = nullptr;
  SparseBitsView sparse_;
};

}  // namespace falsum
