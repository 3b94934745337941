// falsum train: data -> machine -> model file, with checkpoints, resuming and a clean stop.
#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>
#include <new>
#include <optional>

#include "calibration.h"
#include "checkpoints.h"
#include "command.h"
#include "data_options.h"
#include "early_stopping.h"
#include "estimate.h"
#include "falsum/advice.h"
#include "falsum/defaults.h"
#include "falsum/engines.h"
#include "falsum/error.h"
#include "falsum/folds.h"
#include "falsum/machine.h"
#include "falsum/memory.h"
#include "machine_options.h"
#include "parse_number.h"
#include "paths.h"
#include "progress.h"
#include "report.h"
#include "start.h"
#include "stopwatch.h"
#include "support/file.h"
#include "support/format.h"
#include "training.h"

namespace falsum::cli {

namespace {

struct TrainArguments {
  std::string data, test, output, checkpoint, resume, class_weight;
  CheckpointRhythm rhythm;
  std::optional<double> calibrate;                                  // the share that is held out
  CalibrationMethod calibration = CalibrationMethod::kTemperature;  // kNone: probabilities are not fitted
  EarlyStoppingOptions stopping;
  bool json = false, dry_run = false, overwrite = false;
  bool resume_checkpoint = false;  // --resume without a file
  DataOptions data_options;
  MachineOptions machine;
};

/// What needs one process that has the whole machine at any time.
void check_team(const TrainArguments& arguments, const Team& team) {
  if (team.is_alone()) return;
  if (arguments.stopping.validation) throw ConfigError("--validation is for one process, which tests between epochs");
  if (arguments.rhythm.epochs == 0) {
    throw ConfigError("--checkpoint-every must be a number of epochs where several processes learn");
  }
}

void check_arguments(const TrainArguments& arguments) {
  validate(arguments.machine.options);
  if (arguments.calibrate && arguments.machine.options.task != Task::kClassification) {
    throw ConfigError(
        fmt::format("--calibrate is for classes, and the task is {}", name_of(arguments.machine.options.task)));
  }
  arguments.stopping.check(!arguments.checkpoint.empty() || !arguments.resume.empty(), arguments.calibrate.has_value());
  if (arguments.checkpoint.empty() && arguments.overwrite) {
    throw ConfigError("--overwrite is for a checkpoint that exists already, and needs --checkpoint FILE");
  }
  check_paths({{"DATA", arguments.data, Access::kRead},
               {"--test", arguments.test, Access::kRead},
               {"--resume", arguments.resume, Access::kResumed},
               {"-o", arguments.output, Access::kModel},
               {"--checkpoint", arguments.checkpoint, Access::kCheckpoint}},
              arguments.overwrite);
}

/// Prints to standard output at once. If the reader has closed it, this requests a stop, like SIGPIPE. Any other error
/// must not cost the learned state, and is reported at the end.
void show(const std::string& text, const Interrupt& interrupt) {
  if (interrupt.signal() == kPipeSignal) return;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) interrupt.ask(kPipeSignal);
}

/// One sentence on stderr, where it does not disturb a JSON document on stdout. It names only what was written.
void say_interrupted(const TrainArguments& arguments, const Machine& machine, bool checkpoint_saved) {
  std::string kept;
  if (!arguments.output.empty()) {
    kept = fmt::format("{} holds what was learned{}", arguments.output, arguments.calibrate ? ", not calibrated" : "");
  }
  if (checkpoint_saved) {
    kept += fmt::format("{}resume with --resume {}", kept.empty() ? "" : ", ", arguments.checkpoint);
  }
  if (kept.empty()) kept = "nothing was kept, for lack of -o and --checkpoint";
  warn(fmt::format("interrupted after {}; {}", counted(machine.epoch(), "complete epoch", "complete epochs"), kept));
}

struct LoadTime {
  double seconds = 0, cpu_seconds = 0;
};

struct Saved {
  std::uint64_t model_bytes = 0;
  std::optional<std::string> problem;  // why there is no model
};

Saved save_model(const std::string& path, const std::function<Model()>& model, Packing packing) {
  if (path.empty()) return {};
  try {
    const std::string bytes = model().to_bytes(packing);
    write_file_atomically(path, bytes);
    return {bytes.size(), std::nullopt};
  } catch (const FileError& error) {
    return {0, error.what()};
  } catch (const std::bad_alloc&) {
    return {0, fmt::format("cannot write {}: not enough memory for a model", path)};
  }
}

/// Fitted to the rows held out; without them on folds, by other machines that do not learn some of the rows. None if
/// learning was interrupted, if it is not wanted, or if there would be no model to keep it in.
Calibration calibrate(const TrainArguments& arguments, const Machine& machine, const Model& model,
                      const TrainingJob& job, const Interrupt& interrupt) {
  if (interrupt.signal() != 0 || job.task != Task::kClassification) return {};
  if (arguments.calibration == CalibrationMethod::kNone) return {};
  if (job.held_out) {
    const Predictor predictor(model, engine_for(machine.engine(), EngineTask::kPredict), machine.kernels());
    return fit_calibration(arguments.calibration, predictor.votes(job.held_out->rows, machine.threads()),
                           job.held_out->targets.view().classes(), model);
  }
  const Targets targets = job.train.targets.view();
  if (arguments.output.empty()) return {};
  Options options = machine.options();
  options.epochs = static_cast<std::int64_t>(machine.epoch());
  Progress progress("fitting probabilities");
  const Calibration fitted = calibrate_on_folds(job.train.rows, targets, options, job.outputs(), [&](double done) {
    progress.update(done, "");
    return interrupt.signal() == 0;
  });
  progress.clear();
  return fitted;
}

/// What a training says after its last epoch.
struct Ending {
  const TrainArguments& arguments;
  const TrainingJob& job;
  const Machine& machine;
  const LoadTime& loaded;
  const Calibration& calibration;
  const EarlyStopping& stopping;
  const std::vector<std::string>& advised;
  const Saved& saved;
  const Checkpoints& checkpoints;
};

std::string ending_json(const Ending& ending, Json epochs, bool interrupted) {
  const TrainArguments& arguments = ending.arguments;
  Json report = report_json(ending.job, ending.machine);
  report["load_seconds"] = ending.loaded.seconds;
  report["load_cpu_seconds"] = ending.loaded.cpu_seconds;
  report["automata_bytes"] = ending.machine.automata_bytes();
  report["engine_bytes"] = ending.machine.engine_bytes();
  report["peak_rss_bytes"] = peak_rss_bytes();
  report["epochs"] = std::move(epochs);
  report["calibration"] = calibration_json(ending.calibration);
  report["early_stopping"] = ending.stopping.json();
  report["advice"] = ending.advised;
  report["interrupted"] = interrupted;
  report["model"] = arguments.output.empty() || ending.saved.problem ? Json() : Json(arguments.output);
  report["model_bytes"] = ending.saved.model_bytes;
  report["checkpoint"] = arguments.checkpoint.empty() ? Json() : Json(arguments.checkpoint);
  report["checkpoint_saved"] = ending.checkpoints.saved();
  report["checkpoint_problems"] = ending.checkpoints.problems();
  return json_text(report);
}

std::string ending_text(const Ending& ending) {
  std::string text = ending.stopping.sentence(ending.machine);
  for (const std::string& sentence : ending.advised) text += fmt::format("advice: {}\n", sentence);
  if (ending.calibration.method != CalibrationMethod::kNone) {
    text += fmt::format("calibrated by {}\n", calibration_text(ending.calibration));
  }
  if (ending.arguments.output.empty()) {
    text += "the model was not kept (-o MODEL keeps it)\n";
  } else if (!ending.saved.problem) {
    text += fmt::format("saved {} ({})\n", ending.arguments.output, bytes_text(ending.saved.model_bytes));
  }
  return text;
}

int run_train(TrainArguments& arguments, Team& team) {
  const Options& options = arguments.machine.options;
  check_arguments(arguments);
  check_team(arguments, team);
  const Stopwatch loading;
  TrainingJob job = load_job(arguments.data, arguments.test, arguments.data_options, arguments.machine.options.task);
  const DataFacts facts = facts_of(job.booleanizer, job.train.rows.rows(), job.outputs());
  const bool epochs_are_open = is_auto(options.epochs);
  const Options given = options;
  arguments.machine.options = with_image(chosen_options(given, facts), job.booleanizer);
  if (!arguments.class_weight.empty()) weigh_classes(job, arguments.class_weight);
  // On resuming, the seed is that of the checkpoint.
  if (arguments.calibrate && arguments.resume.empty()) hold_out(job, *arguments.calibrate, options.seed);
  if (arguments.stopping.validation) {
    hold_out(job, *arguments.stopping.validation, options.seed);
    job.validated = true;
  }
  const LoadTime loaded = {loading.seconds(), loading.cpu_seconds()};
  give_back_freed_memory();
  // Rows of a mapped file are in the peak too.
  const bool mapped = is_packed_rows(arguments.data);
  const std::uint64_t held = rss_bytes(mapped ? MappedPages::kLeftOut : MappedPages::kCounted);
  const LearningUse use = {job.train.rows.rows(), job.test.has_value(), !arguments.checkpoint.empty(), held,
                           mapped ? held : peak_rss_bytes()};
  if (arguments.dry_run) print_estimate(options, job, use, arguments.json);
  // The reader of a checkpoint checks the memory that it needs.
  if (arguments.resume.empty() && team.is_alone()) check_job_memory(options, job, use);
  if (arguments.dry_run) return 0;
  Start start =
      start_machine({arguments.machine, arguments.resume, arguments.checkpoint, arguments.calibrate}, job, team);
  Machine& machine = start.machine;
  if (!team.is_alone()) team.begin(machine, *machine.data());
  const bool has_checkpoints = !arguments.checkpoint.empty();
  if (!team.is_first()) {
    arguments.output.clear();
    arguments.checkpoint.clear();
  }
  if (epochs_are_open && !arguments.resume.empty()) {  // by the machine of the checkpoint
    Options resumed = machine.options();
    resumed.epochs = kAutomatic;
    arguments.machine.options.epochs = chosen_options(resumed, facts).epochs;
  }

  Interrupt interrupt;
  if (!arguments.json) {
    std::string head = headline(job, machine);
    if (machine.epoch() > 0) head += fmt::format("resumed after {}\n", counted(machine.epoch(), "epoch", "epochs"));
    show(head + "\n" + epoch_heading(job), interrupt);
  }

  Json epochs = Json::array();
  std::vector<Score> tested;
  Checkpoints checkpoints(
      {arguments.checkpoint, start.is_saved, arguments.overwrite}, arguments.rhythm,
      [&] { return interrupt.signal() != 0; },
      [](const std::string& problem) { warn(problem + "; learning goes on"); });
  EarlyStopping stopping(arguments.stopping, job.task);
  EpochReport last;
  const auto after_epoch = [&](const EpochResult& result) {
    last = result.report;
    tested = result.test_scores;
    const bool is_due = has_checkpoints && arguments.rhythm.is_due(machine.epoch());
    checkpoints.after_epoch(is_due ? team.whole(machine) : machine, result.report.complete);
    if (arguments.json) {
      epochs.push_back(epoch_json(result, job.task));
    } else {
      show(epoch_line(job, result), interrupt);
    }
    return stopping.after_epoch(machine, result);
  };
  learn(machine, job, options.epochs, interrupt, team, after_epoch, [&] { checkpoints.during_epoch(machine); });
  const Machine& learned = team.whole(machine);
  checkpoints.catch_up(learned);
  // Resumed from a checkpoint with nothing left to learn: the model still gets its accuracy.
  if (tested.empty() && interrupt.signal() == 0 && job.test && team.is_first()) {
    tested = test(learned, *job.test, interrupt).scores;
  }
  const Packing packing = interrupt.signal() != 0 ? Packing::kQuick : Packing::kSmall;
  Calibration calibration;
  const Saved saved = save_model(
      arguments.output,
      [&] {
        const Model model = stopping.model(learned, job, tested);
        calibration = calibrate(arguments, learned, model, job, interrupt);
        return model.calibrated(calibration);
      },
      packing);
  if (arguments.output.empty() && job.held_out && team.is_first()) {  // for the report
    calibration = calibrate(arguments, learned, stopping.model(learned, job, tested), job, interrupt);
  }
  checkpoints.finish(learned);
  interrupt.finish();
  const std::vector<std::string> advised =
      last.epoch > 0 ? advice(machine, facts, job.train.targets.view(), last, job.labels) : std::vector<std::string>();

  const Ending ending = {arguments, job, machine, loaded, calibration, stopping, advised, saved, checkpoints};
  show(arguments.json ? ending_json(ending, std::move(epochs), interrupt.signal() != 0) : ending_text(ending),
       interrupt);
  // The reader has closed standard output: the remaining output is not an error.
  if (interrupt.signal() == kPipeSignal) (void)!std::freopen("/dev/null", "w", stdout);
  if (checkpoints.unsaved() && saved.problem) warn(*checkpoints.unsaved());
  if (saved.problem) throw FileError(*saved.problem);
  if (checkpoints.unsaved()) {
    throw FileError(fmt::format("the latest learning is in no checkpoint: {}", *checkpoints.unsaved()));
  }
  if (interrupt.signal() == 0) return 0;
  say_interrupted(arguments, machine, checkpoints.saved());
  return 128 + interrupt.signal();
}

}  // namespace

