// falsum: the command. Parses, runs one verb, and turns whatever went wrong into one sentence on stderr
// and an exit code (command.h lists them).
#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "command.h"
#include "falsum/cpu.h"
#include "falsum/error.h"
#include "report.h"

namespace falsum::cli {

namespace {

constexpr int kUserMistake = 2;
constexpr int kOurMistake = 70;  // EX_SOFTWARE

constexpr const char* kExamples = R"(Examples:
  falsum quickstart                                   see it learn, in about a minute
  falsum train mnist -o digits.fsm                    train on a built-in data set
  falsum train train.csv --test test.csv --label kind -o kinds.fsm
  falsum evaluate digits.fsm mnist                    accuracy, confusion, work done
  falsum predict kinds.fsm new.csv -o answers.txt     one label a line
  falsum inspect kinds.fsm --rules 2                  what was learned, in words

Every command explains itself: falsum train --help)";

int fail(int code, std::string sentence) {
  // One line, whatever a file name or a label in the message holds.
  for (char& c : sentence) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  std::fflush(stdout);
  fmt::print(stderr, "falsum: {}\n", sentence);
  return code;
}

/// CLI11 begins some of its sentences with a capital; ours follow "falsum: ". Names like DATA stay.
std::string as_clause(std::string sentence) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  if (sentence.size() > 1 && is_lower(sentence[1])) {
    sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  }
  return sentence;
}

/// Results that could not be written are not results: "falsum predict ... > /dev/full" must not succeed.
int finish_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  return fail(kUserMistake, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

int run_asked(const CLI::App& app, const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  fmt::print("{}", app.help());
  return 0;
}

int run(int argc, char** argv) {
  CLI::App app("Tsetlin machines that learn and predict by falsification.", "falsum");
  app.set_version_flag("-V,--version", "falsum " + std::string(version()));
  app.get_formatter()->column_width(28);
  app.footer(kExamples);
  app.require_subcommand(0, 1);
  app.option_defaults()->take_last();  // of an option that is repeated, as in most commands
  const std::vector<Command> commands = {add_quickstart(app), add_train(app),    add_predict(app), add_evaluate(app),
                                         add_inspect(app),    add_datasets(app), add_cpu(app),     add_options(app)};
  for (const Command& command : commands) command.app->footer("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::ArgumentMismatch& error) {  // "--clauses: 1 required N missing"
    const std::string text = error.what();
    return fail(kUserMistake, text.substr(0, text.find(':')) + " takes exactly one value (see falsum --help)");
  } catch (const CLI::ParseError& error) {
    return fail(kUserMistake, as_clause(error.what()) + " (see falsum --help)");
  }
  return run_asked(app, commands);
}

int run_and_explain(int argc, char** argv) {
  try {
    return finish_output(run(argc, argv));
  } catch (const Error& error) {
    return fail(kUserMistake, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kUserMistake, "not enough memory for this; fewer clauses, features or samples need less");
  } catch (const std::system_error& error) {  // what fmt throws when it cannot write
    return fail(kUserMistake, error.what());
  } catch (const std::exception& error) {
    return fail(kOurMistake, fmt::format("this is a mistake in falsum, please report it: {}", error.what()));
  }
}

}  // namespace

}  // namespace falsum::cli

int main(int argc, char** argv) { return falsum::cli::run_and_explain(argc, argv); }
