// TextbookMachine: the family of machines word for word as it is usually written down. Every Type I event visits every
// automaton of the clause and decrements with probability 1/s there and then; every decision has its own fresh random
// number. It shares no code with the library, nor draws with the naive machine. The library defers the forgetting of
// excluded automata (bank/forgetting.h), orders the events of a use by their type and rounds probabilities by dithers,
// which must not change the law of anything: textbook_statistics.h compares the two.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
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

struct TextbookClause {
  std::vector<std::uint8_t> states;  // by literal; 128 and above includes
  std::vector<double> weights;       // by output of its bank; whole numbers unless they grow slowly
  double s = 1;
  bool dropped = false;

  std::size_t length() const {
    return static_cast<std::size_t>(
        std::count_if(states.begin(), states.end(), [](int state) { return state >= 128; }));
  }
};

class TextbookMachine {
 public:
  struct Counts {
    double type_1a = 0, type_1b = 0, type_2 = 0, flips = 0;
  };

  TextbookMachine(const Options& options, std::size_t features, std::size_t outputs)
      : options_(options),
        outputs_(outputs),
        signs_are_learned_(options.shared),
        all_positive_(options.task == Task::kRegression),
        random_(options.seed) {
    banks_.resize(options.shared || all_positive_ ? 1 : outputs);
    const auto n = static_cast<std::size_t>(options.clauses);
    const bool has_polarities = !options.shared && !all_positive_;
    for (Bank& bank : banks_) {
      bank.dropped.assign(2 * features, false);
      bank.clauses.resize(n);
      for (std::size_t j = 0; j < n; ++j) {
        TextbookClause& clause = bank.clauses[j];
        clause.states.assign(2 * features, 127);
        for (std::size_t o = 0; o < (options.shared ? outputs : 1); ++o) {
          const bool up = options.shared ? chance(0.5) : all_positive_ || j < n / 2;
          clause.weights.push_back(up ? 1 : -1);
        }
        // Both polarities have the whole range.
        const std::size_t ranks = has_polarities ? n / 2 : n;
        const double to = options.specificity_to == 0 ? options.specificity : options.specificity_to;
        clause.s = options.specificity +
                   static_cast<double>(j % ranks) * (to - options.specificity) / static_cast<double>(ranks);
      }
    }
  }

  Counts learn_epoch(const BitMatrix& rows, const std::vector<std::uint32_t>& classes) {
    return learn(rows, [&](std::size_t r) {
      std::vector<Target> targets = {{classes[r], 1}};
      if (options_.negatives == Negatives::kFocused) {
        add_focused(rows, r, targets);
      } else {
        std::size_t other = random_() % (outputs_ - 1);
        if (other >= classes[r]) ++other;
        targets.push_back({other, -1});
      }
      return targets;
    });
  }

  Counts learn_epoch(const BitMatrix& rows, const BitMatrix& labels) {
    return learn(rows, [&](std::size_t r) {
      std::vector<Target> targets;
      for (std::size_t o = 0; o < outputs_; ++o) {
        if (labels.get(r, o)) targets.push_back({o, 1});
      }
      for (std::size_t o = 0; o < outputs_; ++o) {
        if (!labels.get(r, o) && chance(options_.negative_share)) targets.push_back({o, -1});
      }
      return targets;
    });
  }

  Counts learn_epoch(const BitMatrix& rows, const std::vector<double>& numbers) {
    if (least_ > most_) {
      least_ = *std::min_element(numbers.begin(), numbers.end());
      most_ = *std::max_element(numbers.begin(), numbers.end());
    }
    return learn(rows, [&](std::size_t r) {
      const double t = (numbers[r] - least_) / (most_ - least_) * threshold();
      return std::vector<Target>{{0, std::round(t)}};
    });
  }

