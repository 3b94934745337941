// The kernels that falsum_bench_kernels times, each with memory of the size that learning and prediction have.
#pragma once

#include <benchmark/benchmark.h>
#include <xxhash.h>

#include <algorithm>
#include <random>
#include <vector>

#include "bank/forgetting.h"
#include "kernels/dispatch.h"
#include "support/aligned.h"

namespace falsum {

/// One kernel at one size. Memory is set up anew from a fixed seed by every `Case`, so all sets see the same.
class Case {
 public:
  virtual ~Case() = default;
  virtual bool has(const Kernels&) const { return true; }
  virtual void run(const Kernels& kernels, std::uint64_t round) = 0;
  virtual std::uint64_t digest() const = 0;
  virtual std::size_t items() const = 0;
};

template <class T>
std::uint64_t hash(const T* data, std::size_t size, std::uint64_t seed = 0) {
  return XXH3_64bits_withSeed(data, size * sizeof(T), seed);
}
inline std::vector<std::uint64_t> random_words(std::mt19937_64& random, std::size_t size, int ones_of_8) {
  std::vector<std::uint64_t> words(size);
  for (std::uint64_t& word : words) {
    for (unsigned bit = 0; bit < 64; ++bit)
      word |= std::uint64_t{random() % 8 < static_cast<unsigned>(ones_of_8)} << bit;
  }
  return words;
}

/// 64 clauses in turn, as their rows are rarely in the nearest cache.
class DenseCase : public Case {
 public:
  DenseCase(DenseKind kind, std::size_t literals, double specificity, std::uint32_t events)
      : kind_(kind), words_((literals + 63) / 64), states_(kClauses * 64 * words_), risen_(words_ + 1) {
    std::mt19937_64 random(1);
    truths_ = random_words(random, words_, 4);
    for (const std::uint64_t word : truths_) falsehoods_.push_back(~word);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      states_[i] = static_cast<std::uint8_t>(random() % 32 == 0 ? 128 : random() % 128);
    }
    const Forgetting forgetting(specificity);
    forgetting.decrements(events, kDither, owed_);
    forgetting.decrements(events + 1, kDither, owed_and_one_);
    forgetting.decrements(1, kDither, one_);
  }
  bool has(const Kernels& kernels) const override { return kernels.dense_pass; }
  void run(const Kernels& kernels, std::uint64_t round) override {
    benchmark::DoNotOptimize(kernels.dense_pass({kind_,
                                                 states_.data() + round % kClauses * 64 * words_,
                                                 states_.data() + (round + 1) % kClauses * 64 * words_,
                                                 words_,
                                                 truths_.data(),
                                                 falsehoods_.data(),
                                                 risen_.data(),
                                                 {mix64(round)},
                                                 {mix64(~round)},
                                                 0,
                                                 &owed_,
                                                 &owed_and_one_,
                                                 &one_}));
  }
  std::uint64_t digest() const override { return hash(risen_.data(), words_, hash(states_.data(), states_.size())); }
  std::size_t items() const override { return 64 * words_; }

 private:
  static constexpr std::size_t kClauses = 64;
  static constexpr std::uint64_t kDither = std::uint64_t{1} << 63;
  DenseKind kind_;
  std::size_t words_;
  AlignedArray<std::uint8_t> states_;
  std::vector<std::uint64_t> truths_, falsehoods_;
  std::vector<RisenWord> risen_;
  Decrements owed_, owed_and_one_, one_;
};

class ForgetCase : public Case {
 public:
  ForgetCase(std::uint32_t size, double specificity)
      : size_(size),
        once_(Forgetting(specificity).once(1 << 23)),
        states_((size + 63) / 64 * 64),
        lost_(size / 64 + 2) {
    std::mt19937_64 random(2);
    for (std::uint8_t& state : states_) state = static_cast<std::uint8_t>(128 + random() % 128);
  }
  bool has(const Kernels& kernels) const override { return kernels.forget; }
  void run(const Kernels& kernels, std::uint64_t round) override {
    const HotStates clause = {states_.data(), size_, {mix64(round)}, once_};
    benchmark::DoNotOptimize(kernels.forget(&clause, 1, 0, lost_.data()));
    states_[round % size_] = 255;  // or all would come to rest at the lowest state
  }
  std::uint64_t digest() const override { return hash(states_.data(), size_, lost_[0].bits); }
  std::size_t items() const override { return size_; }

 private:
  std::uint32_t size_, once_;
  std::vector<std::uint8_t> states_;
  std::vector<LostWord> lost_;
};

/// Columns of literals that are all true, as those of a clause that stays true: no early end.
class ConjunctionCase : public Case {
 public:
  ConjunctionCase(std::size_t literals, std::uint32_t length) : uses_(kLookaheadWords) {
    std::mt19937_64 random(3);
    columns_.assign(kLookaheadWords * literals, ~std::uint64_t{0} << 9);
    for (std::size_t i = 0; i < kClauses * length; ++i) ids_.push_back(static_cast<std::uint16_t>(random() % literals));
  }
  bool has(const Kernels& kernels) const override { return kernels.conjunction; }
  void run(const Kernels& kernels, std::uint64_t round) override {
    uses_.assign(kLookaheadWords, ~std::uint64_t{0} >> round % 8);
    const auto length = static_cast<std::uint32_t>(items());
    kernels.conjunction(columns_.data(), {ids_.data() + round % kClauses * length, length, false}, uses_.data());
    benchmark::ClobberMemory();
  }
  std::uint64_t digest() const override { return hash(uses_.data(), uses_.size()); }
  std::size_t items() const override { return ids_.size() / kClauses; }

