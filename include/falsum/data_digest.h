// DataDigest: the fingerprint of the training data in a checkpoint, so that training is not resumed with other data by
// mistake. It has a number for each part of the data, so that the message can name the part that differs. Packed and
// sparse rows of the same data give the same digest. The order of the rows matters, as it does for learning.
//
//   machine.set_data(digest(rows, targets, label_names, feature_names));     before learning: checkpoints hold it
//   difference(*resumed.data(), digest(...))                                after resuming: empty if they are the same
//
// Cost: XXH64 over the words of 64 features that are not all false, 16 bytes each.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "falsum/rows.h"
#include "falsum/targets.h"

namespace falsum {

struct DataDigest {
  std::uint64_t rows = 0, features = 0;  // how many
  std::uint64_t values = 0;              // which features are true in which row
  std::uint64_t labels = 0;              // the target of every row
  std::uint64_t label_names = 0;
  std::uint64_t feature_names = 0;  // with thresholds and categories, as rules print them
  std::uint64_t weights = 0;        // of the rows; 0: none, or all the same
  friend bool operator==(const DataDigest&, const DataDigest&) = default;
};

DataDigest digest(const Rows& rows, const Targets& targets, std::span<const std::string> label_names = {},
                  std::span<const std::string> feature_names = {});

/// The digest of row weights: 0 if there are none, or all are the same.
std::uint64_t digest_of_weights(std::span<const double> weights);

/// How `given` differs from `learned`: "700 rows instead of 500", "other labels in its rows and other values in its
/// rows". Empty if there is no difference.
std::string difference(const DataDigest& learned, const DataDigest& given);

}  // namespace falsum
