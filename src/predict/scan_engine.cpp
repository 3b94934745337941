// Prediction by scanning: every clause's include words against the example's false literals, leaving the clause at its
// first falsified word. The paper's unindexed baseline.
#include <algorithm>

#include "predict/row_patches.h"
#include "predict/vote_engine.h"
#include "support/large_block.h"

namespace falsum {
namespace {

class ScanEngine final : public VoteEngine {
 public:
  explicit ScanEngine(const Model& model)
      : VoteEngine(model.outputs()),
        features_(model.features()),
        words_(words_for(model.literals())),
        patches_(model.patches()) {
    std::size_t count = 0;
    for (std::size_t c = 0; c < model.outputs(); ++c) count += non_empty_clauses(model, c).size();
    included_.reserve(count * words_);
    weights_.reserve(count);
    for (std::size_t c = 0; c < model.outputs(); ++c) {
      for (const VotingClause& clause : non_empty_clauses(model, c)) {
        const std::size_t start = included_.size();
        included_.resize(start + words_);
        for (const std::uint32_t l : clause.literals) included_[start + l / 64] |= std::uint64_t{1} << (l % 64);
        weights_.push_back(clause.weight);
      }
      ends_.push_back(weights_.size());
    }
  }

  const char* name() const override { return "scan"; }
  std::uint64_t bytes() const override { return included_.size() * 8 + weights_.size() * 4; }

  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    scan(block, out, counters);
  }
  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    scan(block, out, counters);
  }

 private:
  template <class Block>
  void scan(const Block& block, std::int32_t* out, PredictCounters& counters) const {
    RowPatches row(patches_, features_);
    std::vector<std::uint8_t> is_true(weights_.size());
    for (std::size_t r = 0; r < block.rows; ++r) {
      row.assign(block.row(r));
      std::fill(is_true.begin(), is_true.end(), 0);
      for (std::size_t p = 0; p < row.count(); ++p) {
        const std::uint64_t* const falsehoods = row.literals(p).falsehoods();
        const std::uint64_t* included = included_.data();
        for (std::size_t clause = 0; clause < weights_.size(); ++clause, included += words_) {
          if (is_true[clause] != 0) continue;
          std::size_t w = 0;
          while (w < words_ && (included[w] & falsehoods[w]) == 0) ++w;
          counters.words_compared += w < words_ ? w + 1 : words_;
          is_true[clause] = w == words_;
        }
      }
      std::size_t clause = 0;
      for (const std::size_t end : ends_) {
        std::int32_t sum = 0;
        for (; clause < end; ++clause) sum += is_true[clause] != 0 ? weights_[clause] : 0;
        *out++ = sum;
      }
    }
    counters.samples += block.rows;
  }

  std::size_t features_, words_;
  std::optional<PatchShape> patches_;
  LargeVector<std::uint64_t> included_;  // words_ a clause, class after class
  std::vector<std::int32_t> weights_;
  std::vector<std::size_t> ends_;  // one past each class's last clause
};

}  // namespace

std::unique_ptr<const VoteEngine> make_scan_engine(const Model& model) { return std::make_unique<ScanEngine>(model); }

}  // namespace falsum