 private:
  static constexpr std::size_t kClauses = 64;
  std::vector<std::uint64_t> columns_, uses_;
  std::vector<std::uint16_t> ids_;
};

class SlicedCase : public Case {
 public:
  SlicedCase(std::size_t literals, std::uint32_t clauses, std::uint32_t shortest) : counters_(8 * kPlanes) {
    std::mt19937_64 random(4);
    columns_ = random_words(random, 8 * literals, 7);
    for (std::uint32_t r = 0; r < 10; ++r) {
      runs_.push_back({shortest + 4 * r, clauses / 10});
      for (std::uint32_t i = 0; i < runs_.back().length * runs_.back().clauses; ++i) {
        ids_.push_back(static_cast<std::uint32_t>(random() % literals));
      }
    }
  }
  bool has(const Kernels& kernels) const override { return kernels.sliced_votes; }
  void run(const Kernels& kernels, std::uint64_t) override {
    std::fill(counters_.begin(), counters_.end(), 0);
    kernels.sliced_votes(columns_.data(), runs_.data(), runs_.size(), {ids_.data(), 0, true}, kPlanes,
                         counters_.data());
    benchmark::ClobberMemory();
  }
  std::uint64_t digest() const override { return hash(counters_.data(), counters_.size()); }
  std::size_t items() const override { return ids_.size(); }

 private:
  static constexpr std::uint32_t kPlanes = 12;
  std::vector<std::uint64_t> columns_, counters_;
  std::vector<SlicedRun> runs_;
  std::vector<std::uint32_t> ids_;
};

/// The small ones: a word of output for every 64 clauses or states.
class WordsCase : public Case {
 public:
  using Run = void (*)(const Kernels&, std::uint64_t round, WordsCase&);
  WordsCase(std::size_t words, Run kernel) : kernel_(kernel), out(words), states(64 * words, 200) {
    std::mt19937_64 random(5);
    columns = random_words(random, 64 * words, 4);
  }
  bool has(const Kernels& kernels) const override { return kernels.select; }
  void run(const Kernels& kernels, std::uint64_t round) override {
    kernel_(kernels, round, *this);
    benchmark::ClobberMemory();
  }
  std::uint64_t digest() const override { return hash(out.data(), out.size(), hash(states.data(), states.size())); }
  std::size_t items() const override { return states.size(); }

 private:
  Run kernel_;

 public:
  std::vector<std::uint64_t> out, columns;
  std::vector<std::uint8_t> states;
};

class SliceCase : public Case {
 public:
  explicit SliceCase(std::size_t features) : features_(features), columns_(2 * 8 * features) {
    std::mt19937_64 random(6);
    rows_ = random_words(random, 512 * row_words(), 1);
  }
  bool has(const Kernels& kernels) const override { return kernels.slice; }
  void run(const Kernels& kernels, std::uint64_t) override {
    kernels.slice(rows_.data(), row_words(), 512, features_, columns_.data());
    benchmark::ClobberMemory();
  }
  std::uint64_t digest() const override { return hash(columns_.data(), columns_.size()); }
  std::size_t items() const override { return 512 * features_; }

 private:
  std::size_t row_words() const { return (features_ + 63) / 64; }
  std::size_t features_;
  std::vector<std::uint64_t> rows_, columns_;
};

class TallyCase : public Case {
 public:
  TallyCase() : sums_(512) {
    std::mt19937_64 random(7);
    planes_ = random_words(random, 8 * 10, 4);
  }
  bool has(const Kernels& kernels) const override { return kernels.tally; }
  void run(const Kernels& kernels, std::uint64_t) override {
    kernels.tally(planes_.data(), 10, -1, sums_.data());
    benchmark::ClobberMemory();
  }
  std::uint64_t digest() const override { return hash(sums_.data(), sums_.size()); }
  std::size_t items() const override { return sums_.size(); }

 private:
  std::vector<std::uint64_t> planes_;
  std::vector<std::int32_t> sums_;
};

class BitwiseOrCase : public Case {
 public:
  BitwiseOrCase(std::size_t rows, std::size_t lines) : lines_(lines), words_(8 * lines) {
    std::mt19937_64 random(8);
    bits_ = random_words(random, 8 * lines * rows, 1);
    for (std::size_t r = 0; r < rows; ++r) rows_.push_back(bits_.data() + 8 * lines * (random() % rows));
  }
  bool has(const Kernels& kernels) const override { return kernels.bitwise_or; }
  void run(const Kernels& kernels, std::uint64_t) override {
    words_.assign(words_.size(), 0);
    kernels.bitwise_or(rows_.data(), rows_.size(), lines_, words_.data());
    benchmark::ClobberMemory();
  }
  std::uint64_t digest() const override { return hash(words_.data(), words_.size()); }
  std::size_t items() const override { return rows_.size() * words_.size(); }

 private:
  std::size_t lines_;
  std::vector<std::uint64_t> bits_, words_;
  std::vector<const std::uint64_t*> rows_;
};

}  // namespace falsum