Command add_train(CommandLine& line, Team& team) {
  auto arguments = std::make_shared<TrainArguments>();
  const Verb train = line.add_verb("train", "learn a model from labelled data");
  train
      .add_text("DATA", arguments->data,
                "a built-in name (falsum datasets) or a file: IDX, CSV, SVMlight, NPY, NPZ or packed rows")
      .required()
      .type_name("");
  train
      .add_text("--test", arguments->test,
                "data to test on after every epoch (default: the test split of a built-in name, nothing for "
                "a file)")
      .type_name("DATA");
  train.add_text("-o,--output", arguments->output, "where to save the model").type_name("MODEL");
  train
      .add_text("--checkpoint", arguments->checkpoint,
                "save here all that is needed to resume, also when stopped by Ctrl-C, SIGTERM or SIGHUP; the "
                "previous one is kept as FILE.previous")
      .type_name("FILE");
  const Argument every =
      train
          .add_text(
              "--checkpoint-every", [arguments](const std::string& text) { arguments->rhythm = parse_rhythm(text); },
              "how often: every N epochs, or every N minutes with 10min (default 1: after every epoch)")
          .type_name("N|Nmin");
  train
      .add_text(
          "--resume",
          [arguments](const std::string& file) {
            arguments->resume = file;
            arguments->resume_checkpoint = file.empty();
          },
          "resume from a checkpoint (by default that of --checkpoint), on the same data, until --epochs in total")
      .value_is_optional()
      .type_name("[FILE]");
  train.add_flag("--overwrite", arguments->overwrite,
                 "replace the checkpoint of another training; the old one is kept as FILE.replaced");
  train.add_flag("--dry-run", arguments->dry_run,
                 "load the data, print how they are understood and what memory learning would take, and stop");
  train.add_flag("--json", arguments->json, "report as one JSON document");
  train
      .add_text(
          "--calibrate",
          [arguments](const std::string& text) {
            arguments->calibrate = parse_number<double>("calibrate", text, "more than 0 and less than 1");
            if (*arguments->calibrate <= 0 || *arguments->calibrate >= 1) {
              throw ConfigError("calibrate must be more than 0 and less than 1, got " + text);
            }
          },
          "hold that share of DATA out of learning, and fit the model's probabilities to it")
      .type_name("SHARE");
  train
      .add_text("--class-weight", arguments->class_weight,
                "weights of classes, with which those of their rows are multiplied: balanced for the same total each, "
                "or LABEL=WEIGHT,... (1 for a label that is not named)")
      .type_name("HOW");
  train
      .add_text(
          "--calibration",
          [arguments](const std::string& name) {
            arguments->calibration = name == "none" ? CalibrationMethod::kNone : calibration_named(name);
          },
          "how votes become probabilities: temperature, one number, fitted on rows that are held out in turn, or to "
          "the share of --calibrate; isotonic, a curve for each class, to that share; or none (default temperature)")
      .type_name("METHOD");
  arguments->stopping.add(train);
  arguments->machine.add(train);
  add_load_options(train, arguments->data_options, true);
  add_booleanize_options(train, arguments->data_options);
  return {train, [arguments, every, &team] {
            if (arguments->calibration == CalibrationMethod::kIsotonic && !arguments->calibrate) {
              throw ConfigError("--calibration isotonic needs --calibrate SHARE: a curve is fitted to rows held out");
            }
            if (arguments->calibration == CalibrationMethod::kNone && arguments->calibrate) {
              throw ConfigError("--calibration none and --calibrate SHARE cannot be together");
            }
            if (every.given() && arguments->checkpoint.empty()) {
              throw ConfigError("--checkpoint-every needs --checkpoint FILE: without it no checkpoint is written");
            }
            if (arguments->resume_checkpoint) {
              if (arguments->checkpoint.empty()) {
                throw ConfigError("--resume needs a file: --resume FILE, or --checkpoint FILE --resume");
              }
              arguments->resume = arguments->checkpoint;
            }
            return run_train(*arguments, team);
          }};
}

}  // namespace falsum::cli
