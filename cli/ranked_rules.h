// Rules with their record on given rows, for `falsum inspect --rules N --data DATA`.
#pragma once

#include <cstddef>

#include "falsum/rule_records.h"
#include "json.h"

namespace falsum::cli {

/// The first `count` rules of every class, with what they did on the rows.
Json ranked_rules_json(const Model& model, const RuleRecords& records, std::size_t count);
void print_ranked_rules(const Model& model, const RuleRecords& records, const std::string& origin, std::size_t count);

}  // namespace falsum::cli
