#include "falsum/predictor.h"

#include <algorithm>
#include <cassert>

#include "falsum/cpu.h"
#include "falsum/engines.h"
#include "falsum/error.h"
#include "kernels/dispatch.h"
#include "predict/vote_engine.h"
#include "support/bits.h"
#include "support/format.h"
#include "support/parallel.h"

namespace falsum {
namespace {

/// A quarter of what the machine has.
std::uint64_t memory_for_bitmaps() {
  const std::uint64_t memory = physical_memory();
  return (memory == 0 ? std::uint64_t{4} << 30 : memory) / 4;
}

/// Calls use(first row, number of rows, counters) for every block, on up to `threads` threads.
template <class Use>
void for_each_block(std::size_t rows, unsigned threads, PredictCounters* counters, const Use& use) {
  const std::size_t blocks = (rows + kBlockRows - 1) / kBlockRows;
  std::vector<PredictCounters> work(blocks);
  for_each_parallel(blocks, threads == 0 ? cpu_cores() : threads, [&](std::size_t b) {
    const std::size_t first = b * kBlockRows;
    use(first, std::min(kBlockRows, rows - first), work[b]);
  });
  if (counters) {
    for (const PredictCounters& w : work) *counters += w;
  }
}

/// How an engine votes on some of these rows: what all_votes and all_winners take.
auto blocks_of(const BitMatrix& rows) {
  return [&rows](const VoteEngine& engine, std::size_t first, std::size_t count, std::int32_t* out,
                 PredictCounters& work) {
    engine.votes(RowBlock{rows.row(first).data(), rows.words_per_row(), count}, out, work);
  };
}
auto blocks_of(const SparseBitsView& rows) {
  return [&rows](const VoteEngine& engine, std::size_t first, std::size_t count, std::int32_t* out,
                 PredictCounters& work) {
    engine.votes(SparseBlock{rows.starts.data() + first, rows.features.data(), count}, out, work);
  };
}
auto blocks_of(const ByteRowsView& rows, const Kernels& kernels) {
  return [&rows, &kernels](const VoteEngine& engine, std::size_t first, std::size_t count, std::int32_t* out,
                           PredictCounters& work) {
    const std::size_t words = words_for(rows.columns);
    const auto packed = std::make_unique_for_overwrite<std::uint64_t[]>(count * words);
    kernels.pack(rows.part(first, count), packed.get());
    engine.votes(RowBlock{packed.get(), words, count}, out, work);
  };
}

void write_winners(const std::int32_t* votes, std::size_t rows, std::size_t classes, std::uint32_t* out) {
  for (std::size_t r = 0; r < rows; ++r, votes += classes) {
    out[r] = static_cast<std::uint32_t>(std::max_element(votes, votes + classes) - votes);
  }
}

}  // namespace

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
  if (model.truth_shares().empty()) return 0.5;
  const bool negated = literal >= model.features();
  const double share = model.truth_shares()[literal - (negated ? model.features() : 0)] / 65535.0;
  return negated ? share : 1 - share;
}

Predictor::Predictor(const Model& model, const std::string& engine, const std::string& kernels)
    : features_(model.features()), classes_(model.outputs()) {
  require_engine(engine, EngineTask::kPredict);
  const Kernels& set = find_kernels(kernels);
  kernels_ = &set;
  if (engine == "auto") {
    engine_ = make_auto_engine(model, set, memory_for_bitmaps());
  } else if (engine == "scan") {
    engine_ = make_scan_engine(model);
  } else if (engine == "index") {
    engine_ = make_index_engine(model, set);
  } else if (engine == "bitmap") {
    engine_ = make_bitmap_engine(model, set);
  } else {
    assert(engine == "sliced");
    engine_ = make_sliced_engine(model, set);
  }
}

Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

EngineChoice Predictor::choice(std::size_t rows, bool sparse) const {
  return engine_->choice(std::min(rows, kBlockRows), sparse);
}
std::string Predictor::kernels() const { return kernels_->name; }
std::uint64_t Predictor::bytes() const { return engine_->bytes(); }

