// falsum quickstart: the whole idea in about a minute: learn digits, predict them by looking at every clause
// and by falsification, see that the votes agree and what it saves, and look at three clauses.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "machine_options.h"
#include "picture.h"
#include "report.h"
#include "stopwatch.h"
#include "support/file.h"
#include "training.h"

namespace falsum::cli {

namespace {

struct QuickstartArguments {
  std::string output;
  bool json = false;
  MachineOptions machine;
};

/// Scan against index on the same rows, one thread. Rounds alternate, so that whatever else the computer
/// does slows both, and the median of the rounds' ratios is what is shown.
struct Comparison {
  bool votes_agree = false;
  std::uint64_t votes = 0;
  double scan_seconds = 0, index_seconds = 0, ratio = 0;  // medians; ratio: scan / index
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Comparison compare_engines(const Model& model, const BitMatrix& rows) {
  constexpr int kRounds = 5;
  const Predictor scan(model, "scan");
  const Predictor index(model, "index");
  Comparison comparison;
  const std::vector<std::int32_t> by_scan = scan.votes(rows);  // also warms up both
  const std::vector<std::int32_t> by_index = index.votes(rows);
  comparison.votes = by_scan.size();
  comparison.votes_agree = by_scan == by_index;
  std::vector<double> scan_times, index_times, ratios;
  for (int round = 0; round < kRounds; ++round) {
    const Stopwatch scanning;
    scan.votes(rows);
    scan_times.push_back(scanning.seconds());
    const Stopwatch indexing;
    index.votes(rows);
    index_times.push_back(indexing.seconds());
    ratios.push_back(scan_times.back() / index_times.back());
  }
  comparison.scan_seconds = median(scan_times);
  comparison.index_seconds = median(index_times);
  comparison.ratio = median(ratios);
  return comparison;
}

std::string comparison_text(const Comparison& comparison, std::size_t samples) {
  const double n = static_cast<double>(samples);
  std::string text =
      fmt::format("  scan   looks at every clause       {:>7} a sample\n", seconds_text(comparison.scan_seconds / n));
  text += fmt::format("  index  visits what is falsified    {:>7} a sample   {}\n",
                      seconds_text(comparison.index_seconds / n),
                      bold(comparison.ratio >= 1 ? fmt::format("{:.1f} times as fast", comparison.ratio)
                                                 : fmt::format("{:.1f} times as slow", 1 / comparison.ratio)));
  text += comparison.votes_agree ? fmt::format("  All {} votes agree.\n", with_commas(comparison.votes))
                                 : "  The votes DO NOT agree: this is a mistake in falsum, please report it.\n";
  return text;
}

/// Clauses are chosen on training data and their shares counted on all test data: chosen and counted on the
/// same samples, they would look better than they are.
std::string pictures_text(const Model& model, const Task& task) {
  std::vector<std::vector<std::string>> pictures, captions;
  const std::vector<bool> telling = telling_pixels(model, task.train);
  for (const ClauseRecord& chosen : pick_telling_clauses(model, task.train, telling, 3)) {
    const ClauseRecord record = record_of(model, chosen.id, *task.test, task.test->rows.rows());
    pictures.push_back(clause_picture(model, record.id, telling));
    captions.push_back(
        {fmt::format("votes for {}", model.labels[record.id.class_id]),
         fmt::format("true for {:.0f}% of {}s,", 100 * record.true_for_own, model.labels[record.id.class_id]),
         fmt::format("{:.1f}% of the others", 100 * record.true_for_others)});
  }
  return gallery(pictures, captions, terminal_width() - 2);
}

constexpr const char* kWhatNext = R"(What to try next:
  falsum train mnist -o digits.fsm       a larger machine, saved to a file
  falsum evaluate digits.fsm mnist       accuracy, confusion, work done
  falsum inspect digits.fsm --rules 1    its clauses in words
  falsum train your.csv -o your.fsm      your own data: the last column is the label
  falsum datasets                        what else is built in
)";

int run_quickstart(const QuickstartArguments& arguments) {
  const bool people = !arguments.json;
  const Options& options = arguments.machine.options;
  validate(options);
  if (!arguments.output.empty()) check_writable(arguments.output);
  const Task task = load_task("mnist", "", {});
  Machine machine(options, task.booleanizer.features(), task.labels.size());
  const Interrupt interrupt;
  if (people) {
    fmt::print("{}\n{}\n{}", bold("1. Learning handwritten digits"), headline(task, machine), epoch_heading());
    std::fflush(stdout);
  }

  Json epochs = Json::array();
  std::optional<double> accuracy;
  learn(machine, task, options.epochs, interrupt, [&](const EpochResult& result) {
    accuracy = result.test_accuracy;
    epochs.push_back(epoch_json(result));
    if (people) fmt::print("{}", epoch_line(result));
    std::fflush(stdout);
  });

  const Model model = finished_model(machine, task, accuracy);
  if (!arguments.output.empty()) {
    model.save(arguments.output);
    if (people) fmt::print("saved {}\n", arguments.output);
  }
  Json report = report_json(task, machine);
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
    fmt::print("\n{}\n", bold(fmt::format("2. Predicting {} new digits twice, on one core",
                                          with_commas(task.test->rows.rows()))));
    std::fflush(stdout);
  }
  const Comparison comparison = compare_engines(model, task.test->rows);
  if (!people) {
    report["comparison"] = {{"votes", comparison.votes},
                            {"votes_agree", comparison.votes_agree},
                            {"scan_seconds", comparison.scan_seconds},
                            {"index_seconds", comparison.index_seconds},
                            {"scan_to_index", comparison.ratio}};
    print_json(report);
    return comparison.votes_agree ? 0 : 1;
  }
  fmt::print("{}\n{}\n", comparison_text(comparison, task.test->rows.rows()),
             bold("3. Three of the clauses it learned: # must be ink, . must be blank (borders left out)"));
  fmt::print("{}\n{}", pictures_text(model, task), kWhatNext);
  return comparison.votes_agree ? 0 : 1;
}

}  // namespace

Command add_quickstart(CLI::App& app) {
  auto arguments = std::make_shared<QuickstartArguments>();
  Options& options = arguments->machine.options;
  options.clauses = 1000;  // half a minute on two cores, and large enough to be worth showing
  options.epochs = 3;
  CLI::App* quickstart = app.add_subcommand("quickstart", "see it learn and explain itself, in about a minute");
  quickstart->add_option("-o,--output", arguments->output, "keep the model there")->type_name("MODEL");
  quickstart->add_flag("--json", arguments->json, "report as one JSON document");
  arguments->machine.add(*quickstart);
  return {quickstart, [arguments] { return run_quickstart(*arguments); }};
}

}  // namespace falsum::cli
