// Which clauses are true of which rows: what rules() and explain() tell people. A plain reading of the clauses; what
// predicts is Predictor.
#include <bit>

#include "bind.h"
#include "falsum/bit_matrix.h"
#include "falsum/error.h"
#include "falsum/model.h"
#include "falsum/sparse_bits.h"
#include "support/bits.h"
#include "support/parallel.h"

namespace falsum::python {
namespace {

/// One column of bits for each feature that clauses speak of, a bit for each row: a clause is the AND of its columns.
class LiteralColumns {
 public:
  template <class Rows>
  LiteralColumns(const Model& model, const Rows& rows)
      : rows_(rows.rows()), features_(model.features()), words_(words_for(rows_)), column_(features_, kNone) {
    std::size_t spoken_of = 0;
    for (const std::uint32_t literal : model.parts().literals) {
      std::size_t& column = column_[literal % features_];
      if (column == kNone) column = spoken_of++;
    }
    bits_.resize(spoken_of * words_);
    for (std::size_t r = 0; r < rows_; ++r) {
      for_each_feature(rows, r, [&](std::size_t feature) {
        if (column_[feature] != kNone) bits_[column_[feature] * words_ + r / 64] |= std::uint64_t{1} << (r % 64);
      });
    }
  }

  /// Word w of the rows where the clause is true. An empty clause is false: it does not vote.
  std::uint64_t truth(std::span<const std::uint32_t> clause, std::size_t w) const {
    if (clause.empty()) return 0;
    const std::size_t last = rows_ - 64 * w;
    std::uint64_t all = last >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << last) - 1;
    for (const std::uint32_t literal : clause) {
      const std::uint64_t bits = bits_[column_[literal % features_] * words_ + w];
      all &= literal < features_ ? bits : ~bits;
      if (all == 0) break;
    }
    return all;
  }
  std::size_t words() const { return words_; }

 private:
  template <class Visit>
  static void for_each_feature(const BitMatrix& rows, std::size_t r, const Visit& visit) {
    for_each_bit(rows.row(r).data(), rows.words_per_row(), visit);
  }
  template <class Visit>
  static void for_each_feature(const SparseBits& rows, std::size_t r, const Visit& visit) {
    for (const std::uint32_t feature : rows.row(r)) visit(feature);
  }

  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t rows_, features_, words_;
  std::vector<std::size_t> column_;  // by feature
  std::vector<std::uint64_t> bits_;
};

void check_features(const Model& model, std::size_t columns) {
  if (columns != model.features()) throw DataError("the data have another number of features than the model");
}
void check_rows(const Model& model, const BitMatrix& rows) { check_features(model, rows.columns()); }
void check_rows(const Model& model, const SparseBits& rows) {
  check_features(model, rows.columns);
  SparseBitsView(rows).check();
}

template <class Rows>
NumpyArray<bool> clause_outputs(const Model& model, const Rows& rows) {
  check_rows(model, rows);
  const std::size_t clauses = model.clauses();
  auto* values = new bool[rows.rows() * clauses + 1]();
  nb::capsule owner(values, [](void* pointer) noexcept { delete[] static_cast<bool*>(pointer); });
  {
    nb::gil_scoped_release release;
    const LiteralColumns columns(model, rows);
    for (std::size_t c = 0; c < clauses; ++c) {
      const auto clause = model.clause(c);
      for (std::size_t w = 0; w < columns.words(); ++w) {
        for (std::uint64_t left = columns.truth(clause, w); left != 0; left &= left - 1) {
          values[(64 * w + static_cast<std::size_t>(std::countr_zero(left))) * clauses + c] = true;
        }
      }
    }
  }
  return NumpyArray<bool>(values, {rows.rows(), clauses}, owner);
}

/// How many rows of each label a clause is true of.
template <class Rows>
NumpyArray<std::int64_t> clause_counts(const Model& model, const Rows& rows, const Labels& labels,
                                       std::size_t label_count, unsigned threads) {
  check_rows(model, rows);
  if (labels.size() != rows.rows()) throw DataError("there must be a label for each row");
  const std::size_t clauses = model.clauses(), words = (rows.rows() + 63) / 64;
  std::vector<std::uint64_t> with_label(label_count * words);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (labels.data()[r] >= label_count) throw DataError("a label is out of range");
    with_label[labels.data()[r] * words + r / 64] |= std::uint64_t{1} << (r % 64);
  }
  std::vector<std::int64_t> counts(clauses * label_count);
  {
    nb::gil_scoped_release release;
    const LiteralColumns columns(model, rows);
    for_each_parallel(model.outputs(), threads, [&](std::size_t i) {  // some clauses each
      for (std::size_t c = i * clauses / model.outputs(); c < (i + 1) * clauses / model.outputs(); ++c) {
        const auto clause = model.clause(c);
        for (std::size_t w = 0; w < words; ++w) {
          const std::uint64_t truth = columns.truth(clause, w);
          if (truth == 0) continue;
          for (std::size_t l = 0; l < label_count; ++l) {
            counts[c * label_count + l] += std::popcount(truth & with_label[l * words + w]);
          }
        }
      }
    });
  }
  return to_numpy(std::move(counts), {clauses, label_count});
}

}  // namespace

void bind_clauses(nb::module_& m) {
  const auto bind = [&]<class Rows>(const Rows*) {
    m.def("clause_outputs", &clause_outputs<Rows>, nb::arg("model"), nb::arg("rows"),
          "A row for each row, a column for each clause: is it true?");
    m.def("clause_counts", &clause_counts<Rows>, nb::arg("model"), nb::arg("rows"), nb::arg("labels"),
          nb::arg("label_count"), nb::arg("threads") = 1,
          "For each clause, of how many rows of each label it is true.");
  };
  bind(static_cast<const BitMatrix*>(nullptr));
  bind(static_cast<const SparseBits*>(nullptr));
}

}  // namespace falsum::python
