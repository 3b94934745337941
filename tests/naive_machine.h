// NaiveMachine: the machine again, in arrays of bool and int, example by example and automaton by automaton. The oracle
// of the tests: slow, obvious, and sharing with the library only the random draws (support/random.h) and the binomial
// table (bank/forgetting.h, which has tests of its own).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "bank/forgetting.h"
#include "falsum/options.h"
#include "falsum/patches.h"
#include "support/random.h"

namespace falsum {

struct NaiveClause {
  std::vector<int> state;             // per literal; 128 and above includes
  std::vector<std::size_t> included;  // its literals, in the order in which they forget
  std::vector<std::size_t> released;  // those that left it since its last dense pass forget after them
  std::vector<std::size_t> away;      // its literals that are dropped: they come back last
  std::uint32_t pending = 0;          // Type Ib events that the others still owe
  std::vector<int> weight;            // votes of a true clause, for each output of its bank
  int growth = 0;                     // slow weights: how often it grew, less how often it shrank
  int sign = 1;                       // of its weight, where signs are fixed; 0 where they are learned
  double specificity = 1;
  bool dropped = false;
};

class NaiveMachine {
 public:
  using Rows = std::vector<std::vector<bool>>;
  struct NaiveStep {
    std::size_t output;  // of the bank
    std::int64_t target;
  };
  struct NaiveUse {
    Rows x;  // literals, of each patch
    std::vector<NaiveStep> steps;
  };

  NaiveMachine(const Options& options, std::size_t features, std::size_t outputs)
      : options_(options), outputs_(outputs), patches_(patch_shape(options)) {
    features = clause_features(options, features);
    const bool one_bank = has_one_bank(options);
    const std::size_t n = static_cast<std::size_t>(options.clauses), half = one_bank ? n : n / 2;
    banks_.resize(one_bank ? 1 : outputs);
    uses_.resize(banks_.size());
    dropped_literals_.assign(banks_.size(), std::vector<bool>(2 * features));
    for (auto& bank : banks_) {
      for (std::size_t j = 0; j < n; ++j) {
        NaiveClause clause;
        clause.state.assign(2 * features, 127);
        clause.sign = options.shared ? 0 : j < half ? 1 : -1;
        for (std::size_t o = 0; o < (options.shared ? outputs : 1); ++o) {
          const DrawKey key = {child(purpose_key(options.seed, Purpose::kFirstWeights), o)};
          const bool up = options.shared ? draw8(key, static_cast<std::uint32_t>(j)) % 2 == 1 : j < half;
          clause.weight.push_back((up ? 1 : -1) * (options.weight_growth > 0 ? 256 : 1));
        }
        const std::size_t levels = std::min<std::size_t>(32, half), level = j % half * levels / half;
        clause.specificity = options.specificity;
        if (options.specificity_to != 0) {
          clause.specificity += (options.specificity_to - options.specificity) * double(level) / double(levels);
        }
        bank.push_back(clause);
      }
    }
    for (const NaiveClause& clause : banks_[0]) forgetting_.try_emplace(clause.specificity, clause.specificity);
  }

  std::size_t banks() const { return banks_.size(); }
  const NaiveClause& clause(std::size_t bank, std::size_t j) const { return banks_[bank][j]; }
  std::uint64_t flips() const { return flips_; }

  /// Of the rows of all epochs: a row saves its rate in every epoch and spends it in whole uses.
  void set_weights(const std::vector<double>& weights) {
    weights_ = weights;
    double sum = 0, count = 0;
    for (const double weight : weights) {
      sum += weight;
      count += weight > 0;
    }
    std::uint64_t number = 0;
    for (const double weight : weights) {
      rates_.push_back(std::round(weight * count / sum * 4294967296.0) / 4294967296.0);
      const std::uint64_t bits = weight == 0 ? 0 : child(purpose_key(options_.seed, Purpose::kUsesOfRows), number++);
      saved_.push_back(static_cast<double>(bits >> 32) / 4294967296.0);
    }
  }

