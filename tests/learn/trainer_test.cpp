#include "learn/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "falsum/error.h"
#include "kernels/dispatch.h"
#include "random_data.h"
#include "state_digest.h"

namespace falsum::trainer_test {
namespace {

Options small_options() {
  Options options;
  options.clauses = 20;
  options.threshold = 10;
  options.specificity = 4;
  return options;
}

/// As many samples as the small machine learns in n chunks and a bit.
std::size_t chunks(std::size_t n) { return n * chunk_size(small_options(), 25, 3) + 100; }

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

TEST(Trainer, SmallMachinesLearnMoreAtATime) {
  Options options = small_options();
  EXPECT_EQ(chunk_size(options, 784, 10), 4 * 10240u);
  options.clauses = 20000;
  EXPECT_EQ(chunk_size(options, 784, 10), 10240u);
  options.clauses = 2000;
  EXPECT_GT(chunk_size(options, 784, 10), 10240u);
}

TEST(Trainer, TheFirstChunkOfAMachineIsAShortOne) {
  const std::size_t shorter = first_chunk_size(3), usual = chunk_size(small_options(), 25, 3), rows = shorter + usual;
  ASSERT_LT(shorter, usual);
  const RandomData data(4, rows, 25, 3);
  Trainer trainer(small_options(), 25, 3);
  trainer.tell_after_uses(rows);  // a chunk at a time, however slow this machine is
  std::vector<std::size_t> done;
  for (int epoch = 0; epoch < 2; ++epoch) {
    trainer.learn_epoch(data.rows, data.labels, [&](double share) {
      done.push_back(static_cast<std::size_t>(std::lround(share * static_cast<double>(rows))));
      return true;
    });
  }
  EXPECT_EQ(done, (std::vector<std::size_t>{shorter, rows, usual, rows}));
}

TEST(Trainer, AStoppedEpochGoesOnWhereItStopped) {
  const RandomData data(4, chunks(6), 25, 3);
  Trainer whole(small_options(), 25, 3), stopped(small_options(), 25, 3);
  whole.learn_epoch(data.rows, data.labels, {});
  whole.learn_epoch(data.rows, data.labels, {});
  int calls = 0, stops = 0;
  while (stopped.epoch() < 2) {
    const EpochReport report = stopped.learn_epoch(data.rows, data.labels, [&](double done) {
      EXPECT_GT(done, 0);
      EXPECT_LE(done, 1);
      return ++calls % 2 == 0;
    });
    stops += !report.complete;
  }
  EXPECT_GE(stops, 3);
  EXPECT_EQ(state_digest(stopped), state_digest(whole));
}

TEST(Trainer, ResumingACheckpointIsTheSameAsNeverHavingStopped) {
  const RandomData data(4, chunks(2), 25, 3);
  Trainer whole(small_options(), 25, 3);
  for (int e = 0; e < 3; ++e) whole.learn_epoch(data.rows, data.labels, {});

  Trainer first(small_options(), 25, 3);
  first.learn_epoch(data.rows, data.labels, {});
  ASSERT_FALSE(first.learn_epoch(data.rows, data.labels, [](double) { return false; }).complete);
  Options run;
  run.engine = Engine::kScan;
  run.threads = 2;
  Trainer second = Trainer::from_checkpoint(first.checkpoint(), run, "test");
  EXPECT_EQ(second.engine(), Engine::kScan);
  EXPECT_EQ(second.checkpoint(), first.checkpoint());
  while (second.epoch() < 3) second.learn_epoch(data.rows, data.labels, {});
  EXPECT_EQ(second.checkpoint(), whole.checkpoint());
}

TEST(Trainer, AStoppedEpochCannotGoOnWithOtherData) {
  const RandomData data(4, chunks(2), 25, 3), other(4, 4000, 25, 3);
  Trainer trainer(small_options(), 25, 3);
  trainer.learn_epoch(data.rows, data.labels, [](double) { return false; });
  EXPECT_THROW(trainer.learn_epoch(other.rows, other.labels, {}), DataError);
}

TEST(Trainer, AnAbandonedEpochMakesWayForOtherData) {
  const RandomData data(4, chunks(2), 25, 3), other(4, 4000, 25, 3);
  Trainer trainer(small_options(), 25, 3);
  trainer.abandon_epoch();  // nothing was stopped, nothing changes
  EXPECT_EQ(trainer.epoch(), 0u);
  ASSERT_FALSE(trainer.learn_epoch(data.rows, data.labels, [](double) { return false; }).complete);
  const std::uint64_t learned = state_digest(trainer);
  trainer.abandon_epoch();
  EXPECT_EQ(state_digest(trainer), learned);
  EXPECT_EQ(trainer.learn_epoch(other.rows, other.labels, {}).epoch, 2u);
}

TEST(Trainer, CountsAreThoseOfTheFeedbackGiven) {
  const RandomData data(4, 1000, 25, 3);
  Options options = small_options();
  options.engine = Engine::kIndex;
  Trainer trainer(options, 25, 3);
  const EpochReport report = trainer.learn_epoch(data.rows, data.labels, {});
  EXPECT_EQ(report.epoch, 1u);
  EXPECT_EQ(report.counters.evaluations, 2000u) << "two classes an example";
  EXPECT_GT(report.counters.type_1a, 0u);
  EXPECT_GT(report.counters.type_1b, 0u);
  EXPECT_GT(report.counters.type_2, 0u);
  EXPECT_GT(report.counters.flips, 0u);
  EXPECT_GT(report.counters.entries_visited, 0u);
  EXPECT_EQ(report.mean_clause_length, static_cast<double>(trainer.model().included()) / 60);
}

TEST(Trainer, DataThatDoNotFitAreRefusedBeforeAnythingIsLearned) {
  const RandomData data(4, 10, 25, 3);
  Trainer trainer(small_options(), 25, 3);
  const std::uint64_t before = state_digest(trainer);
  EXPECT_NE(message_of([&] { trainer.learn_epoch(BitMatrix(10, 24), data.labels, {}); }).find("24 features"),
            std::string::npos);
  EXPECT_NE(message_of([&] { trainer.learn_epoch(BitMatrix(9, 25), data.labels, {}); }).find("9 rows but 10 labels"),
            std::string::npos);
  EXPECT_NE(
      message_of([&] { trainer.learn_epoch(BitMatrix(0, 25), std::vector<std::uint32_t>{}, {}); }).find("no rows"),
      std::string::npos);
  std::vector<std::uint32_t> unseen = data.labels;
  unseen[6] = 3;
  EXPECT_NE(message_of([&] { trainer.learn_epoch(data.rows, unseen, {}); }).find("label 3 of row 6"),
            std::string::npos);
  SparseBits sparse(data.rows);
  sparse.features.back() = 25;
  EXPECT_NE(message_of([&] { trainer.learn_epoch(SparseBitsView(sparse), data.labels, {}); }).find("has feature 25"),
            std::string::npos);
  EXPECT_EQ(state_digest(trainer), before);
}

TEST(Trainer, OptionsOutOfRangeAreRefusedWithNameValueAndRange) {
  const auto refusal = [](auto change) {
    Options options = small_options();
    change(options);
    return message_of([&] { Trainer(options, 10, 2); });
  };
  EXPECT_EQ(refusal([](Options& o) { o.threshold = 0; }), "threshold must be from 1 to 1000000000, got 0");
  EXPECT_EQ(refusal([](Options& o) { o.specificity = 0.5; }), "specificity must be from 1 to 1000000, got 0.5");
  EXPECT_EQ(refusal([](Options& o) { o.specificity = std::nan(""); }),
            "specificity must be from 1 to 1000000, got nan");
  EXPECT_EQ(refusal([](Options& o) { o.clauses = 0; }), "clauses must be from 1 to 16777216, got 0");
  EXPECT_EQ(refusal([](Options& o) { o.clauses = -2; }), "clauses must be from 1 to 16777216, got -2");
  EXPECT_EQ(refusal([](Options& o) { o.clauses = 7; }),
            "clauses must be even, since half vote for a class and half against, got 7");
  EXPECT_EQ(refusal([](Options& o) { o.states = 3; }),
            "states must be even, since half exclude and half include, got 3");
  EXPECT_EQ(refusal([](Options& o) { o.engine = Engine::kSliced; }),
            "engine must be one of auto, scan, index, lookahead when learning, got sliced");
  EXPECT_NE(message_of([] { Trainer(small_options(), 10, 1); }).find("classes must be from 2"), std::string::npos);
  EXPECT_NE(message_of([] { Trainer(small_options(), 0, 2); }).find("features must be from 1"), std::string::npos);
}

TEST(Trainer, AMachineThatCannotFitInMemoryIsRefusedBeforeAllocating) {
  Options options = small_options();
  options.clauses = 16000000;
  EXPECT_NE(message_of([&] { Trainer(options, 1000000, 10); }).find("GB of memory"), std::string::npos);
}

// 2 classes x 20,000 clauses x 40,000 literals pass 2^31 automata; the last automaton must be there and learn.
TEST(TrainerSlow, PaperScaleOffsetsPassTwoToThe31) {
  Bank bank(20000, 60000, 256);  // 2.4e9 automata in one class: every offset past 2^31 is in this bank
  struct Quiet final : FlipListener {
    void flipped(ClauseId, const IdList& literals, bool) override { count += literals.size; }
    int count = 0;
  } listener;
  const ClauseId last{19999};
  const LiteralId literal{119999};
  bank.set_state(last, literal, 200, listener);
  EXPECT_EQ(bank.state(last, literal), 200);
  EXPECT_TRUE(bank.includes(last, literal));
  EXPECT_FALSE(bank.includes(ClauseId{0}, LiteralId{0}));
  EXPECT_EQ(listener.count, 1);
  const Forgettings forgetting(10);
  const Bank::Law law{find_kernels("auto"), forgetting, true};
  LiteralRow row(60000);
  const BitMatrix rows(1, 60000);  // all negations true
  row.assign(rows.row(0));
  Bank::Worker worker(bank, listener);
  const std::size_t flips = bank.type_1a(last, row, 5, law, worker);
  EXPECT_EQ(flips, 59999u) << "every true literal but the one included already";
  EXPECT_EQ(bank.state(last, literal), 201);
}

}  // namespace
}  // namespace falsum::trainer_test