  /// Prediction: nothing is dropped, and empty clauses do not vote.
  std::vector<double> votes(const BitMatrix& rows, std::size_t r) const {
    const Literals x = literals(rows, r);
    std::vector<double> sums(outputs_, 0);
    for (std::size_t o = 0; o < outputs_; ++o) {
      for (const TextbookClause& clause : bank_of(o).clauses) {
        if (clause.length() > 0 && is_true(clause, x, {})) sums[o] += clause.weights[place_of(o)];
      }
    }
    return sums;
  }
  /// The class with the most votes, the first of them on ties.
  std::vector<std::uint32_t> classes(const BitMatrix& rows) const {
    std::vector<std::uint32_t> winners;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const std::vector<double> sums = votes(rows, r);
      winners.push_back(static_cast<std::uint32_t>(std::max_element(sums.begin(), sums.end()) - sums.begin()));
    }
    return winners;
  }
  /// The labels with more votes for them than against.
  BitMatrix labels(const BitMatrix& rows) const {
    BitMatrix apply(rows.rows(), outputs_);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const std::vector<double> sums = votes(rows, r);
      for (std::size_t o = 0; o < outputs_; ++o) {
        if (sums[o] > 0) apply.set(r, o);
      }
    }
    return apply;
  }
  std::vector<double> numbers(const BitMatrix& rows) const {
    std::vector<double> answers;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      answers.push_back(least_ + std::min(votes(rows, r)[0], threshold()) * (most_ - least_) / threshold());
    }
    return answers;
  }

  std::size_t banks() const { return banks_.size(); }
  const std::vector<TextbookClause>& clauses(std::size_t bank) const { return banks_[bank].clauses; }

 private:
  using Literals = std::vector<std::uint8_t>;  // 0 or 1
  struct Bank {
    std::vector<TextbookClause> clauses;
    std::vector<bool> dropped;  // by literal
  };
  struct Target {
    std::size_t output;
    double t;  // +1 or -1; in regression votes
  };

  double threshold() const { return static_cast<double>(options_.threshold); }
  bool chance(double p) { return static_cast<double>(random_() >> 11) * 0x1.0p-53 < p; }
  const Bank& bank_of(std::size_t output) const { return banks_[banks_.size() == 1 ? 0 : output]; }
  std::size_t place_of(std::size_t output) const { return signs_are_learned_ ? output : 0; }

  static Literals literals(const BitMatrix& rows, std::size_t r) {
    Literals x;
    for (std::size_t k = 0; k < rows.columns(); ++k) x.push_back(rows.get(r, k));
    for (std::size_t k = 0; k < rows.columns(); ++k) x.push_back(!x[k]);
    return x;
  }

  static bool is_true(const TextbookClause& clause, const Literals& x, const std::vector<bool>& dropped) {
    for (std::size_t l = 0; l < x.size(); ++l) {
      if (clause.states[l] >= 128 && !x[l] && (dropped.empty() || !dropped[l])) return false;
    }
    return true;
  }

  template <class TargetsOf>
  Counts learn(const BitMatrix& rows, const TargetsOf& targets_of) {
    counts_ = {};
    for (Bank& bank : banks_) {
      for (TextbookClause& clause : bank.clauses) clause.dropped = chance(options_.drop_clauses);
      for (std::size_t l = 0; l < bank.dropped.size(); ++l) bank.dropped[l] = chance(options_.drop_literals);
    }
    std::vector<std::size_t> order(rows.rows());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    for (const std::size_t r : order) {
      const std::vector<Target> targets = targets_of(r);
      const Literals x = literals(rows, r);
      // Outputs of clauses and votes are those from before any update of the sample.
      std::vector<std::vector<bool>> outputs;
      std::vector<double> sums;
      for (const Target& target : targets) {
        outputs.push_back(outputs_of(bank_of(target.output), x));
        sums.push_back(learning_votes(target.output, outputs.back()));
      }
      for (std::size_t i = 0; i < targets.size(); ++i) update(targets[i], x, outputs[i], sums[i]);
      counts_.flips += static_cast<double>(crossed_.size());
      crossed_.clear();
    }
    return counts_;
  }

  static std::vector<bool> outputs_of(const Bank& bank, const Literals& x) {
    std::vector<bool> outputs;
    for (const TextbookClause& clause : bank.clauses) {
      outputs.push_back(!clause.dropped && is_true(clause, x, bank.dropped));
    }
    return outputs;
  }
  double learning_votes(std::size_t output, const std::vector<bool>& outputs) const {
    const std::vector<TextbookClause>& clauses = bank_of(output).clauses;
    double sum = 0;
    for (std::size_t j = 0; j < clauses.size(); ++j) sum += outputs[j] ? clauses[j].weights[place_of(output)] : 0;
    return sum;
  }

  /// Another output in proportion to u = (T + v) / 2T; none if all u are 0.
  void add_focused(const BitMatrix& rows, std::size_t r, std::vector<Target>& targets) {
    const std::size_t label = targets[0].output;
    const std::vector<bool> outputs = outputs_of(banks_[0], literals(rows, r));
    std::vector<double> shares;
    double all = 0;
    for (std::size_t o = 0; o < outputs_; ++o) {
      const double v = std::clamp(learning_votes(o, outputs), -threshold(), threshold());
      shares.push_back(o == label ? 0 : (threshold() + v) / (2 * threshold()));
      all += shares.back();
    }
    if (all == 0) return;
    double place = static_cast<double>(random_() >> 11) * 0x1.0p-53 * all;
    std::size_t other = 0;
    while (place >= shares[other] && other + 1 < outputs_) place -= shares[other++];
    if (other != label) targets.push_back({other, -1});  // else it was rounded off the end
  }

  void update(const Target& target, const Literals& x, const std::vector<bool>& outputs, double votes) {
    Bank& bank = banks_[banks_.size() == 1 ? 0 : target.output];
    double p = 0;
    bool up = false;
    if (all_positive_) {
      const double error = std::clamp(votes, 0.0, threshold()) - target.t;
      p = std::abs(error) / threshold();
      if (options_.error == ErrorLaw::kSquared) p *= p;
      up = error < 0;
    } else {
      p = (threshold() - target.t * std::clamp(votes, -threshold(), threshold())) / (2 * threshold());
      up = target.t > 0;
    }
    for (std::size_t j = 0; j < bank.clauses.size(); ++j) {
      TextbookClause& clause = bank.clauses[j];
      if (clause.dropped || !chance(p)) continue;
      double& weight = clause.weights[place_of(target.output)];
      const bool within = options_.max_literals == 0 || clause.length() <= std::size_t(options_.max_literals);
      if ((weight >= 0) == up) {
        if (outputs[j] && within) {
          move_weight(weight, up);
          type_1a(clause, x, bank.dropped);
        } else {
          type_1b(clause, bank.dropped);
        }
      } else if (outputs[j]) {
        move_weight(weight, up);
        type_2(clause, x, bank.dropped);
      }
    }
  }

  void move_weight(double& weight, bool up) {
    if (options_.weight_growth > 0) {
      const double factor = 1 + options_.weight_growth;
      weight = (weight > 0) == up ? weight * factor : weight / factor;
      return;
    }
    if (!signs_are_learned_ && !options_.weighted && options_.max_weight == 1) return;
    const double moved = weight + (up ? 1 : -1);
    const double most = options_.max_weight == 1 ? 1 << 20 : static_cast<double>(options_.max_weight);
    if (std::abs(moved) > most || (moved == 0 && !signs_are_learned_)) return;
    weight = moved;
  }

  void type_1a(TextbookClause& clause, const Literals& x, const std::vector<bool>& dropped) {
    ++counts_.type_1a;
    for (std::size_t l = 0; l < x.size(); ++l) {
      if (dropped[l]) continue;
      if (x[l] && (options_.boost || !chance(1 / clause.s))) move(clause.states[l], 1);
      if (!x[l] && chance(1 / clause.s)) move(clause.states[l], -1);
    }
  }
  void type_1b(TextbookClause& clause, const std::vector<bool>& dropped) {
    ++counts_.type_1b;
    for (std::size_t l = 0; l < dropped.size(); ++l) {
      if (!dropped[l] && chance(1 / clause.s)) move(clause.states[l], -1);
    }
  }
  void type_2(TextbookClause& clause, const Literals& x, const std::vector<bool>& dropped) {
    ++counts_.type_2;
    for (std::size_t l = 0; l < x.size(); ++l) {
      if (!dropped[l] && !x[l] && clause.states[l] < 128) move(clause.states[l], 1);
    }
  }

  void move(std::uint8_t& state, int step) {
    const int half = static_cast<int>(options_.states) / 2, before = state;
    state = static_cast<std::uint8_t>(std::clamp(before + step, 128 - half, 127 + half));
    if ((before >= 128) == (state >= 128)) return;
    const auto there = std::find(crossed_.begin(), crossed_.end(), &state);
    there == crossed_.end() ? crossed_.push_back(&state) : void(crossed_.erase(there));
  }

  Options options_;
  std::size_t outputs_;
  bool signs_are_learned_, all_positive_;
  double least_ = 1, most_ = 0;  // of the first targets of regression
  TextbookRandom random_;
  std::vector<Bank> banks_;
  Counts counts_;
  // Automata that the current sample has moved across the boundary and not back. With several outputs Type II can
  // include a literal and Type Ia exclude it again; falsum gives Type I first, so that only the result is counted as a
  // flip.
  std::vector<const std::uint8_t*> crossed_;
};

}  // namespace falsum
