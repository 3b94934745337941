#include "data.h"

#include <fmt/format.h>

#include <algorithm>

namespace falsum::bench {

DataSet load_data(const std::string& name, int levels, std::uint32_t vocabulary) {
  LoadOptions load;
  load.levels = levels;
  BooleanizeOptions booleanize;
  booleanize.levels = levels;
  booleanize.vocabulary = vocabulary;
  const Source train = load_source(name + ":train", load), test = load_source(name + ":test", load);
  const std::vector<std::string> names = distinct_labels(train.labels);
  const Booleanizer booleanizer = Booleanizer::fit(train, booleanize);
  return {{booleanizer.transform(train), encode_labels(train, names)},
          {booleanizer.transform(test), encode_labels(test, names)},
          names.size()};
}

Rows some_rows(const Rows& all, std::size_t first, std::size_t count) {
  const std::size_t there = all.labels.size();
  if (first > there || count > there - first) throw DataError(fmt::format("there are only {} rows", there));
  Rows some{BitMatrix(count, all.bits.columns()), {}};
  some.labels.assign(all.labels.begin() + static_cast<std::ptrdiff_t>(first),
                     all.labels.begin() + static_cast<std::ptrdiff_t>(first + count));
  for (std::size_t r = 0; r < count; ++r) std::ranges::copy(all.bits.row(first + r), some.bits.row(r).begin());
  return some;
}

double share_right(const std::vector<std::uint32_t>& predicted, const std::vector<std::uint32_t>& labels) {
  double right = 0;
  for (std::size_t r = 0; r < predicted.size(); ++r) right += predicted[r] == labels[r];
  return right / static_cast<double>(predicted.size());
}

}  // namespace falsum::bench
