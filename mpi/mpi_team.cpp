#include "mpi_team.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "falsum/cpu.h"
#include "falsum/error.h"
#include "report.h"
#include "support/format.h"

namespace falsum::mpi {

namespace {

/// A number for all that decides what is learned.
std::uint64_t digest_of(const Machine& machine, const DataDigest& data) {
  std::string text = fmt::format("{} {} {} {}", version(), machine.features(), machine.outputs(), machine.epoch());
  for (const OptionInfo* option : options_of(OptionScope::kMachine)) {
    text += fmt::format(" {}={}", option->name, value_text(*option, machine.options()));
  }
  for (const std::uint64_t number :
       {data.rows, data.features, data.values, data.labels, data.label_names, data.feature_names, data.weights}) {
    text += fmt::format(" {}", number);
  }
  return XXH64(text.data(), text.size(), 0);
}

double clauses_of_a_part(const Machine& machine) {
  const Part& part = machine.part();
  const std::size_t banks =
      part.classes.empty() ? count_banks(machine.options(), machine.outputs()) : part.classes.size();
  const auto clauses = static_cast<std::uint64_t>(machine.options().clauses);
  return static_cast<double>(banks) *
         static_cast<double>(clauses * (part.shard + 1) / part.shards - clauses * part.shard / part.shards);
}

}  // namespace

MpiTeam::MpiTeam() {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = static_cast<std::uint32_t>(rank);
  size_ = static_cast<std::uint32_t>(size);
}

Part MpiTeam::part_of(const Options& options, std::size_t outputs) { return divided(options, outputs, size_)[rank_]; }

std::optional<std::uint32_t> MpiTeam::first_that_cannot(bool can) {
  MpiCollective all(MPI_COMM_WORLD, deadline_);
  std::vector<std::uint64_t> cannot(size_);
  cannot[rank_] = !can;
  all.sum(cannot);
  const auto first = std::ranges::find(cannot, 1u);
  if (first == cannot.end()) return std::nullopt;
  return static_cast<std::uint32_t>(first - cannot.begin());
}

bool MpiTeam::cannot_begin() { return first_that_cannot(false) == rank_; }

void MpiTeam::begin(Machine& machine, const DataDigest& data) {
  if (first_that_cannot(true)) throw JobEnds();
  world_.emplace(MPI_COMM_WORLD, deadline_);
  const Part& part = machine.part();
  MPI_Comm group;
  const int colour = part.classes.empty() ? 0 : static_cast<int>(part.classes.front());
  MPI_Comm_split(MPI_COMM_WORLD, colour, static_cast<int>(rank_), &group);
  group_.emplace(group, deadline_);
  machine.set_collective(&*group_);
  expect_same(digest_of(machine, data), "there are other data, options, versions of falsum or epochs");
}

void MpiTeam::expect_same(std::uint64_t number, const std::string& otherwise) {
  std::vector<std::uint64_t> numbers(size_);
  numbers[rank_] = number;
  world_->sum(numbers);
  std::vector<std::string> others;
  for (std::uint32_t r = 0; r < size_; ++r) {
    if (numbers[r] != numbers[0]) others.push_back(std::to_string(r));
  }
  if (others.empty()) return;
  if (is_first()) {
    cli::say(fmt::format("{} in process 0 than in {} {}", otherwise, others.size() == 1 ? "process" : "processes",
                         cli::joined(others, ", ")));
  }
  throw JobEnds();
}

bool MpiTeam::end_epoch(const Machine& machine, EpochReport& report, bool stop) {
  if (is_alone()) return stop;
  LearnCounters& counters = report.counters;
  // Literals in clauses are whole numbers again. The shards of a class each count its evaluations.
  const double clauses = clauses_of_a_part(machine);
  const std::uint64_t literals = static_cast<std::uint64_t>(std::llround(report.mean_clause_length * clauses));
  if (machine.part().shard > 0) counters.evaluations = 0;
  std::vector<std::uint64_t> sums = {stop,
                                     counters.type_1a,
                                     counters.type_1b,
                                     counters.type_2,
                                     counters.flips,
                                     counters.evaluations,
                                     counters.words_compared,
                                     counters.entries_visited,
                                     counters.columns_joined,
                                     report.sums,
                                     report.summed_bytes,
                                     literals};
  world_->sum(sums);
  counters = {sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7], sums[8]};
  report.sums = sums[9];
  report.summed_bytes = sums[10];
  const std::size_t banks = count_banks(machine.options(), machine.outputs());
  report.mean_clause_length =
      static_cast<double>(sums[11]) / static_cast<double>(banks) / static_cast<double>(machine.options().clauses);
  expect_same(machine.epoch(), "there is another epoch");
  // Who added up the same votes has seen the same sums. Each group compares with its first process.
  std::vector<std::uint64_t> digests(group_->size());
  digests[group_->rank()] = group_->digest();
  group_->sum(digests);
  if (std::ranges::any_of(digests, [&](std::uint64_t d) { return d != digests[0]; })) {
    throw DataError(fmt::format("the processes with {} have seen different votes in epoch {}",
                                text_of({machine.part().classes}), machine.epoch()));
  }
  return sums[0] > 0;
}

const Machine& MpiTeam::whole(const Machine& machine) {
  if (is_alone()) return machine;
  if (whole_epoch_ != machine.epoch()) {
    whole_.reset();
    const std::vector<std::string> parts = world_->gather(machine.checkpoint());
    if (is_first()) {
      const std::vector<std::string_view> views(parts.begin(), parts.end());
      whole_.emplace(Machine::join(views, machine.options()));
    }
    whole_epoch_ = machine.epoch();
  }
  return is_first() ? *whole_ : machine;
}

}  // namespace falsum::mpi
