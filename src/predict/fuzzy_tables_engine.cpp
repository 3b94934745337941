// Prediction with fuzzy clauses for single samples. The misses of all clauses are a sum over the features that are on:
//
//   misses = positive literals + the sum of +1 for each negated literal and -1 for each positive one whose feature
//            is on
//
// Bytes, modulo 256: exact for a clause of up to 255 literals. Four neighbouring features are summed when the model is
// compiled: the table has a row for each of their 16 values, with a byte for each clause, so a sample adds one row for
// each four features of which one is on.
//
//   slots    clause `slot` of output o is byte slot * outputs + o, so that the votes of all outputs are added up side
//            by side; slots of clauses for the output come first
//   long     clauses of more literals or votes, and all clauses if the table would not stay in the caches: their misses
//            are counted word by word, or literal by literal if they have few
#include <algorithm>
#include <utility>

#include "predict/vote_engine.h"
#include "support/aligned.h"
#include "support/bits.h"
#include "support/large_block.h"
#include "support/scratch.h"

namespace falsum {
namespace {

class FuzzyTablesEngine final : public CostedEngine {
 public:
  FuzzyTablesEngine(const Model& model, const Kernels& kernels)
      : CostedEngine(model.outputs()), features_(model.features()), words_(words_for(features_)), kernels_(kernels) {
    place(model);
    fill_table(model);
    row_cycles_ = 100 + 3 * static_cast<double>(words_) + static_cast<double>(stride_) / 4 +
                  2 * static_cast<double>(outputs()) + 4 * static_cast<double>(long_.size() * words_) +
                  2 * static_cast<double>(literals_.size());
    double nibbles = 0;
    for (std::size_t k = 0; k < features_ && stride_ > 0; k += 4) {
      double none = 1;
      for (std::size_t f = k; f < std::min(k + 4, features_); ++f) {
        none *= false_share(model, static_cast<std::uint32_t>(f));
      }
      nibbles += 1 - none;
    }
    row_cycles_ += nibbles * (3 + static_cast<double>(stride_) / 24);
  }

  const char* name() const override { return "tables"; }
  double cycles(std::size_t rows, bool /*sparse*/) const override { return static_cast<double>(rows) * row_cycles_; }
  std::uint64_t bytes() const override {
    return table_.size() + base_.size() + most_votes_.size() + 8 * long_included_.size() + 4 * literals_.size();
  }

  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    const Workspace work = begin();
    for (std::size_t r = 0; r < block.rows; ++r) add_votes(block.row(r).data(), work, out + r * outputs(), counters);
    counters.samples += block.rows;
  }
  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    const Workspace work = begin();
    for (std::size_t r = 0; r < block.rows; ++r) {
      std::fill_n(work.row, words_, 0);
      for (const std::uint32_t feature : block.row(r)) work.row[feature / 64] |= std::uint64_t{1} << (feature % 64);
      add_votes(work.row, work, out + r * outputs(), counters);
    }
    counters.samples += block.rows;
  }

 private:
  static constexpr std::size_t kMostLiterals = 255, kMostVotes = 255;
  static constexpr std::uint64_t kMostTableBytes = std::uint64_t{8} << 20;
  static constexpr std::size_t kAtOnce = 16;  // outputs; and bytes that may be read past the last slot
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct LongClause {
    std::uint32_t output;
    std::int32_t most_votes, weight;
    std::size_t end;  // of its literals, if they are listed
  };
  struct Workspace {
    std::uint64_t* row;
    std::uint32_t *rows, *misses;
    std::uint8_t* sums;
  };

  void place(const Model& model) {
    std::vector<std::vector<std::uint32_t>> of_sign[2];  // by output
    for (auto& clauses : of_sign) clauses.resize(outputs());
    std::size_t slots[2] = {};
    const auto all_slots = [&] { return slots[0] + slots[1]; };
    for (std::size_t o = 0; o < outputs(); ++o) {
      for (const Weight& weight : model.weights(o)) {
        const bool against = weight.votes < 0;
        if (model.clause(weight.clause).size() > kMostLiterals ||
            model.clause_votes(weight.clause) > std::int64_t{kMostVotes}) {
          continue;
        }
        of_sign[against][o].push_back(weight.clause);
        slots[against] = std::max(slots[against], of_sign[against][o].size());
      }
    }
    const std::uint64_t stride = (all_slots() * outputs() + 63) / 64 * 64, groups = (features_ + 3) / 4;
    const bool fits = groups * 16 * stride <= kMostTableBytes;
    if (fits) {
      stride_ = stride;
      slots_for_ = slots[0];
      slots_ = all_slots();
      clause_at_.assign(stride_, kNone);
      for (const bool against : {false, true}) {
        for (std::size_t o = 0; o < outputs(); ++o) {
          for (std::size_t i = 0; i < of_sign[against][o].size(); ++i) {
            clause_at_[((against ? slots_for_ : 0) + i) * outputs() + o] = of_sign[against][o][i];
          }
        }
      }
    }
    for (std::size_t o = 0; o < outputs(); ++o) {
      for (const Weight& weight : model.weights(o)) {
        const auto& placed = of_sign[weight.votes < 0][o];
        if (fits && std::ranges::binary_search(placed, weight.clause)) continue;
        add_long(model, o, weight);
      }
    }
  }

