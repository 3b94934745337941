// TextbookMachine: learning word for word as it is usually written down. Every Type I event visits every automaton of
// the clause and decrements with probability 1/s there and then; every decision has its own fresh random number from
// the standard library's generator. It shares no code with the library. The library defers the forgetting of excluded
// automata (bank/forgetting.h), which must not change the law of anything: forgetting_statistics_test.cpp compares the
// two.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "falsum/bit_matrix.h"
#include "falsum/options.h"

namespace falsum {

class TextbookMachine {
 public:
  struct Counts {
    double type_1a = 0, type_1b = 0, type_2 = 0, flips = 0;
  };

  TextbookMachine(const Options& options, std::size_t features, std::size_t classes)
      : options_(options),
        classes_(classes),
        literals_(2 * features),
        states_(classes * static_cast<std::size_t>(options.clauses) * literals_, 127),
        random_(options.seed) {}

  Counts learn_epoch(const BitMatrix& rows, const std::vector<std::uint32_t>& labels) {
    counts_ = {};
    std::vector<std::size_t> order(labels.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    std::vector<bool> x(literals_);
    for (const std::size_t r : order) {
      for (std::size_t k = 0; k < literals_ / 2; ++k) {
        x[k] = rows.get(r, k);
        x[literals_ / 2 + k] = !x[k];
      }
      std::size_t other = random_() % (classes_ - 1);
      if (other >= labels[r]) ++other;
      update(labels[r], true, x);
      update(other, false, x);
    }
    return counts_;
  }

  double mean_clause_length() const {
    return static_cast<double>(std::count_if(states_.begin(), states_.end(), [](int s) { return s >= 128; })) /
           static_cast<double>(states_.size() / literals_);
  }

 private:
  bool chance(double p) { return static_cast<double>(random_() >> 11) * 0x1.0p-53 < p; }

  void update(std::size_t class_id, bool positive, const std::vector<bool>& x) {
    const std::size_t clauses = static_cast<std::size_t>(options_.clauses);
    int* const states = states_.data() + class_id * clauses * literals_;
    std::vector<bool> outputs(clauses, true);
    double votes = 0;
    for (std::size_t j = 0; j < clauses; ++j) {
      for (std::size_t l = 0; l < literals_ && outputs[j]; ++l) outputs[j] = states[j * literals_ + l] < 128 || x[l];
      if (outputs[j]) votes += j < clauses / 2 ? 1 : -1;
    }
    const double t = static_cast<double>(options_.threshold);
    votes = std::clamp(votes, -t, t);
    const double p = (positive ? t - votes : t + votes) / (2 * t);
    for (std::size_t j = 0; j < clauses; ++j) {
      if (!chance(p)) continue;
      int* const state = states + j * literals_;
      if ((j < clauses / 2) == positive) {
        ++(outputs[j] ? counts_.type_1a : counts_.type_1b);
        for (std::size_t l = 0; l < literals_; ++l) {
          if (outputs[j] && x[l]) {
            if (options_.boost || chance(1 - 1 / options_.specificity)) move(state[l], 1);
          } else if (chance(1 / options_.specificity)) {
            move(state[l], -1);
          }
        }
      } else if (outputs[j]) {
        ++counts_.type_2;
        for (std::size_t l = 0; l < literals_; ++l) {
          if (!x[l] && state[l] < 128) move(state[l], 1);
        }
      }
    }
  }

  void move(int& state, int step) {
    const int half = static_cast<int>(options_.states) / 2, before = state;
    state = std::clamp(state + step, 128 - half, 127 + half);
    if ((before >= 128) != (state >= 128)) ++counts_.flips;
  }

  Options options_;
  std::size_t classes_, literals_;
  std::vector<int> states_;
  std::mt19937_64 random_;
  Counts counts_;
};

}  // namespace falsum
