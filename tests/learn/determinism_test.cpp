// Same seed, same machine: on every engine, kernel set, thread count and compiler. The golden numbers are part of the
// promise: a change to them needs a line in CHANGELOG.md.
#include <gtest/gtest.h>

#include "falsum/error.h"
#include "falsum/source.h"
#include "learn/trainer.h"
#include "random_data.h"
#include "state_digest.h"

namespace falsum {
namespace {

struct Slice {
  BitMatrix rows;
  std::vector<std::uint32_t> labels;
};

/// The first `count` images of the embedded MNIST.
Slice mnist_slice(std::size_t count) {
  const Source source = load_source("mnist:train");
  const BitMatrix& all = std::get<BitMatrix>(source.values);
  const std::vector<std::uint32_t> labels = encode_labels(source, distinct_labels(source.labels));
  Slice slice{BitMatrix(count, all.columns()), {labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(count)}};
  for (std::size_t r = 0; r < count; ++r) std::copy(all.row(r).begin(), all.row(r).end(), slice.rows.row(r).begin());
  return slice;
}

Options small_options() {
  Options options;
  options.clauses = 60;
  options.threshold = 15;
  options.specificity = 5;
  options.seed = 7;
  return options;
}

std::uint64_t learn(Options options, const BitMatrix& rows, const std::vector<std::uint32_t>& labels,
                    std::size_t classes) {
  Trainer trainer(options, rows.columns(), classes);
  for (std::int64_t e = 0; e < options.epochs; ++e) trainer.learn_epoch(rows, labels, {});
  return state_digest(trainer);
}

TEST(DeterminismThreads, EnginesKernelSetsAndThreadsLearnTheSameMachine) {
  const RandomData data(1, 3000, 50, 5);
  Options options = small_options();
  options.epochs = 2;
  options.threads = 1;
  const std::uint64_t expected = learn(options, data.rows, data.labels, 5);
  for (const std::string engine : {"scan", "index", "lookahead", "auto"}) {
    for (const Kernels* kernels : supported_kernels()) {
      for (const int threads : {1, 2, 3}) {
        options.engine = engine;
        options.kernels = kernels->name;
        options.threads = threads;
        EXPECT_EQ(learn(options, data.rows, data.labels, 5), expected)
            << engine << " " << kernels->name << " " << threads;
      }
    }
  }
}

TEST(Determinism, CheckpointsAreTheSameBytesForEveryEngineAndThreadCount) {
  const RandomData data(1, 2500, 30, 3);
  std::string expected;
  for (const std::string engine : {"scan", "index", "lookahead"}) {
    for (const int threads : {1, 2, 3}) {
      Options options = small_options();
      options.engine = engine;
      options.threads = threads;
      Trainer trainer(options, 30, 3);
      trainer.learn_epoch(data.rows, data.labels, {});
      if (expected.empty()) expected = trainer.checkpoint();
      EXPECT_EQ(trainer.checkpoint(), expected) << engine << " " << threads;
    }
  }
}

TEST(Determinism, GoldenRandomData) {
  const RandomData data(1, 3000, 50, 5);
  Options options = small_options();
  options.epochs = 2;
  EXPECT_EQ(learn(options, data.rows, data.labels, 5), 9401182466422189664u);
}

TEST(Determinism, GoldenMnistSlice) {
  const Slice slice = mnist_slice(2000);
  Options options = small_options();
  options.epochs = 2;
  EXPECT_EQ(learn(options, slice.rows, slice.labels, 10), 1322219185919227355u);
}

TEST(Determinism, TheSeedMattersAndZeroIsASeed) {
  const RandomData data(1, 500, 20, 2);
  std::vector<std::uint64_t> digests;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    Options options = small_options();
    options.epochs = 1;
    options.seed = seed;
    digests.push_back(learn(options, data.rows, data.labels, 2));
  }
  EXPECT_NE(digests[0], digests[1]);
  EXPECT_NE(digests[1], digests[2]);
}

}  // namespace
}  // namespace falsum
