#include "data.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <numeric>
#include <random>

#include "falsum/datasets.h"

namespace falsum::bench {

DataSet load_data(const std::string& name, const BooleanizeOptions& booleanize) {
  use_builtin_datasets();
  LoadOptions load;
  load.levels = booleanize.levels;
  const Source train = load_source(name + ":train", load), test = load_source(name + ":test", load);
  const std::vector<std::string> names = distinct_labels(train.labels);
  const Booleanizer booleanizer = Booleanizer::fit(train, booleanize);
  return {{booleanizer.transform(train), encode_labels(train, names)},
          {booleanizer.transform(test), encode_labels(test, names)},
          names.size()};
}

BitMatrix some_bits(const BitMatrix& all, std::size_t first, std::size_t count) {
  const std::size_t there = all.rows();
  if (first > there || count > there - first) throw DataError(fmt::format("there are only {} rows", there));
  BitMatrix some(count, all.columns());
  for (std::size_t r = 0; r < count; ++r) std::ranges::copy(all.row(first + r), some.row(r).begin());
  return some;
}

LabelledRows some_rows(const LabelledRows& all, std::size_t first, std::size_t count) {
  LabelledRows some{some_bits(all.bits, first, count), {}};
  some.labels.assign(all.labels.begin() + static_cast<std::ptrdiff_t>(first),
                     all.labels.begin() + static_cast<std::ptrdiff_t>(first + count));
  return some;
}

LabelledRows shuffled(const LabelledRows& rows) {
  std::mt19937_64 random(42);
  std::vector<std::size_t> order(rows.labels.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[random() % left]);
  LabelledRows result{BitMatrix(rows.bits.rows(), rows.bits.columns()), {}};
  for (std::size_t r = 0; r < order.size(); ++r) {
    std::ranges::copy(rows.bits.row(order[r]), result.bits.row(r).begin());
    result.labels.push_back(rows.labels[order[r]]);
  }
  return result;
}

bool is_sparse(const BitMatrix& bits) {
  constexpr double kSparse = 1.0 / 16;  // share of features that are true
  std::uint64_t count = 0;
  for (std::size_t r = 0; r < bits.rows(); ++r) {
    for (const std::uint64_t word : bits.row(r)) count += static_cast<std::uint64_t>(std::popcount(word));
  }
  return static_cast<double>(count) < kSparse * static_cast<double>(bits.rows() * bits.columns());
}

std::uint64_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return 1024 * std::stoull(line.substr(6));
  }
  return 0;
}

double share_right(const std::vector<std::uint32_t>& predicted, const std::vector<std::uint32_t>& labels) {
  double right = 0;
  for (std::size_t r = 0; r < predicted.size(); ++r) right += predicted[r] == labels[r];
  return right / static_cast<double>(predicted.size());
}

}  // namespace falsum::bench
