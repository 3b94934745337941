#include "learn/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "falsum/cpu.h"
#include "falsum/error.h"
#include "falsum/memory.h"
#include "support/parallel.h"

namespace falsum {
namespace {

void check_shape(const Options& options, std::size_t features, std::size_t classes) {
  validate(options);
  if (options.engine == "bitmap" || options.engine == "sliced") {
    throw ConfigError("engine must be one of auto, scan, index, lookahead when learning, got " + options.engine);
  }
  if (options.sharded && options.engine != "auto" && options.engine != "lookahead") {
    throw ConfigError(fmt::format("engine must be auto or lookahead when sharded, got {}", options.engine));
  }
  constexpr std::size_t kMostFeatures = std::size_t{1} << 29;  // literals stay below 2^30
  if (features == 0 || features > kMostFeatures) {
    throw ConfigError(fmt::format("features must be from 1 to {}, got {}", kMostFeatures, features));
  }
  if (classes < 2 || classes > 1000000)
    throw ConfigError(fmt::format("classes must be from 2 to 1000000, got {}", classes));
  check_memory(options, features, classes);
}

}  // namespace

std::size_t first_chunk_size(std::size_t classes) { return std::clamp<std::size_t>(1024 * classes, 2048, 16384); }

std::size_t chunk_size(const Options& options, std::size_t features, std::size_t classes) {
  const std::size_t least = first_chunk_size(classes);
  if (options.sharded) return least;  // its blocks start anew with every chunk: another size is another machine
  constexpr double kAtMost = 1e12;    // automata x samples: less than a second's work or two
  const double automata =
      2.0 * static_cast<double>(features) * static_cast<double>(classes) * static_cast<double>(options.clauses);
  return std::clamp(static_cast<std::size_t>(kAtMost / automata), least, 4 * least);
}

Trainer::Trainer(const Options& options, std::size_t features, std::size_t classes)
    : options_((check_shape(options, features, classes), options)),
      features_(features),
      kernels_(find_kernels(options.kernels)),
      threads_(options.threads == 0 ? cpu_cores() : static_cast<unsigned>(options.threads)),
      engine_(options.engine == "auto" ? "lookahead" : options.engine),
      forgetting_(options.specificity),
      truths_(features),
      busiest_first_(classes) {
  std::iota(busiest_first_.begin(), busiest_first_.end(), std::size_t{0});
  classes_.reserve(classes);
  for (std::size_t c = 0; c < classes; ++c) classes_.emplace_back(options_, c, features_);
  use_engine();
}

void Trainer::use_engine() {
  for (ClassLearner& learner : classes_) {
    if (options_.sharded) {
      learner.use_shards((2 * threads_ + classes_.size() - 1) / classes_.size(), kernels_);
    } else {
      learner.use_engine(engine_, kernels_);
    }
  }
}

void Trainer::check_data(const SampleRows& rows, std::span<const std::uint32_t> labels) const {
  if (rows.columns() != features_) {
    throw DataError(
        fmt::format("the data have {} features but the machine was made for {}", rows.columns(), features_));
  }
  if (rows.is_sparse()) rows.sparse().check();
  if (labels.size() != rows.rows())
    throw DataError(fmt::format("there are {} rows but {} labels", rows.rows(), labels.size()));
  if (rows.rows() == 0) throw DataError("there are no rows to learn from");
  if (rows.rows() > 0xffffffffu)
    throw DataError(fmt::format("at most 4294967295 rows can be learned at once, got {}", rows.rows()));
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (labels[r] >= classes_.size()) {
      throw DataError(fmt::format("label {} of row {} is not a class from 0 to {}", labels[r], r, classes_.size() - 1));
    }
  }
  if (position_ > 0 && stopped_rows_ != rows.rows()) {
    throw DataError(fmt::format("the stopped epoch was learning from {} rows and can only go on with them, got {}",
                                stopped_rows_, rows.rows()));
  }
}

