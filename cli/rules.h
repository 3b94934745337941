// Clauses for people: as sentences, as statistics and as pictures.
//
//   +2 IF pixel 3,4 > 75 AND NOT pixel 9,9 > 75 THEN class 3      two equal clauses that vote for their class
//   -1 IF pixel 7,2 > 75 THEN NOT class 3                         one that votes against
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "falsum/model.h"

namespace falsum::cli {

/// The model's labels; 0, 1, .. when it has none.
std::vector<std::string> class_names(const Model& model);

/// A clause of a class: its place among those that vote on the class.
struct ClauseId {
  std::size_t class_id = 0, clause = 0;
};
std::span<const std::uint32_t> literals_of(const Model& model, ClauseId id);
std::int32_t votes_of(const Model& model, ClauseId id);

/// A feature and its negation in the same clause: it can never be true.
bool contradicts_itself(const Model& model, ClauseId id);

struct ClauseStatistics {
  std::uint64_t clauses = 0;  // over all classes
  std::uint64_t empty = 0, contradictory = 0;
  std::uint64_t included = 0;
  double mean_length = 0, median_length = 0;
  std::uint64_t longest = 0;
  double mean_list_length = 0;  // of the (class, literal) inclusion lists
};
ClauseStatistics statistics_of(const Model& model);

/// Equal clauses of one class and polarity. What was learned more than once is no accident.
struct Rule {
  ClauseId first;
  std::size_t copies = 0;
  std::int64_t votes = 0;  // of all copies together
};

/// At most `count` rules of a class that can be true: those with most votes first, then the shortest; as many
/// for the class as against it.
std::vector<Rule> pick_rules(const Model& model, std::size_t class_id, std::size_t count);

/// The rule in pieces that belong together: "+2 IF colour = red", "AND NOT width >= 3.5", "THEN class rose".
/// `literal_names` is model.literal_names(), made once.
std::vector<std::string> rule_pieces(const Model& model, const Rule& rule,
                                     const std::vector<std::string>& literal_names);

}  // namespace falsum::cli
