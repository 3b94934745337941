#include <gtest/gtest.h>

#include "falsum/model.h"
#include "falsum/rules.h"

namespace falsum::fuzzy_rules_test {
namespace {

TEST(FuzzyRules, SayWhatIsForgiven) {
  ModelParts parts;
  parts.options.clauses = 40;
  parts.options.threshold = 20;
  parts.options.max_literals = 20;
  parts.options.fuzzy = 10;
  parts.features = 3;
  parts.outputs = 1;
  parts.options.task = Task::kMultilabel;
  parts.literals = {0, 4, 0, 4, 2};
  parts.clause_starts = {0, 2, 4, 5, 5};
  parts.weights = {{0, 1}, {1, 1}, {2, -1}, {3, -1}};
  parts.weight_starts = {0, 4};
  const Model model(parts);
  const Conditions conditions(model);
  std::vector<std::string> texts;
  for (const Rule& rule : rules_of(conditions, 0)) {
    texts.push_back(rule_text(rule.votes, rule.conditions, "it", rule.less));
  }
  EXPECT_EQ(texts,
            (std::vector<std::string>{"+20 IF x0 AND not x1 LESS 2 FOR EACH THAT IS FALSE THEN it", "-10 THEN NOT it",
                                      "-10 IF x2 LESS 1 FOR EACH THAT IS FALSE THEN NOT it"}));
}

}  // namespace
}  // namespace falsum::fuzzy_rules_test
