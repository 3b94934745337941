#include "falsum/clause_outputs.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <memory>
#include <utility>

#include "evaluate/windows.h"
#include "falsum/cpu.h"
#include "falsum/error.h"
#include "kernels/dispatch.h"
#include "literals/row_features.h"
#include "support/bits.h"
#include "support/format.h"
#include "support/parallel.h"

namespace falsum {
namespace {

void check_rows(const Model& model, const Rows& rows) {
  if (rows.columns() != model.features()) {
    throw DataError(
        fmt::format("the data have {} features but the model was made for {}", rows.columns(), model.features()));
  }
  rows.check();
}

std::uint64_t most_fuzzy_votes(const Model& model, std::size_t c) {
  return is_fuzzy(model.options()) ? static_cast<std::uint64_t>(model.clause_votes(c)) : 0;
}

/// Which rows clauses are true of, 64 at a time.
class ClauseTruths {
 public:
  virtual ~ClauseTruths() = default;
  /// Word w of the rows that the clause is true of. `most`: the most votes of a fuzzy clause, else 0.
  virtual std::uint64_t truth(std::span<const std::uint32_t> clause, std::uint64_t most, std::size_t w) const = 0;
};

/// Rows with patches: 64 of them a table.
class PatchTruths final : public ClauseTruths {
 public:
  PatchTruths(const PatchShape& shape, const Rows& rows) : rows_(rows.rows()), layout_(shape) {
    for (std::size_t first = 0; first < rows_; first += 64) {
      const std::size_t count = std::min<std::size_t>(64, rows_ - first);
      BitMatrix packed(count, rows.columns());
      for (std::size_t r = 0; r < count; ++r)
        for_each_feature(rows, first + r, [&](std::size_t k) { packed.set(r, k); });
      tables_.emplace_back(layout_).assign(
          count, [&](std::size_t u) { return std::as_const(packed).row(u); }, kernels_);
    }
  }
  std::uint64_t truth(std::span<const std::uint32_t> clause, std::uint64_t /*most*/, std::size_t w) const override {
    if (clause.empty()) return 0;
    std::vector<std::uint64_t> bits(layout_.clause_words());
    std::vector<std::uint32_t> offsets(clause.size() + 1);
    set_bits(clause, bits);
    const WindowClause compiled = layout_.compile(bits.data(), ids_of(clause), offsets.data());
    const std::size_t left = rows_ - 64 * w;
    return tables_[w].any(compiled, left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1, kernels_);
  }

 private:
  std::size_t rows_;
  WindowLayout layout_;
  const Kernels& kernels_ = find_kernels("auto");
  std::deque<WindowTable> tables_;  // which refer to the layout
};

/// A column of bits for each feature that clauses mention, a bit for each row.
class LiteralColumns final : public ClauseTruths {
 public:
  LiteralColumns(const Model& model, const Rows& rows)
      : rows_(rows.rows()), features_(model.features()), words_(words_for(rows_)), column_(features_, kNone) {
    std::size_t mentioned = 0;
    for (const std::uint32_t literal : model.parts().literals) {
      std::size_t& column = column_[literal % features_];
      if (column == kNone) column = mentioned++;
    }
    bits_.resize(mentioned * words_);
    for (std::size_t r = 0; r < rows_; ++r) {
      for_each_feature(rows, r, [&](std::size_t feature) {
        if (column_[feature] != kNone) bits_[column_[feature] * words_ + r / 64] |= std::uint64_t{1} << (r % 64);
      });
    }
  }

  std::uint64_t truth(std::span<const std::uint32_t> clause, std::uint64_t most, std::size_t w) const override {
    const std::size_t left = rows_ - 64 * w;
    const std::uint64_t all = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    if (most > 0) return all & ~count(clause, most, w).none;
    std::uint64_t truth = clause.empty() ? 0 : all;
    for (std::size_t i = 0; i < clause.size() && truth != 0; ++i) truth &= truth_of(clause[i], w);
    return truth;
  }

  static constexpr std::size_t kPlanes = 16;  // there are at most 65,535 votes
  /// False literals of a fuzzy clause in 64 rows, in bit planes that start so that they overflow where no vote is left:
  /// a row has 2^16 votes less its planes, unless it is among `none`.
  struct Count {
    std::uint64_t planes[kPlanes] = {}, none = 0;
    std::uint16_t votes(std::size_t bit) const {
      if ((none >> bit & 1) != 0) return 0;
      std::uint64_t planes_here = 0;
      for (std::size_t p = 0; p < kPlanes; ++p) planes_here |= (planes[p] >> bit & 1) << p;
      return static_cast<std::uint16_t>((std::uint64_t{1} << kPlanes) - planes_here);
    }
  };
  Count count(std::span<const std::uint32_t> clause, std::uint64_t most, std::size_t w) const {
    Count count;
    for (std::size_t p = 0; p < kPlanes; ++p) {
      count.planes[p] = 0 - ((((std::uint64_t{1} << kPlanes) - most) >> p) & 1);
    }
    for (const std::uint32_t literal : clause) {
      std::uint64_t carry = ~truth_of(literal, w);
      for (std::size_t p = 0; p < kPlanes && carry != 0; ++p) {
        carry = std::exchange(count.planes[p], count.planes[p] ^ carry) & carry;
      }
      count.none |= carry;
    }
    return count;
  }

