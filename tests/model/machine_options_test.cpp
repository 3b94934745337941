// The table of options says which of them make the machine; files and runs go by it. FINDINGS 6.1.
#include <gtest/gtest.h>

#include <set>

#include "falsum/machine.h"
#include "falsum/options.h"

namespace falsum::machine_options_test {
namespace {

/// Every option at another value than its default, and all of them allowed.
Options all_changed() {
  Options options;
  options.clauses = 4;
  options.threshold = 7;
  options.specificity = 3.5;
  options.states = 64;
  options.boost = false;
  options.sharded = true;
  options.max_weight = 4;
  options.seed = 9;
  options.epochs = 3;
  options.engine = Engine::kLookahead;
  options.threads = 2;
  options.kernels = "scalar";
  options.max_memory = 500;
  return options;
}

bool same(const OptionInfo& option, const Options& a, const Options& b) {
  return std::visit([&](auto field) { return a.*field == b.*field; }, option.field);
}

void expect_scope(OptionScope scope, const Options& found, const Options& expected) {
  for (const OptionInfo* option : options_of(scope)) EXPECT_TRUE(same(*option, found, expected)) << option->name;
}

TEST(Options, TheTestChangesEveryOne) {
  for (const OptionInfo& option : option_table()) EXPECT_FALSE(same(option, all_changed(), Options{})) << option.name;
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
  Options options;
  copy_options(OptionScope::kRun, all_changed(), options);
  expect_scope(OptionScope::kRun, options, all_changed());
  expect_scope(OptionScope::kMachine, options, Options{});
}

TEST(Options, AModelFileHoldsAllThatMakeTheMachineAndNoneOfTheRun) {
  const Machine machine(all_changed(), 5, 2);
  for (const Model& model : {machine.model(), Model::from_bytes(machine.model().to_bytes())}) {
    expect_scope(OptionScope::kMachine, model.options(), all_changed());
    expect_scope(OptionScope::kRun, model.options(), Options{});
  }
}

TEST(Options, ACheckpointDecidesTheMachineAndTheCallerTheRun) {
  const std::string checkpoint = Machine(all_changed(), 5, 2).checkpoint();
  Options run;
  run.epochs = 4;
  run.threads = 1;
  const Machine resumed = Machine::from_checkpoint(checkpoint, run);
  expect_scope(OptionScope::kMachine, resumed.options(), all_changed());
  expect_scope(OptionScope::kRun, resumed.options(), run);
}

}  // namespace
}  // namespace falsum::machine_options_test
