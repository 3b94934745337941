// TextbookMachine: learning word for word as it is usually written down. Every Type I event visits every automaton of
// the clause and decrements with probability 1/s there and then; every decision has its own fresh random number. It
// shares no code with the library. The library defers the forgetting of excluded automata (bank/forgetting.h), which
// must not change the law of anything: forgetting_statistics_test.cpp compares the two.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "falsum/bit_matrix.h"
#include "falsum/options.h"

namespace falsum {

/// xoshiro256** of Blackman and Vigna. Nearly all the time goes into random numbers, and std::mt19937_64, which only
/// seeds it, takes several times as long.
class TextbookRandom {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  explicit TextbookRandom(std::uint64_t seed) {
    std::mt19937_64 seeds(seed);
    for (std::uint64_t& word : s_) word = seeds();
  }

  result_type operator()() {
    const std::uint64_t result = std::rotl(s_[1] * 5, 7) * 9, shifted = s_[1] << 17;
    s_[2] ^= s_[0];
    s_[3] ^= s_[1];
    s_[1] ^= s_[2];
    s_[0] ^= s_[3];
    s_[2] ^= shifted;
    s_[3] = std::rotl(s_[3], 45);
    return result;
  }

 private:
  std::uint64_t s_[4];
};

class TextbookMachine {
 public:
  struct Counts {
    double type_1a = 0, type_1b = 0, type_2 = 0, flips = 0;
  };

  TextbookMachine(const Options& options, std::size_t features, std::size_t classes)
      : options_(options),
        classes_(classes),
        clauses_(static_cast<std::size_t>(options.clauses)),
        literals_(2 * features),
        states_(classes * clauses_ * literals_, 127),
        random_(options.seed) {}

  Counts learn_epoch(const BitMatrix& rows, const std::vector<std::uint32_t>& labels) {
    counts_ = {};
    std::vector<std::size_t> order(labels.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    for (const std::size_t r : order) {
      const Literals x = literals(rows, r);
      std::size_t other = random_() % (classes_ - 1);
      if (other >= labels[r]) ++other;
      update(labels[r], true, x);
      update(other, false, x);
    }
    return counts_;
  }

  /// One a row: the class with the most votes, the first of them on ties; empty clauses do not vote.
  std::vector<std::uint32_t> predict(const BitMatrix& rows) const {
    std::vector<std::uint32_t> winners;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const Literals x = literals(rows, r);
      std::vector<int> votes(classes_, 0);
      for (std::size_t j = 0; j < classes_ * clauses_; ++j) {
        if (!output(j, x) || length(j) == 0) continue;
        votes[j / clauses_] += j % clauses_ < clauses_ / 2 ? 1 : -1;
      }
      winners.push_back(static_cast<std::uint32_t>(std::max_element(votes.begin(), votes.end()) - votes.begin()));
    }
    return winners;
  }

  /// Automata that include, of clause `j` of all classes together.
  std::size_t length(std::size_t j) const {
    const auto first = states_.begin() + static_cast<std::ptrdiff_t>(j * literals_);
    return static_cast<std::size_t>(std::count_if(first, first + static_cast<std::ptrdiff_t>(literals_), includes));
  }

 private:
  using Literals = std::vector<std::uint8_t>;  // 0 or 1

  static bool includes(int state) { return state >= 128; }
  bool chance(double p) { return static_cast<double>(random_() >> 11) * 0x1.0p-53 < p; }

  Literals literals(const BitMatrix& rows, std::size_t r) const {
    Literals x(literals_);
    for (std::size_t k = 0; k < literals_ / 2; ++k) {
      x[k] = rows.get(r, k);
      x[literals_ / 2 + k] = !x[k];
    }
    return x;
  }

  bool output(std::size_t j, const Literals& x) const {
    const std::uint8_t* const state = states_.data() + j * literals_;
    int falsified = 0;
    for (std::size_t l = 0; l < literals_; ++l) falsified |= int{includes(state[l])} & int{!x[l]};
    return falsified == 0;
  }

  void update(std::size_t class_id, bool positive, const Literals& x) {
    std::vector<bool> outputs(clauses_);
    double votes = 0;
    for (std::size_t j = 0; j < clauses_; ++j) {
      outputs[j] = output(class_id * clauses_ + j, x);
      if (outputs[j]) votes += j < clauses_ / 2 ? 1 : -1;
    }
    const double forget = 1 / options_.specificity;
    const double t = static_cast<double>(options_.threshold);
    votes = std::clamp(votes, -t, t);
    const double p = (positive ? t - votes : t + votes) / (2 * t);
    for (std::size_t j = 0; j < clauses_; ++j) {
      if (!chance(p)) continue;
      std::uint8_t* const state = states_.data() + (class_id * clauses_ + j) * literals_;
      if ((j < clauses_ / 2) == positive) {
        ++(outputs[j] ? counts_.type_1a : counts_.type_1b);
        for (std::size_t l = 0; l < literals_; ++l) {
          if (outputs[j] && x[l]) {
            if (options_.boost || chance(1 - forget)) move(state[l], 1);
          } else if (chance(forget)) {
            move(state[l], -1);
          }
        }
      } else if (outputs[j]) {
        ++counts_.type_2;
        for (std::size_t l = 0; l < literals_; ++l) {
          if (!x[l] && !includes(state[l])) move(state[l], 1);
        }
      }
    }
  }

  void move(std::uint8_t& state, int step) {
    const int half = static_cast<int>(options_.states) / 2, before = state;
    state = static_cast<std::uint8_t>(std::clamp(state + step, 128 - half, 127 + half));
    if (includes(before) != includes(state)) ++counts_.flips;
  }

  Options options_;
  std::size_t classes_, clauses_, literals_;  // clauses of one class
  std::vector<std::uint8_t> states_;
  TextbookRandom random_;
  Counts counts_;
};

}  // namespace falsum
