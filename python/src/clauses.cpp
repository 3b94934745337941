// Which clauses are true of which rows: what rules() and explain() tell people. A plain reading of the clauses; what
// predicts is Predictor.
#include <bit>

#include "bind.h"
#include "falsum/bit_matrix.h"
#include "falsum/error.h"
#include "falsum/model.h"
#include "support/parallel.h"

namespace falsum::python {
namespace {

/// One column of bits for each literal, a bit for each row: a clause is the AND of its columns.
class LiteralColumns {
 public:
  explicit LiteralColumns(const BitMatrix& rows) : rows_(rows.rows()), features_(rows.columns()) {
    words_ = (rows_ + 63) / 64;
    bits_.resize(features_ * words_);
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t w = 0; w < rows.words_per_row(); ++w) {
        for (std::uint64_t left = rows.row(r)[w]; left != 0; left &= left - 1) {
          const std::size_t feature = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
          bits_[feature * words_ + r / 64] |= std::uint64_t{1} << (r % 64);
        }
      }
    }
  }

  /// Word w of the rows where the clause is true. An empty clause is false: it does not vote.
  std::uint64_t truth(std::span<const std::uint32_t> clause, std::size_t w) const {
    if (clause.empty()) return 0;
    const std::size_t last = rows_ - 64 * w;
    std::uint64_t all = last >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << last) - 1;
    for (const std::uint32_t literal : clause) {
      all &= literal < features_ ? bits_[literal * words_ + w] : ~bits_[(literal - features_) * words_ + w];
      if (all == 0) break;
    }
    return all;
  }
  std::size_t words() const { return words_; }

 private:
  std::size_t rows_, features_, words_ = 0;
  std::vector<std::uint64_t> bits_;
};

void check_features(const Model& model, const BitMatrix& rows) {
  if (rows.columns() != model.features()) throw DataError("the data have another number of features than the model");
}

NumpyArray<bool> clause_outputs(const Model& model, const BitMatrix& rows) {
  check_features(model, rows);
  const std::size_t clauses = model.classes() * model.clauses();
  auto* values = new bool[rows.rows() * clauses + 1]();
  nb::capsule owner(values, [](void* pointer) noexcept { delete[] static_cast<bool*>(pointer); });
  {
    nb::gil_scoped_release release;
    const LiteralColumns columns(rows);
    for (std::size_t c = 0; c < clauses; ++c) {
      const auto clause = model.clause(c / model.clauses(), c % model.clauses());
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
NumpyArray<std::int64_t> clause_counts(const Model& model, const BitMatrix& rows, const Labels& labels,
                                       std::size_t label_count, unsigned threads) {
  check_features(model, rows);
  if (labels.size() != rows.rows()) throw DataError("there must be a label for each row");
  const std::size_t clauses = model.classes() * model.clauses(), words = (rows.rows() + 63) / 64;
  std::vector<std::uint64_t> with_label(label_count * words);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (labels.data()[r] >= label_count) throw DataError("a label is out of range");
    with_label[labels.data()[r] * words + r / 64] |= std::uint64_t{1} << (r % 64);
  }
  std::vector<std::int64_t> counts(clauses * label_count);
  {
    nb::gil_scoped_release release;
    const LiteralColumns columns(rows);
    for_each_parallel(model.classes(), threads, [&](std::size_t i) {
      for (std::size_t c = i * model.clauses(); c < (i + 1) * model.clauses(); ++c) {
        const auto clause = model.clause(i, c % model.clauses());
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
  m.def("clause_outputs", &clause_outputs, nb::arg("model"), nb::arg("rows"),
        "A row for each row, a column for each clause: is it true?");
  m.def("clause_counts", &clause_counts, nb::arg("model"), nb::arg("rows"), nb::arg("labels"), nb::arg("label_count"),
        nb::arg("threads") = 1, "For each clause, of how many rows of each label it is true.");
}

}  // namespace falsum::python
