// The verbs of the command line. Each lives in a file of its own name: add_<verb>() declares its
// arguments and returns what runs it; main.cpp parses and runs the one that was asked for.
//
//   exit code 0    done
//             2    a mistake that the user can mend: one sentence on stderr
//             130  training stopped by Ctrl-C, 143 by SIGTERM; what was learned is saved
#pragma once

#include <CLI/App.hpp>
#include <functional>

namespace falsum::cli {

struct Command {
  CLI::App* app;
  std::function<int()> run;  // returns the exit code; throws falsum::Error
};

Command add_quickstart(CLI::App& app);
Command add_train(CLI::App& app);
Command add_predict(CLI::App& app);
Command add_evaluate(CLI::App& app);
Command add_inspect(CLI::App& app);
Command add_datasets(CLI::App& app);
Command add_cpu(CLI::App& app);
Command add_options(CLI::App& app);

}  // namespace falsum::cli
