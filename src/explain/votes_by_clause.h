// The weights of a model by clause: which outputs a clause votes on. A model has them by output.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "falsum/model.h"

namespace falsum {

class VotesByClause {
 public:
  struct Vote {
    std::uint32_t output = 0;
    std::int32_t votes = 0;
    std::size_t position = 0;  // within model.parts().weights
  };

  explicit VotesByClause(const Model& model) : starts_(model.clauses() + 1) {
    const ModelParts& parts = model.parts();
    for (const Weight& weight : parts.weights) ++starts_[weight.clause + 1];
    for (std::size_t c = 0; c < model.clauses(); ++c) starts_[c + 1] += starts_[c];
    votes_.resize(parts.weights.size());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t output = 0; output < model.outputs(); ++output) {
      for (std::size_t i = parts.weight_starts[output]; i < parts.weight_starts[output + 1]; ++i) {
        const Weight& weight = parts.weights[i];
        votes_[next[weight.clause]++] = {static_cast<std::uint32_t>(output), weight.votes, i};
      }
    }
  }

  std::span<const Vote> of(std::size_t clause) const {
    return {votes_.data() + starts_[clause], votes_.data() + starts_[clause + 1]};
  }

 private:
  std::vector<std::size_t> starts_;
  std::vector<Vote> votes_;
};

}  // namespace falsum
