// Prediction with fuzzy clauses by scanning: for every clause the literals of the row that are false are counted, word
// by word. The oracle of the faster engines.
#include <algorithm>
#include <bit>

#include "predict/vote_engine.h"
#include "support/bits.h"
#include "support/large_block.h"

namespace falsum {
namespace {

class FuzzyScanEngine final : public VoteEngine {
 public:
  explicit FuzzyScanEngine(const Model& model) : VoteEngine(model.outputs()), words_(words_for(model.features())) {
    included_.resize(model.clauses() * 2 * words_);
    for (std::size_t c = 0; c < model.clauses(); ++c) {
      most_votes_.push_back(static_cast<std::int32_t>(model.clause_votes(c)));
      for (const std::uint32_t l : model.clause(c)) {
        const bool negated = l >= model.features();
        const std::size_t feature = l - (negated ? model.features() : 0);
        included_[words_ * (2 * c + negated) + feature / 64] |= std::uint64_t{1} << (feature % 64);
      }
    }
    weights_ = model.parts().weights;
    ends_.assign(model.parts().weight_starts.begin() + 1, model.parts().weight_starts.end());
  }

  const char* name() const override { return "scan"; }
  std::uint64_t bytes() const override {
    return included_.size() * 8 + most_votes_.size() * 4 + weights_.size() * sizeof(Weight);
  }

  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    scan(block, out, counters);
  }
  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    scan(block, out, counters);
  }

 private:
  template <class Block>
  void scan(const Block& block, std::int32_t* out, PredictCounters& counters) const {
    std::vector<std::uint64_t> row(words_);
    std::vector<std::int32_t> values(most_votes_.size());
    for (std::size_t r = 0; r < block.rows; ++r) {
      assign(block.row(r), row);
      const std::uint64_t* included = included_.data();
      for (std::size_t c = 0; c < values.size(); ++c, included += 2 * words_) {
        std::int32_t misses = 0;
        for (std::size_t w = 0; w < words_; ++w) {
          misses += std::popcount((included[w] & ~row[w]) | (included[words_ + w] & row[w]));
        }
        values[c] = std::max(0, most_votes_[c] - misses);
      }
      counters.words_compared += values.size() * 2 * words_;
      std::size_t i = 0;
      for (const std::size_t end : ends_) {
        std::int32_t sum = 0;
        for (; i < end; ++i) sum += weights_[i].votes * values[weights_[i].clause];
        *out++ = sum;
      }
    }
    counters.samples += block.rows;
  }
  static void assign(std::span<const std::uint64_t> words, std::vector<std::uint64_t>& row) {
    row.assign(words.begin(), words.end());
  }
  static void assign(std::span<const std::uint32_t> features, std::vector<std::uint64_t>& row) {
    std::ranges::fill(row, 0);
    for (const std::uint32_t feature : features) row[feature / 64] |= std::uint64_t{1} << (feature % 64);
  }

  std::size_t words_;
  LargeVector<std::uint64_t> included_;  // of each clause: features, then negations
  std::vector<std::int32_t> most_votes_;
  std::vector<Weight> weights_;
  std::vector<std::size_t> ends_;  // of each output's weights
};

}  // namespace

std::unique_ptr<const VoteEngine> make_fuzzy_scan_engine(const Model& model) {
  return std::make_unique<FuzzyScanEngine>(model);
}

}  // namespace falsum
