// falsum: the command. Parses, runs one verb, and turns every error into one sentence on stderr and an exit code
// (command.h lists them).
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#if !defined(_WIN32)
#include <fcntl.h>
#endif

#include "command.h"
#include "falsum/cpu.h"
#include "falsum/datasets.h"
#include "falsum/error.h"
#include "report.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

constexpr int kUserMistake = 2;
constexpr int kOurMistake = 70;  // EX_SOFTWARE

constexpr const char* kExamples = R"(Examples:
  falsum quickstart                                     see it learn, in about a minute
  falsum train mnist -o digits.falsum                   train on a built-in data set
  falsum train train.csv --test test.csv --label kind -o kinds.falsum
  falsum evaluate digits.falsum mnist                   accuracy, confusion, work done
  falsum predict kinds.falsum new.csv -o answers.txt    one label a line
  falsum inspect kinds.falsum --rules 2                 what was learned, in words

Every command explains itself: falsum train --help)";

int fail(int code, std::string sentence) {
  say(std::move(sentence));
  return code;
}

/// Results that could not be written are not results: "falsum predict ... > /dev/full" must not succeed.
int finish_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  return fail(kUserMistake, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

int run(int argc, char** argv) {
  CommandLine line("falsum", "Tsetlin machines that learn and predict by falsification.",
                   "falsum " + std::string(version()), kExamples);
  Team alone;
  const std::vector<Command> commands = {
      add_quickstart(line), add_train(line, alone), add_plan(line),     add_pack(line),    add_tune(line),
      add_calibrate(line),  add_predict(line),      add_evaluate(line), add_inspect(line), add_explain(line),
      add_prune(line),      add_report(line),       add_export(line),   add_import(line),  add_datasets(line),
      add_cpu(line),        add_options(line)};
  if (const std::optional<int> answered = line.parse(argc, argv)) return *answered;
  for (const Command& command : commands) {
    if (command.verb.given()) return command.run();
  }
  fmt::print("{}", line.help());
  return 0;
}

}  // namespace

/// If a standard stream is closed, the next opened file gets its number, and messages would go there. The replacement
/// can be read but not written, so that writing fails.
static void hold_standard_streams() {
#if !defined(_WIN32)
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF) (void)!::open("/dev/null", O_RDONLY);
  }
#endif
}

static int run_and_explain(int argc, char** argv) {
  try {
    use_builtin_datasets();
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

}  // namespace falsum::cli

int main(int argc, char** argv) {
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond ulimit -f then gives a write error, with a sentence
#endif
  falsum::cli::hold_standard_streams();
  return falsum::cli::run_and_explain(argc, argv);
}
