// falsum-mpi: `falsum train` by all processes of an MPI job. The verb, its options and everything that it prints are
// those of the command (../cli); only the team is another.
//
//   exit code 0   done
//             2   a mistake that the user can fix, or a process that did not answer: one sentence on stderr
//             70  a mistake in falsum
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>

#include "command.h"
#include "falsum/cpu.h"
#include "falsum/datasets.h"
#include "falsum/error.h"
#include "mpi_team.h"
#include "parse_number.h"
#include "report.h"
#include "support/format.h"

namespace falsum::mpi {

namespace {

constexpr int kUserMistake = 2, kOurMistake = 70;

constexpr const char* kExamples = R"(Examples:
  mpirun -n 4 falsum-mpi train mnist -o digits.falsum --checkpoint digits.falsum-checkpoint
  mpirun -n 7 falsum-mpi train mnist --checkpoint digits.falsum-checkpoint --resume

Models and checkpoints are those of falsum train, byte for byte.)";

int run(int argc, char** argv, MpiTeam& team) {
  cli::CommandLine line("falsum-mpi", "Learns one machine with all processes of an MPI job.",
                        "falsum-mpi " + std::string(version()), kExamples);
  const cli::Command train = cli::add_train(line, team);
  train.verb
      .add_text(
          "--deadline",
          [&](const std::string& text) {
            team.set_deadline(cli::parse_number_within<double>("deadline", text, 0.1, 1e9));
          },
          "seconds after which a process that others wait for counts as lost, and the job ends: more than the slowest "
          "epoch takes (default 600)")
      .type_name("SECONDS");
  if (const std::optional<int> answered = line.parse(argc, argv)) return *answered;
  if (train.verb.given()) return train.run();
  fmt::print("{}", line.help());
  return 0;
}

/// Before learning, each process finds its mistakes by itself, often all the same: the first says so, and all end.
/// Later the others are learning, and must be ended.
int fail(MpiTeam& team, const std::string& sentence, int code) {
  if (team.has_begun()) end_job(fmt::format("process {}: {}", team.rank(), sentence), code);
  if (team.cannot_begin()) cli::say(sentence);
  return code;
}

int run_and_explain(int argc, char** argv) {
  MpiTeam team;
  // The first process prints.
  if (!team.is_first() && std::freopen("/dev/null", "w", stdout) == nullptr) return kUserMistake;
  try {
    use_builtin_datasets();
    return run(argc, argv, team);
  } catch (const JobEnds&) {
    return kUserMistake;
  } catch (const Error& error) {
    return fail(team, error.what(), kUserMistake);
  } catch (const std::bad_alloc&) {
    return fail(team, "not enough memory for this; fewer clauses, features or samples need less", kUserMistake);
  } catch (const std::exception& error) {
    return fail(team, fmt::format("this is a mistake in falsum, please report it: {}", error.what()), kOurMistake);
  }
}

}  // namespace

}  // namespace falsum::mpi

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const int code = falsum::mpi::run_and_explain(argc, argv);
  std::fflush(nullptr);
  MPI_Finalize();
  return code;
}
