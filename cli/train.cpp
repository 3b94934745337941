// falsum train: data -> machine -> model file, with checkpoints, resuming and a clean stop on Ctrl-C.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>

#include "checkpoints.h"
#include "command.h"
#include "data_options.h"
#include "falsum/error.h"
#include "falsum/machine.h"
#include "falsum/memory.h"
#include "machine_options.h"
#include "report.h"
#include "stopwatch.h"
#include "support/file.h"
#include "training.h"

namespace falsum::cli {

namespace {

struct TrainArguments {
  std::string data, test, output, checkpoint, resume;
  CheckpointRhythm rhythm;
  bool json = false, dry_run = false;
  bool resume_checkpoint = false;  // --resume without a file
  DataOptions data_options;
  MachineOptions machine;
};

/// A checkpoint decides what machine it is; an option that says otherwise is a misunderstanding.
void require_same_machine(const TrainArguments& arguments, const Options& resumed) {
  for (const std::string_view name : kLearnedWith) {
    const Json asked = value_of(arguments.machine.options, name);
    const Json found = value_of(resumed, name);
    if (arguments.machine.given(name) && asked != found) {
      throw ConfigError(fmt::format("{} is {} in checkpoint {} and cannot be changed on resuming, got {}", name,
                                    found.dump(), arguments.resume, asked.dump()));
    }
  }
}

Machine make_machine(const TrainArguments& arguments, const Task& task) {
  const Options& options = arguments.machine.options;
  if (arguments.resume.empty()) return Machine(options, task.booleanizer.features(), task.labels.size());
  std::string note;
  Machine machine = resume(arguments.resume, options, note);
  if (!note.empty()) fmt::print(stderr, "falsum: {}\n", note);
  require_same_machine(arguments, machine.options());
  if (machine.features() != task.booleanizer.features() || machine.classes() != task.labels.size()) {
    throw DataError(fmt::format("checkpoint {} has {} features and {} classes, but {} has {} and {}", arguments.resume,
                                machine.features(), machine.classes(), task.train.origin, task.booleanizer.features(),
                                task.labels.size()));
  }
  return machine;
}

void check_output(const std::string& path) {
  if (!path.empty()) check_writable(path);
}

/// What the data take is known by now; the rest is computed.
void print_estimate(const TrainArguments& arguments, const Task& task, const LearningUse& use) {
  const Options& options = arguments.machine.options;
  const MemoryEstimate estimate = estimate_memory(options, task.booleanizer.features(), task.labels.size(), use);
  const std::uint64_t needed = estimate.total(), limit = memory_limit(options);
  if (arguments.json) {
    print_json({{"samples", task.train.rows.rows()},
                {"features", task.booleanizer.features()},
                {"classes", task.labels.size()},
                {"clauses", options.clauses},
                {"data_bytes", estimate.data},
                {"automata_bytes", estimate.automata},
                {"included_bytes", estimate.included},
                {"engine_bytes", estimate.engine},
                {"testing_bytes", estimate.testing},
                {"checkpoint_bytes", estimate.checkpoint},
                {"loading_bytes", estimate.loading},
                {"needed_bytes", needed},
                {"limit_bytes", limit},
                {"fits", limit == 0 || needed <= limit}});
    return;
  }
  fmt::print("{}: {}, {}, {}; {} clauses per class\n", task.train.origin,
             counted(task.train.rows.rows(), "sample", "samples"),
             counted(task.booleanizer.features(), "feature", "features"),
             counted(task.labels.size(), "class", "classes"), with_commas(static_cast<std::uint64_t>(options.clauses)));
  Table table({{"memory", Table::Align::kLeft}, {"at most"}});
  table.add({"data and program", bytes_text(estimate.data)});
  table.add({"automata", bytes_text(estimate.automata)});
  table.add({"literals of young clauses", bytes_text(estimate.included)});
  table.add({"engine", bytes_text(estimate.engine)});
  table.add({"testing", bytes_text(estimate.testing)});
  if (estimate.checkpoint > 0) table.add({"writing a checkpoint", bytes_text(estimate.checkpoint)});
  table.add({"all", bytes_text(needed)});
  table.add({"allowed", limit == 0 ? "not known" : bytes_text(limit)});
  fmt::print("{}", table.text());
}

/// One sentence on stderr, where it does not disturb a JSON document on stdout.
void say_interrupted(const TrainArguments& arguments, const Machine& machine) {
  std::string kept;
  if (!arguments.output.empty()) kept = fmt::format("{} holds what was learned", arguments.output);
  if (!arguments.checkpoint.empty()) {
    kept += fmt::format("{}go on with --resume {}", kept.empty() ? "" : ", ", arguments.checkpoint);
  }
  if (kept.empty()) kept = "nothing was kept, for lack of -o and --checkpoint";
  fmt::print(stderr, "falsum: interrupted after {}; {}\n",
             counted(machine.epoch(), "complete epoch", "complete epochs"), kept);
}

int run_train(const TrainArguments& arguments) {
  const Options& options = arguments.machine.options;
  validate(options);
  check_output(arguments.output);
  check_output(arguments.checkpoint);
  const Stopwatch loading;
  const Task task = load_task(arguments.data, arguments.test, arguments.data_options);
  const double load_seconds = loading.seconds(), load_cpu_seconds = loading.cpu_seconds();
  give_back_freed_memory();
  const LearningUse use = {task.train.rows.rows(), task.test.has_value(), !arguments.checkpoint.empty(), rss_bytes(),
                           peak_rss_bytes()};
  if (arguments.dry_run) print_estimate(arguments, task, use);
  // What a checkpoint needs is compared by who reads it.
  if (arguments.resume.empty()) check_memory(options, task.booleanizer.features(), task.labels.size(), use);
  if (arguments.dry_run) return 0;
  Machine machine = make_machine(arguments, task);

  const Interrupt interrupt;
  if (!arguments.json) {
    fmt::print("{}", headline(task, machine));
    if (machine.epoch() > 0) fmt::print("resumed after {}\n", counted(machine.epoch(), "epoch", "epochs"));
    fmt::print("\n{}", epoch_heading());
    std::fflush(stdout);
  }

  Json epochs = Json::array();
  std::optional<double> accuracy;
  Checkpoints checkpoints(arguments.checkpoint, arguments.rhythm, options.epochs);
  const auto after_epoch = [&](const EpochResult& result) {
    accuracy = result.test_accuracy;
    checkpoints.after_epoch(machine, result.report.complete);
    if (arguments.json) {
      epochs.push_back(epoch_json(result));
    } else {
      fmt::print("{}", epoch_line(result));
      std::fflush(stdout);
    }
  };
  learn(machine, task, options.epochs, interrupt, after_epoch, [&] { checkpoints.during_epoch(machine); });
  const bool interrupted = interrupt.signal() != 0;
  // Resumed from a checkpoint that had nothing left to learn: the model still deserves its accuracy.
  if (!accuracy && !interrupted && task.test) accuracy = test(machine, *task.test).accuracy;

  std::uint64_t model_bytes = 0;
  if (!arguments.output.empty()) {
    const std::string bytes = finished_model(machine, task, accuracy).to_bytes();
    write_file_atomically(arguments.output, bytes);
    model_bytes = bytes.size();
  }

  if (arguments.json) {
    Json report = report_json(task, machine);
    report["load_seconds"] = load_seconds;
    report["load_cpu_seconds"] = load_cpu_seconds;
    report["automata_bytes"] = machine.automata_bytes();
    report["engine_bytes"] = machine.engine_bytes();
    report["peak_rss_bytes"] = peak_rss_bytes();
    report["epochs"] = std::move(epochs);
    report["interrupted"] = interrupted;
    report["model"] = arguments.output.empty() ? Json() : Json(arguments.output);
    report["model_bytes"] = model_bytes;
    report["checkpoint"] = arguments.checkpoint.empty() ? Json() : Json(arguments.checkpoint);
    print_json(report);
  } else if (arguments.output.empty()) {
    fmt::print("the model was not kept (-o MODEL keeps it)\n");
  } else {
    fmt::print("saved {} ({})\n", arguments.output, bytes_text(model_bytes));
  }
  if (checkpoints.problem()) throw *checkpoints.problem();
  if (!interrupted) return 0;
  say_interrupted(arguments, machine);
  return 128 + interrupt.signal();
}

}  // namespace

Command add_train(CLI::App& app) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* train = app.add_subcommand("train", "learn a model from labelled data");
  train
      ->add_option("DATA", arguments->data,
                   wrap("a built-in name (falsum datasets) or a file: IDX, CSV, SVMlight, "
                        "NPY or NPZ",
                        kHelpWidth))
      ->required()
      ->type_name("");
  train
      ->add_option("--test", arguments->test,
                   wrap("data to test on after every epoch (default: the test split of a built-in name, nothing for "
                        "a file)",
                        kHelpWidth))
      ->type_name("DATA");
  train->add_option("-o,--output", arguments->output, "where to save the model")->type_name("MODEL");
  train
      ->add_option("--checkpoint", arguments->checkpoint,
                   wrap("save here all that is needed to go on; the one before is kept as FILE.previous", kHelpWidth))
      ->type_name("FILE");
  train
      ->add_option_function<std::string>(
          "--checkpoint-every", [arguments](const std::string& text) { arguments->rhythm = parse_rhythm(text); },
          wrap("how often: every N epochs, or every N minutes with 10min (default 1: after every epoch)", kHelpWidth))
      ->type_name("N|Nmin");
  train
      ->add_option_function<std::string>(
          "--resume",
          [arguments](const std::string& file) {
            arguments->resume = file;
            arguments->resume_checkpoint = file.empty();
          },
          wrap("go on from a checkpoint (that of --checkpoint if no other is named), on the same data, until --epochs "
               "in "
               "total",
               kHelpWidth))
      ->expected(0, 1)
      ->type_name("[FILE]");
  train->add_flag("--dry-run", arguments->dry_run, "load the data, print what memory learning would take, and stop");
  train->add_flag("--json", arguments->json, "report as one JSON document");
  arguments->machine.add(*train);
  add_load_options(*train, arguments->data_options);
  add_booleanize_options(*train, arguments->data_options);
  return {train, [arguments] {
            if (arguments->resume_checkpoint) {
              if (arguments->checkpoint.empty()) {
                throw ConfigError("--resume needs a file: --resume FILE, or --checkpoint FILE --resume");
              }
              arguments->resume = arguments->checkpoint;
            }
            return run_train(*arguments);
          }};
}

}  // namespace falsum::cli
