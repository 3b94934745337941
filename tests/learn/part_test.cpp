// Parts of a machine learn the bits of the whole machine, and joined they are it: whatever its kind, however it is
// divided, and also when it is divided in another way after every epoch.
#include "falsum/part.h"

#include <gtest/gtest.h>

#include <functional>

#include "falsum/data_digest.h"
#include "falsum/error.h"
#include "falsum/machine.h"
#include "learn/trainer.h"
#include "random_data.h"

namespace falsum::part_test {
namespace {

constexpr std::size_t kFeatures = 24, kClasses = 5;

Options plain_options() {
  Options options;
  options.clauses = 20;
  options.threshold = 10;
  options.specificity = 4;
  options.threads = 1;
  return options;
}

struct Kind {
  const char* name;
  std::function<void(Options&)> choose;
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
    {"patches", [](Options& o) { o.patch = "2x2", o.image = "4x6"; }},
    {"fuzzy", [](Options& o) { o.fuzzy = 4, o.max_literals = 8; }},
    {"labels", [](Options& o) { o.task = Task::kMultilabel, o.negative_share = 0.5; }},
    {"scan", [](Options& o) { o.engine = Engine::kScan; }},
};

Options options_of(const Kind& kind) {
  Options options = plain_options();
  kind.choose(options);
  return options;
}

struct Data {
  RandomData random = RandomData(11, 300, kFeatures, kClasses);
  BitMatrix labels = BitMatrix(300, kClasses);
  std::vector<double> weights;

  Data() {
    for (std::size_t r = 0; r < 300; ++r) {
      labels.set(r, random.labels[r]);
      if (r % 3 == 0) labels.set(r, (random.labels[r] + 2) % kClasses);
      weights.push_back(1 + static_cast<double>(r % 4) / 4);
    }
  }
  Targets targets(Task task) const {
    return (task == Task::kMultilabel ? Targets(labels) : Targets(random.labels)).with_weights(weights);
  }
};

std::string learned(Machine machine, const Data& data, std::uint64_t epochs) {
  const Targets targets = data.targets(machine.options().task);
  machine.set_data(digest(data.random.rows, targets));
  machine.learn(data.random.rows, targets, epochs);
  return machine.checkpoint();
}

/// After so many uses of every class.
std::string stopped_after(Trainer trainer, const Data& data, std::size_t uses) {
  trainer.tell_after_uses(uses);
  const Targets targets = data.targets(trainer.options().task);
  EXPECT_FALSE(trainer.learn_epoch(data.random.rows, targets, [](double) { return false; }).complete);
  return trainer.checkpoint();
}

using Parts = std::vector<Part>;
const std::vector<Parts> kDivisions = {
    {{{0, 3}}, {{1, 2, 4}}}, {{{4}}, {{0}}, {{1, 2}}, {{3}}}, {{}}, {{{0, 1, 2, 3, 4}}}};

std::vector<std::string_view> views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

TEST(Part, PartsJoinedAreTheWholeMachineDeterminism) {
  const Data data;
  for (const Kind& kind : kKinds) {
    const Options options = options_of(kind);
    const std::string whole = learned(Machine(options, kFeatures, kClasses), data, 3);
    for (const Parts& division : kDivisions) {
      std::vector<std::string> parts;
      for (const Part& part : division) {
        Machine machine(options, kFeatures, kClasses, part);
        EXPECT_EQ(machine.outputs(), kClasses);
        parts.push_back(learned(std::move(machine), data, 3));
      }
      const Machine joined = Machine::join(views(parts), options);
      EXPECT_TRUE(joined.part().is_whole());
      EXPECT_TRUE(joined.checkpoint() == whole) << kind.name << " in " << division.size();
      EXPECT_TRUE(joined.model().to_bytes() == Machine::from_checkpoint(whole, options).model().to_bytes())
          << kind.name;
    }
  }
}

TEST(Part, AMachineIsDividedInAnotherWayAfterEveryEpoch) {
  const Data data;
  for (const Kind& kind : kKinds) {
    const Options options = options_of(kind);
    std::vector<std::string> saved = {Machine(options, kFeatures, kClasses).checkpoint()};
    for (const Parts& division : kDivisions) {
      std::vector<std::string> next;
      for (const Part& part : division) {
        // A part alone is enough for the same part.
        std::vector<std::string> enough = {Machine::join(views(saved), options, part).checkpoint()};
        next.push_back(learned(Machine::join(views(enough), options, part), data, 1));
      }
      saved = std::move(next);
    }
    const std::string whole = learned(Machine(options, kFeatures, kClasses), data, kDivisions.size());
    EXPECT_TRUE(Machine::join(views(saved), options).checkpoint() == whole) << kind.name;
  }
}

TEST(Part, AStoppedEpochGoesOnInParts) {
  const Data data;
  for (const Kind& kind : kKinds) {
    const Options options = options_of(kind);
    const std::vector<std::string> stopped = {stopped_after(Trainer(options, kFeatures, kClasses), data, 7)};
    std::vector<std::string> parts;
    for (const Part& part : kDivisions[0]) {
      parts.push_back(learned(Machine::join(views(stopped), options, part), data, 1));
    }
    EXPECT_TRUE(Machine::join(views(parts), options).checkpoint() ==
                learned(Machine(options, kFeatures, kClasses), data, 1))
        << kind.name;
  }
}

TEST(Part, TheModelOfAPartVotesAsTheWholeModelDoes) {
  const Data data;
  for (const Kind& kind : kKinds) {
    const Options options = options_of(kind);
    const std::vector<std::string> whole = {learned(Machine(options, kFeatures, kClasses), data, 2)};
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
  EXPECT_EQ(refused({first, part(options, {1, 2, 3, 4})}), "class 3 is both in checkpoint 1 and in checkpoint 2");
  EXPECT_EQ(refused({first, part(options, {1, 2})}), "class 4 is in no checkpoint");
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
  const auto refused = [](const Options& options, std::vector<std::uint32_t> classes) {
    return message_of<ConfigError>([&] { (void)Machine(options, kFeatures, kClasses, {std::move(classes)}); });
  };
  const std::string must = "the classes of a part must ascend and be from 0 to 4, got ";
  EXPECT_EQ(refused(plain_options(), {0, 5}), must + "classes 0 and 5");
  EXPECT_EQ(refused(plain_options(), {2, 1}), must + "classes 2 and 1");
  EXPECT_EQ(refused(plain_options(), {2, 2}), must + "classes 2 and 2");
  Options shared = plain_options();
  shared.shared = true;
  EXPECT_EQ(refused(shared, {0}), "a machine whose outputs share a bank cannot be divided by class");
}

}  // namespace
}  // namespace falsum::part_test
