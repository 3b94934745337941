// The data of the benchmarks: a built-in data set as bits and class ids.
#pragma once

#include <string>
#include <vector>

#include "falsum/falsum.h"

namespace falsum::bench {

struct LabelledRows {
  BitMatrix bits;
  std::vector<std::uint32_t> labels;
};

struct DataSet {
  LabelledRows train, test;
  std::size_t classes = 0;
};

DataSet load_data(const std::string& name, const BooleanizeOptions& booleanize);

/// A copy of `count` rows from `first` on. Throws DataError if there are fewer.
BitMatrix some_bits(const BitMatrix& all, std::size_t first, std::size_t count);
LabelledRows some_rows(const LabelledRows& all, std::size_t first, std::size_t count);

/// The same rows in a random order that is always the same: files are often sorted by label, and a part of them has
/// to be as good as any other.
LabelledRows shuffled(const LabelledRows& rows);

/// Whether so few features are true that predictors take the rows as lists.
bool is_sparse(const BitMatrix& bits);

/// Bytes of this process at its largest; 0 if not known.
std::uint64_t peak_memory();

/// The share of labels that were predicted.
double share_right(const std::vector<std::uint32_t>& predicted, const std::vector<std::uint32_t>& labels);

}  // namespace falsum::bench
