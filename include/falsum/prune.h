// Smaller models: first what changes nothing, then, if wanted, clauses that the given rows can do without.
//
//   merge   clauses that are empty or contradict themselves go; equal clauses become one whose weight is their sum, and
//           go if that is 0; literals that others imply go. Votes are the same on all rows of the model's booleanizer.
//           Fuzzy clauses have no weights and need all their literals: empty ones go, and pairs that cancel
//   prune   merged, then without the clauses whose loss costs least on given rows, as long as the score on these rows
//           stays within a bound. Which clauses are left depends on the rows, so the score on them flatters: test it on
//           others.
//
// The cost of a clause is estimated from the votes: how much a smooth loss (cross-entropy of softmax(4 v / T); of each
// label by itself; squared error) grows without the clause, to the second order. Clauses go in portions, the votes are
// counted again after each, and a portion that costs too much is halved; the last go one by one.
//
//   const Pruned pruned = prune(model, rows, targets, {.within = 0.5});
//   pruned.model.save("small.falsum");
//
// A pruned model says so in its provenance; a test accuracy or calibration that was another model's is gone.
#pragma once

#include <cstddef>
#include <functional>

#include "falsum/model.h"
#include "falsum/rows.h"
#include "falsum/targets.h"

namespace falsum {

struct ClauseSize {
  std::size_t clauses = 0, literals = 0;
};

struct Merged {
  Model model;
  ClauseSize before = {}, after = {};
  std::size_t empty = 0, contradictory = 0;  // clauses
  std::size_t equal = 0;                     // clauses that joined another
  std::size_t cancelled = 0;                 // clauses left that vote on nothing
};
Merged merge_clauses(const Model& model);

struct PruneOptions {
  /// How much worse the score may be on the given rows: percentage points of accuracy; of an RMSE, percent of it.
  double within = 0.5;
  /// Called after every portion with the clauses that are left; may throw.
  std::function<void(std::size_t clauses)> progress = {};
};

struct Pruned {
  Model model;
  Merged merged;
  ClauseSize after = {};
  double score_before = 0, score_after = 0;  // on the given rows: accuracy, or RMSE of a regression machine
};
/// `origin` names the rows in the provenance. Throws ConfigError for a bound that is not from 0 to 100; DataError for
/// rows or answers that do not fit, for no rows, and for more rows than memory can hold.
Pruned prune(const Model& model, const Rows& rows, const Targets& truth, const std::string& origin,
             const PruneOptions& options = {});

}  // namespace falsum
