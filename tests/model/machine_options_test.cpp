// The table of options says which of them make the machine; files and runs go by it. FINDINGS 6.1.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "falsum/error.h"
#include "falsum/machine.h"
#include "falsum/options.h"

namespace falsum::machine_options_test {
namespace {

/// Sets of options, of which every option is changed in at least one: some exclude each other.
std::vector<Options> all_changed() {
  Options options;
  options.clauses = 4;
  options.threshold = 7;
  options.specificity = 3.5;
  options.states = 64;
  options.boost = false;
  options.sharded = true;
  options.block = 512;
  options.max_weight = 4;
  options.weighted = true;
  options.specificity_to = 8;
  options.max_literals = 7;
  options.drop_clauses = 0.25;
  options.drop_literals = 0.125;
  options.seed = 9;
  options.snapshots = 3;
  options.epochs = 3;
  options.engine = Engine::kLookahead;
  options.threads = 2;
  options.kernels = "scalar";
  options.max_memory = 500;
  Options shared = options, labels = options, numbers = options, patches = options;
  shared.sharded = false;
  shared.block = 256;
  shared.shared = true;
  shared.negatives = Negatives::kFocused;
  labels.task = Task::kMultilabel;
  labels.negative_share = 0.25;
  labels.weight_growth = 0.01;
  numbers.sharded = false;
  numbers.block = 256;
  numbers.task = Task::kRegression;
  numbers.error = ErrorLaw::kLinear;
  patches.sharded = false;
  patches.block = 256;
  patches.patch = "1x2";
  patches.image = "1x5";
  patches.stride = "1x3";
  Options fuzzy;
  fuzzy.clauses = 4;
  fuzzy.fuzzy = 3;
  fuzzy.clamp = true;
  fuzzy.length = ClauseLength::kLiterals;
  fuzzy.include_limit = 200;
  fuzzy = with_plain_numbers(fuzzy);
  return {options, shared, labels, numbers, fuzzy, patches};
}

Machine machine_of(const Options& options) { return Machine(options, 5, options.task == Task::kRegression ? 1 : 2); }

bool same(const OptionInfo& option, const Options& a, const Options& b) {
  return std::visit([&](auto field) { return a.*field == b.*field; }, option.field);
}

void expect_scope(OptionScope scope, const Options& found, const Options& expected) {
  for (const OptionInfo* option : options_of(scope)) EXPECT_TRUE(same(*option, found, expected)) << option->name;
}

TEST(Options, TheTestChangesEveryOne) {
  for (const OptionInfo& option : option_table()) {
    EXPECT_TRUE(std::ranges::any_of(all_changed(), [&](const Options& some) { return !same(option, some, {}); }))
        << option.name;
  }
}

TEST(Options, EachIsFoundByItsNameAndHasOneScope) {
  std::set<std::string_view> names;
  for (const OptionScope scope : {OptionScope::kMachine, OptionScope::kRun}) {
    for (const OptionInfo* option : options_of(scope)) {
      EXPECT_EQ(find_option(option->name), option);
      EXPECT_TRUE(names.insert(option->name).second) << option->name;
    }
  }
  EXPECT_EQ(names.size(), option_table().size());
  EXPECT_EQ(find_option("no such option"), nullptr);
  EXPECT_EQ(find_option("sharded")->scope, OptionScope::kMachine);
  EXPECT_EQ(find_option("epochs")->scope, OptionScope::kRun);
}

TEST(Options, OneScopeIsCopiedAndTheOtherStays) {
  for (const Options& changed : all_changed()) {
    Options options;
    copy_options(OptionScope::kRun, changed, options);
    expect_scope(OptionScope::kRun, options, changed);
    expect_scope(OptionScope::kMachine, options, Options{});
  }
}

TEST(Options, AModelFileHoldsAllThatMakeTheMachineAndNoneOfTheRun) {
  for (const Options& changed : all_changed()) {
    const Machine machine = machine_of(changed);
    for (const Model& model : {machine.model(), Model::from_bytes(machine.model().to_bytes())}) {
      Options young = changed;  // a machine that has not learned has one snapshot
      young.snapshots = 1;
      expect_scope(OptionScope::kMachine, model.options(), young);
      expect_scope(OptionScope::kRun, model.options(), neutral_options());
    }
  }
}

TEST(Options, ACheckpointDecidesTheMachineAndTheCallerTheRun) {
  for (const Options& changed : all_changed()) {
    const std::string checkpoint = machine_of(changed).checkpoint();
    Options run;
    run.epochs = 4;
    run.threads = 1;
    const Machine resumed = Machine::from_checkpoint(checkpoint, run);
    expect_scope(OptionScope::kMachine, resumed.options(), changed);
    expect_scope(OptionScope::kRun, resumed.options(), run);
  }
}

TEST(Options, CombinationsThatMakeNoSenseAreRefusedInOneSentence) {
  const auto refusal = [](auto change) {
    Options options;
    change(options);
    try {
      validate(options);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal([](Options& o) { o.specificity_to = 0.5; }),
            "specificity_to must be from 1 to 1000000, or 0 for one s, got 0.5");
  EXPECT_EQ(refusal([](Options& o) { o.negatives = Negatives::kFocused; }),
            "negatives must be uniform unless classes share their clauses, got focused");
  EXPECT_EQ(refusal([](Options& o) { o.negative_share = 0.5; }),
            "negative_share must be 1 unless the task is multilabel, got 0.5");
  EXPECT_EQ(refusal([](Options& o) { o.error = ErrorLaw::kLinear; }),
            "error must be squared unless the task is regression, got linear");
  EXPECT_EQ(refusal([](Options& o) { o.block = 128; }), "block must be 256 unless sharded, got 128");
  EXPECT_EQ(refusal([](Options& o) {
              o.sharded = true;
              o.block = 8192;
            }),
            "block must be from 64 to 4096, got 8192");
  EXPECT_EQ(refusal([](Options& o) { o.shared = o.sharded = true; }),
            "sharded must be off when clauses are shared: one bank votes for all outputs");
  EXPECT_EQ(refusal([](Options& o) {
              o.sharded = true;
              o.task = Task::kRegression;
            }),
            "sharded must be off in regression: with votes of 256 rows ago it overshoots");
  EXPECT_EQ(refusal([](Options& o) {
              o.shared = true;
              o.task = Task::kRegression;
            }),
            "shared must be off in regression, which has one output and so nothing to share");
  EXPECT_EQ(refusal([](Options& o) {
              o.shared = true;
              o.clauses = 7;
            }),
            "accepted");
  EXPECT_EQ(refusal([](Options& o) { o.patch = "10"; }),
            "patch must be rows x columns, as 10x10, each from 1 to 1048576, got \"10\"");
  EXPECT_EQ(refusal([](Options& o) { o.stride = "0x1"; }),
            "stride must be rows x columns, as 1x1, each from 1 to 1048576, got \"0x1\"");
  EXPECT_EQ(
      refusal([](Options& o) { o.image = "28x28x1x"; }),
      "image must be rows x columns or rows x columns x channels, as 28x28 or 32x32x3, each from 1 to 1048576, got "
      "\"28x28x1x\"");
  EXPECT_EQ(refusal([](Options& o) {
              o.image = "5x4";
              o.patch = "2x5";
            }),
            "patch must be at most the image, which is 5x4, got 2x5");
  EXPECT_EQ(refusal([](Options& o) {
              o.patch = "2x2";
              o.sharded = true;
            }),
            "sharded must be off with patches, got patch 2x2");
  EXPECT_EQ(refusal([](Options& o) { o.drop_literals = 1; }), "drop_literals must be from 0 to 0.999, got 1");
}

}  // namespace
}  // namespace falsum::machine_options_test
