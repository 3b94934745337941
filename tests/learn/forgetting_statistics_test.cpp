// Deferred forgetting has the law of the textbook machine (textbook_statistics.h), on small random data and on parts of
// the large data sets.
#include <gtest/gtest.h>

#include <algorithm>

#include "data/data_files.h"
#include "falsum/booleanizer.h"
#include "random_data.h"
#include "textbook_statistics.h"

namespace falsum::forgetting_statistics_test {
namespace {

using textbook_statistics::compare_machines;
using textbook_statistics::Data;
using textbook_statistics::Slice;

constexpr int kSeeds = 24;
constexpr std::size_t kMostClasses = 3;

TEST(ForgettingStatisticsSlow, MatchTheTextbookOnSmallRandomData) {
  const RandomData train(1, 400, 20, 3), test(2, 400, 20, 3);
  const Data data{{train.rows, train.labels}, {test.rows, test.labels}, 3};
  for (const double s : {1.5, 3.9, 20.0}) {
    for (const bool boost : {true, false}) {
      Options options;
      options.clauses = 20;
      options.threshold = 10;
      options.specificity = s;
      options.boost = boost;
      printf("s %.1f, %s\n", s, boost ? "boosted" : "not boosted");
      compare_machines(options, data, 2, 60);
    }
  }
}

// Of the training split, `count` random rows to learn from and as many others to test on.
Data load(const std::string& name, std::size_t count) {
  LoadOptions where;
  where.data_directory = testing_data::large_data();
  const Source source = load_source(name + ":train", where);
  BooleanizeOptions words;
  words.vocabulary = 400;
  words.phrases = 1;
  words.select = "frequent";
  const BitMatrix rows = Booleanizer::fit(source, words).transform(source);
  const std::vector<std::string> names = distinct_labels(source.labels);
  const std::vector<std::uint32_t> labels = encode_labels(source, names);

  std::vector<std::size_t> order;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (labels[r] < kMostClasses) order.push_back(r);
  }
  TestRandom random(1);
  const auto take = [&](std::size_t first) {
    Slice slice{BitMatrix(count, rows.columns()), {}};
    std::vector<std::uint32_t> classes;
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(order[first + i], order[first + i + random.below(order.size() - first - i)]);
      const std::size_t r = order[first + i];
      std::copy(rows.row(r).begin(), rows.row(r).end(), slice.rows.row(i).begin());
      classes.push_back(labels[r]);
    }
    slice.targets = std::move(classes);
    return slice;
  };
  Slice train = take(0), test = take(count);
  return {std::move(train), std::move(test), std::min(names.size(), kMostClasses)};
}

void compare_on(const std::string& name, std::size_t count, std::int64_t clauses, std::int64_t threshold, double s) {
  Data data;
  try {
    data = load(name, count);
  } catch (const FileError& error) {
    GTEST_SKIP() << error.what();
  }
  Options options;
  options.clauses = clauses;
  options.threshold = threshold;
  options.specificity = s;
  compare_machines(options, data, 2, kSeeds);
}

TEST(ForgettingStatisticsSlow, MatchTheTextbookOnMnist) { compare_on("mnist", 400, 40, 10, 10); }

TEST(ForgettingStatisticsSlow, MatchTheTextbookOnFashionMnist) { compare_on("fashion-mnist", 400, 40, 10, 10); }

TEST(ForgettingStatisticsSlow, MatchTheTextbookOnImdb) { compare_on("imdb", 400, 60, 15, 27); }

}  // namespace
}  // namespace falsum::forgetting_statistics_test
