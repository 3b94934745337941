#include "falsum/scores.h"

#include <bit>
#include <cmath>
#include <numeric>

#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

double share(double some, double all) { return all == 0 ? 0 : some / all; }

std::vector<Score> class_scores(std::span<const std::uint32_t> answers, std::span<const std::uint32_t> truth) {
  std::size_t right = 0;
  for (std::size_t r = 0; r < truth.size(); ++r) right += answers[r] == truth[r];
  return {{"accuracy", share(static_cast<double>(right), static_cast<double>(truth.size()))}};
}

/// A row of labels as words, whatever form the rows have.
std::vector<std::uint64_t> label_words(const Rows& rows, std::size_t r) {
  std::vector<std::uint64_t> words((rows.columns() + 63) / 64);
  if (rows.form() == Rows::Form::kPacked) {
    const std::span<const std::uint64_t> packed = rows.packed(r);
    words.assign(packed.begin(), packed.end());
  } else if (rows.is_sparse()) {
    for (const std::uint32_t label : rows.sparse(r)) words[label / 64] |= std::uint64_t{1} << (label % 64);
  } else {
    const std::uint8_t* const bytes = rows.bytes().part(r, 1).bytes;
    for (std::size_t label = 0; label < rows.columns(); ++label) {
      if (bytes[label] != 0) words[label / 64] |= std::uint64_t{1} << (label % 64);
    }
  }
  return words;
}

std::vector<Score> label_scores(const Rows& answers, const Rows& truth) {
  std::uint64_t exact = 0, wrong = 0, both = 0, either = 0;  // either: labels that were answered and those that apply
  for (std::size_t r = 0; r < truth.rows(); ++r) {
    const std::vector<std::uint64_t> answered = label_words(answers, r), applies = label_words(truth, r);
    const std::uint64_t before = wrong;
    for (std::size_t w = 0; w < applies.size(); ++w) {
      const auto count = [](std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(word)); };
      wrong += count(answered[w] ^ applies[w]);
      both += count(answered[w] & applies[w]);
      either += count(answered[w]) + count(applies[w]);
    }
    exact += wrong == before;
  }
  const auto rows = static_cast<double>(truth.rows()), decisions = rows * static_cast<double>(truth.columns());
  return {{"accuracy", share(static_cast<double>(exact), rows)},
          {"label_accuracy", share(decisions - static_cast<double>(wrong), decisions)},
          {"f1", share(2 * static_cast<double>(both), static_cast<double>(either))}};
}

std::vector<Score> number_scores(std::span<const double> answers, std::span<const double> truth) {
  const auto rows = static_cast<double>(truth.size());
  const double mean = share(std::accumulate(truth.begin(), truth.end(), 0.0), rows);
  double squared = 0, absolute = 0, variance = 0;
  for (std::size_t r = 0; r < truth.size(); ++r) {
    const double error = answers[r] - truth[r];
    squared += error * error;
    absolute += std::abs(error);
    variance += (truth[r] - mean) * (truth[r] - mean);
  }
  return {{"rmse", std::sqrt(share(squared, rows))},
          {"mae", share(absolute, rows)},
          {"r2", variance == 0 ? (squared == 0 ? 1 : 0) : 1 - squared / variance}};
}

}  // namespace

std::vector<std::string_view> score_names(Task task) {
  if (task == Task::kClassification) return {"accuracy"};
  if (task == Task::kMultilabel) return {"accuracy", "label_accuracy", "f1"};
  return {"rmse", "mae", "r2"};
}

std::vector<Score> scores(const Targets& answers, const Targets& truth) {
  if (answers.task() != truth.task()) {
    throw DataError(
        fmt::format("the answers are for {} but the targets for {}", name_of(answers.task()), name_of(truth.task())));
  }
  if (answers.size() != truth.size())
    throw DataError(fmt::format("there are {} answers but {} targets", answers.size(), truth.size()));
  if (truth.task() == Task::kClassification) return class_scores(answers.classes(), truth.classes());
  if (truth.task() == Task::kRegression) return number_scores(answers.numbers(), truth.numbers());
  if (answers.labels().columns() != truth.labels().columns()) {
    throw DataError(fmt::format("the answers have {} labels but the targets {}", answers.labels().columns(),
                                truth.labels().columns()));
  }
  return label_scores(answers.labels(), truth.labels());
}

bool same_answer(const Targets& answers, std::size_t answer, const Targets& truth, std::size_t row) {
  if (truth.task() == Task::kClassification) return answers.classes()[answer] == truth.classes()[row];
  if (truth.task() == Task::kRegression) return answers.numbers()[answer] == truth.numbers()[row];
  return label_words(answers.labels(), answer) == label_words(truth.labels(), row);
}

std::vector<Score> scores(const Predictor& predictor, const Rows& rows, const Targets& targets, unsigned threads,
                          PredictCounters* counters) {
  return scores(predictor.answers(rows, threads, counters), targets);
}

}  // namespace falsum