void Predictor::check_columns(std::size_t columns) const {
  if (columns == features_) return;
  throw DataError(fmt::format("the data have {} features but the model was made for {}", columns, features_));
}

template <class VotesOf>
std::vector<std::int32_t> Predictor::all_votes(std::size_t rows, unsigned threads, PredictCounters* counters,
                                               const VotesOf& votes_of) const {
  std::vector<std::int32_t> votes(rows * classes_);
  for_each_block(rows, threads, counters, [&](std::size_t first, std::size_t count, PredictCounters& work) {
    votes_of(*engine_, first, count, votes.data() + first * classes_, work);
  });
  return votes;
}

/// The votes of a block stay in the caches until its winners are known.
template <class VotesOf>
std::vector<std::uint32_t> Predictor::all_winners(std::size_t rows, unsigned threads, PredictCounters* counters,
                                                  const VotesOf& votes_of) const {
  std::vector<std::uint32_t> winners(rows);
  for_each_block(rows, threads, counters, [&](std::size_t first, std::size_t count, PredictCounters& work) {
    const auto votes = std::make_unique_for_overwrite<std::int32_t[]>(count * classes_);
    votes_of(*engine_, first, count, votes.get(), work);
    write_winners(votes.get(), count, classes_, winners.data() + first);
  });
  return winners;
}

std::vector<std::int32_t> Predictor::votes(const BitMatrix& rows, unsigned threads, PredictCounters* counters) const {
  check_columns(rows.columns());
  return all_votes(rows.rows(), threads, counters, blocks_of(rows));
}

std::vector<std::int32_t> Predictor::votes(const SparseBitsView& rows, unsigned threads,
                                           PredictCounters* counters) const {
  check_columns(rows.columns);
  rows.check();
  return all_votes(rows.rows(), threads, counters, blocks_of(rows));
}

std::vector<std::uint32_t> Predictor::predict(const BitMatrix& rows, unsigned threads,
                                              PredictCounters* counters) const {
  check_columns(rows.columns());
  return all_winners(rows.rows(), threads, counters, blocks_of(rows));
}

std::vector<std::uint32_t> Predictor::predict(const SparseBitsView& rows, unsigned threads,
                                              PredictCounters* counters) const {
  check_columns(rows.columns);
  rows.check();
  return all_winners(rows.rows(), threads, counters, blocks_of(rows));
}

std::vector<std::uint32_t> Predictor::predict(const ByteRowsView& rows, unsigned threads,
                                              PredictCounters* counters) const {
  check_columns(rows.columns);
  return all_winners(rows.rows, threads, counters, blocks_of(rows, *kernels_));
}

void Predictor::votes(std::span<const std::uint64_t> row, std::span<std::int32_t> out) const {
  if (row.size() != (features_ + 63) / 64 || out.size() != classes_) {
    throw DataError(fmt::format("a row takes {} words and {} votes, got {} and {}", (features_ + 63) / 64, classes_,
                                row.size(), out.size()));
  }
  PredictCounters counters;
  engine_->votes(RowBlock{row.data(), row.size(), 1}, out.data(), counters);
}

void Predictor::votes(std::span<const std::uint32_t> row, std::span<std::int32_t> out) const {
  if (out.size() != classes_) throw DataError(fmt::format("a row takes {} votes, got {}", classes_, out.size()));
  check_sparse_row(row, features_, "the row");
  const std::uint64_t starts[] = {0, row.size()};
  PredictCounters counters;
  engine_->votes(SparseBlock{starts, row.data(), 1}, out.data(), counters);
}

std::vector<std::uint32_t> winners(std::span<const std::int32_t> votes, std::size_t classes) {
  std::vector<std::uint32_t> best(classes == 0 ? 0 : votes.size() / classes);
  write_winners(votes.data(), best.size(), classes, best.data());
  return best;
}

}  // namespace falsum
