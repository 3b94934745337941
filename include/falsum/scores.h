// Scores: how well answers agree with the truth, by the measures of the task. The first is the task's own, which tables
// of epochs print.
//
//   classification  accuracy: the share of rows with the right class
//   multilabel      accuracy: the share of rows with exactly the right labels; label_accuracy: the share of right
//                   decisions about a row and a label; f1: of all decisions together (micro average)
//   regression      rmse: the root of the mean squared error; mae: the mean absolute error; r2: the share of the
//                   variance that is explained
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "falsum/predictor.h"
#include "falsum/targets.h"

namespace falsum {

struct Score {
  std::string_view name;
  double value = 0;
};

/// The names of a task's scores.
std::vector<std::string_view> score_names(Task task);

/// Throws DataError unless the targets are of the task of the predictor's model.
std::vector<Score> scores(const Predictor& predictor, const Rows& rows, const Targets& targets, unsigned threads = 1,
                          PredictCounters* counters = nullptr);

/// Of answers that are there already: classes, labels or numbers.
std::vector<Score> scores(const Targets& answers, const Targets& truth);

/// Whether an answer is right about a row: the class, exactly the labels, or exactly the number. Both have one task.
bool same_answer(const Targets& answers, std::size_t answer, const Targets& truth, std::size_t row);

}  // namespace falsum