  void learn_epoch(const Rows& rows, const std::vector<std::uint32_t>& labels) {
    learn(rows, [&](std::size_t row, std::size_t position) {
      std::vector<NaiveStep> steps = {{labels[row], 1}};
      if (options_.negatives == Negatives::kFocused) {
        steps.push_back({kLateOutput, 0});
      } else {
        std::size_t other = bounded(child(negative_key(), position), outputs_ - 1);
        if (other >= labels[row]) ++other;
        steps.push_back({other, 0});
      }
      return steps;
    });
  }

  void learn_epoch(const Rows& rows, const Rows& labels) {
    learn(rows, [&](std::size_t row, std::size_t position) {
      std::vector<NaiveStep> steps, against;
      for (std::size_t o = 0; o < outputs_; ++o) {
        if (labels[row][o]) steps.push_back({o, 1});
        if (!labels[row][o] && happens(child(child(negative_key(), position), o), options_.negative_share))
          against.push_back({o, 0});
      }
      steps.insert(steps.end(), against.begin(), against.end());
      return steps;
    });
  }

  /// Targets are votes: 0 .. T.
  void learn_epoch(const Rows& rows, const std::vector<std::int64_t>& targets) {
    learn(rows, [&](std::size_t row, std::size_t) { return std::vector<NaiveStep>{{0, targets[row]}}; });
  }

  /// Unclipped sums; empty clauses do not vote.
  std::vector<int> votes(const std::vector<bool>& row) const {
    std::vector<int> sums;
    for (std::size_t o = 0; o < outputs_; ++o) {
      int sum = 0;
      for (const NaiveClause& clause : banks_[banks_.size() == 1 ? 0 : o]) {
        const bool empty = std::none_of(clause.state.begin(), clause.state.end(), [](int s) { return s >= 128; });
        if (!empty && is_true(clause, patches(row), {})) sum += clause.weight[clause.weight.size() == 1 ? 0 : o];
      }
      sums.push_back(sum);
    }
    return sums;
  }

 private:
  static constexpr std::size_t kLateOutput = 0xffffffff;

  std::uint64_t negative_key() const { return child(purpose_key(options_.seed, Purpose::kNegatives), epoch_); }

  template <class StepsOf>
  void learn(const Rows& rows, const StepsOf& steps_of) {
    const std::uint64_t order_key = child(purpose_key(options_.seed, Purpose::kOrder), epoch_);
    std::vector<std::size_t> order = rows_of_epoch(rows.size());
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[bounded(child(order_key, i), i)]);
    std::vector<std::vector<NaiveUse>> uses(banks_.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Rows x = patches(rows[order[i]]);
      const std::vector<NaiveStep> steps = steps_of(order[i], i);
      if (banks_.size() == 1) {
        if (!steps.empty()) uses[0].push_back({x, steps});
      } else {
        for (const NaiveStep& step : steps) uses[step.output].push_back({x, {{0, step.target}}});
      }
    }
    for (std::size_t b = 0; b < banks_.size(); ++b) {
      drop(b);
      const std::size_t block =
          options_.sharded ? static_cast<std::size_t>(options_.block) : 1;  // votes are taken at the start of a block
      std::vector<std::vector<std::int64_t>> votes(block);
      for (std::size_t u = 0; u < uses[b].size(); ++u) {
        for (std::size_t k = u; u % block == 0 && k < std::min(u + block, uses[b].size()); ++k)
          votes[k - u] = sums(b, uses[b][k].x);
        update(b, uses[b][u], votes[u % block]);
      }
      restore(b);
    }
    ++epoch_;
  }

  std::vector<std::size_t> rows_of_epoch(std::size_t rows) {
    std::vector<std::size_t> order;
    for (std::size_t r = 0; r < rows; ++r) {
      if (weights_.empty()) {
        order.push_back(r);
        continue;
      }
      saved_[r] += rates_[r];
      for (; saved_[r] >= 1; --saved_[r]) order.push_back(r);
    }
    return order;
  }

