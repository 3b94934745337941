// NaiveFuzzyMachine: the fuzzy machine again, in arrays of int, literal by literal. The oracle of the tests; it shares
// with the library only the random draws (support/random.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "falsum/options.h"
#include "support/random.h"

namespace falsum {

class NaiveFuzzyMachine {
 public:
  using Rows = std::vector<std::vector<bool>>;
  struct Clause {
    std::vector<int> state;  // of the features, then of their negations
  };

  NaiveFuzzyMachine(const Options& options, std::size_t features, std::size_t outputs)
      : options_(options), features_(features), outputs_(outputs) {
    limit_ = static_cast<int>(options.include_limit == 0 ? options.states / 2 : options.include_limit);
    banks_.resize(options.shared ? 1 : outputs);
    for (auto& bank : banks_) {
      bank.resize(static_cast<std::size_t>(options.clauses));
      for (Clause& clause : bank) clause.state.assign(2 * features, limit_ - 1);
    }
  }

  std::size_t banks() const { return banks_.size(); }
  const Clause& clause(std::size_t bank, std::size_t j) const { return banks_[bank][j]; }
  std::uint64_t type_1a = 0, type_1b = 0, type_2 = 0, idle = 0;  // events; uses without any

  void learn_epoch(const Rows& rows, const std::vector<std::uint32_t>& labels) {
    learn(rows, [&](std::size_t row, std::size_t bank) { return labels[row] == (options_.shared ? 1 : bank); });
  }
  void learn_epoch(const Rows& rows, const Rows& labels) {
    learn(rows, [&](std::size_t row, std::size_t bank) { return bool(labels[row][bank]); });
  }

  std::vector<int> votes(const std::vector<bool>& row) const {
    std::vector<int> votes;
    for (std::size_t o = 0; o < outputs_; ++o) {
      const auto sum = static_cast<int>(bank_votes(banks_[options_.shared ? 0 : o], row));
      votes.push_back(options_.shared && o == 0 ? -sum : sum);
    }
    return votes;
  }

 private:
  bool included(const Clause& clause, std::size_t literal) const { return clause.state[literal] >= limit_; }
  bool is_true(const std::vector<bool>& row, std::size_t literal) const {
    return literal < features_ ? row[literal] : !row[literal - features_];
  }
  std::int64_t literals(const Clause& clause) const {
    return std::count_if(clause.state.begin(), clause.state.end(), [&](int s) { return s >= limit_; });
  }
  std::int64_t value(const Clause& clause, const std::vector<bool>& row) const {
    std::int64_t misses = 0;
    for (std::size_t l = 0; l < 2 * features_; ++l) misses += included(clause, l) && !is_true(row, l);
    std::int64_t most = options_.fuzzy;
    if (options_.clamp && literals(clause) > 0) most = std::min(most, literals(clause));
    return std::max<std::int64_t>(0, most - misses);
  }
  std::int64_t bank_votes(const std::vector<Clause>& bank, const std::vector<bool>& row) const {
    std::int64_t votes = 0;
    for (std::size_t j = 0; j < bank.size(); ++j) votes += (j < bank.size() / 2 ? 1 : -1) * value(bank[j], row);
    return votes;
  }

  template <class IsTarget>
  void learn(const Rows& rows, const IsTarget& is_target) {
    const std::uint64_t order_key = child(purpose_key(options_.seed, Purpose::kOrder), epoch_++);
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[bounded(child(order_key, i), i)]);
    for (const std::size_t row : order) {
      for (std::size_t b = 0; b < banks_.size(); ++b) update(b, rows[row], is_target(row, b));
      ++uses_;
    }
  }

  void update(std::size_t b, const std::vector<bool>& row, bool up) {
    std::vector<Clause>& bank = banks_[b];
    const std::int64_t T = options_.threshold, v = std::clamp(bank_votes(bank, row), -T, T);
    const auto distance = static_cast<std::uint64_t>(up ? T - v : T + v);
    if (distance == 0) {
      ++idle;
      return;
    }
    const std::uint64_t key = use_key(learner_key(options_.seed, b), uses_);
    const std::uint64_t probability = (distance << 32) / (2 * static_cast<std::uint64_t>(T));
    const std::uint64_t threshold = (probability + (use_dithers(key) & 0xffff)) >> 16;
    for (std::size_t j = 0; j < bank.size(); ++j) {
      if (draw16(select_key(key), static_cast<std::uint32_t>(j)) >= threshold) continue;
      Clause& clause = bank[j];
      const bool agrees = (j < bank.size() / 2) == up, fires = value(clause, row) > 0;
      if (agrees && fires) {
        type_1a_on(clause, row);
      } else if (agrees) {
        type_1b_on(clause, event_key(key, static_cast<std::uint32_t>(j)));
      } else if (fires) {
        ++type_2;
        for (std::size_t l = 0; l < 2 * features_; ++l) {
          if (!included(clause, l) && !is_true(row, l)) ++clause.state[l];
        }
      }
    }
  }

  void type_1a_on(Clause& clause, const std::vector<bool>& row) {
    ++type_1a;
    std::int64_t features = 0;
    for (std::size_t k = 0; k < features_; ++k) features += included(clause, k) || included(clause, features_ + k);
    const bool room = options_.max_literals == 0 ||
                      (options_.length == ClauseLength::kFeatures ? features < options_.max_literals
                                                                  : literals(clause) <= options_.max_literals);
    const int highest = static_cast<int>(options_.states) - 1;
    for (std::size_t l = 0; room && l < 2 * features_; ++l) {
      if (is_true(row, l)) clause.state[l] = std::min(highest, clause.state[l] + 1);
    }
    for (std::size_t l = 0; l < 2 * features_; ++l) {
      if (!is_true(row, l) && !included(clause, l)) clause.state[l] = std::max(0, clause.state[l] - 1);
    }
  }

  void type_1b_on(Clause& clause, std::uint64_t event) {
    ++type_1b;
    const auto times =
        static_cast<std::uint64_t>(std::nearbyint(static_cast<double>(features_) / options_.specificity));
    for (std::uint64_t i = 0; i < times; ++i) {
      const std::uint64_t bits = child(fuzzy_forget_key(event), i);
      const std::size_t x = ((bits >> 32) * features_) >> 32, negation = ((bits & 0xffffffffu) * features_) >> 32;
      clause.state[x] = std::max(0, clause.state[x] - 1);
      clause.state[features_ + negation] = std::max(0, clause.state[features_ + negation] - 1);
    }
  }

  Options options_;
  std::size_t features_, outputs_;
  int limit_;
  std::uint64_t epoch_ = 0, uses_ = 0;
  std::vector<std::vector<Clause>> banks_;
};

}  // namespace falsum
