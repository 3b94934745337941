#include "learn/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "falsum/averaging.h"
#include "falsum/cpu.h"
#include "falsum/engines.h"
#include "falsum/error.h"
#include "falsum/memory.h"
#include "falsum/patches.h"
#include "falsum/row_weights.h"
#include "kernels/dispatch.h"
#include "learn/saved_part.h"
#include "support/format.h"
#include "support/limits.h"
#include "support/parallel.h"

namespace falsum {
namespace {

void check_shape(const Options& options, std::size_t features, std::size_t outputs) {
  validate(options);
  require_engine(options.engine, EngineTask::kLearn);
  if (options.sharded && options.engine != Engine::kAuto && options.engine != Engine::kLookahead) {
    throw ConfigError(fmt::format("engine must be auto or lookahead when sharded, got {}", name_of(options.engine)));
  }
  if (is_fuzzy(options) && options.engine == Engine::kIndex) {
    throw ConfigError("engine must be auto, scan or lookahead for a fuzzy machine, got index");
  }
  if (is_fuzzy(options) && options.shared && outputs != 2) {
    throw ConfigError(fmt::format("shared must be off in a fuzzy machine unless there are 2 classes, got {}", outputs));
  }
  if (features == 0 || features > kMaxFeatures) {
    throw ConfigError(fmt::format("features must be from 1 to {}, got {}", kMaxFeatures, features));
  }
  if (options.task == Task::kRegression) {
    if (outputs != 1) throw ConfigError(fmt::format("a regression machine has 1 output, got {}", outputs));
  } else if (const std::size_t least = options.task == Task::kClassification ? 2 : 1;
             outputs < least || outputs > kMaxClasses) {
    throw ConfigError(fmt::format("{} must be from {} to {}, got {}", least == 2 ? "classes" : "labels", least,
                                  kMaxClasses, outputs));
  }
}

/// Of the rows that are learned: those of weight 0 are not.
NumberRange range_of(const Targets& targets) {
  NumberRange range = {std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  for (std::size_t r = 0; r < targets.size(); ++r) {
    if (!targets.weights().empty() && targets.weights()[r] == 0) continue;
    range.least = std::min(range.least, targets.numbers()[r]);
    range.most = std::max(range.most, targets.numbers()[r]);
  }
  return range;
}

}  // namespace

std::size_t parts_of_a_learner(const Options& options, Engine engine, std::size_t learners, unsigned threads) {
  if (engine != Engine::kLookahead || patch_shape(options)) return 1;
  const std::size_t words = slots_of(options).words();
  return std::clamp<std::size_t>(threads / learners, 1, std::max<std::size_t>(1, words / kLeastWordsOfAPart));
}

Trainer::Trainer(const Options& options, std::size_t features, std::size_t outputs, Part part)
    : options_(with_plain_numbers(options)),
      features_((check_shape(options_, features, outputs), features)),
      outputs_(outputs),
      part_(std::move(part)),
      banks_(banks_of(part_, options_, outputs)),
      clauses_(clauses_of(part_, options_)),
      kernels_(find_kernels(options_.kernels)),
      threads_(options_.threads == 0 ? cpu_cores() : static_cast<unsigned>(options_.threads)),
      engine_(options_.engine == Engine::kAuto ? Engine::kLookahead : options_.engine),
      forgetting_(options_.specificity, options_.specificity_to, slots_of(options_)),
      feature_counts_(features),
      busiest_first_(banks_.size()),
      ahead_(busiest_first_.size()) {
  if (banks_.size() == outputs_) part_.classes.clear();
  check_part_memory();
  std::iota(busiest_first_.begin(), busiest_first_.end(), std::size_t{0});
  if (is_fuzzy(options_)) {
    fuzzy_ = std::make_unique<FuzzyLearners>(options_, features_, banks_);
    return;
  }
  learners_.reserve(banks_.size());
  for (const std::size_t bank : banks_)
    learners_.emplace_back(options_, bank, features_, outputs_of_a_bank(), clauses_);
  use_engine();
}

void Trainer::check_part_memory() const {
  Options options = options_;
  options.clauses = (static_cast<std::int64_t>(clauses_.size()) + 1) / 2 * 2;
  check_memory(options, features_, has_one_bank(options_) ? outputs_ : banks_.size());
}

void Trainer::set_collective(Collective* collective) {
  sums_.reset();
  if (collective == nullptr) return;
  if (collective->size() != part_.shards || collective->rank() != part_.shard) {
    throw ConfigError(
        fmt::format("{} needs a collective of that many members, of which it is that one, got member {} of {}",
                    text_of(part_), collective->rank() + 1, collective->size()));
  }
  if (part_.shards > 1) sums_ = std::make_unique<VoteSums>(*collective);
}

void Trainer::use_engine() {
  for (Learner& learner : learners_) {
    if (options_.sharded) {
      learner.use_shards((2 * threads_ + learners_.size() - 1) / learners_.size(), kernels_);
    } else {
      const std::size_t parts =
          part_.shards > 1 ? 1 : parts_of_a_learner(options_, engine_, learners_.size(), threads_);
      learner.use_engine(engine_, kernels_, parts);
    }
  }
}

void Trainer::set_range(const NumberRange& range) {
  if (options_.task != Task::kRegression) throw ConfigError("only a regression machine has a range of numbers");
  if (!(range.least <= range.most) || !std::isfinite(range.most - range.least)) {
    throw ConfigError(
        fmt::format("a range of numbers must be finite and ascend, got {} to {}", range.least, range.most));
  }
  range_ = range;
}

void Trainer::check_targets(const Targets& targets) const {
  if (targets.task() != options_.task) {
    throw DataError(fmt::format("the task of the machine is {} but the targets are for {}", name_of(options_.task),
                                name_of(targets.task())));
  }
  if (targets.task() == Task::kMultilabel) {
    if (targets.labels().columns() != outputs_) {
      throw DataError(fmt::format("the targets have {} labels but the machine was made for {}",
                                  targets.labels().columns(), outputs_));
    }
    return targets.labels().check();
  }
  for (std::size_t r = 0; r < targets.numbers().size(); ++r) {
    if (!std::isfinite(targets.numbers()[r])) {
      throw DataError(fmt::format("the number of row {} is {}, which cannot be learned", r, targets.numbers()[r]));
    }
  }
  for (std::size_t r = 0; r < targets.classes().size(); ++r) {
    if (targets.classes()[r] >= outputs_) {
      throw DataError(
          fmt::format("label {} of row {} is not a class from 0 to {}", targets.classes()[r], r, outputs_ - 1));
    }
  }
}

void Trainer::check_data(const Rows& rows, const Targets& targets) const {
  if (rows.columns() != features_) {
    throw DataError(
        fmt::format("the data have {} features but the machine was made for {}", rows.columns(), features_));
  }
  rows.check();
  if (targets.size() != rows.rows())
    throw DataError(fmt::format("there are {} rows but {} labels", rows.rows(), targets.size()));
  if (rows.rows() == 0) throw DataError("there are no rows to learn from");
  if (rows.rows() > kMostRows)
    throw DataError(fmt::format("at most {} rows can be learned at once, got {}", kMostRows, rows.rows()));
  check_targets(targets);
  check_row_weights(targets.weights(), rows.rows());
  if (begun() && stopped_rows_ != rows.rows()) {
    throw DataError(fmt::format("the stopped epoch was learning from {} rows and can only continue with them, got {}",
                                stopped_rows_, rows.rows()));
  }
}

/// The weights decide which samples the epoch has.
void Trainer::check_same_epoch(const Plan& plan, std::uint64_t weights) const {
  if (weights == stopped_weights_ && plan.size() == samples_) return;
  throw DataError("the stopped epoch was learning with other row weights and can only continue with them");
}

bool Trainer::begun() const {
  return position_ > 0 || std::any_of(ahead_.begin(), ahead_.end(), [](std::uint64_t uses) { return uses > 0; });
}

double Trainer::done() const {
  const auto banks = static_cast<double>(count_banks(options_, outputs_));
  const double of_all = options_.task == Task::kClassification && !options_.shared ? 2 : banks;
  const double per_row = of_all * static_cast<double>(banks_.size()) / banks;
  const std::uint64_t ahead = std::accumulate(ahead_.begin(), ahead_.end(), std::uint64_t{0});
  return (static_cast<double>(position_) + static_cast<double>(ahead) / per_row) / static_cast<double>(samples_);
}

EpochReport Trainer::learn_epoch(const Rows& rows, const Targets& targets, const Machine::Progress& told) {
  check_data(rows, targets);
  if (part_.shards > 1 && sums_ == nullptr) {
    throw ConfigError(fmt::format("{} needs a collective to learn: the votes of the others", text_of(part_)));
  }
  // Shards must not stop at different uses.
  Machine::Progress progress = told;
  if (told && sums_) progress = [&](double done) { return told(done), true; };
  const std::uint64_t sums_before = sums_ ? sums_->sums() : 0, bytes_before = sums_ ? sums_->bytes() : 0;
  if (options_.task == Task::kRegression && !range_) {
    set_range(range_of(targets));
  }
  const Plan plan(options_, epoch_, targets, outputs_, range_.value_or(NumberRange{}));
  const std::uint64_t weights = digest_of_weights(targets.weights());
  if (begun()) check_same_epoch(plan, weights);
  if (!begun()) {
    keep_snapshot();
    feature_counts_.add(rows);
  }
  stopped_rows_ = rows.rows();  // the progress callback may take a checkpoint
  samples_ = plan.size();
  stopped_weights_ = weights;
  const Bank::Law law = this->law();
  const bool drops = options_.drop_clauses > 0 || options_.drop_literals > 0;  // else threads would start for nothing
  if (drops) for_each_parallel(learners_.size(), threads_, [&](std::size_t i) { learners_[i].begin_epoch(epoch_); });
  std::vector<LearnCounters> counters(ahead_.size());
  std::vector<Uses> uses;  // of the current chunk, by learner
  EpochReport report;
  report.epoch = epoch_ + 1;
  if (fuzzy_) report.complete = learn_fuzzy(plan, rows, progress, counters);
  while (position_ < samples_ && report.complete) {
    std::vector<std::size_t> before(learners_.size());
    if (options_.sharded) {  // blocks are counted over the epoch
      find_uses(plan, 0, position_, uses);
      for (std::size_t c = 0; c < learners_.size(); ++c) before[c] = uses[c].size() + ahead_[c];
    }
    const std::size_t last = begin_chunk(plan, uses);
    report.complete = options_.sharded ? learn_sharded(uses, std::move(before), rows, law, progress)
                                       : learn_chunk(uses, rows, law, progress, counters);
    if (!report.complete) break;
    position_ = last;
    std::fill(ahead_.begin(), ahead_.end(), 0);
    if (progress && !progress(done())) report.complete = last == samples_;
  }
  if (drops && report.complete) {
    for_each_parallel(learners_.size(), threads_, [&](std::size_t i) { learners_[i].end_epoch(law); });
  }
  for (const LearnCounters& c : counters) report.counters += c;
  for (Learner& learner : learners_) {
    if (options_.sharded) report.counters += learner.sharded()->take_counters();
  }
  report.mean_clause_length = mean_clause_length();
  if (sums_) {
    report.sums = sums_->sums() - sums_before;
    report.summed_bytes = sums_->bytes() - bytes_before;
  }
  if (report.complete) {
    ++epoch_;
    position_ = 0;
  }
  return report;
}

void Trainer::abandon_epoch() {
  for (Learner& learner : learners_) learner.end_epoch(law());
  if (begun()) ++epoch_;  // its number is used: the next epoch has another order
  position_ = 0;
  std::fill(ahead_.begin(), ahead_.end(), 0);
  for (Learner& learner : learners_) {
    if (options_.sharded) learner.sharded()->leave({});
  }
}

std::uint64_t Trainer::automata_bytes() const {
  std::uint64_t bytes = fuzzy_ ? fuzzy_->bank_bytes() : 0;
  for (const Learner& learner : learners_) bytes += learner.bank().bytes();
  return bytes;
}

std::uint64_t Trainer::engine_bytes() const {
  std::uint64_t bytes = fuzzy_ ? fuzzy_->engine_bytes() : 0;
  for (const Learner& learner : learners_) bytes += learner.engine_bytes();
  return bytes;
}

std::size_t Trainer::included() const {
  std::size_t included = fuzzy_ ? fuzzy_->included() : 0;
  for (const Learner& learner : learners_) {
    for (std::size_t c = clauses_.first; c < clauses_.last; ++c) {
      included += learner.bank().length(static_cast<ClauseId>(c));
    }
  }
  return included;
}

double Trainer::mean_clause_length() const {
  return static_cast<double>(included()) / static_cast<double>(ahead_.size() * clauses_.size());
}

void Trainer::keep_snapshot() {
  if (options_.snapshots == 1 || epoch_ == 0) return;
  snapshots_.push_back(last_epoch());
  if (snapshots_.size() >= static_cast<std::size_t>(options_.snapshots)) snapshots_.erase(snapshots_.begin());
}

Model Trainer::model() const {
  if (snapshots_.empty()) return last_epoch();
  std::vector<Model> all = snapshots_;
  all.push_back(last_epoch());
  return sum_of(all);
}

Model Trainer::last_epoch() const {
  ModelParts parts;
  parts.options = options_;
  parts.options.snapshots = 1;
  parts.features = features_;
  parts.outputs = has_one_bank(options_) ? outputs_ : banks_.size();
  parts.range = range_.value_or(NumberRange{});
  fuzzy_ ? add_fuzzy_clauses(parts) : add_clauses(parts);
  parts.provenance.falsum_version = version();
  parts.provenance.samples = stopped_rows_;
  parts.provenance.epochs = epoch_;
  parts.truth_shares = feature_counts_.shares();
  return Model(std::move(parts));
}

void Trainer::add_clauses(ModelParts& parts) const {
  for (const Learner& learner : learners_) {
    const Bank& bank = learner.bank();
    const auto first = static_cast<std::uint32_t>(parts.clause_starts.size() - 1);
    for (std::size_t c = clauses_.first; c < clauses_.last; ++c) {
      parts.clause_starts.push_back(parts.clause_starts.back() + bank.length(static_cast<ClauseId>(c)));
    }
    for (std::size_t o = 0; o < learner.weights().outputs(); ++o) {
      for (std::uint32_t c = 0; c < bank.clauses(); ++c) {
        const std::int32_t votes = learner.weights().of(static_cast<ClauseId>(clauses_.first + c), o);
        if (votes != 0) parts.weights.push_back({first + c, votes});
      }
      parts.weight_starts.push_back(parts.weights.size());
    }
  }
  parts.literals.resize(parts.clause_starts.back());
  for_each_parallel(learners_.size(), threads_, [&](std::size_t i) {
    const Bank& bank = learners_[i].bank();
    const std::uint64_t* const starts = parts.clause_starts.data() + i * bank.clauses();
    std::vector<std::uint64_t> bits(words_for(bank.literals()));
    for (std::size_t c = 0; c < bank.clauses(); ++c) {
      const auto clause = static_cast<ClauseId>(clauses_.first + c);
      std::uint32_t* const first = parts.literals.data() + starts[c];
      std::uint32_t* to = first;
      // Ascending: by sorting, or through a bit set if there are many, as in young clauses.
      if (const std::size_t length = starts[c + 1] - starts[c]; length < bits.size()) {
        bank.for_each_included(clause, [&](LiteralId l) { *to++ = at(l); });
        std::sort(first, to);
      } else {
        std::fill(bits.begin(), bits.end(), 0);
        bank.for_each_included(clause, [&](LiteralId l) { bits[at(l) / 64] |= std::uint64_t{1} << (at(l) % 64); });
        for_each_bit(bits.data(), bits.size(), [&](std::size_t l) { *to++ = static_cast<std::uint32_t>(l); });
      }
    }
  });
}

}  // namespace falsum
