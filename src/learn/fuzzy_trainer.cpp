// What a Trainer does in another way when its clauses are fuzzy.
#include <algorithm>

#include "learn/trainer.h"
#include "support/bits.h"

namespace falsum {

bool Trainer::learn_fuzzy(const Plan& plan, const Rows& rows, const Machine::Progress& progress,
                          std::vector<LearnCounters>& counters) {
  constexpr std::size_t kAutomata = std::size_t{1} << 28;  // that a thread processes before it can be stopped
  const std::size_t automata = 2 * features_ * static_cast<std::size_t>(options_.clauses) * fuzzy_->size();
  const std::size_t most = progress ? std::max<std::size_t>(threads_ * kAutomata / automata, 1) : samples_;
  while (position_ < samples_) {
    const LearningSlice slice = next_slice(progress);
    do {
      position_ += fuzzy_->learn(plan, rows, position_, std::min(most, slice.most_uses), threads_, kernels_, counters);
    } while (position_ < samples_ && !slice.over() && uses_between_ == 0);
    if (progress && !progress(done()) && position_ < samples_) return false;
  }
  return true;
}

void Trainer::add_fuzzy_clauses(ModelParts& parts) const {
  const auto clauses = static_cast<std::uint32_t>(options_.clauses);
  for (std::size_t i = 0; i < fuzzy_->size(); ++i) {
    const FuzzyBank& bank = (*fuzzy_)[i].bank();
    for (std::uint32_t c = 0; c < clauses; ++c) {
      for (const bool negated : {false, true}) {
        for_each_bit(bank.included(c) + (negated ? bank.words() : 0), bank.words(), [&](std::size_t feature) {
          parts.literals.push_back(static_cast<std::uint32_t>(feature + (negated ? features_ : 0)));
        });
      }
      parts.clause_starts.push_back(parts.literals.size());
    }
  }
  // Two classes that share clauses have opposite votes: what is for the second is against the first.
  for (std::uint32_t o = 0; o < parts.outputs; ++o) {
    const std::uint32_t first = options_.shared ? 0 : o * clauses;
    for (std::uint32_t c = 0; c < clauses; ++c) {
      const bool is_for = (c < clauses / 2) != (options_.shared && o == 0);
      parts.weights.push_back({first + c, is_for ? 1 : -1});
    }
    parts.weight_starts.push_back(parts.weights.size());
  }
}

}  // namespace falsum
