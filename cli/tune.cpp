// falsum tune: which clauses, T, s, kind of machine and number of thresholds suit the data.
#include "falsum/tune.h"

#include <cstdio>
#include <map>
#include <memory>
#include <sstream>

#include "command.h"
#include "data_options.h"
#include "falsum/booleanize_options.h"
#include "falsum/cpu.h"
#include "falsum/data_digest.h"
#include "falsum/error.h"
#include "falsum/predictor.h"
#include "falsum/scores.h"
#include "interrupt.h"
#include "machine_options.h"
#include "parse_number.h"
#include "paths.h"
#include "progress.h"
#include "report.h"
#include "stopwatch.h"
#include "support/file.h"
#include "support/format.h"
#include "training.h"

namespace falsum::cli {

namespace {

constexpr int kQuantiles[] = {16, 5, 40};  // the default of the library first

struct TuneArguments {
  std::string data, test, output, state;
  double budget = 60;  // seconds of one core
  bool json = false;
  DataOptions data_options;
  MachineOptions machine;
};

double parse_budget(const std::string& text) {
  double unit = 1;
  std::string number = text;
  const auto ends = [&](std::string_view suffix, double seconds) {
    if (!number.ends_with(suffix) || number.size() == suffix.size()) return false;
    number.resize(number.size() - suffix.size());
    unit = seconds;
    return true;
  };
  if (!ends("min", 60) && !ends("h", 3600)) ends("s", 1);
  const double value = parse_number<double>("budget", number, "a time such as 30s, 1min or 2h");
  if (!(value > 0 && value * unit <= 1e7)) {
    throw ConfigError(
        fmt::format("budget must be a time above 0 and up to 1e7 s, such as 30s, 1min or 2h, got {}", text));
  }
  return value * unit;
}

/// Scores that were found so far, in a file of a line for each, so that a run that was stopped can go on. The first
/// line says for which data and settings they are.
class ScoreFile {
 public:
  ScoreFile(std::string path, std::string head) : path_(std::move(path)), head_(std::move(head)) {
    if (path_.empty() || !file_exists()) return;
    std::istringstream lines(read_file(path_));
    std::string line;
    if (!std::getline(lines, line) || !line.starts_with("falsum tune ")) {
      throw FileError(fmt::format("--state {} exists and is not what falsum tune wrote: choose another name", path_));
    }
    if (line != head_) {
      throw FileError(fmt::format("{} holds scores of other data, settings or budget: give another --state", path_));
    }
    while (std::getline(lines, line)) {
      unsigned long trial = 0, rung = 0, rows = 0;
      TuneScore score;
      if (std::sscanf(line.c_str(), "%lu %lu %la %la %la %la %lu", &trial, &rung, &score.score, &score.accuracy,
                      &score.log_loss, &score.temperature, &rows) != 7) {
        throw FileError(fmt::format("{} is damaged: a line has no score", path_));
      }
      score.rows = rows;
      scores_[{trial, rung}] = score;
    }
  }

  std::optional<TuneScore> find(std::size_t trial, std::size_t rung) const {
    const auto found = scores_.find({trial, rung});
    return found == scores_.end() ? std::nullopt : std::optional(found->second);
  }

  void add(std::size_t trial, std::size_t rung, const TuneScore& score) {
    scores_[{trial, rung}] = score;
    if (path_.empty()) return;
    std::string text = head_ + "\n";
    for (const auto& [at, s] : scores_) {
      text += fmt::format("{} {} {:a} {:a} {:a} {:a} {}\n", at.first, at.second, s.score, s.accuracy, s.log_loss,
                          s.temperature, s.rows);
    }
    write_file_atomically(path_, text);
  }

 private:
  bool file_exists() const {
    std::FILE* const file = std::fopen(path_.c_str(), "rb");
    if (file != nullptr) std::fclose(file);
    return file != nullptr;
  }

