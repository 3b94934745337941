// falsum train: data -> machine -> model file, with checkpoints, resuming and a clean stop on Ctrl-C.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>

#include "command.h"
#include "data_options.h"
#include "falsum/error.h"
#include "falsum/machine.h"
#include "machine_options.h"
#include "report.h"
#include "support/file.h"
#include "training.h"

namespace falsum::cli {

namespace {

struct TrainArguments {
  std::string data, test, output, checkpoint, resume;
  bool json = false;
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
  Machine machine = Machine::from_checkpoint(read_file(arguments.resume), options, "checkpoint " + arguments.resume);
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

/// A disk that is full for a moment must not end hours of learning: the next epoch tries again, and what
/// is still wrong at the end is said after the model is safe.
std::optional<FileError> try_checkpoint(const Machine& machine, const std::string& path) {
  try {
    write_file_atomically(path, machine.checkpoint());
  } catch (const FileError& error) {
    return error;
  }
  return std::nullopt;
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
  const Task task = load_task(arguments.data, arguments.test, arguments.data_options);
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
  std::optional<FileError> checkpoint_problem;
  learn(machine, task, options.epochs, interrupt, [&](const EpochResult& result) {
    accuracy = result.test_accuracy;
    if (!arguments.checkpoint.empty()) checkpoint_problem = try_checkpoint(machine, arguments.checkpoint);
    if (arguments.json) {
      epochs.push_back(epoch_json(result));
    } else {
      fmt::print("{}", epoch_line(result));
      std::fflush(stdout);
    }
  });
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
  if (checkpoint_problem) throw *checkpoint_problem;
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
                   wrap("after every epoch, save here all that is needed to go on", kHelpWidth))
      ->type_name("FILE");
  train
      ->add_option("--resume", arguments->resume,
                   wrap("go on from a checkpoint, on the same data, until --epochs in total", kHelpWidth))
      ->type_name("FILE");
  train->add_flag("--json", arguments->json, "report as one JSON document");
  arguments->machine.add(*train);
  add_load_options(*train, arguments->data_options);
  add_booleanize_options(*train, arguments->data_options);
  return {train, [arguments] { return run_train(*arguments); }};
}

}  // namespace falsum::cli