  void drop(std::size_t b) {
    const std::uint64_t clauses = child(child(purpose_key(options_.seed, Purpose::kDroppedClauses), epoch_), b);
    const std::uint64_t literals = child(child(purpose_key(options_.seed, Purpose::kDroppedLiterals), epoch_), b);
    std::vector<bool>& dropped = dropped_literals_[b];
    for (std::size_t l = 0; l < dropped.size(); ++l) dropped[l] = happens(child(literals, l), options_.drop_literals);
    for (std::size_t j = 0; j < banks_[b].size(); ++j) {
      NaiveClause& clause = banks_[b][j];
      clause.dropped = happens(child(clauses, j), options_.drop_clauses);
      std::vector<std::size_t> stay;
      for (const std::size_t l : clause.included) (dropped[l] ? clause.away : stay).push_back(l);
      std::sort(clause.away.begin(), clause.away.end());
      clause.included = stay;
    }
  }

  void restore(std::size_t b) {
    const std::uint64_t key = child(child(purpose_key(options_.seed, Purpose::kDroppedLiterals), epoch_), b);
    std::vector<bool>& dropped = dropped_literals_[b];
    for (std::size_t j = 0; j < banks_[b].size(); ++j) {
      NaiveClause& clause = banks_[b][j];
      const std::uint64_t event = event_key(child(key, std::uint64_t{1} << 32), static_cast<std::uint32_t>(j));
      if (options_.drop_literals > 0) dense(clause, dropped, event, 0, nullptr);
      clause.included.insert(clause.included.end(), clause.away.begin(), clause.away.end());
      clause.away.clear();
      clause.dropped = false;
    }
    dropped.assign(dropped.size(), false);
  }

  /// Votes for each output of a bank while learning: empty clauses are true.
  std::vector<std::int64_t> sums(std::size_t b, const Rows& x) const {
    std::vector<std::int64_t> votes(banks_[b][0].weight.size());
    for (const NaiveClause& clause : banks_[b]) {
      if (clause.dropped || !is_true(clause, x, dropped_literals_[b])) continue;
      for (std::size_t o = 0; o < votes.size(); ++o) votes[o] += clause.weight[o];
    }
    return votes;
  }

  std::vector<bool> literals(const std::vector<bool>& row) const {
    std::vector<bool> l = row;
    for (const bool x : row) l.push_back(!x);
    return l;
  }
  /// The literals of each patch of a row; of the row itself if there are no patches.
  Rows patches(const std::vector<bool>& row) const {
    if (!patches_) return {literals(row)};
    const auto& [height, width, channels, h, w, down, across] = *patches_;
    Rows all;
    for (std::size_t y = 0; y + h <= height; y += down) {
      for (std::size_t x = 0; x + w <= width; x += across) {
        std::vector<bool> features;
        for (std::size_t t = 0; t < (height - h) / down; ++t) features.push_back(y / down > t);
        for (std::size_t t = 0; t < (width - w) / across; ++t) features.push_back(x / across > t);
        for (std::size_t r = y; r < y + h; ++r) {
          for (std::size_t c = x; c < x + w; ++c) {
            for (std::size_t z = 0; z < channels; ++z) features.push_back(row[(r * width + c) * channels + z]);
          }
        }
        all.push_back(literals(features));
      }
    }
    return all;
  }
  static bool is_true(const NaiveClause& clause, const Rows& patches, const std::vector<bool>& dropped) {
    return std::any_of(patches.begin(), patches.end(), [&](const auto& x) { return is_true(clause, x, dropped); });
  }
  static bool is_true(const NaiveClause& clause, const std::vector<bool>& x, const std::vector<bool>& dropped) {
    for (std::size_t l = 0; l < x.size(); ++l) {
      if (clause.state[l] >= 128 && !x[l] && (dropped.empty() || !dropped[l])) return false;
    }
    return true;
  }

