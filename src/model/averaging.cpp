#include "falsum/averaging.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

/// The literals as a key: their bytes, which the models keep.
std::string_view key_of(std::span<const std::uint32_t> literals) {
  return {reinterpret_cast<const char*>(literals.data()), literals.size_bytes()};
}

void check_alike(std::span<const Model> models) {
  if (models.empty()) throw ConfigError("a sum of models needs at least one model");
  for (const Model& model : models) {
    const bool alike = model.features() == models[0].features() && model.outputs() == models[0].outputs() &&
                       model.task() == models[0].task() && model.range() == models[0].range() &&
                       model.literals() == models[0].literals();
    if (!alike) throw ConfigError("only models of the same features, outputs and task can be added");
    if (is_fuzzy(model.options())) throw ConfigError("fuzzy models cannot be added: their clauses have no weights");
  }
}

class Summing {
 public:
  explicit Summing(ModelParts& parts) : parts_(parts) {}

  /// Clauses of different outputs stay apart, unless outputs share them.
  void begin_bank() { ids_.clear(); }

  void add(std::span<const std::uint32_t> literals, std::int64_t votes) {
    if (literals.empty()) return;  // silent
    const auto next = static_cast<std::uint32_t>(parts_.clause_starts.size() - 1);
    const auto [found, is_new] = ids_.emplace(key_of(literals), next);
    if (is_new) {
      parts_.literals.insert(parts_.literals.end(), literals.begin(), literals.end());
      parts_.clause_starts.push_back(parts_.literals.size());
    }
    votes_[found->second] += votes;
  }

  void end_output() {
    std::vector<Weight> weights;
    for (const auto& [clause, votes] : votes_) {
      if (votes == 0) continue;
      if (votes > 0x7fffffff || votes < -0x7fffffff) {
        throw ConfigError(fmt::format("the sum of models has a clause of {} votes, more than 32 bits hold", votes));
      }
      weights.push_back({clause, static_cast<std::int32_t>(votes)});
    }
    std::ranges::sort(weights, {}, &Weight::clause);
    parts_.weights.insert(parts_.weights.end(), weights.begin(), weights.end());
    parts_.weight_starts.push_back(parts_.weights.size());
    votes_.clear();
  }

 private:
  ModelParts& parts_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;  // of this bank's clauses
  std::unordered_map<std::uint32_t, std::int64_t> votes_;    // of this output
};

}  // namespace

Model sum_of(std::span<const Model> models, std::span<const std::int64_t> factors) {
  check_alike(models);
  const Model& last = models.back();
  ModelParts parts;
  parts.options = last.options();
  parts.features = last.features();
  parts.outputs = last.outputs();
  parts.range = last.range();
  parts.labels = last.labels();
  parts.booleanizer = last.booleanizer();
  parts.schema = last.schema();
  parts.provenance = last.provenance();
  parts.truth_shares = last.truth_shares();
  const auto factor = [&](std::size_t i) { return factors.empty() ? 1 : factors[i]; };
  std::int64_t scale = 0;
  for (std::size_t i = 0; i < models.size(); ++i) scale += factor(i) * vote_scale(models[i].options());
  if (scale % vote_target(last.options()) != 0) {
    throw ConfigError(fmt::format("T of the sum would be {}, which is no multiple of the last model's", scale));
  }
  parts.options.snapshots = scale / vote_target(last.options());
  const bool one_bank = std::ranges::any_of(models, [](const Model& model) { return has_one_bank(model.options()); });
  Summing sum(parts);
  for (std::size_t output = 0; output < parts.outputs; ++output) {
    if (!one_bank) sum.begin_bank();
    for (std::size_t i = 0; i < models.size(); ++i) {
      for (const Weight& weight : models[i].weights(output)) {
        sum.add(models[i].clause(weight.clause), factor(i) * weight.votes);
      }
    }
    sum.end_output();
  }
  if (parts.weights.empty()) {  // a file has at least one clause: a silent one
    parts.clause_starts = {0, 0};
    parts.literals.clear();
    parts.weights = {{0, 1}};
    parts.weight_starts.assign(parts.outputs + 1, 1);
    parts.weight_starts[0] = 0;
  }
  return Model(std::move(parts));
}

}  // namespace falsum
