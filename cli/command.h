// The verbs of the command line. Each is in a file of its own name: add_<verb>() declares its arguments and returns the
// function that runs it; main.cpp parses and runs the requested verb.
//
//   exit code 0        done
//             1        quickstart: two engines gave different votes
//             2        a mistake that the user can fix: one sentence on stderr
//             70       a mistake in falsum: one sentence on stderr that asks to report it
//             128 + n  training was stopped by signal n (130: Ctrl-C, 143: SIGTERM, 129: SIGHUP, 141: SIGPIPE); what
//             was learned is saved
#pragma once

#include <functional>

#include "command_line.h"
#include "team.h"

namespace falsum::cli {

struct Command {
  Verb verb;
  std::function<int()> run;  // returns the exit code; throws falsum::Error
};

Command add_quickstart(CommandLine& line);
/// `team` must outlive the running.
Command add_train(CommandLine& line, Team& team);
Command add_plan(CommandLine& line);
Command add_pack(CommandLine& line);
Command add_tune(CommandLine& line);
Command add_calibrate(CommandLine& line);
Command add_predict(CommandLine& line);
Command add_evaluate(CommandLine& line);
Command add_inspect(CommandLine& line);
Command add_export(CommandLine& line);
Command add_import(CommandLine& line);
Command add_explain(CommandLine& line);
Command add_prune(CommandLine& line);
Command add_report(CommandLine& line);
Command add_datasets(CommandLine& line);
Command add_cpu(CommandLine& line);
Command add_options(CommandLine& line);

}  // namespace falsum::cli