  /// The probability of a push in units of 2^-32, and whether it is upwards.
  std::pair<std::uint64_t, bool> push(std::int64_t votes, std::int64_t target) const {
    const std::int64_t T = options_.threshold * (options_.weight_growth > 0 ? 256 : 1);
    if (options_.task == Task::kRegression) {
      const std::int64_t error = std::clamp<std::int64_t>(votes, 0, T) - target;
      const std::uint64_t size = static_cast<std::uint64_t>(error < 0 ? -error : error);
      const std::uint64_t share = (size << 32) / static_cast<std::uint64_t>(T);
      if (options_.error == ErrorLaw::kLinear || share == std::uint64_t{1} << 32) return {share, error < 0};
      return {share * share >> 32, error < 0};
    }
    votes = std::clamp(votes, -T, T);
    const auto distance = static_cast<std::uint64_t>(target == 1 ? T - votes : T + votes);
    return {(distance << 32) / (2 * static_cast<std::uint64_t>(T)), target == 1};
  }

  std::size_t late_negative(std::size_t label, const std::vector<std::int64_t>& votes, std::uint64_t use) const {
    const std::int64_t T = options_.threshold * (options_.weight_growth > 0 ? 256 : 1);
    std::uint64_t sum = 0;
    for (std::size_t o = 0; o < outputs_; ++o)
      sum += o == label ? 0 : static_cast<std::uint64_t>(T + std::clamp(votes[o], -T, T));
    if (sum == 0) return kLateOutput;
    std::uint64_t place = bounded(child(purpose_key(options_.seed, Purpose::kLateNegatives), use), sum);
    for (std::size_t o = 0; o < outputs_; ++o) {
      const std::uint64_t share = o == label ? 0 : static_cast<std::uint64_t>(T + std::clamp(votes[o], -T, T));
      if (place < share) return o;
      place -= share;
    }
    return kLateOutput;
  }

  struct NaiveEvent {
    std::size_t clause;
    std::uint64_t key;
    int type;  // 0: Type Ib
  };

  void update(std::size_t b, const NaiveUse& use, const std::vector<std::int64_t>& votes) {
    std::vector<NaiveClause>& clauses = banks_[b];
    const std::uint64_t number = uses_[b]++;
    const std::uint64_t key = use_key(learner_key(options_.seed, b), number);
    std::vector<bool> outputs;
    std::vector<std::size_t> lengths;
    for (const NaiveClause& clause : clauses) {
      outputs.push_back(is_true(clause, use.x, dropped_literals_[b]));
      lengths.push_back(static_cast<std::size_t>(
          std::count_if(clause.state.begin(), clause.state.end(), [](int s) { return s >= 128; })));
    }
    std::vector<NaiveEvent> events;
    for (std::size_t k = 0; k < use.steps.size(); ++k) {
      const auto [output, target] = use.steps[k];
      const std::size_t o = output == kLateOutput ? late_negative(use.steps[0].output, votes, number) : output;
      if (o == kLateOutput) continue;
      const auto [probability, up] = push(votes[o], target);
      if (probability == 0) continue;
      const std::uint64_t step = step_key(key, k);
      const std::uint64_t threshold = (probability + (use_dithers(step) & 0xffff)) >> 16;
      const std::size_t half =
          options_.shared || options_.task == Task::kRegression ? clauses.size() : clauses.size() / 2;
      for (std::size_t j = 0; j < clauses.size(); ++j) {
        const std::size_t slot = j < half ? j : j - half + (half + 63) / 64 * 64;
        if (draw16(select_key(step), static_cast<std::uint32_t>(slot)) >= threshold || clauses[j].dropped) continue;
        const std::uint64_t event = event_key(step, static_cast<std::uint32_t>(j));
        int& weight = clauses[j].weight[o];
        const bool agrees = (weight >= 0) == up;
        const bool within = options_.max_literals == 0 || lengths[j] <= static_cast<std::size_t>(options_.max_literals);
        if (agrees && (!outputs[j] || !within)) {
          events.push_back({j, event, 0});
        } else if (outputs[j]) {
          events.push_back({j, event, agrees ? 1 : 2});
          const int most = static_cast<int>(most_votes(options_));
          if (options_.weight_growth > 0) {
            grow(clauses[j], agrees ? 1 : -1, most);
            continue;
          }
          weight += up ? 1 : -1;
          if (clauses[j].sign != 0) weight = clauses[j].sign * std::max(1, clauses[j].sign * weight);
          weight = std::clamp(weight, -most, most);
        }
      }
    }
    std::vector<std::size_t> chosen(clauses.size());  // the patch that a clause learns from
    for (std::size_t j = 0; j < clauses.size() && use.x.size() > 1; ++j) {
      std::vector<std::size_t> where;
      for (std::size_t p = 0; p < use.x.size(); ++p) {
        if (is_true(clauses[j], use.x[p], dropped_literals_[b])) where.push_back(p);
      }
      const std::uint64_t bits = patch_bits(event_key(key, static_cast<std::uint32_t>(j)));
      if (!where.empty()) chosen[j] = where[bounded(bits, where.size())];
    }
    for (const int type : {0, 1, 2}) {
      for (const NaiveEvent& event : events) {
        if (event.type != type) continue;
        if (type == 0) type_1b(clauses[event.clause], dropped_literals_[b], event.key);
        if (type == 0) continue;
        dense(clauses[event.clause], dropped_literals_[b], event.key, type, &use.x[chosen[event.clause]]);
      }
    }
  }

