// ClassLearner: one class's part of an epoch: the spine of learning, on one page. For every use of the class
//
//   outputs of its clauses (Evaluator) -> votes, clipped to T -> probability of feedback -> which clauses get it
//   -> Type Ia, Ib or II on each (Bank) -> flips -> Evaluator
//
// Everything is drawn from keys of (class, use, clause): see support/random.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bank/bank.h"
#include "engine/evaluator.h"
#include "falsum/bit_matrix.h"
#include "falsum/machine.h"
#include "learn/epoch_plan.h"

namespace falsum {

class ClassLearner {
 public:
  ClassLearner(const Options& options, std::size_t class_id, std::size_t features);

  Bank& bank() { return bank_; }
  const Bank& bank() const { return bank_; }
  std::uint64_t uses() const { return uses_; }
  void set_uses(std::uint64_t uses) { uses_ = uses; }

  /// Must be called before learn(), and again whenever the bank was read from a file.
  void use_engine(const std::string& engine, const Kernels& kernels) {
    evaluator_ = make_evaluator(engine, bank_, kernels);
  }
  const Evaluator& evaluator() const { return *evaluator_; }

  LearnCounters learn(std::span<const Use> uses, const BitMatrix& rows, const Bank::Rules& rules);

 private:
  void give_feedback(std::size_t i, UseRows& rows, std::uint64_t key, const Bank::Rules& rules,
                     LearnCounters& counters);
  std::int64_t votes(const Kernels& kernels) const;

  std::int64_t threshold_;
  std::uint64_t class_key_;
  Bank bank_;
  std::unique_ptr<Evaluator> evaluator_;
  std::uint64_t uses_ = 0;  // updates of this class since the machine was made
  std::vector<std::uint64_t> outputs_, selected_;
  // The events of the use at hand.
  std::vector<ClauseId> type_1b_;
  struct DenseEvent {
    ClauseId clause;
    bool type_1;
  };
  std::vector<DenseEvent> dense_;
};

}  // namespace falsum
