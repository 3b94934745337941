// falsum quickstart: the whole idea in about a minute: learn digits, predict them by looking at every clause
// and by falsification, see that the votes agree and what it saves, look at three clauses, and learn the same digits
// with a few fuzzy clauses.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "machine_options.h"
#include "paths.h"
#include "picture.h"
#include "report.h"
#include "stopwatch.h"
#include "support/file.h"
#include "support/format.h"
#include "training.h"

namespace falsum::cli {

namespace {

struct QuickstartArguments {
  std::string output;
  bool json = false;
  MachineOptions machine;
};

/// The engines on the same rows, one thread. Rounds alternate, so that other load on the computer slows all engines.
/// The table shows the median of the rounds' ratios to the scan.
struct EngineTime {
  Engine engine;
  std::string description;
  double seconds = 0, ratio = 1;  // medians; ratio: scan / this
};
struct Comparison {
  bool votes_agree = true;
  std::uint64_t votes = 0;
  std::vector<EngineTime> times;  // the scan first
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Comparison compare_engines(const Model& model, const Rows& rows) {
  constexpr int kRounds = 5;
  Comparison comparison;
  comparison.times = {{Engine::kScan, "looks at every clause"},
                      {Engine::kIndex, "visits what is falsified"},
                      {Engine::kSliced, "512 samples at once"}};
  if (is_fuzzy(model.options())) comparison.times[1] = {Engine::kTables, "four features at once"};
  std::vector<Predictor> predictors;
  std::vector<std::int32_t> expected;
  for (const EngineTime& time : comparison.times) {  // also warms up
    predictors.emplace_back(model, time.engine);
    const std::vector<std::int32_t> votes = predictors.back().votes(rows);
    if (expected.empty()) expected = votes;
    comparison.votes_agree = comparison.votes_agree && votes == expected;
  }
  comparison.votes = expected.size();
  std::vector<std::vector<double>> seconds(predictors.size()), ratios(predictors.size());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t e = 0; e < predictors.size(); ++e) {
      const Stopwatch watch;
      predictors[e].votes(rows);
      seconds[e].push_back(watch.seconds());
      ratios[e].push_back(seconds[0].back() / seconds[e].back());
    }
  }
  for (std::size_t e = 0; e < predictors.size(); ++e) {
    comparison.times[e].seconds = median(seconds[e]);
    comparison.times[e].ratio = median(ratios[e]);
  }
  return comparison;
}

std::string comparison_text(const Comparison& comparison, std::size_t samples) {
  std::string text;
  for (const EngineTime& time : comparison.times) {
    text += fmt::format("  {:<7}{:<26}{:>9} a sample", name_of(time.engine), time.description,
                        seconds_text(time.seconds / static_cast<double>(samples)));
    if (time.engine != Engine::kScan) {
      text += "   " + bold(time.ratio >= 1 ? fmt::format("{:.1f} times as fast", time.ratio)
                                           : fmt::format("{:.1f} times as slow", 1 / time.ratio));
    }
    text += "\n";
  }
  text += comparison.votes_agree ? fmt::format("  All {} votes agree.\n", with_commas(comparison.votes))
                                 : "  The votes DO NOT agree: this is a mistake in falsum, please report it.\n";
  return text;
}

/// Clauses are chosen on training data and their shares counted on all test data: chosen and counted on the
/// same samples, they would look better than they are.
std::string pictures_text(const Model& model, const TrainingJob& job) {
  std::vector<std::vector<std::string>> pictures, captions;
  const std::vector<bool> telling = telling_pixels(model, job.train);
  const ClauseRecords tested(model, *job.test, job.test->rows.rows());
  for (const ClauseRecord& chosen : pick_telling_clauses(model, job.train, telling, 3)) {
    const ClauseRecord record = tested.of(chosen.id);
    pictures.push_back(clause_picture(model, record.id, telling));
    captions.push_back(
        {fmt::format("votes for {}", model.labels()[record.id.class_id]),
         fmt::format("true for {:.0f}% of {}s,", 100 * record.true_for_own, model.labels()[record.id.class_id]),
         fmt::format("{:.1f}% of the others", 100 * record.true_for_others)});
  }
  return gallery(pictures, captions, terminal_width() - 2);
}

/// Forty fuzzy clauses per class, learned until so many of the test digits are right.
constexpr double kFuzzyGoal = 0.98;
struct FuzzyResult {
  Options options;
  double accuracy = 0, seconds = 0;  // of learning, all epochs
  std::uint64_t epochs = 0, model_bytes = 0;
};

FuzzyResult learn_fuzzy(const TrainingJob& job, const Options& run, const Interrupt& interrupt) {
  constexpr std::uint64_t kMostEpochs = 60;
  FuzzyResult result;
  copy_options(OptionScope::kRun, run, result.options);
  result.options.seed = run.seed;
  result.options.engine = Engine::kAuto;
  result.options.clauses = 40;
  result.options.threshold = 28;
  result.options.specificity = 400;
  result.options.max_literals = 100;
  result.options.fuzzy = 50;
  Machine machine(result.options, job.booleanizer.features(), job.outputs());
  while (result.accuracy < kFuzzyGoal && machine.epoch() < kMostEpochs && interrupt.signal() == 0) {
    const Stopwatch watch;
    machine.learn_epoch(job.train.rows, job.train.targets.view(), [&](double) { return interrupt.signal() == 0; });
    result.seconds += watch.seconds();
    if (const TestResult tested = test(machine, *job.test, interrupt); !tested.scores.empty()) {
      result.accuracy = tested.scores.front().value;
    }
  }
  result.epochs = machine.epoch();
  result.model_bytes = finished_model(machine, job, {}).to_bytes().size();
  return result;
}

std::string fuzzy_text(const FuzzyResult& result) {
  const Options& options = result.options;
  return fmt::format(
      "  {} clauses per class, each with up to {} votes, less one for each literal that is false.\n"
      "  {} of the test digits right after {} epochs: {} of learning, a model of {}.\n",
      options.clauses, options.fuzzy, bold(percent_text(result.accuracy)), result.epochs, seconds_text(result.seconds),
      bytes_text(result.model_bytes));
}

constexpr const char* kWhatNext = R"(What to try next:
  falsum train mnist -o digits.falsum       a larger machine, saved to a file
  falsum evaluate digits.falsum mnist       accuracy, confusion, work done
  falsum inspect digits.falsum --rules 1    its clauses in words
  falsum train mnist --fuzzy 50 --max-literals 100 --clauses 40 -T 28 -s 400 --epochs 60
                                            the fuzzy machine
  falsum train your.csv -o your.falsum      your own data: the last column is the label
  falsum datasets                           what else is built in
)";

