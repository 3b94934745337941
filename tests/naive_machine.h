// NaiveMachine: the machine again, in arrays of bool and int, example by example and automaton by automaton. The oracle
// of the tests: slow, obvious, and sharing with the library only the random draws (support/random.h) and the binomial
// table (bank/forgetting.h, which has tests of its own).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "bank/forgetting.h"
#include "falsum/options.h"
#include "support/random.h"

namespace falsum {

struct NaiveClause {
  std::vector<int> state;             // per literal; 128 and above includes
  std::vector<std::size_t> included;  // its literals, in the order in which they forget
  std::vector<std::size_t> released;  // those that left it since its last dense pass forget after them
  std::uint32_t pending = 0;          // Type Ib events that the others still owe
  int weight = 1;                     // votes of a true clause, for or against
};

class NaiveMachine {
 public:
  using Rows = std::vector<std::vector<bool>>;

  NaiveMachine(const Options& options, std::size_t features, std::size_t classes)
      : options_(options), forgetting_(options.specificity), uses_(classes) {
    NaiveClause fresh{std::vector<int>(2 * features, 127), {}, {}, 0, 1};
    classes_.assign(classes, std::vector<NaiveClause>(options.clauses, fresh));
  }

  const NaiveClause& clause(std::size_t class_id, std::size_t j) const { return classes_[class_id][j]; }
  std::uint64_t flips() const { return flips_; }

