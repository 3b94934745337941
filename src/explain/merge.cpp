#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "explain/keep_clauses.h"
#include "explain/votes_by_clause.h"
#include "falsum/prune.h"
#include "falsum/rules.h"

namespace falsum {
namespace {

/// Weights in the order in which a model has them.
void set_weights(ModelParts& parts, const std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t>& votes) {
  parts.weights.clear();
  parts.weight_starts.assign(parts.outputs + 1, 0);
  for (const auto& [key, sum] : votes) {
    parts.weights.push_back({key.second, static_cast<std::int32_t>(sum)});
    ++parts.weight_starts[key.first + 1];
  }
  for (std::size_t o = 0; o < parts.outputs; ++o) parts.weight_starts[o + 1] += parts.weight_starts[o];
}

/// Fuzzy clauses: equal ones have no weight to become one, but two that vote against each other cancel.
Merged merge_fuzzy(const Model& model) {
  using Votes = std::vector<std::pair<std::uint32_t, std::int32_t>>;  // outputs, votes
  const VotesByClause voters(model);
  Merged merged{model, {model.clauses(), model.included()}};
  std::vector<bool> is_kept(model.clauses(), true);
  std::map<std::pair<std::vector<std::uint32_t>, Votes>, std::vector<std::size_t>> met;  // that nothing cancels yet
  for (std::size_t c = 0; c < model.clauses(); ++c) {
    const std::vector<std::uint32_t> literals(model.clause(c).begin(), model.clause(c).end());
    Votes votes, opposite;
    for (const VotesByClause::Vote& vote : voters.of(c)) {
      votes.emplace_back(vote.output, vote.votes);
      opposite.emplace_back(vote.output, -vote.votes);
    }
    const auto other = met.find({literals, opposite});
    if (literals.empty()) {
      ++merged.empty;
      is_kept[c] = false;
    } else if (other != met.end() && !other->second.empty()) {
      merged.cancelled += 2;
      is_kept[c] = is_kept[other->second.back()] = false;
      other->second.pop_back();
    } else {
      met[{literals, votes}].push_back(c);
    }
  }
  merged.model = Model(keep_clauses(model, is_kept));
  merged.after = {merged.model.clauses(), merged.model.included()};
  return merged;
}

}  // namespace

Merged merge_clauses(const Model& model) {
  if (is_fuzzy(model.options())) return merge_fuzzy(model);
  const Conditions conditions(model);
  const VotesByClause voters(model);
  // Classes that have clauses of their own keep their own: engines lay them out class by class.
  const bool shared = has_one_bank(model.options());
  ClauseSize before{model.clauses(), model.included()};
  std::size_t empty = 0, contradictory = 0;
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, std::uint32_t> found;  // by output and literals
  std::vector<const std::vector<std::uint32_t>*> clauses;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> votes;  // by output and clause
  std::size_t kept = 0;
  for (std::size_t c = 0; c < model.clauses(); ++c) {
    const auto literals = conditions.essence(model.clause(c));
    empty += model.clause(c).empty();
    contradictory += !literals;
    if (!literals || literals->empty()) continue;
    ++kept;
    for (const VotesByClause::Vote& vote : voters.of(c)) {
      const auto [at, is_new] =
          found.try_emplace({shared ? 0 : vote.output, *literals}, static_cast<std::uint32_t>(clauses.size()));
      if (is_new) clauses.push_back(&at->first.second);
      votes[{vote.output, at->second}] += vote.votes;
    }
  }
  std::erase_if(votes, [](const auto& entry) { return entry.second == 0; });

  std::vector<bool> is_voting(clauses.size());
  for (const auto& entry : votes) is_voting[entry.first.second] = true;
  std::vector<std::uint32_t> number(clauses.size());
  ModelParts parts = model.parts();
  parts.clause_starts = {0};
  parts.literals.clear();
  for (std::size_t c = 0; c < clauses.size(); ++c) {
    if (!is_voting[c]) continue;
    number[c] = static_cast<std::uint32_t>(parts.clause_starts.size() - 1);
    parts.literals.insert(parts.literals.end(), clauses[c]->begin(), clauses[c]->end());
    parts.clause_starts.push_back(parts.literals.size());
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> renumbered;
  for (const auto& [key, sum] : votes) renumbered[{key.first, number[key.second]}] = sum;
  set_weights(parts, renumbered);
  Merged merged{Model(std::move(parts)), before};
  merged.after = {merged.model.clauses(), merged.model.included()};
  merged.empty = empty;
  merged.contradictory = contradictory;
  merged.equal = kept - std::min(kept, clauses.size());
  merged.cancelled = clauses.size() - merged.after.clauses;
  return merged;
}

}  // namespace falsum
