// Prediction by falsification: the paper's inclusion lists, packed because they no longer change.
//
//   starts   per literal: where its list begins      lists   clauses of all classes, 16-bit ids where they fit
//
// Clear all flags, walk the lists of the false literals and flag their clauses, count the votes of the clauses without
// a flag. Walking is unconditional stores. The paper has a list per class and literal; one list per literal over all
// classes has the same clauses in a tenth as many lists on MNIST, and the end of each list is a branch that the
// processor cannot predict.
#include <algorithm>
#include <cstring>
#include <limits>

#include "predict/row_patches.h"
#include "predict/vote_engine.h"
#include "support/large_block.h"
#include "support/scratch.h"

namespace falsum {
namespace {

template <class Id>
class IndexEngine final : public CostedEngine {
 public:
  IndexEngine(const Model& model, const Kernels& kernels)
      : CostedEngine(model.outputs()),
        features_(model.features()),
        patches_(model.patches()),
        kernels_(kernels),
        starts_(model.literals() + 1) {
    std::vector<VotingClause> clauses;
    for (std::size_t c = 0; c < model.outputs(); ++c) {
      Class info = {clauses.size(), 0, 0, true};
      for (const VotingClause& clause : non_empty_clauses(model, c)) {
        const bool in_order = clause.weight < 0 || info.positives == clauses.size() - info.first;
        clauses.push_back(clause);
        info.positives += clause.weight > 0;
        info.unit = info.unit && in_order && (clause.weight == 1 || clause.weight == -1);
      }
      info.clauses = clauses.size() - info.first;
      most_clauses_ = std::max(most_clauses_, info.clauses);
      classes_.push_back(info);
    }
    for (const VotingClause& clause : clauses) {  // counting sort by literal
      weights_.push_back(clause.weight);
      for (const std::uint32_t l : clause.literals) ++starts_[l + 1];
    }
    for (std::size_t l = 0; l < model.literals(); ++l) starts_[l + 1] += starts_[l];
    lists_.resize(starts_.back());
    for (std::uint32_t l = 0; l < model.literals(); ++l) {
      const double length = static_cast<double>(starts_[l + 1] - starts_[l]);
      row_cycles_ += false_share(model, l) * (10 + 1.5 * length);
    }
    LargeVector<std::uint64_t> next = starts_;
    for (std::size_t j = 0; j < clauses.size(); ++j) {
      for (const std::uint32_t l : clauses[j].literals) lists_[next[l]++] = static_cast<Id>(j);
    }
  }

  const char* name() const override { return "index"; }
  double cycles(std::size_t rows, bool /*sparse*/) const override { return static_cast<double>(rows) * row_cycles_; }
  std::uint64_t bytes() const override {
    return starts_.size() * 8 + lists_.size() * sizeof(Id) + weights_.size() * 4 + classes_.size() * sizeof(Class);
  }

  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    walk(block, out, counters);
  }
  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    walk(block, out, counters);
  }

 private:
  template <class Block>
  void walk(const Block& block, std::int32_t* out, PredictCounters& counters) const {
    RowPatches row(patches_, features_);
    const std::size_t flag_words = words_for(weights_.size()) * 8 + 8;  // read in whole words
    std::uint64_t* const alive = scratch(words_for(most_clauses_) + 1 + 2 * flag_words);
    std::uint64_t* const flag_start = alive + words_for(most_clauses_) + 1;
    auto* const flags = reinterpret_cast<std::uint8_t*>(flag_start);
    auto* const always = reinterpret_cast<std::uint8_t*>(flag_start + flag_words);  // falsified by every patch so far
    for (std::size_t r = 0; r < block.rows; ++r) {
      row.assign(block.row(r));
      for (std::size_t p = 0; p < row.count(); ++p) {
        std::memset(flags, 0, weights_.size());
        row.literals(p).for_each_false([&](LiteralId l) {
          const Id* const end = lists_.data() + starts_[at(l) + 1];
          for (const Id* id = lists_.data() + starts_[at(l)]; id != end; ++id) flags[*id] = 255;
          counters.entries_visited += starts_[at(l) + 1] - starts_[at(l)];
        });
        if (row.count() == 1) break;
        for (std::size_t j = 0; j < weights_.size(); ++j) always[j] = p == 0 ? flags[j] : always[j] & flags[j];
      }
      const std::uint8_t* const falsified = row.count() == 1 ? flags : always;
      for (const Class& info : classes_) *out++ = sum(info, falsified + info.first, alive);
    }
    counters.samples += block.rows;
  }

  struct Class {
    std::size_t first;  // its first clause among all
    std::size_t clauses;
    std::size_t positives;  // of positive weight
    bool unit;              // all weights are 1 or -1, and those of 1 come first
  };

  std::int32_t sum(const Class& info, const std::uint8_t* flags, std::uint64_t* alive) const {
    const auto count = [&](const std::uint8_t* from, std::size_t clauses) -> std::size_t {
      if (clauses == 0) return 0;
      const std::size_t words = words_for(clauses);
      kernels_.unflagged(from, words, alive);
      if (clauses % 64 != 0) alive[words - 1] &= (std::uint64_t{1} << (clauses % 64)) - 1;
      return words;
    };
    if (info.unit) {
      const std::size_t for_it = count_bits(alive, count(flags, info.positives));
      const std::size_t against = count_bits(alive, count(flags + info.positives, info.clauses - info.positives));
      return static_cast<std::int32_t>(for_it) - static_cast<std::int32_t>(against);
    }
    std::int32_t votes = 0;
    const std::size_t words = count(flags, info.clauses);
    for_each_bit(alive, words, [&](std::size_t j) { votes += weights_[info.first + j]; });
    return votes;
  }

  std::size_t features_;
  std::optional<PatchShape> patches_;
  const Kernels& kernels_;
  LargeVector<std::uint64_t> starts_;
  LargeVector<Id> lists_;
  std::vector<std::int32_t> weights_;
  std::vector<Class> classes_;
  std::size_t most_clauses_ = 0;
  double row_cycles_ = 0;
};

}  // namespace

std::unique_ptr<const CostedEngine> make_index_engine(const Model& model, const Kernels& kernels) {
  if (model.parts().weights.size() <= std::numeric_limits<std::uint16_t>::max()) {
    return std::make_unique<IndexEngine<std::uint16_t>>(model, kernels);
  }
  return std::make_unique<IndexEngine<std::uint32_t>>(model, kernels);
}

}  // namespace falsum
