#include "falsum/predictor.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/vote_engine.h"
#include "falsum/cpu.h"
#include "falsum/error.h"
#include "support/parallel.h"

namespace falsum {
namespace {

/// A quarter of what the machine has.
std::uint64_t memory_for_bitmaps() {
  const std::uint64_t memory = physical_memory();
  return (memory == 0 ? std::uint64_t{4} << 30 : memory) / 4;
}

constexpr std::size_t kBlock = 512;  // rows a thread takes at a time; what the sliced engine takes at once

}  // namespace

PredictCounters& PredictCounters::operator+=(const PredictCounters& other) {
  samples += other.samples;
  words_compared += other.words_compared;
  entries_visited += other.entries_visited;
  bitmaps_joined += other.bitmaps_joined;
  columns_joined += other.columns_joined;
  return *this;
}

std::vector<VotingClause> non_empty_clauses(const Model& model, std::size_t class_id) {
  std::vector<VotingClause> clauses;
  for (std::size_t j = 0; j < model.clauses(); ++j) {
    const std::span<const std::uint32_t> literals = model.clause(class_id, j);
    if (!literals.empty()) clauses.push_back({literals, model.weight(class_id, j)});
  }
  return clauses;
}

double false_share(const Model& model, std::uint32_t literal) {
  if (model.truth_shares.empty()) return 0.5;
  const bool negated = literal >= model.features();
  const double share = model.truth_shares[literal - (negated ? model.features() : 0)] / 65535.0;
  return negated ? share : 1 - share;
}

Predictor::Predictor(const Model& model, const std::string& engine, const std::string& kernels)
    : features_(model.features()), classes_(model.classes()) {
  const Kernels& set = find_kernels(kernels);
  kernels_ = set.name;
  if (engine == "auto") {
    engine_ = make_auto_engine(model, set, memory_for_bitmaps());
  } else if (engine == "scan") {
    engine_ = make_scan_engine(model);
  } else if (engine == "index") {
    engine_ = make_index_engine(model, set);
  } else if (engine == "bitmap") {
    engine_ = make_bitmap_engine(model, set);
  } else if (engine == "sliced") {
    engine_ = make_sliced_engine(model, set);
  } else {
    throw ConfigError(fmt::format("engine must be one of auto, scan, index, bitmap, sliced, got {}", engine));
  }
}

Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

EngineChoice Predictor::choice(std::size_t rows, bool sparse) const {
  return engine_->choice(std::min(rows, kBlock), sparse);
}
std::string Predictor::kernels() const { return kernels_; }
std::uint64_t Predictor::bytes() const { return engine_->bytes(); }

void Predictor::check_columns(std::size_t columns) const {
  if (columns == features_) return;
  throw DataError(fmt::format("the data have {} features but the model was made for {}", columns, features_));
}

template <class BlockOf>
std::vector<std::int32_t> Predictor::votes_of(std::size_t rows, unsigned threads, PredictCounters* counters,
                                              BlockOf&& block_of) const {
  const std::size_t blocks = (rows + kBlock - 1) / kBlock;
  std::vector<std::int32_t> votes(rows * classes_);
  std::vector<PredictCounters> work(blocks);
  for_each_parallel(blocks, threads == 0 ? cpu_cores() : threads, [&](std::size_t b) {
    const std::size_t first = b * kBlock, count = std::min(kBlock, rows - first);
    engine_->votes(block_of(first, count), votes.data() + first * classes_, work[b]);
  });
  if (counters) {
    for (const PredictCounters& w : work) *counters += w;
  }
  return votes;
}

std::vector<std::int32_t> Predictor::votes(const BitMatrix& rows, unsigned threads, PredictCounters* counters) const {
  check_columns(rows.columns());
  return votes_of(rows.rows(), threads, counters, [&](std::size_t first, std::size_t count) {
    return RowBlock{rows.row(first).data(), rows.words_per_row(), count};
  });
}

std::vector<std::int32_t> Predictor::votes(const SparseBitsView& rows, unsigned threads,
                                           PredictCounters* counters) const {
  check_columns(rows.columns);
  rows.check();
  return votes_of(rows.rows(), threads, counters, [&](std::size_t first, std::size_t count) {
    return SparseBlock{rows.starts.data() + first, rows.features.data(), count};
  });
}

std::vector<std::uint32_t> Predictor::predict(const BitMatrix& rows, unsigned threads,
                                              PredictCounters* counters) const {
  return winners(votes(rows, threads, counters), classes_);
}

std::vector<std::uint32_t> Predictor::predict(const SparseBitsView& rows, unsigned threads,
                                              PredictCounters* counters) const {
  return winners(votes(rows, threads, counters), classes_);
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
  for (std::size_t r = 0; r < best.size(); ++r) {
    const auto row = votes.begin() + static_cast<std::ptrdiff_t>(r * classes);
    best[r] = static_cast<std::uint32_t>(std::max_element(row, row + static_cast<std::ptrdiff_t>(classes)) - row);
  }
  return best;
}

}  // namespace falsum
