#include "falsum/predictor.h"

#include <algorithm>

#include "falsum/cpu.h"
#include "falsum/engines.h"
#include "falsum/error.h"
#include "kernels/dispatch.h"
#include "literals/in_order.h"
#include "predict/vote_engine.h"
#include "support/bits.h"
#include "support/format.h"
#include "support/parallel.h"
#include "vote/numbers.h"

namespace falsum {
namespace {

/// A quarter of the computer's memory.
std::uint64_t memory_for_bitmaps() {
  const std::uint64_t memory = physical_memory();
  return (memory == 0 ? std::uint64_t{4} << 30 : memory) / 4;
}

}  // namespace

void write_winners(const std::int32_t* votes, std::size_t rows, std::size_t outputs, std::uint32_t* out) {
  for (std::size_t r = 0; r < rows; ++r, votes += outputs) {
    out[r] = static_cast<std::uint32_t>(std::max_element(votes, votes + outputs) - votes);
  }
}

PredictCounters& PredictCounters::operator+=(const PredictCounters& other) {
  samples += other.samples;
  words_compared += other.words_compared;
  entries_visited += other.entries_visited;
  bitmaps_joined += other.bitmaps_joined;
  columns_joined += other.columns_joined;
  return *this;
}

std::vector<VotingClause> non_empty_clauses(const Model& model, std::size_t output) {
  std::vector<VotingClause> clauses;
  for (const Weight& weight : model.weights(output)) {
    const std::span<const std::uint32_t> literals = model.clause(weight.clause);
    if (!literals.empty()) clauses.push_back({literals, weight.votes});
  }
  return clauses;
}

std::uint64_t voting_literals(const Model& model) {
  std::uint64_t literals = 0;
  for (const Weight& weight : model.parts().weights) literals += model.clause(weight.clause).size();
  return literals;
}

double false_share(const Model& model, std::uint32_t literal) {
  if (model.truth_shares().empty() || model.patches()) return 0.5;
  const bool negated = literal >= model.features();
  const double share = model.truth_shares()[literal - (negated ? model.features() : 0)] / 65535.0;
  return negated ? share : 1 - share;
}

namespace {

BitMatrix labels_of(std::span<const std::int32_t> votes, std::size_t outputs) {
  BitMatrix labels(votes.size() / outputs, outputs);
  for (std::size_t i = 0; i < votes.size(); ++i) {
    if (votes[i] > 0) labels.set(i / outputs, i % outputs);
  }
  return labels;
}

std::vector<double> numbers_of(std::span<const std::int32_t> votes, const NumberRange& range, std::int64_t threshold) {
  std::vector<double> numbers;
  numbers.reserve(votes.size());
  for (const std::int32_t v : votes) numbers.push_back(number_of(v, range, threshold));
  return numbers;
}

std::unique_ptr<const VoteEngine> make_fuzzy_engine(const Model& model, Engine engine, const Kernels& kernels) {
  if (engine == Engine::kScan) return make_fuzzy_scan_engine(model);
  if (engine == Engine::kSliced) return make_fuzzy_sliced_engine(model, kernels);
  if (engine == Engine::kTables) return make_fuzzy_tables_engine(model, kernels);
  if (engine == Engine::kAuto) return make_fuzzy_auto_engine(model, kernels);
  throw ConfigError(
      fmt::format("engine must be auto, scan, sliced or tables for a fuzzy model, got {}", name_of(engine)));
}

std::unique_ptr<const VoteEngine> make_engine(const Model& model, Engine engine, const Kernels& kernels) {
  require_engine(engine, EngineTask::kPredict);
  if (is_fuzzy(model.options())) return make_fuzzy_engine(model, engine, kernels);
  switch (engine) {
    case Engine::kScan:
      return make_scan_engine(model);
    case Engine::kIndex:
      return make_index_engine(model, kernels);
    case Engine::kBitmap:
      return model.patches() ? make_bitmap_window_engine(model, kernels) : make_bitmap_engine(model, kernels);
    case Engine::kSliced:
      return model.patches() ? make_sliced_window_engine(model, kernels) : make_sliced_engine(model, kernels);
    case Engine::kTables:
      throw ConfigError("engine must not be tables unless clauses are fuzzy");
    case Engine::kAuto:
    case Engine::kLookahead:  // refused above
      break;
  }
  return make_auto_engine(model, kernels, memory_for_bitmaps());
}

}  // namespace

Predictor::Predictor(const Model& model, Engine engine, const std::string& kernels)
    : features_(model.features()),
      outputs_(model.outputs()),
      task_(model.task()),
      range_(model.range()),
      threshold_(vote_scale(model.options())),
      calibration_(model.calibration()),
      kernels_(&find_kernels(kernels)),
      engine_(make_engine(model, engine, *kernels_)) {}

Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

EngineChoice Predictor::choice(std::size_t rows, bool sparse) const {
  return engine_->choice(std::min(rows, kBlockRows), sparse);
}
std::string Predictor::kernels() const { return kernels_->name; }
std::uint64_t Predictor::bytes() const { return engine_->bytes(); }

namespace {

/// A selection as rows that are one after the other, which engines take.
AnyRows gather(const Rows& selection) {
  if (selection.is_sparse()) {
    SparseBits rows(selection.columns());
    for (std::size_t r = 0; r < selection.rows(); ++r) {
      const std::span<const std::uint32_t> row = selection.sparse(r);
      rows.features.insert(rows.features.end(), row.begin(), row.end());
      rows.starts.push_back(rows.features.size());
    }
    return rows;
  }
  BitMatrix rows(selection.rows(), selection.columns());
  for (std::size_t r = 0; r < selection.rows(); ++r) std::ranges::copy(selection.packed(r), rows.row(r).begin());
  return rows;
}

}  // namespace

void Predictor::check_columns(std::size_t columns) const {
  if (columns == features_) return;
  throw DataError(fmt::format("the data have {} features but the model was made for {}", columns, features_));
}

template <class Use>
void Predictor::for_each_block(const Rows& rows, unsigned threads, PredictCounters* counters, const Use& use) const {
  check_columns(rows.columns());
  rows.check();
  const std::size_t blocks = (rows.rows() + kBlockRows - 1) / kBlockRows;
  std::vector<PredictCounters> work(blocks);
  for_each_parallel(blocks, threads == 0 ? cpu_cores() : threads, [&](std::size_t b) {
    const std::size_t first = b * kBlockRows;
    for (std::size_t r = first; r < std::min(first + kBlockRows, rows.rows()); r += kRowsAhead) {
      will_need_next(rows, r + kBlockRows - kRowsAhead);
    }
    const Rows some = rows.part(first, std::min(kBlockRows, rows.rows() - first));
    const AnyRows gathered = some.is_selection() ? gather(some) : AnyRows();
    const Rows block = some.is_selection() ? gathered.view() : some;
    if (block.form() == Rows::Form::kPacked) {
      use(first, RowBlock{block.packed(0).data(), block.words_per_row(), block.rows()}, work[b]);
    } else if (block.is_sparse()) {
      use(first, SparseBlock{block.sparse().starts.data(), block.sparse().features.data(), block.rows()}, work[b]);
    } else {  // packed just before its votes are counted, while it is in the caches
      const std::size_t words = words_for(block.columns());
      const auto packed = std::make_unique_for_overwrite<std::uint64_t[]>(block.rows() * words);
      kernels_->pack(block.bytes(), packed.get());
      use(first, RowBlock{packed.get(), words, block.rows()}, work[b]);
    }
  });
  if (counters) {
    for (const PredictCounters& w : work) *counters += w;
  }
}

std::vector<std::int32_t> Predictor::votes(const Rows& rows, unsigned threads, PredictCounters* counters) const {
  std::vector<std::int32_t> votes(rows.rows() * outputs_);
  for_each_block(rows, threads, counters, [&](std::size_t first, const auto& block, PredictCounters& work) {
    engine_->votes(block, votes.data() + first * outputs_, work);
  });
  return votes;
}

void Predictor::require_task(Task task) const {
  if (task == task_) return;
  throw ConfigError(fmt::format("the model's task is {}, so it gives no answers of {}", name_of(task_), name_of(task)));
}

BitMatrix Predictor::labels(const Rows& rows, unsigned threads, PredictCounters* counters) const {
  require_task(Task::kMultilabel);
  return labels_of(votes(rows, threads, counters), outputs_);
}

std::vector<double> Predictor::numbers(const Rows& rows, unsigned threads, PredictCounters* counters) const {
  require_task(Task::kRegression);
  return numbers_of(votes(rows, threads, counters), range_, threshold_);
}

AnyTargets Predictor::answers(const Rows& rows, unsigned threads, PredictCounters* counters) const {
  if (task_ == Task::kClassification) return predict(rows, threads, counters);
  return answers(votes(rows, threads, counters));
}

AnyTargets Predictor::answers(std::span<const std::int32_t> votes) const {
  if (task_ == Task::kClassification) return winners(votes, outputs_);
  if (task_ == Task::kMultilabel) return labels_of(votes, outputs_);
  return numbers_of(votes, range_, threshold_);
}

std::vector<std::uint32_t> Predictor::predict(const Rows& rows, unsigned threads, PredictCounters* counters) const {
  require_task(Task::kClassification);
  std::vector<std::uint32_t> winners(rows.rows());
  for_each_block(rows, threads, counters, [&](std::size_t first, const auto& block, PredictCounters& work) {
    engine_->winners(block, winners.data() + first, work);
  });
  return winners;
}

std::vector<double> Predictor::probabilities(const Rows& rows, unsigned threads, PredictCounters* counters) const {
  require_task(Task::kClassification);
  std::vector<double> all(rows.rows() * outputs_);
  for_each_block(rows, threads, counters, [&](std::size_t first, const auto& block, PredictCounters& work) {
    std::vector<std::int32_t> votes(block.rows * outputs_);
    engine_->votes(block, votes.data(), work);
    const std::vector<double> some = falsum::probabilities(votes, outputs_, threshold_, calibration_);
    std::copy(some.begin(), some.end(), all.begin() + static_cast<std::ptrdiff_t>(first * outputs_));
  });
  return all;
}

void Predictor::votes(std::span<const std::uint64_t> row, std::span<std::int32_t> out) const {
  if (row.size() != (features_ + 63) / 64 || out.size() != outputs_) {
    throw DataError(fmt::format("a row takes {} words and {} votes, got {} and {}", (features_ + 63) / 64, outputs_,
                                row.size(), out.size()));
  }
  PredictCounters counters;
  engine_->votes(RowBlock{row.data(), row.size(), 1}, out.data(), counters);
}

void Predictor::votes(std::span<const std::uint32_t> row, std::span<std::int32_t> out) const {
  if (out.size() != outputs_) throw DataError(fmt::format("a row takes {} votes, got {}", outputs_, out.size()));
  check_sparse_row(row, features_, "the row");
  const std::uint64_t starts[] = {0, row.size()};
  PredictCounters counters;
  engine_->votes(SparseBlock{starts, row.data(), 1}, out.data(), counters);
}

std::vector<std::uint32_t> winners(std::span<const std::int32_t> votes, std::size_t outputs) {
  std::vector<std::uint32_t> best(outputs == 0 ? 0 : votes.size() / outputs);
  write_winners(votes.data(), best.size(), outputs, best.data());
  return best;
}

}  // namespace falsum
