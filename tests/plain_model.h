// A model as the plain machine has it, from its clauses: as many for every output, weights given class by class.
#pragma once

#include <utility>
#include <vector>

#include "falsum/model.h"

namespace falsum {

inline ModelParts plain_parts(const Options& options, std::size_t features, std::size_t outputs,
                              std::vector<std::uint64_t> starts, std::vector<std::uint32_t> literals,
                              const std::vector<std::int32_t>& weights) {
  ModelParts parts;
  parts.options = options;
  parts.features = features;
  parts.outputs = outputs;
  parts.clause_starts = std::move(starts);
  parts.literals = std::move(literals);
  for (std::size_t c = 0; c < weights.size(); ++c) {
    parts.weights.push_back({static_cast<std::uint32_t>(c), weights[c]});
  }
  for (std::size_t o = 1; o <= outputs; ++o) parts.weight_starts.push_back(o * weights.size() / outputs);
  return parts;
}

/// The same model with other shares of how often features are true.
inline Model with_shares(const Model& model, std::vector<std::uint16_t> shares) {
  ModelParts parts = model.parts();
  parts.truth_shares = std::move(shares);
  return Model(std::move(parts));
}

}  // namespace falsum
