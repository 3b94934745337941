// Parts of a machine learn the bits of the whole machine, and joined they are it: whatever its kind, however it is
// divided, and also when it is divided in another way after every epoch.
#include "falsum/part.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "falsum/collective.h"
#include "falsum/data_digest.h"
#include "falsum/error.h"
#include "falsum/machine.h"
#include "falsum/traffic.h"
#include "learn/trainer.h"
#include "random_data.h"

namespace falsum::part_test {
namespace {

constexpr std::size_t kFeatures = 24, kClasses = 5, kRows = 300;

Options plain_options() {
  Options options;
  options.clauses = 40;
  options.threshold = 10;
  options.specificity = 4;
  options.threads = 1;
  return options;
}

struct Kind {
  const char* name;
  std::function<void(Options&)> choose;
  bool by_class = true, by_clause = true;  // how it can be divided
};
const std::vector<Kind> kKinds = {
    {"plain", [](Options&) {}},
    {"averaged", [](Options& o) { o.snapshots = 3; }},
    {"weighted", [](Options& o) { o.weighted = true, o.snapshots = 2; }},
    {"slow weights", [](Options& o) { o.weight_growth = 0.01; }},
    {"a range of s", [](Options& o) { o.specificity_to = 9; }},
    {"a budget", [](Options& o) { o.max_literals = 4; }},
    {"dropped", [](Options& o) { o.drop_clauses = 0.3, o.drop_literals = 0.2; }},
    {"sharded", [](Options& o) { o.sharded = true; }},
    {"sharded and weighted", [](Options& o) { o.sharded = o.weighted = true, o.snapshots = 2; }},
    {"long blocks", [](Options& o) { o.sharded = true, o.block = 300; }},
    {"labels", [](Options& o) { o.task = Task::kMultilabel, o.negative_share = 0.5; }},
    {"patches", [](Options& o) { o.patch = "2x2", o.image = "4x6"; }, true, false},
    {"fuzzy", [](Options& o) { o.fuzzy = 4, o.max_literals = 8; }, true, false},
    {"scan", [](Options& o) { o.engine = Engine::kScan; }, true, false},
    {"shared", [](Options& o) { o.shared = true, o.snapshots = 2; }, false, true},
    {"focused", [](Options& o) { o.shared = true, o.negatives = Negatives::kFocused; }, false, true},
    {"shared labels", [](Options& o) { o.shared = true, o.task = Task::kMultilabel; }, false, true},
    {"numbers", [](Options& o) { o.task = Task::kRegression, o.weighted = true; }, false, true},
};

Options options_of(const Kind& kind) {
  Options options = plain_options();
  kind.choose(options);
  return options;
}

struct Data {
  RandomData random = RandomData(11, kRows, kFeatures, kClasses);
  BitMatrix labels = BitMatrix(kRows, kClasses);
  std::vector<double> numbers, weights;

