// Clauses in words: the conditions of each in the units of the data, and the rules that the clauses of an output form.
//
//   literals of a clause    age >= 30, age >= 41.5, smoker, not age >= 60
//   its conditions          41.5 <= age < 60, smoker
//   the rule                +2 IF 41.5 <= age < 60 AND smoker THEN ill          two equal clauses that vote for "ill"
//                           -1 IF (age < 30 or missing) THEN NOT ill            one that votes against it
//
//   a fuzzy one             +9 IF age >= 30 AND smoker LESS 1 FOR EACH THAT IS FALSE THEN ill
//
// Literals are joined by column, so that a clause has one condition per column where possible. Literals that others of
// the clause imply are left out; two clauses are equal if the same literals remain. Implied and impossible literals are
// those for rows of the model's booleanizer: a value of at least 41.5 is at least 30, and has one category. The command
// and Python print exactly these texts. Of a fuzzy clause every literal counts, so each is a condition of its own.
//
//   const Conditions conditions(model);
//   for (const Rule& rule : rules_of(conditions, output)) {
//     std::puts(rule_text(rule.votes, rule.conditions, output_labels(model)[output]).c_str());
//   }
//
// Cost: a clause of n literals takes O(n), or O(n log n) for images of several grey levels; there is no table of all
// literals. Everything here reads the model only and may be called from any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "falsum/model.h"

namespace falsum {

/// The model's labels; "0", "1", ... when it has none.
std::vector<std::string> output_labels(const Model& model);

/// The conditions of a model's clauses. Refers to the model, which must live as long.
class Conditions {
 public:
  /// `column_names`: empty for the model's own names, or one for each of columns(). Throws ConfigError for any other
  /// number.
  explicit Conditions(const Model& model, std::vector<std::string> column_names = {});
  Conditions(Model&& model, std::vector<std::string> column_names = {}) = delete;

  const Model& model() const { return *model_; }
  /// The columns of the data: columns of a table, pixels of an image, words.
  std::size_t columns() const { return columns_; }

  /// The conditions that must all hold, first those that require something, then those that only exclude something. An
  /// empty list for an empty clause; no value for a clause that contradicts itself. `clause` is literals, ascending.
  std::optional<std::vector<std::string>> of(std::span<const std::uint32_t> clause) const;
  /// It contradicts itself: a literal and its negation, `age >= 60` and `age < 30`, two categories of one column.
  bool never_true(std::span<const std::uint32_t> clause) const;
  /// The literals that imply all others of the clause, ascending; no value if it contradicts itself.
  std::optional<std::vector<std::uint32_t>> essence(std::span<const std::uint32_t> clause) const;
  /// All literals that hold wherever the clause is true, its own among them, ascending: age >= 41.5 gives age >= 30
  /// too. For a clause that does not contradict itself.
  std::vector<std::uint32_t> implied(std::span<const std::uint32_t> clause) const;

 private:
  struct Said;
  struct Meaning;
  Meaning meaning(std::size_t feature) const;
  std::vector<Said> read(std::span<const std::uint32_t> clause) const;
  template <class Visit>
  void for_each_feature_of(std::size_t column, const Visit& visit) const;
  std::string value_text(std::uint32_t literal) const;
  std::string name(std::size_t column) const;
  bool may_miss(std::size_t column) const;
  void tell(const Said& said, std::vector<std::string>& conditions) const;

  const Model* model_;
  const Booleanizer* booleanizer_;  // the model's; one of bits, if that makes no features
  std::size_t columns_ = 0;
  std::vector<std::string> names_;           // of the columns, made distinct; empty: by position
  std::vector<std::size_t> first_features_;  // tables: where the features of each column begin; one more than columns
};

/// Equal clauses of one output and polarity. A clause that was learned several times is unlikely to be chance.
struct Rule {
  std::size_t output = 0;
  std::int64_t votes = 0;            // of all its clauses together; negative: against the output
  std::vector<std::size_t> clauses;  // positions within model.weights(output), ascending
  std::vector<std::string> conditions;
  std::int64_t less = 0;  // fuzzy: the votes that it loses for each condition that is false; 0: all must hold
  std::vector<std::uint32_t> literals = {};  // that its conditions tell, ascending
};

/// The rules of an output: empty clauses and those that contradict themselves are left out, unless they are fuzzy; most
/// votes first, then the fewest conditions. `only`, unless it is empty, has a value for each clause of the model:
/// whether to use it, for example only clauses that are true of a row (clause_outputs.h).
std::vector<Rule> rules_of(const Conditions& conditions, std::size_t output, std::span<const bool> only = {});

/// A rule in pieces that belong together: "+2 IF colour = red", "AND width < 3.5", "THEN rose".
std::vector<std::string> rule_pieces(std::int64_t votes, std::span<const std::string> conditions,
                                     std::string_view label, std::int64_t less = 0);
/// The same as one sentence.
std::string rule_text(std::int64_t votes, std::span<const std::string> conditions, std::string_view label,
                      std::int64_t less = 0);

struct ClauseStatistics {
  std::uint64_t clauses = 0;
  std::uint64_t empty = 0, contradictory = 0;
  std::uint64_t included = 0;  // literals of all clauses
  double mean_length = 0, median_length = 0;
  std::uint64_t longest = 0;
  double mean_list_length = 0;  // of the (output, literal) inclusion lists
};
ClauseStatistics clause_statistics(const Model& model);

}  // namespace falsum
