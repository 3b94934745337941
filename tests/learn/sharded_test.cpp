// Sharded learning: any number of threads and shards, every kernel set, give what a naive machine with stale votes
// gives.
#include <gtest/gtest.h>

#include "falsum/error.h"
#include "kernels/dispatch.h"
#include "learn/trainer.h"
#include "naive_machine.h"
#include "random_data.h"

namespace falsum::sharded_test {
namespace {

Options sharded_options() {
  Options options;
  options.clauses = 300;  // three words of slots for each polarity
  options.threshold = 15;
  options.specificity = 3.9;
  options.seed = 3;
  options.sharded = true;
  return options;
}

TEST(ShardedThreads, LearnsTheSameForAnyNumberOfThreads) {
  const RandomData data(2, 700, 40, 3);  // two blocks of uses a class; the thread sanitizer is slow
  const SparseBits sparse(data.rows);
  std::string expected;
  const auto expect_same = [&](const Rows& rows, std::int64_t threads, const std::string& kernels) {
    Options options = sharded_options();
    options.threads = threads;
    options.kernels = kernels;
    Trainer trainer(options, 40, 3);
    EpochReport report;
    for (int epoch = 0; epoch < 2; ++epoch) report = trainer.learn_epoch(rows, data.labels, {});
    EXPECT_EQ(report.counters.evaluations, 1400u);
    if (expected.empty()) expected = trainer.checkpoint();
    EXPECT_EQ(trainer.checkpoint(), expected) << threads << " threads, " << kernels;
  };
  for (const std::int64_t threads : {1, 2, 3, 4, 13}) expect_same(data.rows, threads, "auto");
  for (const Kernels* kernels : supported_kernels()) expect_same(data.rows, 3, kernels->name);
  for (const std::int64_t threads : {1, 3}) expect_same(SparseBitsView(sparse), threads, "auto");
}

/// Two epochs of both, the trainer's with a stop after every so many uses (0: none).
void expect_the_naive_machine(const Options& options, std::size_t rows, std::size_t features,
                              std::initializer_list<std::size_t> stops) {
  const RandomData data(5, rows, features, 2);
  NaiveMachine naive(options, features, 2);
  for (int epoch = 0; epoch < 2; ++epoch) naive.learn_epoch(data.naive_rows, data.labels);
  for (const std::size_t uses : stops) {
    Trainer trainer(options, features, 2);
    trainer.tell_after_uses(uses);
    const auto stop = [](double) { return false; };
    while (trainer.epoch() < 2) {
      trainer.learn_epoch(data.rows, data.labels, uses > 0 ? Machine::Progress(stop) : Machine::Progress());
    }
    for (std::size_t c = 0; c < 2; ++c) {
      for (std::uint32_t j = 0; j < options.clauses; ++j) {
        for (std::uint32_t l = 0; l < 2 * features; ++l) {
          ASSERT_EQ(trainer.learner(c).bank().state(ClauseId{j}, LiteralId{l}), naive.clause(c, j).state[l])
              << "class " << c << ", clause " << j << ", literal " << l << ", stops after " << uses;
        }
      }
    }
  }
}

TEST(ShardedThreads, IsTheNaiveMachineWithStaleVotes) {
  Options options = sharded_options();
  options.clauses = 130;
  options.threads = 5;
  expect_the_naive_machine(options, 700, 30, {0});
  options.max_weight = 20;
  expect_the_naive_machine(options, 700, 30, {0, 100});
}

// FINDINGS 6.4: blocks were counted over the chunk here and over the epoch in the oracle.
TEST(ShardedThreads, BlocksAreCountedOverTheEpochWhereverItIsCut) {
  Options options = sharded_options();
  options.clauses = 20;
  options.threads = 2;
  const std::size_t rows = 2 * first_chunk_size(2) + 100;
  expect_the_naive_machine(options, rows, 8, {0, 100, 256, 1000});
}

TEST(ShardedThreads, ABlockOfAnyLengthIsTheNaiveMachinesWhereverItIsLeft) {
  Options options = sharded_options();
  options.clauses = 20;
  options.threads = 2;
  for (const std::int64_t block : {64, 100, 300, 1000}) {
    options.block = block;
    expect_the_naive_machine(options, 1300, 8, {0, 70, 256, 600});
  }
}

TEST(Sharded, TheBlockDecidesWhatIsLearnedAndIsKept) {
  const RandomData data(7, 1000, 20, 2);
  Options options = sharded_options();
  std::vector<std::string> learned;
  for (const std::int64_t block : {64, 256, 512}) {
    options.block = block;
    Trainer trainer(options, 20, 2);
    trainer.learn_epoch(data.rows, data.labels, {});
    learned.push_back(trainer.checkpoint());
    EXPECT_EQ(Trainer::from_checkpoint(learned.back(), Options(), "test").options().block, block);
  }
  EXPECT_NE(learned[0], learned[1]);
  EXPECT_NE(learned[1], learned[2]);
  options.sharded = false;
  EXPECT_THROW(Trainer(options, 20, 2), ConfigError) << "an exact machine has no blocks";
}

TEST(Sharded, GoesOnFromACheckpointAndIsKeptInIt) {
  const RandomData data(7, 1000, 20, 2);
  const Options options = sharded_options();
  Trainer whole(options, 20, 2);
  whole.learn_epoch(data.rows, data.labels, {});
  Options run;  // says nothing of shards: the checkpoint does
  Trainer resumed = Trainer::from_checkpoint(whole.checkpoint(), run, "test");
  EXPECT_TRUE(resumed.options().sharded);
  whole.learn_epoch(data.rows, data.labels, {});
  resumed.learn_epoch(data.rows, data.labels, {});
  EXPECT_EQ(resumed.checkpoint(), whole.checkpoint());
}

TEST(Sharded, RefusesTheEnginesThatCannotLookAhead) {
  for (const char* engine : {"scan", "index"}) {
    Options options = sharded_options();
    options.engine = engine_named(engine);
    EXPECT_THROW(Trainer(options, 20, 2), ConfigError) << engine;
  }
}

}  // namespace
}  // namespace falsum::sharded_test