 private:
  std::uint64_t truth_of(std::uint32_t literal, std::size_t w) const {
    const std::uint64_t bits = bits_[column_[literal % features_] * words_ + w];
    return literal < features_ ? bits : ~bits;
  }

  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t rows_, features_, words_;
  std::vector<std::size_t> column_;  // by feature
  std::vector<std::uint64_t> bits_;
};

std::unique_ptr<const ClauseTruths> truths_of(const Model& model, const Rows& rows) {
  if (model.patches()) return std::make_unique<PatchTruths>(*model.patches(), rows);
  return std::make_unique<LiteralColumns>(model, rows);
}

}  // namespace

BitMatrix clause_outputs(const Model& model, const Rows& rows) {
  check_rows(model, rows);
  const std::unique_ptr<const ClauseTruths> truths = truths_of(model, rows);
  BitMatrix outputs(rows.rows(), model.clauses());
  for (std::size_t c = 0; c < model.clauses(); ++c) {
    for (std::size_t w = 0; w < words_for(rows.rows()); ++w) {
      for_each_bit(truths->truth(model.clause(c), most_fuzzy_votes(model, c), w), 64 * w,
                   [&](std::size_t r) { outputs.set(r, c); });
    }
  }
  return outputs;
}

BitMatrix rows_of_clauses(const Model& model, const Rows& rows) {
  check_rows(model, rows);
  const std::unique_ptr<const ClauseTruths> truths = truths_of(model, rows);
  BitMatrix outputs(model.clauses(), rows.rows());
  for (std::size_t c = 0; c < model.clauses(); ++c) {
    for (std::size_t w = 0; w < outputs.words_per_row(); ++w) {
      outputs.row(c)[w] = truths->truth(model.clause(c), most_fuzzy_votes(model, c), w);
    }
  }
  return outputs;
}

std::vector<std::uint16_t> fuzzy_votes(const Model& model, const Rows& rows) {
  check_rows(model, rows);
  if (!is_fuzzy(model.options())) throw ConfigError("the model has no fuzzy clauses");
  const LiteralColumns columns(model, rows);
  std::vector<std::uint16_t> votes(model.clauses() * rows.rows());
  for (std::size_t c = 0; c < model.clauses(); ++c) {
    if (model.clause(c).empty()) continue;  // silent
    for (std::size_t w = 0; w < words_for(rows.rows()); ++w) {
      const LiteralColumns::Count count = columns.count(model.clause(c), most_fuzzy_votes(model, c), w);
      const std::size_t end = std::min(rows.rows(), 64 * w + 64);
      for (std::size_t r = 64 * w; r < end; ++r) votes[c * rows.rows() + r] = count.votes(r % 64);
    }
  }
  return votes;
}

namespace {

/// For each label, the rows that have it: a bit a row.
BitMatrix rows_by_label(std::span<const std::uint32_t> labels, std::size_t label_count) {
  BitMatrix rows(label_count, labels.size());
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (labels[r] >= label_count) {
      throw DataError(fmt::format("labels must be below {}, got {} for row {}", label_count, labels[r], r));
    }
    rows.set(labels[r], r);
  }
  return rows;
}

}  // namespace

std::vector<std::int64_t> clause_counts(const Model& model, const Rows& rows, std::span<const std::uint32_t> labels,
                                        std::size_t label_count, unsigned threads) {
  constexpr std::size_t kClausesAtOnce = 64;
  check_rows(model, rows);
  if (labels.size() != rows.rows()) {
    throw DataError(fmt::format("there must be a label for each of {} rows, got {}", rows.rows(), labels.size()));
  }
  const BitMatrix with_label = rows_by_label(labels, label_count);
  const std::unique_ptr<const ClauseTruths> truths = truths_of(model, rows);
  const std::size_t clauses = model.clauses();
  std::vector<std::int64_t> counts(clauses * label_count);
  const std::size_t parts = (clauses + kClausesAtOnce - 1) / kClausesAtOnce;
  for_each_parallel(parts, threads == 0 ? cpu_cores() : threads, [&](std::size_t part) {
    const std::size_t end = std::min(clauses, (part + 1) * kClausesAtOnce);
    for (std::size_t c = part * kClausesAtOnce; c < end; ++c) {
      for (std::size_t w = 0; w < words_for(rows.rows()); ++w) {
        const std::uint64_t truth = truths->truth(model.clause(c), most_fuzzy_votes(model, c), w);
        if (truth == 0) continue;
        for (std::size_t l = 0; l < label_count; ++l) {
          counts[c * label_count + l] += std::popcount(truth & with_label.row(l)[w]);
        }
      }
    }
  });
  return counts;
}

}  // namespace falsum
