// Rows: rows of Boolean features in any of three forms: packed (BitMatrix), as lists of the true features (SparseBits),
// or a byte for each feature (ByteRowsView). Machines and predictors take Rows. All forms of the same rows give the
// same machine and the same votes; sparse rows are never packed all at once.
//
// A view: it points to the rows and must not outlive them.
//
// AnyRows owns rows, packed or sparse: the result of a Booleanizer.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "falsum/bit_matrix.h"
#include "falsum/byte_rows.h"
#include "falsum/sparse_bits.h"

namespace falsum {

class Rows {
 public:
  enum class Form { kPacked, kSparse, kBytes };

  Rows(const BitMatrix& bits)
      : form_(Form::kPacked),
        rows_(bits.rows()),
        columns_(bits.columns()),
        words_(bits.rows() == 0 ? nullptr : bits.row(0).data()),
        words_per_row_(bits.words_per_row()) {}
  Rows(const SparseBitsView& sparse)
      : form_(Form::kSparse), rows_(sparse.rows()), columns_(sparse.columns), sparse_(sparse) {}
  Rows(const SparseBits& sparse) : Rows(SparseBitsView(sparse)) {}
  Rows(const ByteRowsView& bytes) : form_(Form::kBytes), rows_(bytes.rows), columns_(bytes.columns), bytes_(bytes) {}

  Form form() const { return form_; }
  bool is_sparse() const { return form_ == Form::kSparse; }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

  /// The words of a row; the rows must be packed.
  std::span<const std::uint64_t> packed(std::size_t r) const { return {words_ + r * words_per_row_, words_per_row_}; }
  std::size_t words_per_row() const { return words_per_row_; }
  /// The features of a row that are true; the rows must be sparse.
  std::span<const std::uint32_t> sparse(std::size_t r) const { return sparse_.row(r); }
  const SparseBitsView& sparse() const { return sparse_; }
  const ByteRowsView& bytes() const { return bytes_; }

  /// Rows first .. first + count - 1.
  Rows part(std::size_t first, std::size_t count) const {
    Rows some = *this;
    some.rows_ = count;
    if (form_ == Form::kPacked) some.words_ += first * words_per_row_;
    if (form_ == Form::kSparse) some.sparse_.starts = sparse_.starts.subspan(first, count + 1);
    if (form_ == Form::kBytes) some.bytes_ = bytes_.part(first, count);
    some.whole_ = false;
    return some;
  }

  /// Throws DataError for malformed rows: features of sparse rows that do not ascend or are out of range.
  void check() const {
    if (is_sparse()) whole_ ? sparse_.check() : sparse_.check_rows();
  }

 private:
  Form form_;
  std::size_t rows_, columns_;
  const std::uint64_t* words_ = nullptr;
  std::size_t words_per_row_ = 0;
  SparseBitsView sparse_;
  ByteRowsView bytes_;
  bool whole_ = true;  // the starts of sparse rows begin with 0
};

class AnyRows {
 public:
  AnyRows() = default;
  AnyRows(BitMatrix bits) : rows_(std::move(bits)) {}
  AnyRows(SparseBits sparse) : rows_(std::move(sparse)) {}

  operator Rows() const& {
    return std::visit([](const auto& some) { return Rows(some); }, rows_);
  }
  Rows view() const& { return *this; }

 private:
  std::variant<BitMatrix, SparseBits> rows_;
};

}  // namespace falsum