  Data() {
    for (std::size_t r = 0; r < kRows; ++r) {
      labels.set(r, random.labels[r]);
      if (r % 3 == 0) labels.set(r, (random.labels[r] + 2) % kClasses);
      numbers.push_back(random.labels[r]);
      weights.push_back(1 + static_cast<double>(r % 4) / 4);
    }
  }
  Targets targets(Task task) const {
    const Targets plain = task == Task::kMultilabel   ? Targets(labels)
                          : task == Task::kRegression ? Targets(numbers)
                                                      : Targets(random.labels);
    return plain.with_weights(weights);
  }
};

std::size_t outputs_of(const Options& options) { return options.task == Task::kRegression ? 1 : kClasses; }

std::string learned(Machine machine, const Data& data, std::uint64_t epochs) {
  const Targets targets = data.targets(machine.options().task);
  machine.set_data(digest(data.random.rows, targets));
  machine.learn(data.random.rows, targets, epochs);
  return machine.checkpoint();
}

std::string learned_in_one(const Options& options, const Data& data, std::uint64_t epochs) {
  return learned(Machine(options, kFeatures, outputs_of(options)), data, epochs);
}

std::vector<std::string_view> views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

/// Some classes, in so many shards.
struct Group {
  std::vector<std::uint32_t> classes = {};
  std::uint32_t shards = 1;
};
using Division = std::vector<Group>;

/// The checkpoints of all parts after so many more epochs. `start(part)` makes their machines.
std::vector<std::string> learned_apart(const Division& division, const Data& data, std::uint64_t epochs,
                                       const std::function<Machine(const Part&)>& start) {
  std::vector<std::string> saved;
  for (const Group& group : division) {
    auto collectives = thread_collectives(group.shards);
    std::vector<std::string> parts(group.shards);
    std::vector<std::thread> threads;
    for (std::uint32_t shard = 0; shard < group.shards; ++shard) {
      threads.emplace_back([&, shard] {
        Machine machine = start({group.classes, shard, group.shards});
        machine.set_collective(collectives[shard].get());
        parts[shard] = learned(std::move(machine), data, epochs);
      });
    }
    for (std::thread& thread : threads) thread.join();
    saved.insert(saved.end(), parts.begin(), parts.end());
  }
  return saved;
}

/// The ways to divide a machine of a kind.
std::vector<Division> divisions_of(const Kind& kind) {
  std::vector<Division> divisions = {{{}}};
  if (kind.by_class) {
    divisions.push_back({{{0, 3}}, {{1, 2, 4}}});
    divisions.push_back({{{4}}, {{0}}, {{1, 2}}, {{3}}});
    divisions.push_back({{{0, 1, 2, 3, 4}}});
  }
  if (kind.by_clause) {
    divisions.push_back({{{}, 2}});
    divisions.push_back({{{}, 5}});
  }
  if (kind.by_class && kind.by_clause) divisions.push_back({{{0, 4}, 3}, {{1}}, {{2, 3}, 2}});
  return divisions;
}

TEST(PartThreads, PartsJoinedAreTheWholeMachineDeterminism) {
  const Data data;
  for (const Kind& kind : kKinds) {
    const Options options = options_of(kind);
    const std::size_t outputs = outputs_of(options);
    const std::string whole = learned_in_one(options, data, 3);
    for (const Division& division : divisions_of(kind)) {
      const std::vector<std::string> parts = learned_apart(
          division, data, 3, [&](const Part& part) { return Machine(options, kFeatures, outputs, part); });
      const Machine joined = Machine::join(views(parts), options);
      EXPECT_TRUE(joined.part().is_whole());
      EXPECT_TRUE(joined.checkpoint() == whole) << kind.name << " in " << parts.size();
      EXPECT_TRUE(joined.model().to_bytes() == Machine::from_checkpoint(whole, options).model().to_bytes())
          << kind.name << " in " << parts.size();
    }
  }
}

TEST(PartThreads, AMachineIsDividedInAnotherWayAfterEveryEpoch) {
  const Data data;
  for (const Kind& kind : kKinds) {
    const Options options = options_of(kind);
    std::vector<std::string> saved = {Machine(options, kFeatures, outputs_of(options)).checkpoint()};
    const std::vector<Division> divisions = divisions_of(kind);
    for (const Division& division : divisions) {
      saved = learned_apart(division, data, 1, [&](const Part& part) {
        // A part alone is enough for the same part.
        const std::vector<std::string> enough = {Machine::join(views(saved), options, part).checkpoint()};
        return Machine::join(views(enough), options, part);
      });
    }
    EXPECT_TRUE(Machine::join(views(saved), options).checkpoint() == learned_in_one(options, data, divisions.size()))
        << kind.name;
  }
}

/// After so many uses of every class.
std::string stopped_after(Trainer trainer, const Data& data, std::size_t uses) {
  trainer.tell_after_uses(uses);
  const Targets targets = data.targets(trainer.options().task);
  EXPECT_FALSE(trainer.learn_epoch(data.random.rows, targets, [](double) { return false; }).complete);
  return trainer.checkpoint();
}

TEST(PartThreads, AStoppedEpochGoesOnInParts) {
  const Data data;
  for (const Kind& kind : kKinds) {
    const Options options = options_of(kind);
    const std::vector<std::string> stopped = {stopped_after(Trainer(options, kFeatures, outputs_of(options)), data, 7)};
    for (const Division& division : divisions_of(kind)) {
      const std::vector<std::string> parts = learned_apart(
          division, data, 1, [&](const Part& part) { return Machine::join(views(stopped), options, part); });
      EXPECT_TRUE(Machine::join(views(parts), options).checkpoint() == learned_in_one(options, data, 1))
          << kind.name << " in " << parts.size();
    }
  }
}

/// What member_costs says of an epoch is what goes over the collectives, number by number.
TEST(PartThreads, TheTrafficOfAnEpochIsKnownBefore) {
  const Data data;
  for (const Kind& kind : kKinds) {
    if (!kind.by_clause) continue;
    const Options options = options_of(kind);
    const std::size_t outputs = outputs_of(options);
    const Targets targets = data.targets(options.task);
    for (const std::uint32_t members : {1, 2, 4, 5, 7, 13}) {
      if (!kind.by_class && members > 5) continue;  // one bank of 40 clauses
      double work = 0;
      const std::vector<MemberCost> costs = member_costs(options, targets, outputs, members, 1);
      for (std::size_t first = 0; first < members; first += costs[first].part.shards) {
        const std::uint32_t shards = costs[first].part.shards;
        auto collectives = thread_collectives(shards);
        std::vector<std::thread> threads;
        for (std::uint32_t shard = 0; shard < shards; ++shard) {
          work += costs[first + shard].work;
          threads.emplace_back([&, shard] {
            const MemberCost& cost = costs[first + shard];
            Machine machine(options, kFeatures, outputs, cost.part);
            machine.set_collective(collectives[shard].get());
            machine.learn(data.random.rows, targets, 1);
            const EpochReport second = machine.learn(data.random.rows, targets, 1);
            EXPECT_EQ(second.sums, cost.sums) << kind.name << ", " << text_of(cost.part);
            EXPECT_EQ(second.summed_bytes, cost.summed_bytes) << kind.name << ", " << text_of(cost.part);
          });
        }
        for (std::thread& thread : threads) thread.join();
      }
      EXPECT_NEAR(work, 1, 1e-9);
    }
  }
}

/// What `make bench-delays` compares with epochs that are timed.
TEST(Part, AnEpochTakesAsLongAsItsSlowestProcessAndItsMessages) {
  const Data data;
  Options options = plain_options();
  options.shared = true;
  ClusterSetting setting;
  setting.whole_seconds = 10;
  setting.latency = 0.5;
  for (const auto& [members, messages] : std::vector<std::pair<std::uint32_t, int>>{{1, 0}, {2, 1}, {4, 2}, {5, 3}}) {
    const std::vector<MemberCost> costs = member_costs(options, data.targets(options.task), kClasses, members, 0);
    double slowest = 0;
    for (const MemberCost& cost : costs) {
      slowest = std::max(slowest, cost.work * 10 + static_cast<double>(cost.sums) * 0.5 * messages);
    }
    EXPECT_GE(slowest, 10.0 / members);
    EXPECT_NEAR(epoch_seconds(costs, options, setting), slowest, 1e-9) << members;
  }
}

TEST(Part, TheModelOfAPartVotesAsTheWholeModelDoes) {
  const Data data;
  for (const Kind& kind : kKinds) {
    if (!kind.by_class) continue;
    const Options options = options_of(kind);
    const std::vector<std::string> whole = {learned_in_one(options, data, 2)};
    const Model all = Machine::join(views(whole), options).model();
    const Model some = Machine::join(views(whole), options, {{1, 4}}).model();
    ASSERT_EQ(some.outputs(), 2u);
    for (std::size_t o = 0; o < 2; ++o) {
      const auto theirs = all.weights(o == 0 ? 1 : 4), ours = some.weights(o);
      ASSERT_EQ(ours.size(), theirs.size()) << kind.name;
      for (std::size_t i = 0; i < ours.size(); ++i) {
        EXPECT_EQ(ours[i].votes, theirs[i].votes);
        EXPECT_TRUE(std::ranges::equal(some.clause(ours[i].clause), all.clause(theirs[i].clause)));
      }
    }
  }
}

TEST(Part, AShardHoldsItsOwnAutomataOnly) {
  const Options options = plain_options();
  const Machine whole(options, kFeatures, kClasses), shard(options, kFeatures, kClasses, {{}, 1, 5});
  EXPECT_LE(5 * shard.automata_bytes(), whole.automata_bytes());
}

/// One member's numbers reach all others, sum after sum.
TEST(CollectiveThreads, MembersAddUpTheirNumbers) {
  constexpr std::uint32_t kMembers = 4;
  auto members = thread_collectives(kMembers);
  std::vector<std::thread> threads;
  for (std::uint32_t rank = 0; rank < kMembers; ++rank) {
    threads.emplace_back([&, rank] {
      for (std::int32_t turn = 0; turn < 200; ++turn) {
        std::vector<std::int32_t> numbers(static_cast<std::size_t>(turn % 3 + 1),
                                          turn + static_cast<std::int32_t>(rank));
        members[rank]->sum(numbers);
        for (const std::int32_t number : numbers) ASSERT_EQ(number, 4 * turn + 6);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(CollectiveThreads, NobodyWaitsForAMemberThatIsGone) {
  auto members = thread_collectives(3);
  std::vector<std::thread> threads;
  for (const std::size_t rank : {0, 1}) {
    threads.emplace_back([&, rank] {
      std::vector<std::int32_t> numbers(5);
      EXPECT_THROW(members[rank]->sum(numbers), Error);
    });
  }
  members[2].reset();
  for (std::thread& thread : threads) thread.join();
}

template <class Error>
std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Part, PartsThatDoNotFitAreRefusedInASentence) {
  const Data data;
  const Options options = plain_options();
  const auto part = [&](const Options& o, std::vector<std::uint32_t> classes, std::uint64_t epochs = 1) {
    return learned(Machine(o, kFeatures, kClasses, {std::move(classes)}), data, epochs);
  };
  const auto refused = [&](const std::vector<std::string>& parts) {
    return message_of<FileError>([&] { (void)Machine::join(views(parts), options); });
  };
  const std::string first = part(options, {0, 3}), second = part(options, {1, 2, 4});
  EXPECT_EQ(refused({first, part(options, {1, 2, 3, 4})}), "checkpoint 1 and checkpoint 2 both have class 3");
  EXPECT_EQ(refused({first, part(options, {1, 2})}), "no checkpoint has class 4");
  const auto shard = [&](std::uint32_t which, std::uint32_t shards) {
    Machine machine(options, kFeatures, kClasses, {{1, 2, 4}, which, shards});
    machine.set_data(digest(data.random.rows, data.targets(options.task)));
    return machine.checkpoint();
  };
  Machine fresh(options, kFeatures, kClasses, {{0, 3}});
  fresh.set_data(digest(data.random.rows, data.targets(options.task)));
  EXPECT_EQ(refused({fresh.checkpoint(), shard(0, 3), shard(2, 3)}), "no checkpoint has clauses 13 to 25 of class 1");
  EXPECT_EQ(refused({fresh.checkpoint(), shard(0, 2), shard(1, 3), shard(2, 3)}),
            "checkpoint 2 and checkpoint 3 both have clauses 13 to 19 of class 1");
  const std::string differ = "checkpoint 1 and checkpoint 2 are not parts of one machine: ";
  EXPECT_EQ(refused({first, part(options, {1, 2, 4}, 2)}), differ + "their complete epochs are 1 and 2");
  Options other = options;
  other.seed = 7;
  EXPECT_EQ(refused({first, part(other, {1, 2, 4})}), differ + "seed is 42 in one and 7 in the other");
  other = options;
  other.weighted = true;
  EXPECT_EQ(refused({first, part(other, {1, 2, 4})}), differ + "weighted is false in one and true in the other");
  EXPECT_EQ(refused({first, learned(Machine(options, kFeatures, kClasses + 1, {{1, 2, 4}}), data, 1)}),
            differ + "their numbers of classes are 5 and 6");

  Machine elsewhere(options, kFeatures, kClasses, {{1, 2, 4}});
  std::vector<std::uint32_t> labels = data.random.labels;
  labels[17] = (labels[17] + 1) % kClasses;
  const Targets targets = Targets(labels).with_weights(data.weights);
  elsewhere.set_data(digest(data.random.rows, targets));
  elsewhere.learn(data.random.rows, targets, 1);
  EXPECT_EQ(refused({first, elsewhere.checkpoint()}), differ + "the second learned from other labels in its rows");

  const std::string_view one[] = {second};
  const std::string stopped = stopped_after(Trainer::join(one, options, {{1, 2, 4}}), data, 7);
  EXPECT_EQ(refused({first, stopped}),
            "checkpoint 2 was stopped in the middle of epoch 2: only parts of complete epochs are joined");

  EXPECT_EQ(
      message_of<FileError>([&] { (void)Machine::from_checkpoint(first, options, "a.falsum-checkpoint"); }),
      "a.falsum-checkpoint holds only classes 0 and 3 of 5: it must be joined with the other parts of the machine");
  EXPECT_EQ(message_of<ConfigError>([&] { (void)Machine::join({}, options); }),
            "a machine can be joined from at least 1 checkpoint, got 0");
}

TEST(Part, PartsThatThereAreNotAreRefused) {
  const auto refused = [](const Options& options, const Part& part) {
    return message_of<ConfigError>([&] { (void)Machine(options, kFeatures, kClasses, part); });
  };
  const std::string must = "the classes of a part must ascend and be from 0 to 4, got ";
  EXPECT_EQ(refused(plain_options(), {{0, 5}}), must + "classes 0 and 5");
  EXPECT_EQ(refused(plain_options(), {{2, 1}}), must + "classes 2 and 1");
  EXPECT_EQ(refused(plain_options(), {{2, 2}}), must + "classes 2 and 2");
  EXPECT_EQ(refused(plain_options(), {{}, 2, 6}),
            "40 clauses can be divided into 1 to 5 shards, got shard 3 of 6 of all classes");
  EXPECT_EQ(refused(plain_options(), {{1}, 5, 5}),
            "40 clauses can be divided into 1 to 5 shards, got shard 6 of 5 of class 1");
  Options other = plain_options();
  other.shared = true;
  EXPECT_EQ(refused(other, {{0}}), "a machine whose outputs share a bank cannot be divided by class");
  other = plain_options();
  other.fuzzy = 3;
  EXPECT_EQ(refused(other, {{}, 0, 2}),
            "a machine of fuzzy clauses can be divided by class but not into shards, got shard 1 of 2 of all classes");
  other = plain_options();
  other.engine = Engine::kIndex;
  EXPECT_EQ(refused(other, {{}, 0, 2}), "engine must be auto or lookahead for a shard, got index");
}

TEST(Part, AShardNeedsItsOwnPlaceInACollective) {
  const Data data;
  Machine machine(plain_options(), kFeatures, kClasses, {{}, 1, 3});
  EXPECT_EQ(message_of<ConfigError>([&] { machine.learn(data.random.rows, data.random.labels, 1); }),
            "shard 2 of 3 of all classes needs a collective to learn: the votes of the others");
  const auto collectives = thread_collectives(3);
  EXPECT_EQ(
      message_of<ConfigError>([&] { machine.set_collective(collectives[2].get()); }),
      "shard 2 of 3 of all classes needs a collective of that many members, of which it is that one, got member 3 "
      "of 3");
}

}  // namespace
}  // namespace falsum::part_test
