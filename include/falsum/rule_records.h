// Rules worth reading: the rules of a model with their record on given rows, those that cast most votes first.
//
//   votes cast   votes x rows that the rule is true of: how much it had to say about these rows
//   coverage     the share of the rows that it is true of
//   precision    the share of those that it is right about: rows of its class, or, if it votes against it, others
//   lift         precision / what it would be for a rule that is true of every row
//
// Intervals are one condition a column, equal clauses are one rule and contradictions are left out (rules.h). Here a
// rule that is a special case of another joins it if both are true of the same of these rows: the longer one says
// nothing more about them. Other special cases stay, and say of which rule.
//
//   const RuleRecords records = record_rules(Conditions(model), rows, targets);
//   std::size_t few = rules_that_carry(records.rules, 0.9);    // of records.rules, from the first
//
// Cost: a pass over the rows by clause_outputs.h, in blocks, then about the literals of all rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "falsum/rows.h"
#include "falsum/rules.h"
#include "falsum/targets.h"

namespace falsum {

struct RuleRecord {
  Rule rule;
  std::uint64_t rows = 0;        // that it is true of; a fuzzy rule: that it has votes for
  std::uint64_t votes_cast = 0;  // on all rows, for or against
  double share = 0;              // of the votes that all rules cast
  double coverage = 0;
  std::optional<double> precision = {}, lift = {};  // with classes or labels, where it is true of a row
  std::optional<double> mean = {};                  // with numbers: the mean of the rows that it is true of
  std::size_t special_cases = 0;                    // rules that joined it
  std::optional<std::size_t> special_case_of = {};  // the position of the first rule that is more general
};

struct RuleRecords {
  std::vector<RuleRecord> rules;  // of all outputs, most votes cast first
  std::uint64_t rows = 0;
  std::uint64_t clauses = 0, empty = 0, contradictory = 0;  // of the model; a clause counts once for each output
  std::uint64_t equal = 0;                                  // clauses beyond the first of their rule
  std::uint64_t subsumed = 0;                               // rules that joined a more general one
  std::uint64_t never_true = 0;                             // rules that are true of none of the rows
  std::uint64_t votes_cast = 0;
};

/// `truth` are the right answers, in the form of the model's task, if they are known. Throws DataError for a wrong
/// number of features or of answers.
RuleRecords record_rules(const Conditions& conditions, const Rows& rows, const std::optional<Targets>& truth = {});

/// How many rules, from the first, cast this share of the votes of all. The rules are in the order of votes cast.
std::size_t rules_that_carry(std::span<const RuleRecord> rules, double share);
/// The same for the rules of one output alone.
std::size_t rules_that_carry(std::span<const RuleRecord> rules, double share, std::size_t output);

}  // namespace falsum