EpochReport Trainer::learn_epoch(const SampleRows& rows, std::span<const std::uint32_t> labels,
                                 const Machine::Progress& progress) {
  check_data(rows, labels);
  if (position_ == 0) truths_.add(rows);
  stopped_rows_ = rows.rows();  // the progress callback may take a checkpoint
  const EpochPlan plan(options_.seed, epoch_, labels, classes_.size());
  const Bank::Rules rules = {kernels_, forgetting_, options_.boost, most_pending_};
  std::vector<LearnCounters> counters(classes_.size());
  std::vector<std::vector<Use>> uses;  // by class, of the chunk at hand
  EpochReport report;
  report.epoch = epoch_ + 1;
  while (position_ < rows.rows() && report.complete) {
    // The first chunk of all is a short one: only after it is known which classes are busiest.
    const std::size_t size = epoch_ == 0 && position_ == 0 ? first_chunk_size(classes_.size())
                                                           : chunk_size(options_, features_, classes_.size());
    const std::size_t first = position_, last = std::min(first + size, rows.rows());
    plan.uses(first, last, uses);
    if (options_.sharded) {
      report.counters += learn_sharded(uses, rows, rules);
    } else {
      for_each_parallel(classes_.size(), threads_, [&](std::size_t i) {
        const std::size_t c = busiest_first_[i];
        counters[c] += classes_[c].learn(uses[c], rows, rules);
      });
      const auto events = [&](std::size_t c) { return counters[c].type_1a + counters[c].type_1b + counters[c].type_2; };
      std::stable_sort(busiest_first_.begin(), busiest_first_.end(),
                       [&](std::size_t a, std::size_t b) { return events(a) > events(b); });
    }
    position_ = last;
    if (progress && !progress(static_cast<double>(last) / static_cast<double>(rows.rows())))
      report.complete = last == rows.rows();
  }
  for (const LearnCounters& c : counters) report.counters += c;
  report.mean_clause_length = mean_clause_length();
  if (report.complete) {
    ++epoch_;
    position_ = 0;
  }
  return report;
}

/// Block by block, with all classes in step: shards of all classes are what threads take.
LearnCounters Trainer::learn_sharded(const std::vector<std::vector<Use>>& uses, const SampleRows& rows,
                                     const Bank::Rules& rules) {
  std::size_t most = 0;
  for (const std::vector<Use>& of_class : uses) most = std::max(most, of_class.size());
  const std::size_t shards = classes_[0].sharded()->shards();
  const auto each_shard = [&](auto&& work) {
    for_each_parallel(classes_.size() * shards, threads_,
                      [&](std::size_t i) { work(*classes_[i / shards].sharded(), i % shards); });
  };
  for (std::size_t start = 0; start < most; start += LookaheadBlock::kUses) {
    for_each_parallel(classes_.size(), threads_, [&](std::size_t c) {
      const std::size_t from = std::min(start, uses[c].size());
      const std::size_t count = std::min(LookaheadBlock::kUses, uses[c].size() - from);
      classes_[c].begin_block(std::span(uses[c]).subspan(from, count), rows);
    });
    each_shard([&](ShardedClass& sharded, std::size_t shard) { sharded.evaluate(shard, kernels_); });
    each_shard([&](ShardedClass& sharded, std::size_t shard) { sharded.learn(shard, rules); });
  }
  LearnCounters counters;
  for (ClassLearner& learner : classes_) counters += learner.sharded()->take_counters();
  return counters;
}

void Trainer::abandon_epoch() {
  if (position_ > 0) ++epoch_;  // its number is used up: the next epoch has an order of its own
  position_ = 0;
}

std::size_t Trainer::included() const {
  std::size_t included = 0;
  for (const ClassLearner& learner : classes_) {
    for (std::size_t c = 0; c < learner.bank().clauses(); ++c) {
      included += learner.bank().length(static_cast<ClauseId>(c));
    }
  }
  return included;
}

double Trainer::mean_clause_length() const {
  return static_cast<double>(included()) /
         static_cast<double>(classes_.size() * static_cast<std::size_t>(options_.clauses));
}

Model Trainer::model() const {
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> literals;
  std::vector<std::int32_t> weights;
  literals.reserve(included());
  for (const ClassLearner& learner : classes_) {
    const Bank& bank = learner.bank();
    for (std::size_t c = 0; c < bank.clauses(); ++c) {
      bank.for_each_included(static_cast<ClauseId>(c), [&](LiteralId l) { literals.push_back(at(l)); });
      std::sort(literals.begin() + static_cast<std::ptrdiff_t>(starts.back()), literals.end());
      starts.push_back(literals.size());
      weights.push_back(c < bank.positives() ? 1 : -1);
    }
  }
  Model model(options_, features_, classes_.size(), std::move(starts), std::move(literals), std::move(weights));
  model.truth_shares = truths_.shares();
  return model;
}

}  // namespace falsum