  void grow(NaiveClause& clause, int by, int most) const {
    double size = 256;
    for (int k = clause.growth + by; k != 0; k += k > 0 ? -1 : 1) {
      k > 0 ? size *= 1 + options_.weight_growth : size /= 1 + options_.weight_growth;
    }
    if (size < 0.5 || size > most) return;
    clause.growth += by;
    clause.weight[0] = clause.sign * static_cast<int>(std::lround(size));
  }

  void type_1b(NaiveClause& clause, const std::vector<bool>& dropped, std::uint64_t event) {
    const std::uint32_t once = forgetting_.at(clause.specificity).once(forget_dither(event));
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
    if (++clause.pending == Forgetting::kMostPending) dense(clause, dropped, event, 0, nullptr);
  }

  /// Type Ia (1), Type II (2) or only settling what is owed (0).
  void dense(NaiveClause& clause, const std::vector<bool>& dropped, std::uint64_t event, int type,
             const std::vector<bool>* x) {
    const auto has = [](const std::vector<std::size_t>& list, std::size_t l) {
      return std::find(list.begin(), list.end(), l) != list.end();
    };
    std::vector<std::size_t> fresh;
    for (std::size_t l = 0; l < clause.state.size(); ++l) {
      if (dropped[l]) continue;
      int& state = clause.state[l];
      const bool before = state >= 128, hot = before || has(clause.released, l), truth = x && (*x)[l];
      const std::uint32_t trials = (hot ? 0 : clause.pending) + (type == 1 && !truth ? 1 : 0);
      state = std::max(state - decrements(clause, trials, event, byte_of(dense_key(event), l)), lowest());
      if (type == 1 && truth && (options_.boost || decrements(clause, 1, event, byte_of(reward_key(event), l)) == 0))
        ++state;
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
  int decrements(const NaiveClause& clause, std::uint32_t trials, std::uint64_t event, std::uint8_t draw) const {
    Decrements table;
    forgetting_.at(clause.specificity).decrements(trials, dense_dither(event), table);
    int count = static_cast<int>(table.always);
    for (std::uint32_t k = 0; k < table.size; ++k) count += draw < table.value[k];
    return count;
  }
  int lowest() const { return 128 - static_cast<int>(options_.states) / 2; }
  int highest() const { return 127 + static_cast<int>(options_.states) / 2; }

  Options options_;
  std::size_t outputs_;
  std::optional<PatchShape> patches_;
  std::vector<double> weights_, rates_, saved_;  // by row
  std::map<double, Forgetting> forgetting_;      // by s
  std::uint64_t epoch_ = 0, flips_ = 0;
  std::vector<std::uint64_t> uses_;  // by bank
  std::vector<std::vector<NaiveClause>> banks_;
  std::vector<std::vector<bool>> dropped_literals_;  // by bank, in the current epoch
};

}  // namespace falsum