  std::string path_, head_;
  std::map<std::pair<std::size_t, std::size_t>, TuneScore> scores_;
};

std::string kind_of(const Options& options) {
  return is_fuzzy(options) ? "fuzzy" : options.shared ? "shared" : options.weighted ? "weighted" : "plain";
}

/// The options of `train` that make this setting.
std::string flags_of(const Options& options, int quantiles) {
  std::string text = fmt::format("--clauses {} -T {} -s {} --epochs {}", options.clauses, options.threshold,
                                 specificity_text(options), options.epochs);
  for (const OptionInfo* info : options_of(OptionScope::kMachine)) {
    if (info->name == "clauses" || info->name == "threshold" || info->name == "specificity" ||
        info->name == "specificity_to" || info->name == "task") {
      continue;
    }
    const Json value = value_of(options, *info);
    if (info->name != "snapshots" && value == value_of(neutral_options(), *info)) continue;
    std::string shown = value.dump();
    if (shown.size() > 1 && shown.front() == '"') shown = shown.substr(1, shown.size() - 2);
    if (std::holds_alternative<bool Options::*>(info->field)) {
      text += fmt::format(" --{}{}", shown == "true" ? "" : "no-", flag_name(*info));
    } else {
      text += fmt::format(" --{} {}", flag_name(*info), shown);
    }
  }
  return quantiles > 0 ? text + fmt::format(" --quantiles {}", quantiles) : text;
}

struct Loaded {
  std::vector<TrainingJob> jobs;  // by way to booleanize
  std::vector<int> quantiles;     // none unless they are tables
};

Loaded load(const TuneArguments& arguments) {
  Loaded loaded;
  loaded.jobs.push_back(load_job(arguments.data, arguments.test, arguments.data_options, Task::kClassification));
  if (loaded.jobs[0].booleanizer.kind() != "columns") return loaded;
  loaded.quantiles.push_back(arguments.data_options.booleanize.quantiles);
  if (arguments.data_options.given("quantiles")) return loaded;
  for (const int quantiles : kQuantiles) {
    if (quantiles == loaded.quantiles[0]) continue;
    DataOptions other = arguments.data_options;
    other.booleanize.quantiles = quantiles;
    TrainingJob job = load_job(arguments.data, arguments.test, other, Task::kClassification);
    if (job.booleanizer == loaded.jobs[0].booleanizer) continue;  // no column has so many values
    loaded.jobs.push_back(std::move(job));
    loaded.quantiles.push_back(quantiles);
  }
  return loaded;
}

/// Accuracy by T and s, for the plain machines of the default number of thresholds: the darker the better.
std::string heat_map(const TuneResult& result) {
  std::vector<std::int64_t> rows;
  std::vector<std::string> columns;
  std::map<std::pair<std::int64_t, std::string>, double> cells;
  double least = 1, most = 0;
  for (const TuneTrial& trial : result.trials) {
    const Options& options = trial.setting.options;
    if (trial.setting.data != 0 || kind_of(options) != "plain" || trial.scores.empty()) continue;
    const std::string s = specificity_text(options);
    if (std::ranges::find(rows, options.threshold) == rows.end()) rows.push_back(options.threshold);
    if (std::ranges::find(columns, s) == columns.end()) columns.push_back(s);
    const double accuracy = trial.scores.front().accuracy;  // all have reached the first rung
    cells[{options.threshold, s}] = accuracy;
    least = std::min(least, accuracy);
    most = std::max(most, accuracy);
  }
  if (cells.size() < 2) return "";
  std::ranges::sort(rows);
  std::string text = fmt::format("accuracy at the first rung, by T and s\n{:>8}", "");
  for (const std::string& s : columns) text += fmt::format("{:>12}", "s " + s);
  static constexpr const char* kShades[] = {"  ", "░░", "▒▒", "▓▓", "██"};
  for (const std::int64_t threshold : rows) {
    text += fmt::format("\n{:>8}", fmt::format("T {}", threshold));
    for (const std::string& s : columns) {
      const auto cell = cells.find({threshold, s});
      if (cell == cells.end()) {
        text += fmt::format("{:>12}", "-");
        continue;
      }
      const double height = most > least ? (cell->second - least) / (most - least) : 1;
      text += fmt::format("  {} {:>7}", kShades[static_cast<std::size_t>(height * 4)], percent_text(cell->second));
    }
  }
  return text + "\n";
}

Json score_json(const TuneScore& score) {
  return {{"score", score.score},
          {"accuracy", score.accuracy},
          {"log_loss", score.log_loss},
          {"temperature", score.temperature},
          {"rows", score.rows}};
}

int run_tune(TuneArguments& arguments) {
  const Options& given = arguments.machine.options;
  validate(given);
  if (given.task != Task::kClassification) {
    throw ConfigError(fmt::format("tune is for classes, and the task is {}", name_of(given.task)));
  }
  check_paths({{"DATA", arguments.data, Access::kRead},
               {"--test", arguments.test, Access::kRead},
               {"-o", arguments.output, Access::kModel},
               {"--state", arguments.state, Access::kAnswers}});
  const Stopwatch watch;
  const Loaded loaded = load(arguments);
  const TrainingJob& job = loaded.jobs[0];
  const DataFacts facts = facts_of(job.booleanizer, job.train.rows.rows(), job.outputs());
  if (facts.rows < 3 * facts.outputs) {
    throw DataError(fmt::format("{} has {} for {} classes; tune holds rows out and needs at least 3 a class",
                                job.train.origin, counted(facts.rows, "row", "rows"), facts.outputs));
  }
  std::vector<TuneSetting> settings =
      settings_to_try(given, facts, loaded.quantiles, loaded.quantiles.empty() ? 0 : loaded.quantiles[0]);
  for (TuneSetting& setting : settings) setting.options = with_image(setting.options, job.booleanizer);
  const std::vector<std::uint64_t> rungs = rungs_for(settings, facts, job.booleanizer.features(), arguments.budget);
  std::vector<Rows> data;
  for (const TrainingJob& each : loaded.jobs) data.emplace_back(each.train.rows);
  const auto quantiles = [&](const TuneSetting& setting) {
    return loaded.quantiles.empty() ? 0 : loaded.quantiles[setting.data];
  };

  const Targets targets = job.train.targets.view();
  const DataDigest seen = digest(job.train.rows, targets, job.labels, job.booleanizer.feature_names());
  std::string head = fmt::format("falsum tune {} {:x} {:x} {:x}", version(), seen.rows, seen.values, seen.labels);
  for (const std::uint64_t rung : rungs) head += fmt::format(" {}", rung);
  for (const TuneSetting& setting : settings) head += " | " + flags_of(setting.options, quantiles(setting));
  ScoreFile scores(arguments.state, head);

  Interrupt interrupt;
  if (!arguments.json) {
    fmt::print("{}: {}, {}; {} settings, {} of {} epochs\n", job.train.origin, counted(facts.rows, "sample", "samples"),
               counted(facts.outputs, "class", "classes"), settings.size(), counted(rungs.size(), "rung", "rungs"),
               rungs.back());
    std::fflush(stdout);
  }
  Progress progress("tuning");
  TuneCallbacks callbacks;
  callbacks.progress = [&](double done) {
    progress.update(done, "");
    return interrupt.signal() == 0;
  };
  callbacks.known = [&](std::size_t trial, std::size_t rung) { return scores.find(trial, rung); };
  callbacks.found = [&](std::size_t trial, std::size_t rung, const TuneScore& score) {
    scores.add(trial, rung, score);
  };
  const TuneResult result =
      tune(data, targets, job.outputs(), settings, rungs, static_cast<unsigned>(given.threads), callbacks);
  progress.clear();
  if (!result.complete) {
    say(fmt::format("interrupted; {}", arguments.state.empty() ? "nothing was kept, for lack of --state FILE"
                                                               : "the same command goes on with " + arguments.state));
    return 128 + interrupt.signal();
  }

  std::vector<Score> tested;
  std::uint64_t bytes = 0;
  if (!arguments.output.empty()) {
    progress.set_title("learning from all rows");
    const Model learned = refit(result, data, targets, job.outputs(), [&](double done) {
      progress.update(done, "");
      return interrupt.signal() == 0;
    });
    progress.clear();
    if (interrupt.signal() != 0) {
      say(fmt::format("interrupted; {} was not written", arguments.output));
      return 128 + interrupt.signal();
    }
    const TrainingJob& chosen = loaded.jobs[result.trials[result.order[0]].setting.data];
    if (chosen.test) {
      const AnyTargets answers = Predictor(learned).answers(chosen.test->rows, static_cast<unsigned>(given.threads));
      tested = falsum::scores(answers.view(), chosen.test->targets.view());
    }
    const std::string model = finished_model(learned, chosen, tested).to_bytes();
    write_file_atomically(arguments.output, model);
    bytes = model.size();
  }

  const TuneSetting& best = result.trials[result.order[0]].setting;
  const std::string repeat = fmt::format("falsum train {} {}", arguments.data, flags_of(best.options, quantiles(best)));
  if (arguments.json) {
    Json trials = Json::array();
    for (const std::size_t t : result.order) {
      const TuneTrial& trial = result.trials[t];
      Json entry;
      entry["kind"] = kind_of(trial.setting.options);
      add_machine_options(entry, trial.setting.options);
      entry["epochs"] = trial.setting.options.epochs;
      entry["quantiles"] = loaded.quantiles.empty() ? Json() : Json(quantiles(trial.setting));
      Json rung_scores = Json::array();
      for (const TuneScore& score : trial.scores) rung_scores.push_back(score_json(score));
      entry["rungs"] = std::move(rung_scores);
      trials.push_back(std::move(entry));
    }
    Json report = {{"data", job.train.origin}, {"samples", facts.rows}, {"classes", facts.outputs}};
    report["rungs"] = rungs;
    report["trials"] = std::move(trials);
    report["best_two_as_one"] = result.both ? score_json(*result.both) : Json();
    report["repeat"] = repeat;
    report["model"] = arguments.output.empty() ? Json() : Json(arguments.output);
    report["model_has_both"] = !arguments.output.empty() && takes_both(result);
    report["test_accuracy"] = tested.empty() ? Json() : Json(tested.front().value);
    report["seconds"] = watch.seconds();
    report["cpu_seconds"] = watch.cpu_seconds();
    print_json(report);
    return 0;
  }
  using Align = Table::Align;
  Table table(
      {{"machine", Align::kLeft}, {"clauses"}, {"T"}, {"s"}, {"quantiles"}, {"epochs"}, {"accuracy"}, {"log loss"}});
  for (const std::size_t t : result.order) {
    const TuneTrial& trial = result.trials[t];
    const Options& options = trial.setting.options;
    const TuneScore& score = trial.scores.back();
    table.add({kind_of(options), with_commas(static_cast<std::uint64_t>(options.clauses)),
               fmt::format("{}", options.threshold), specificity_text(options),
               loaded.quantiles.empty() ? "-" : fmt::format("{}", quantiles(trial.setting)),
               fmt::format("{}", rungs[trial.scores.size() - 1]), percent_text(score.accuracy),
               fmt::format("{:.4f}", score.log_loss)});
  }
  fmt::print("\n{}\n{}", table.text(), heat_map(result));
  if (result.both) {
    fmt::print("\nthe best two as one model: {}, log loss {:.4f}\n", percent_text(result.both->accuracy),
               result.both->log_loss);
  } else if (result.order.size() > 1) {
    fmt::print("\nthe best two cannot be one model: their features or kinds of clauses differ\n");
  }
  fmt::print("\nto repeat the best: {}\n", repeat);
  if (!arguments.output.empty()) {
    fmt::print("saved {} ({}): {}, learned from all rows{}\n", arguments.output, bytes_text(bytes),
               takes_both(result) ? "the best two as one" : "the best",
               tested.empty() ? "" : ", test accuracy " + score_text(tested));
  }
  return 0;
}

}  // namespace

Command add_tune(CommandLine& line) {
  auto arguments = std::make_shared<TuneArguments>();
  const Verb tune = line.add_verb("tune", "find clauses, T, s, kind of machine and thresholds that suit the data");
  tune.add_text("DATA", arguments->data,
                "a built-in name (falsum datasets) or a file: IDX, CSV, SVMlight, NPY, NPZ or packed rows")
      .required()
      .type_name("");
  tune.add_text("--test", arguments->test, "data to test the model of -o on; nothing is chosen by them")
      .type_name("DATA");
  tune.add_text("-o,--output", arguments->output, "learn the best from all rows, and save the model here")
      .type_name("MODEL");
  tune.add_text(
          "--budget", [arguments](const std::string& text) { arguments->budget = parse_budget(text); },
          "about how long on one core: 30s, 1min, 2h; counted in work, so that the same command finds the same on "
          "every "
          "computer (default 1min)")
      .type_name("TIME");
  tune.add_text("--state", arguments->state,
                "keep the scores in this file as they come; the same command goes on from there")
      .type_name("FILE");
  tune.add_flag("--json", arguments->json, "report as one JSON document");
  arguments->machine.add(tune);
  add_load_options(tune, arguments->data_options, true);
  add_booleanize_options(tune, arguments->data_options);
  return {tune, [arguments] { return run_tune(*arguments); }};
}

}  // namespace falsum::cli
