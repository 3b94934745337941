// Rows: rows of Boolean features in any of three forms: packed (BitMatrix), as lists of the true features (SparseBits),
// or a byte for each feature (ByteRowsView). Machines and predictors take Rows. All forms of the same rows give the
// same machine and the same votes; sparse rows are never packed all at once.
//
// A view: it points to the rows and must not outlive them. It may select some of them (`some`), without a copy.
//
// AnyRows owns rows, packed or sparse: the result of a Booleanizer, or a mapped file (packed_rows.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

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

  /// Rows of a mapped file: packed, or sparse ones whose features were checked already. `ask_ahead`: the file may not
  /// fit into memory, so will_need() has the system read rows before they are used.
  static Rows mapped(const std::uint64_t* words, std::size_t rows, std::size_t columns, bool ask_ahead) {
    Rows all{SparseBitsView{}};
    all.form_ = Form::kPacked;
    all.rows_ = rows;
    all.columns_ = columns;
    all.words_ = words;
    all.words_per_row_ = (columns + 63) / 64;
    all.ask_ahead_ = ask_ahead;
    return all;
  }
  static Rows mapped(const SparseBitsView& checked, bool ask_ahead) {
    Rows all(checked);
    all.checked_ = true;
    all.ask_ahead_ = ask_ahead;
    return all;
  }

  Form form() const { return form_; }
  bool is_sparse() const { return form_ == Form::kSparse; }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

  /// The words of a row; the rows must be packed.
  std::span<const std::uint64_t> packed(std::size_t r) const {
    return {words_ + place(r) * words_per_row_, words_per_row_};
  }
  std::size_t words_per_row() const { return words_per_row_; }
  /// The features of a row that are true; the rows must be sparse.
  std::span<const std::uint32_t> sparse(std::size_t r) const { return sparse_.row(place(r)); }
  const SparseBitsView& sparse() const { return sparse_; }
  const ByteRowsView& bytes() const { return bytes_; }

  /// The rows at these places, in their order; they must be packed or sparse. `places` must outlive the result.
  Rows some(std::span<const std::uint32_t> places) const {
    Rows chosen = *this;
    chosen.rows_ = places.size();
    chosen.places_ = places.data();
    return chosen;
  }
  /// Whether it is made by some(): its rows are not one after the other in memory.
  bool is_selection() const { return places_ != nullptr; }
  /// Has the system read these rows from the file while others are learned; does nothing for rows in memory.
  void will_need(std::span<const std::uint32_t> rows) const {
    if (ask_ahead_) ask_for(rows);
  }

  /// Rows first .. first + count - 1.
  Rows part(std::size_t first, std::size_t count) const {
    Rows some = *this;
    some.rows_ = count;
    if (places_ != nullptr) {
      some.places_ += first;
      return some;
    }
    if (form_ == Form::kPacked) some.words_ += first * words_per_row_;
    if (form_ == Form::kSparse) some.sparse_.starts = sparse_.starts.subspan(first, count + 1);
    if (form_ == Form::kBytes) some.bytes_ = bytes_.part(first, count);
    some.whole_ = false;
    return some;
  }

  /// Throws DataError for malformed rows: features of sparse rows that do not ascend or are out of range.
  void check() const {
    if (is_sparse() && !checked_) whole_ ? sparse_.check() : sparse_.check_rows();
  }

 private:
  std::size_t place(std::size_t r) const { return places_ == nullptr ? r : places_[r]; }
  void ask_for(std::span<const std::uint32_t> rows) const;

  Form form_;
  std::size_t rows_, columns_;
  const std::uint64_t* words_ = nullptr;
  std::size_t words_per_row_ = 0;
  SparseBitsView sparse_;
  ByteRowsView bytes_;
  const std::uint32_t* places_ = nullptr;  // of a selection
  bool whole_ = true;                      // the starts of sparse rows begin with 0
  bool checked_ = false, ask_ahead_ = false;
};

class AnyRows {
 public:
  AnyRows() = default;
  AnyRows(BitMatrix bits) : rows_(std::move(bits)) {}
  AnyRows(SparseBits sparse) : rows_(std::move(sparse)) {}

  /// `rows` refer to what `owner` keeps.
  AnyRows(std::shared_ptr<const void> owner, const Rows& rows) : rows_(Kept{std::move(owner), rows, {}}) {}

  operator Rows() const& {
    return std::visit([](const auto& some) { return Rows(some); }, rows_);
  }
  Rows view() const& { return *this; }
  std::size_t rows() const { return view().rows(); }
  /// The rows for which `wanted` is on: a copy, or of a mapped file a selection.
  AnyRows some(const std::vector<bool>& wanted) const;

 private:
  struct Kept {
    std::shared_ptr<const void> owner;
    Rows rows;
    std::shared_ptr<const std::vector<std::uint32_t>> places;  // of a selection
    operator Rows() const { return rows; }
  };
  std::variant<BitMatrix, SparseBits, Kept> rows_;
};

}  // namespace falsum
