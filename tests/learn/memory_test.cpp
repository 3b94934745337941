#include "falsum/memory.h"

#include <gtest/gtest.h>

#include "data/data_files.h"
#include "falsum/cpu.h"
#include "falsum/machine.h"
#include "learn/trainer.h"
#include "random_data.h"
#include "support/limits.h"

namespace falsum::memory_test {
namespace {

using testing_data::expect_error;

/// The largest that the automata and the engine were, looked at as often as learning lets one look.
std::uint64_t most_held(const Options& options, const BitMatrix& rows, const std::vector<std::uint32_t>& labels,
                        std::size_t classes) {
  Machine machine(options, rows.columns(), classes);
  std::uint64_t most = 0;
  const auto look = [&](double) {
    most = std::max(most, machine.automata_bytes() + machine.engine_bytes());
    return true;
  };
  // A row at a time: between two of them nothing is hidden.
  for (std::size_t r = 0; r < std::min<std::size_t>(rows.rows(), 60); ++r) {
    BitMatrix one(1, rows.columns());
    std::copy(rows.row(r).begin(), rows.row(r).end(), one.row(0).begin());
    machine.learn_epoch(one, std::span(labels).subspan(r, 1), look);
  }
  machine.learn_epoch(rows, labels, look);
  return most;
}

TEST(Memory, SlowTheEstimateIsNeverBelowWhatYoungMachinesHoldAndNotFarAbove) {
  const RandomData data(1, 3000, 400, 2);
  for (const std::string engine : {"lookahead", "scan", "index"}) {
    for (const std::int64_t threshold : {20, 100000}) {
      for (const double specificity : {3.0, 30.0}) {
        Options options;
        options.clauses = 400;
        options.threshold = threshold;
        options.specificity = specificity;
        options.engine = engine_named(engine);
        options.threads = 2;
        const std::uint64_t held = most_held(options, data.rows, data.labels, 2);
        const std::uint64_t estimate = estimate_memory(options, 400, 2, {data.rows.rows()}).total();
        EXPECT_GE(estimate, held) << engine << " T " << threshold << " s " << specificity;
        EXPECT_LE(estimate, held * 2) << engine << " T " << threshold << " s " << specificity;
      }
    }
  }
}

TEST(Memory, MoreIsRefusedWithTheNumberOfClausesThatFit) {
  Options options;
  options.clauses = 1000000;
  options.max_memory = 100;
  expect_error<ConfigError>([&] { Machine(options, 784, 10); }, {"10 classes x 1000000 clauses x 1568 literals",
                                                                 "max_memory allows 0.1 GB", "clauses fit"});
  std::string message;
  try {
    Machine(options, 784, 10);
  } catch (const ConfigError& error) {
    message = error.what();
  }
  const std::size_t at = message.find("up to ");
  ASSERT_NE(at, std::string::npos) << message;
  options.clauses = std::stoll(message.substr(at + 6));
  EXPECT_GT(options.clauses, 1000);
  EXPECT_LE(estimate_memory(options, 784, 10).total(), 100000000u);
  Machine(options, 784, 10);  // what it says fits does
  options.clauses += 2;
  EXPECT_GT(estimate_memory(options, 784, 10).total(), 100000000u);
}

TEST(Memory, WhereNoNumberOfClausesFitsLiteralsAreNamed) {
  Options options;
  options.max_memory = 1;
  expect_error<ConfigError>([&] { Machine(options, 50000000, 10); }, {"even 2 clauses", "literals or classes"});
  expect_error<ConfigError>([&] { Machine(options, 50000000, 2); }, {"use fewer literals"});
}

TEST(Memory, AbsurdSizesDoNotWrapAround) {
  Options options;
  options.clauses = 16777216;
  expect_error<ConfigError>([&] { Machine(options, kMaxFeatures, kMaxClasses); }, {"memory"});
  for (const std::uint64_t features : {std::uint64_t{1} << 20, std::uint64_t{1} << 25, std::uint64_t{1} << 29}) {
    EXPECT_GE(estimate_memory(options, features, 1000000).total(), std::uint64_t{1} << 56);
  }
}

TEST(Memory, ACheckpointIsComparedWithTheLimitToo) {
  Options options;
  options.clauses = 100;
  const Machine machine(options, 20000, 2);
  const std::string bytes = machine.checkpoint();
  ASSERT_LT(bytes.size(), 100000u);
  options.max_memory = 2;
  expect_error<ConfigError>([&] { Machine::from_checkpoint(bytes, options); }, {"max_memory allows"});
  options.max_memory = 100;
  EXPECT_EQ(Machine::from_checkpoint(bytes, options).features(), 20000u);
}

}  // namespace
}  // namespace falsum::memory_test
