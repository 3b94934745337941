// A model without some of its clauses, and without their weights.
#pragma once

#include <cstdint>
#include <vector>

#include "falsum/model.h"

namespace falsum {

inline ModelParts keep_clauses(const Model& model, const std::vector<bool>& is_kept) {
  ModelParts parts = model.parts();
  parts.clause_starts = {0};
  parts.literals.clear();
  std::vector<std::uint32_t> number(model.clauses());
  for (std::size_t c = 0; c < model.clauses(); ++c) {
    if (!is_kept[c]) continue;
    number[c] = static_cast<std::uint32_t>(parts.clause_starts.size() - 1);
    const auto literals = model.clause(c);
    parts.literals.insert(parts.literals.end(), literals.begin(), literals.end());
    parts.clause_starts.push_back(parts.literals.size());
  }
  parts.weights.clear();
  parts.weight_starts = {0};
  for (std::size_t o = 0; o < model.outputs(); ++o) {
    for (const Weight& weight : model.weights(o)) {
      if (is_kept[weight.clause]) parts.weights.push_back({number[weight.clause], weight.votes});
    }
    parts.weight_starts.push_back(parts.weights.size());
  }
  return parts;
}

}  // namespace falsum