  void learn_epoch(const Rows& rows, const std::vector<std::uint32_t>& labels) {
    const std::uint64_t order_key = child(purpose_key(options_.seed, Purpose::kOrder), epoch_);
    const std::uint64_t negative_key = child(purpose_key(options_.seed, Purpose::kNegatives), epoch_);
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[bounded(child(order_key, i), i)]);
    std::vector<std::vector<NaiveUse>> uses(classes_.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t label = labels[order[i]];
      std::size_t other = bounded(child(negative_key, i), classes_.size() - 1);
      if (other >= label) ++other;
      uses[label].push_back({true, literals(rows[order[i]])});
      uses[other].push_back({false, literals(rows[order[i]])});
    }
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const std::size_t block = options_.sharded ? 256 : 1;  // votes are taken at the start of a block
      std::vector<std::int64_t> votes(block);
      for (std::size_t u = 0; u < uses[c].size(); ++u) {
        for (std::size_t k = u; u % block == 0 && k < std::min(u + block, uses[c].size()); ++k)
          votes[k - u] = sum(classes_[c], uses[c][k].x);
        update(c, uses[c][u].positive, uses[c][u].x, votes[u % block]);
      }
    }
    ++epoch_;
  }

  /// Unclipped class sums; empty clauses do not vote.
  std::vector<int> votes(const std::vector<bool>& row) const {
    std::vector<int> sums;
    for (const auto& clauses : classes_) {
      int sum = 0;
      for (std::size_t j = 0; j < clauses.size(); ++j) {
        if (!clauses[j].included.empty() && is_true(clauses[j], literals(row)))
          sum += j < clauses.size() / 2 ? clauses[j].weight : -clauses[j].weight;
      }
      sums.push_back(sum);
    }
    return sums;
  }

 private:
  struct NaiveUse {
    bool positive;
    std::vector<bool> x;  // literals
  };
  /// Votes while learning: empty clauses are true.
  static std::int64_t sum(const std::vector<NaiveClause>& clauses, const std::vector<bool>& x) {
    std::int64_t votes = 0;
    for (std::size_t j = 0; j < clauses.size(); ++j)
      votes += is_true(clauses[j], x) * (j < clauses.size() / 2 ? clauses[j].weight : -clauses[j].weight);
    return votes;
  }

  std::vector<bool> literals(const std::vector<bool>& row) const {
    std::vector<bool> l = row;
    for (const bool x : row) l.push_back(!x);
    return l;
  }
  static bool is_true(const NaiveClause& clause, const std::vector<bool>& x) {
    for (std::size_t l = 0; l < x.size(); ++l) {
      if (clause.state[l] >= 128 && !x[l]) return false;
    }
    return true;
  }

  void update(std::size_t class_id, bool positive, const std::vector<bool>& x, std::int64_t votes) {
    std::vector<NaiveClause>& clauses = classes_[class_id];
    const std::size_t half = clauses.size() / 2;
    const std::uint64_t key = use_key(class_key(options_.seed, class_id), uses_[class_id]++);
    std::vector<bool> outputs;
    for (const NaiveClause& clause : clauses) outputs.push_back(is_true(clause, x));
    votes = std::clamp(votes, -options_.threshold, options_.threshold);
    const std::uint64_t distance = positive ? options_.threshold - votes : options_.threshold + votes;
    const std::uint64_t probability = (distance << 32) / (2 * options_.threshold);
    const std::uint64_t dithers = use_dithers(key);
    for (std::size_t j = 0; j < clauses.size(); ++j) {
      // The negative half is drawn from the next multiple of 64 on.
      const std::size_t slot = j < half ? j : j - half + (half + 63) / 64 * 64;
      if (draw16(select_key(key), static_cast<std::uint32_t>(slot)) >= (probability + (dithers & 0xffff)) >> 16)
        continue;
      const std::uint64_t event = event_key(key, static_cast<std::uint32_t>(j));
      const bool agrees = (j < half) == positive;
      if (agrees && !outputs[j]) {
        type_1b(clauses[j], event);
      } else if (outputs[j]) {
        dense(clauses[j], event, agrees ? 1 : 2, &x);
        const int most = static_cast<int>(options_.max_weight);
        clauses[j].weight = std::clamp(clauses[j].weight + (agrees ? 1 : -1), 1, most);
      }
    }
  }

  void type_1b(NaiveClause& clause, std::uint64_t event) {
    const std::uint32_t once = forgetting_.once(forget_dither(event));
    std::uint32_t place = 0;
    const auto forget = [&](std::size_t l) {
      const bool down = draw8(forget_key(event), place++) < once;
      if (down) clause.state[l] = std::max(clause.state[l] - 1, lowest());
    };
    std::for_each(clause.included.begin(), clause.included.end(), forget);
    std::for_each(clause.released.begin(), clause.released.end(), forget);
    for (std::size_t i = clause.included.size(); i-- > 0;) {
      const std::size_t l = clause.included[i];
      if (clause.state[l] >= 128) continue;
      clause.released.insert(clause.released.begin(), l);
      clause.included[i] = clause.included.back();
      clause.included.pop_back();
      ++flips_;
    }
    if (++clause.pending == Forgetting::kMostPending) dense(clause, event, 0, nullptr);
  }

  /// Type Ia (1), Type II (2) or only settling what is owed (0).
  void dense(NaiveClause& clause, std::uint64_t event, int type, const std::vector<bool>* x) {
    const auto has = [](const std::vector<std::size_t>& list, std::size_t l) {
      return std::find(list.begin(), list.end(), l) != list.end();
    };
    std::vector<std::size_t> fresh;
    for (std::size_t l = 0; l < clause.state.size(); ++l) {
      int& state = clause.state[l];
      const bool before = state >= 128, hot = before || has(clause.released, l), truth = x && (*x)[l];
      const std::uint32_t trials = (hot ? 0 : clause.pending) + (type == 1 && !truth ? 1 : 0);
      state = std::max(state - decrements(trials, event, byte_of(dense_key(event), l)), lowest());
      if (type == 1 && truth && (options_.boost || decrements(1, event, byte_of(reward_key(event), l)) == 0)) ++state;
      if (type == 2 && x && !truth && state < 128) ++state;
      state = std::min(state, highest());
      if ((state >= 128) == before) continue;
      ++flips_;
      if (!hot) fresh.push_back(l);
    }
    // Those that have come back, in their order, then those that are new.
    for (std::size_t i = clause.released.size(); i-- > 0;) {
      if (clause.state[clause.released[i]] >= 128) continue;
      clause.released[i] = clause.released.back();
      clause.released.pop_back();
    }
    clause.included.insert(clause.included.end(), clause.released.begin(), clause.released.end());
    clause.included.insert(clause.included.end(), fresh.begin(), fresh.end());
    clause.released.clear();
    clause.pending = 0;
  }

  static std::uint8_t byte_of(DrawKey key, std::size_t l) { return draw8(key, static_cast<std::uint32_t>(l)); }
  int decrements(std::uint32_t trials, std::uint64_t event, std::uint8_t draw) const {
    Decrements table;
    forgetting_.decrements(trials, dense_dither(event), table);
    int count = static_cast<int>(table.always);
    for (std::uint32_t k = 0; k < table.size; ++k) count += draw < table.value[k];
    return count;
  }
  int lowest() const { return 128 - static_cast<int>(options_.states) / 2; }
  int highest() const { return 127 + static_cast<int>(options_.states) / 2; }

  Options options_;
  Forgetting forgetting_;
  std::uint64_t epoch_ = 0, flips_ = 0;
  std::vector<std::uint64_t> uses_;
  std::vector<std::vector<NaiveClause>> classes_;
};

}  // namespace falsum