int run_quickstart(const QuickstartArguments& arguments) {
  const bool people = !arguments.json;
  const Options& options = arguments.machine.options;
  validate(options);
  check_paths({{"-o", arguments.output, Access::kModel}});
  const TrainingJob job = load_job("mnist", "", {}, Task::kClassification);
  Machine machine(options, job.booleanizer.features(), job.outputs());
  const Interrupt interrupt;
  if (people) {
    fmt::print("{}\n{}\n{}", bold("1. Learning handwritten digits"), headline(job, machine), epoch_heading(job));
    std::fflush(stdout);
  }

  Json epochs = Json::array();
  std::vector<Score> tested;
  Team alone;
  learn(machine, job, options.epochs, interrupt, alone, [&](const EpochResult& result) -> bool {
    tested = result.test_scores;
    epochs.push_back(epoch_json(result, job.task));
    if (people) fmt::print("{}", epoch_line(job, result));
    std::fflush(stdout);
    return true;
  });

  const Model model = finished_model(machine, job, tested);
  if (!arguments.output.empty()) {
    model.save(arguments.output);
    if (people) fmt::print("saved {}\n", arguments.output);
  }
  Json report = report_json(job, machine);
  report["epochs"] = std::move(epochs);
  report["interrupted"] = interrupt.signal() != 0;
  report["model"] = arguments.output.empty() ? Json() : Json(arguments.output);
  if (interrupt.signal() != 0) {
    if (!people) print_json(report);
    fmt::print(stderr, "falsum: interrupted{}\n",
               arguments.output.empty() ? "" : "; " + arguments.output + " holds what was learned");
    return 128 + interrupt.signal();
  }

  if (people) {
    fmt::print("\n{}\n", bold(fmt::format("2. Predicting {} new digits in three ways, on one core",
                                          with_commas(job.test->rows.rows()))));
    std::fflush(stdout);
  }
  const Comparison comparison = compare_engines(model, job.test->rows);
  if (!people) {
    Json engines = Json::array();
    for (const EngineTime& time : comparison.times) {
      engines.push_back({{"engine", name_of(time.engine)}, {"seconds", time.seconds}, {"scan_to_this", time.ratio}});
    }
    report["comparison"] = {{"votes", comparison.votes}, {"votes_agree", comparison.votes_agree}, {"engines", engines}};
    const FuzzyResult fuzzy = learn_fuzzy(job, options, interrupt);
    report["fuzzy"] = {{"test_accuracy", fuzzy.accuracy},
                       {"epochs", fuzzy.epochs},
                       {"train_seconds", fuzzy.seconds},
                       {"model_bytes", fuzzy.model_bytes}};
    print_json(report);
    return comparison.votes_agree ? 0 : 1;
  }
  fmt::print("{}\n{}\n", comparison_text(comparison, job.test->rows.rows()),
             bold("3. Three of the clauses it learned: # must be ink, . must be blank (borders left out)"));
  fmt::print("{}\n{}\n", pictures_text(model, job), bold("4. The same digits with fuzzy clauses"));
  std::fflush(stdout);
  fmt::print("{}\n{}", fuzzy_text(learn_fuzzy(job, options, interrupt)), kWhatNext);
  return comparison.votes_agree ? 0 : 1;
}

}  // namespace

Command add_quickstart(CommandLine& line) {
  auto arguments = std::make_shared<QuickstartArguments>();
  Options& options = arguments->machine.options;
  options.clauses = 1000;  // half a minute on two cores, and large enough to be worth showing
  options.threshold = 50;
  options.specificity = 10;
  options.snapshots = 1;
  options.epochs = 3;
  const Verb quickstart = line.add_verb("quickstart", "see it learn and explain itself, in about a minute");
  quickstart.add_text("-o,--output", arguments->output, "keep the model there").type_name("MODEL");
  quickstart.add_flag("--json", arguments->json, "report as one JSON document");
  arguments->machine.add(quickstart);
  return {quickstart, [arguments] { return run_quickstart(*arguments); }};
}

}  // namespace falsum::cli
