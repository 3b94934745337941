#include "falsum/rules.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "falsum/error.h"
#include "support/format.h"

namespace falsum {

std::vector<std::string> output_labels(const Model& model) {
  if (!model.labels().empty()) return model.labels();
  if (model.task() == Task::kRegression) return {"number"};
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < model.outputs(); ++i) labels.push_back(std::to_string(i));
  return labels;
}

std::vector<Rule> rules_of(const Conditions& conditions, std::size_t output, std::span<const bool> only) {
  const Model& model = conditions.model();
  if (output >= model.outputs()) {
    throw ConfigError(fmt::format("output must be below {}, got {}", model.outputs(), output));
  }
  if (!only.empty() && only.size() != model.clauses()) {
    throw ConfigError(
        fmt::format("only must have a value for each of {} clauses, got {}", model.clauses(), only.size()));
  }
  const bool fuzzy = is_fuzzy(model.options());
  std::map<std::pair<bool, std::vector<std::uint32_t>>, Rule> rules;  // by polarity and literals
  const std::span<const Weight> weights = model.weights(output);
  for (std::size_t at = 0; at < weights.size(); ++at) {
    const auto& [clause, votes] = weights[at];
    if ((model.clause(clause).empty() && !fuzzy) || (!only.empty() && !only[clause])) continue;
    auto literals = fuzzy ? std::vector<std::uint32_t>(model.clause(clause).begin(), model.clause(clause).end())
                          : conditions.essence(model.clause(clause));
    if (!literals) continue;
    Rule& rule = rules[{votes < 0, std::move(*literals)}];
    rule.votes += votes * model.clause_votes(clause);
    rule.less += fuzzy ? 1 : 0;
    rule.clauses.push_back(at);
  }
  std::vector<Rule> sorted;
  sorted.reserve(rules.size());
  for (auto& [key, rule] : rules) {
    rule.output = output;
    if (fuzzy) {
      for (const std::uint32_t literal : key.second) {
        const std::vector<std::string> told = *conditions.of({&literal, 1});
        rule.conditions.insert(rule.conditions.end(), told.begin(), told.end());
      }
    } else {
      rule.conditions = *conditions.of(key.second);
    }
    rule.literals = key.second;
    sorted.push_back(std::move(rule));
  }
  std::sort(sorted.begin(), sorted.end(), [](const Rule& a, const Rule& b) {
    const auto key = [](const Rule& rule) {
      return std::tuple(-std::abs(rule.votes), rule.conditions.size(), rule.votes < 0, rule.clauses.front());
    };
    return key(a) < key(b);
  });
  return sorted;
}

std::vector<std::string> rule_pieces(std::int64_t votes, std::span<const std::string> conditions,
                                     std::string_view label, std::int64_t less) {
  std::vector<std::string> pieces;
  for (const std::string& condition : conditions) {
    const std::string lead = pieces.empty() ? fmt::format("{:+} IF", votes) : "AND";
    const bool has_or = condition.ends_with(" or missing");
    pieces.push_back(has_or ? fmt::format("{} ({})", lead, condition) : fmt::format("{} {}", lead, condition));
  }
  if (pieces.empty()) {
    pieces.push_back(fmt::format("{:+}", votes));
  } else if (less > 0) {
    pieces.push_back(fmt::format("LESS {} FOR EACH THAT IS FALSE", less));
  }
  pieces.push_back(fmt::format("THEN {}{}", votes < 0 ? "NOT " : "", label));
  return pieces;
}

std::string rule_text(std::int64_t votes, std::span<const std::string> conditions, std::string_view label,
                      std::int64_t less) {
  std::string text;
  for (const std::string& piece : rule_pieces(votes, conditions, label, less))
    text += (text.empty() ? "" : " ") + piece;
  return text;
}

ClauseStatistics clause_statistics(const Model& model) {
  const Conditions conditions(model);
  ClauseStatistics statistics;
  std::vector<std::uint64_t> lengths;
  lengths.reserve(model.clauses());
  for (std::size_t c = 0; c < model.clauses(); ++c) {
    lengths.push_back(model.clause(c).size());
    statistics.empty += lengths.back() == 0;
    statistics.contradictory += !is_fuzzy(model.options()) && conditions.never_true(model.clause(c));
  }
  statistics.clauses = lengths.size();
  statistics.included = model.included();
  if (lengths.empty()) return statistics;
  std::uint64_t listed = 0;  // a clause is in the lists of every output it votes on
  for (const Weight& weight : model.parts().weights) listed += lengths[weight.clause];
  statistics.mean_list_length =
      static_cast<double>(listed) / (static_cast<double>(model.outputs()) * static_cast<double>(model.literals()));
  std::sort(lengths.begin(), lengths.end());
  const std::size_t middle = lengths.size() / 2;
  statistics.median_length = lengths.size() % 2 == 1 ? static_cast<double>(lengths[middle])
                                                     : static_cast<double>(lengths[middle - 1] + lengths[middle]) / 2;
  statistics.longest = lengths.back();
  statistics.mean_length = static_cast<double>(model.included()) / static_cast<double>(lengths.size());
  return statistics;
}

}  // namespace falsum
