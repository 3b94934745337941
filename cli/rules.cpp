#include "rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace falsum::cli {

std::vector<std::string> class_names(const Model& model) {
  if (!model.labels.empty()) return model.labels;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.classes(); ++i) names.push_back(std::to_string(i));
  return names;
}

bool contradicts_itself(const Model& model, ClauseId id) {
  // Ascending: features first, then negations in the order of their features. One merge finds a pair.
  const auto literals = model.clause(id.class_id, id.clause);
  const auto features = static_cast<std::uint32_t>(model.features());
  auto negation = std::lower_bound(literals.begin(), literals.end(), features);
  for (auto feature = literals.begin(); feature != literals.end() && *feature < features; ++feature) {
    while (negation != literals.end() && *negation - features < *feature) ++negation;
    if (negation != literals.end() && *negation - features == *feature) return true;
  }
  return false;
}

ClauseStatistics statistics_of(const Model& model) {
  ClauseStatistics statistics;
  std::vector<std::uint64_t> lengths;
  lengths.reserve(model.classes() * model.clauses());
  for (std::size_t class_id = 0; class_id < model.classes(); ++class_id) {
    for (std::size_t clause = 0; clause < model.clauses(); ++clause) {
      lengths.push_back(model.clause(class_id, clause).size());
      statistics.empty += lengths.back() == 0;
      statistics.contradictory += contradicts_itself(model, {class_id, clause});
    }
  }
  statistics.clauses = lengths.size();
  statistics.included = model.included();
  if (lengths.empty()) return statistics;
  std::sort(lengths.begin(), lengths.end());
  const std::size_t middle = lengths.size() / 2;
  statistics.median_length = lengths.size() % 2 == 1 ? static_cast<double>(lengths[middle])
                                                     : static_cast<double>(lengths[middle - 1] + lengths[middle]) / 2;
  statistics.longest = lengths.back();
  statistics.mean_length = static_cast<double>(model.included()) / static_cast<double>(lengths.size());
  const auto lists = static_cast<double>(model.classes() * model.literals());
  statistics.mean_list_length = lists > 0 ? static_cast<double>(model.included()) / lists : 0;
  return statistics;
}

std::vector<ClauseId> pick_rules(const Model& model, std::size_t class_id, std::size_t count) {
  std::vector<ClauseId> votes_for, votes_against;
  for (std::size_t clause = 0; clause < model.clauses(); ++clause) {
    const ClauseId id{class_id, clause};
    if (model.clause(class_id, clause).empty() || contradicts_itself(model, id)) continue;
    (model.weight(class_id, clause) >= 0 ? votes_for : votes_against).push_back(id);
  }
  const auto shorter = [&](ClauseId a, ClauseId b) {
    return model.clause(class_id, a.clause).size() < model.clause(class_id, b.clause).size();
  };
  std::stable_sort(votes_for.begin(), votes_for.end(), shorter);
  std::stable_sort(votes_against.begin(), votes_against.end(), shorter);
  // If one polarity has too few, the other fills up.
  std::size_t first = std::min((count + 1) / 2, votes_for.size());
  const std::size_t second = std::min(count - first, votes_against.size());
  first = std::min(count - second, votes_for.size());
  std::vector<ClauseId> picked(votes_for.begin(), votes_for.begin() + static_cast<std::ptrdiff_t>(first));
  picked.insert(picked.end(), votes_against.begin(), votes_against.begin() + static_cast<std::ptrdiff_t>(second));
  return picked;
}

std::string rule_text(const Model& model, ClauseId id, const std::vector<std::string>& literal_names) {
  const bool positive = model.weight(id.class_id, id.clause) >= 0;
  std::string text = positive ? "+ IF " : "- IF ";
  bool first = true;
  for (const std::uint32_t literal : model.clause(id.class_id, id.clause)) {
    if (!first) text += " AND ";
    first = false;
    text += literal < model.features() ? literal_names[literal] : "NOT " + literal_names[literal - model.features()];
  }
  const std::string label = class_names(model)[id.class_id];
  return text + fmt::format(" THEN {}class {}", positive ? "" : "NOT ", label);
}

}  // namespace falsum::cli
