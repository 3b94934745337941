// A learner whose clauses are divided among several threads learns the bits, and does the work, of one thread.
#include <gtest/gtest.h>

#include "learn/trainer.h"
#include "random_data.h"
#include "state_digest.h"

namespace falsum::crew_test {
namespace {

struct Case {
  const char* name;
  std::size_t outputs;
  void (*variant)(Options&);
};

const Case kCases[] = {
    {"plain, two classes", 2, [](Options&) {}},
    {"shared", 5, [](Options& o) { o.shared = true; }},
    {"shared and focused, with drops", 5,
     [](Options& o) {
       o.shared = true;
       o.negatives = Negatives::kFocused;
       o.drop_clauses = 0.3;
       o.drop_literals = 0.2;
       o.max_literals = 6;
     }},
    {"shared labels", 20,
     [](Options& o) {
       o.task = Task::kMultilabel;
       o.shared = true;
       o.negative_share = 0.1;
     }},
    {"numbers", 1,
     [](Options& o) {
       o.task = Task::kRegression;
       o.weighted = true;
     }},
};

Options options_of(const Case& c, std::int64_t threads) {
  Options options;
  options.clauses = 64 * 3 * static_cast<std::int64_t>(kLeastWordsOfAPart) + 10;
  options.threshold = 40;
  options.specificity = 4;
  options.threads = threads;
  c.variant(options);
  return options;
}

TEST(CrewThreads, LearnsTheBitsAndDoesTheWorkOfOneThread) {
  const RandomData data(4, 300, 20, 5);
  for (const Case& c : kCases) {
    BitMatrix labels(300, c.outputs);
    std::vector<double> numbers;
    std::vector<std::uint32_t> classes;
    for (std::size_t r = 0; r < 300; ++r) {
      for (std::size_t o = 0; o < c.outputs; ++o) {
        if (data.naive_rows[r][o % 20] != data.naive_rows[r][(o + 1) % 20]) labels.set(r, o);
      }
      numbers.push_back(data.naive_rows[r][0] + 2.0 * data.naive_rows[r][1]);
      classes.push_back(data.labels[r] % static_cast<std::uint32_t>(c.outputs));
    }
    const Task task = options_of(c, 1).task;
    const Targets targets = task == Task::kClassification ? Targets(classes)
                            : task == Task::kMultilabel   ? Targets(labels)
                                                          : Targets(numbers);
    Trainer alone(options_of(c, 1), 20, c.outputs);
    LearnCounters work;
    for (int e = 0; e < 2; ++e) work += alone.learn_epoch(data.rows, targets, {}).counters;
    for (const std::int64_t threads : {2, 3, 7}) {
      Trainer crew(options_of(c, threads), 20, c.outputs);
      crew.tell_after_uses(100);  // a crew is called together anew
      LearnCounters their_work;
      for (int e = 0; e < 2; ++e) {
        their_work += crew.learn_epoch(data.rows, targets, [](double) { return true; }).counters;
      }
      EXPECT_EQ(state_digest(crew), state_digest(alone)) << c.name << ", " << threads << " threads";
      EXPECT_EQ(their_work, work) << c.name << ", " << threads << " threads";
      EXPECT_EQ(crew.checkpoint(), alone.checkpoint()) << c.name;
    }
  }
}

TEST(Crew, IsFormedOnlyWhereThreadsAreLeftAndClausesAreMany) {
  Options options;
  options.clauses = 2000;
  EXPECT_EQ(parts_of_a_learner(options, Engine::kLookahead, 10, 8), 1u);
  EXPECT_EQ(parts_of_a_learner(options, Engine::kLookahead, 2, 8), 4u);
  EXPECT_EQ(parts_of_a_learner(options, Engine::kIndex, 2, 8), 1u) << "the paper's index is one for all clauses";
  options.shared = true;
  EXPECT_EQ(parts_of_a_learner(options, Engine::kLookahead, 1, 2), 2u);
  options.clauses = 64;
  EXPECT_EQ(parts_of_a_learner(options, Engine::kLookahead, 1, 2), 1u);
}

}  // namespace
}  // namespace falsum::crew_test