  /// As bits, unless its literals as a list take far less memory.
  void add_long(const Model& model, std::size_t output, const Weight& weight) {
    const std::span<const std::uint32_t> literals = model.clause(weight.clause);
    LongClause clause = {static_cast<std::uint32_t>(output),
                         static_cast<std::int32_t>(model.clause_votes(weight.clause)), weight.votes, 0};
    if (4 * literals.size() < 2 * words_) {
      literals_.insert(literals_.end(), literals.begin(), literals.end());
      clause.end = literals_.size();
      listed_.push_back(clause);
      return;
    }
    long_.push_back(clause);
    const std::size_t start = long_included_.size();
    long_included_.resize(start + 2 * words_);
    for (const std::uint32_t l : literals) {
      const bool negated = l >= features_;
      const std::size_t feature = l - (negated ? features_ : 0);
      long_included_[start + (negated ? words_ : 0) + feature / 64] |= std::uint64_t{1} << (feature % 64);
    }
  }

  void fill_table(const Model& model) {
    base_ = AlignedArray<std::uint8_t>(stride_);
    most_votes_ = AlignedArray<std::uint8_t>(stride_);
    table_ = AlignedArray<std::uint8_t>(words_ * 16 * 16 * stride_);
    for (std::size_t at = 0; at < stride_; ++at) {
      if (clause_at_[at] == kNone) continue;  // no votes
      most_votes_[at] = static_cast<std::uint8_t>(model.clause_votes(clause_at_[at]));
      for (const std::uint32_t l : model.clause(clause_at_[at])) {
        const bool negated = l >= features_;
        const std::size_t feature = l - (negated ? features_ : 0);
        if (!negated) ++base_[at];
        for (std::size_t value = 0; value < 16; ++value) {
          if (((value >> (feature % 4)) & 1) == 0) continue;
          std::uint8_t& sum = table_[(feature / 4 * 16 + value) * stride_ + at];
          sum = static_cast<std::uint8_t>(sum + (negated ? 1 : -1));
        }
      }
    }
  }

  Workspace begin() const {
    std::uint64_t* at = scratch(words_ + (16 * words_ + 8) / 2 + (long_.size() + 1) / 2 + (stride_ + 64 + kAtOnce) / 8);
    const auto take = [&](std::size_t words) { return std::exchange(at, at + words); };
    Workspace work = {};
    work.sums = reinterpret_cast<std::uint8_t*>(take((stride_ + 64) / 8));  // first, on a 64-byte boundary
    work.row = take(words_);
    work.rows = reinterpret_cast<std::uint32_t*>(take((16 * words_ + 8) / 2));
    work.misses = reinterpret_cast<std::uint32_t*>(take((long_.size() + 1) / 2));
    return work;
  }

  void add_votes(const std::uint64_t* row, const Workspace& work, std::int32_t* out, PredictCounters& counters) const {
    std::fill_n(out, outputs(), 0);
    if (stride_ > 0) {
      const NibbleTable table = {table_.data(), base_.data(), most_votes_.data(), stride_, words_};
      std::uint8_t* const sums = work.sums;
      counters.entries_visited += kernels_.nibble_votes(table, row, work.rows, sums);
      add_slots(sums, 0, slots_for_, 1, out);
      add_slots(sums, slots_for_, slots_, -1, out);
    }
    const auto add = [&](const LongClause& clause, std::uint32_t misses) {
      out[clause.output] += clause.weight * std::max(0, clause.most_votes - static_cast<std::int32_t>(misses));
    };
    if (!long_.empty()) {
      kernels_.fuzzy_misses(row, long_included_.data(), words_, long_.size(), work.misses);
      counters.words_compared += 2 * words_ * long_.size();
      for (std::size_t i = 0; i < long_.size(); ++i) add(long_[i], work.misses[i]);
    }
    std::size_t at = 0;
    for (const LongClause& clause : listed_) {
      std::uint32_t misses = 0;
      for (; at < clause.end; ++at) {
        const bool negated = literals_[at] >= features_;
        const std::size_t feature = literals_[at] - (negated ? features_ : 0);
        misses += (((row[feature / 64] >> (feature % 64)) & 1) != 0) == negated;
      }
      add(clause, misses);
    }
    counters.entries_visited += literals_.size();
  }

  void add_slots(const std::uint8_t* values, std::size_t first, std::size_t last, std::int32_t sign,
                 std::int32_t* out) const {
    constexpr std::size_t kMostSlots = 256;  // whose sum is a number of 16 bits
    for (std::size_t o = 0; o < outputs(); o += kAtOnce) {
      for (std::size_t slot = first; slot < last; slot += kMostSlots) {
        std::uint16_t sums[kAtOnce];
        kernels_.sum_slots(values + slot * outputs() + o, outputs(), std::min(kMostSlots, last - slot), sums);
        for (std::size_t i = 0; i < std::min(kAtOnce, outputs() - o); ++i) out[o + i] += sign * sums[i];
      }
    }
  }

  std::size_t features_, words_, stride_ = 0, slots_for_ = 0, slots_ = 0;
  const Kernels& kernels_;
  double row_cycles_ = 0;
  std::vector<std::uint32_t> clause_at_;  // by byte of a row
  AlignedArray<std::uint8_t> base_, most_votes_, table_;
  std::vector<LongClause> long_, listed_;
  LargeVector<std::uint64_t> long_included_;
  LargeVector<std::uint32_t> literals_;  // of those that are listed
};

}  // namespace

std::unique_ptr<const CostedEngine> make_fuzzy_tables_engine(const Model& model, const Kernels& kernels) {
  return std::make_unique<FuzzyTablesEngine>(model, kernels);
}

}  // namespace falsum
