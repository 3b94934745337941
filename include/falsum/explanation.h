// Why a row gets its answer, and the smallest change that would give another.
//
// Why: the rules that are true of the row. Their votes add up to the votes of the row exactly (rule_records.h of this
// one row: a special case of another true rule joins it).
//
// Another answer: columns take other values, as few columns as possible. A value is what the booleanizer can tell
// apart: a range between two thresholds, a category, a word that is there or not, a pixel. All single changes are
// tried, with the votes of the predictor, so nothing is estimated. If none is enough, the best of them are continued (a
// beam search). `proven` says that no change of fewer columns would do.
//
//   const Explainer explainer(model);
//   Explanation why = explainer.explain(row);
//   std::optional<SmallestChange> what_if = explainer.smallest_change(row);
//
// Cost: a prediction for each value of each column, times the columns changed, times up to 32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "falsum/predictor.h"
#include "falsum/rule_records.h"

namespace falsum {

struct Explanation {
  std::vector<std::int32_t> votes;  // of each output
  std::vector<RuleRecord> rules;    // true of the row, of all outputs, most votes first
};

/// A column takes another value. Texts are conditions that the value fulfils: "age < 30", "41.5 <= age < 60".
struct ColumnChange {
  std::size_t column = 0;
  std::string from, to;
};

struct SmallestChange {
  std::vector<ColumnChange> changes;  // by column
  std::vector<std::int32_t> votes;    // after them
  bool proven = false;                // no change of fewer columns gives another answer
};

/// Refers to the model, which must live as long. Safe to share among threads.
class Explainer {
 public:
  explicit Explainer(const Model& model, std::vector<std::string> column_names = {});
  Explainer(Model&& model, std::vector<std::string> column_names = {}) = delete;
  ~Explainer();

  const Predictor& predictor() const;

  /// `row` has one row. Throws DataError otherwise.
  Explanation explain(const Rows& row) const;

  /// The fewest columns whose other values change the predicted class, or the set of labels; to the output `wanted`, if
  /// it is given (a class that is predicted, or a label that applies instead of not, or the other way round). No value
  /// if none was found. Throws ConfigError for a regression model and for an output that does not exist or is the
  /// answer already.
  std::optional<SmallestChange> smallest_change(const Rows& row, std::optional<std::uint32_t> wanted = {}) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace falsum
