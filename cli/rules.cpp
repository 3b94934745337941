#include "rules.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "support/format.h"

namespace falsum::cli {

std::vector<std::string> class_names(const Model& model) {
  if (!model.labels().empty()) return model.labels();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.outputs(); ++i) names.push_back(std::to_string(i));
  return names;
}

std::span<const std::uint32_t> literals_of(const Model& model, ClauseId id) {
  return model.clause(model.weights(id.class_id)[id.clause].clause);
}
std::int32_t votes_of(const Model& model, ClauseId id) { return model.weights(id.class_id)[id.clause].votes; }

bool contradicts_itself(const Model& model, ClauseId id) {
  // Ascending: features first, then negations in the order of their features. One merge finds a pair.
  const auto literals = literals_of(model, id);
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
  lengths.reserve(model.clauses());
  for (std::size_t class_id = 0; class_id < model.outputs(); ++class_id) {
    for (std::size_t clause = 0; clause < model.weights(class_id).size(); ++clause) {
      lengths.push_back(literals_of(model, {class_id, clause}).size());
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
  const auto lists = static_cast<double>(model.outputs() * model.literals());
  statistics.mean_list_length = lists > 0 ? static_cast<double>(model.included()) / lists : 0;
  return statistics;
}

namespace {

/// The rules of one polarity, best first.
std::vector<Rule> ranked_rules(const Model& model, std::size_t class_id, bool positive) {
  const auto literals = [&](std::size_t clause) { return literals_of(model, {class_id, clause}); };
  const auto same = [&](std::size_t a, std::size_t b) { return std::ranges::equal(literals(a), literals(b)); };
  std::vector<std::size_t> clauses;
  for (std::size_t clause = 0; clause < model.weights(class_id).size(); ++clause) {
    const bool votes_for = votes_of(model, {class_id, clause}) >= 0;
    if (votes_for == positive && !literals(clause).empty() && !contradicts_itself(model, {class_id, clause})) {
      clauses.push_back(clause);
    }
  }
  std::stable_sort(clauses.begin(), clauses.end(), [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(literals(a), literals(b));
  });
  std::vector<Rule> rules;
  for (const std::size_t clause : clauses) {
    if (rules.empty() || !same(rules.back().first.clause, clause)) rules.push_back({{class_id, clause}, 0, 0});
    ++rules.back().copies;
    rules.back().votes += votes_of(model, {class_id, clause});
  }
  std::sort(rules.begin(), rules.end(), [&](const Rule& a, const Rule& b) {
    const auto key = [&](const Rule& rule) {
      return std::tuple(-std::abs(rule.votes), literals(rule.first.clause).size(), rule.first.clause);
    };
    return key(a) < key(b);
  });
  return rules;
}

}  // namespace

std::vector<Rule> pick_rules(const Model& model, std::size_t class_id, std::size_t count) {
  std::vector<Rule> picked = ranked_rules(model, class_id, true);
  std::vector<Rule> against = ranked_rules(model, class_id, false);
  // If one polarity has too few, the other fills up.
  const std::size_t half = std::min((count + 1) / 2, picked.size());
  against.resize(std::min(count - half, against.size()));
  picked.resize(std::min(count - against.size(), picked.size()));
  picked.insert(picked.end(), against.begin(), against.end());
  return picked;
}

std::vector<std::string> rule_pieces(const Model& model, const Rule& rule,
                                     const std::vector<std::string>& literal_names) {
  const std::size_t class_id = rule.first.class_id;
  std::vector<std::string> pieces;
  for (const std::uint32_t literal : literals_of(model, rule.first)) {
    std::string name = literal_names[literal];
    if (literal >= model.features() && name.starts_with("not ")) name.replace(0, 3, "NOT");
    if (name.ends_with(" or missing")) name = "(" + name + ")";
    const std::string lead = pieces.empty() ? fmt::format("{:+} IF", rule.votes) : "AND";
    pieces.push_back(fmt::format("{} {}", lead, name));
  }
  pieces.push_back(fmt::format("THEN {}class {}", rule.votes >= 0 ? "" : "NOT ", class_names(model)[class_id]));
  return pieces;
}

}  // namespace falsum::cli
