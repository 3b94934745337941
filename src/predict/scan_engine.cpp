// Prediction by scanning: every clause's include words against the example's false literals, leaving the clause at its
// first falsified word. The paper's unindexed baseline.
#include "literals/literal_row.h"
#include "predict/vote_engine.h"
#include "support/large_block.h"

namespace falsum {
namespace {

class ScanEngine final : public VoteEngine {
 public:
  explicit ScanEngine(const Model& model)
      : VoteEngine(model.outputs()), features_(model.features()), words_(words_for(model.literals())) {
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
    LiteralRow row(features_);
    for (std::size_t r = 0; r < block.rows; ++r) {
      row.assign(block.row(r));
      const std::uint64_t* falsehoods = row.falsehoods();
      const std::uint64_t* included = included_.data();
      std::size_t clause = 0;
      for (const std::size_t end : ends_) {
        std::int32_t sum = 0;
        for (; clause < end; ++clause, included += words_) {
          std::size_t w = 0;
          while (w < words_ && (included[w] & falsehoods[w]) == 0) ++w;
          counters.words_compared += w < words_ ? w + 1 : words_;
          if (w == words_) sum += weights_[clause];
        }
        *out++ = sum;
      }
    }
    counters.samples += block.rows;
  }

  std::size_t features_, words_;
  LargeVector<std::uint64_t> included_;  // words_ a clause, class after class
  std::vector<std::int32_t> weights_;
  std::vector<std::size_t> ends_;  // one past each class's last clause
};

}  // namespace

std::unique_ptr<const VoteEngine> make_scan_engine(const Model& model) { return std::make_unique<ScanEngine>(model); }

}  // namespace falsum
