// The data of the benchmarks: a built-in data set as bits and class ids.
#pragma once

#include <string>
#include <vector>

#include "falsum/falsum.h"

namespace falsum::bench {

struct Rows {
  BitMatrix bits;
  std::vector<std::uint32_t> labels;
};

struct DataSet {
  Rows train, test;
  std::size_t classes = 0;
};

DataSet load_data(const std::string& name, int levels, std::uint32_t vocabulary);

/// A copy of `count` rows from `first` on. Throws DataError if there are fewer.
Rows some_rows(const Rows& all, std::size_t first, std::size_t count);

/// The share of labels that were predicted.
double share_right(const std::vector<std::uint32_t>& predicted, const std::vector<std::uint32_t>& labels);

}  // namespace falsum::bench
