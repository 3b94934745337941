// The values that the booleanizer of a model can tell apart, column by column, as features that are on.
//
//   bits, words, pixels   on or off
//   grey levels           one range more than thresholds
//   columns of a table    one range more than thresholds; each category; true or false. Not "missing", and no category
//                         that was not in training: nobody asks for that change
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "falsum/rules.h"

namespace falsum {

class Settings {
 public:
  explicit Settings(const Conditions& conditions);

  std::size_t columns() const { return columns_; }
  /// The features of a column, ascending.
  std::vector<std::uint32_t> features(std::size_t column) const;
  /// For each value of the column, which of features(column) are on.
  std::vector<std::vector<bool>> values(std::size_t column) const;
  /// The value as a condition.
  std::string text(std::size_t column, const std::vector<bool>& value) const;

 private:
  const Conditions& conditions_;
  const Model& model_;
  std::size_t columns_ = 0;
  std::vector<std::size_t> first_features_;  // of a table: one more than columns
};

}  // namespace falsum
