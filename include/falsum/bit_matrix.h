// BitMatrix: rows of Boolean features, 64 to a word. Booleanizers produce it; machines and predictors read it.
//
//   row r:  word 0            word 1            ...
//           feature 0 .. 63   feature 64 .. 127 ...   (feature k is bit k % 64 of word k / 64)
//
// Invariant: bits at and beyond columns() are zero, so rows compare and count word by word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace falsum {

class BitMatrix {
 public:
  BitMatrix() = default;
  BitMatrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), words_per_row_((columns + 63) / 64), words_(rows * words_per_row_) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t words_per_row() const { return words_per_row_; }
  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

  std::span<const std::uint64_t> row(std::size_t r) const {
    return {words_.data() + r * words_per_row_, words_per_row_};
  }
  std::span<std::uint64_t> row(std::size_t r) { return {words_.data() + r * words_per_row_, words_per_row_}; }

  bool get(std::size_t r, std::size_t column) const { return (row(r)[column / 64] >> (column % 64)) & 1; }
  void set(std::size_t r, std::size_t column) { row(r)[column / 64] |= std::uint64_t{1} << (column % 64); }

  friend bool operator==(const BitMatrix&, const BitMatrix&) = default;

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t words_per_row_ = 0;
  std::vector<std::uint64_t> words_;
};

/// The rows for which `wanted` is on.
BitMatrix some_rows(const BitMatrix& rows, const std::vector<bool>& wanted);

}  // namespace falsum
