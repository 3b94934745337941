// MpiTeam: the processes of an MPI job as the team that learns a machine (../cli/team.h). Process r has part r of
// divided(): some classes, or a shard of the clauses of one class. Processes with the same classes add up their votes.
#pragma once

#include <optional>
#include <vector>

#include "mpi_collective.h"
#include "team.h"

namespace falsum::mpi {

/// Thrown in all processes, when one of them has said why.
struct JobEnds {};

class MpiTeam final : public cli::Team {
 public:
  MpiTeam();

  void set_deadline(double seconds) { deadline_ = seconds; }

  bool is_alone() const override { return size_ == 1; }
  bool is_first() const override { return rank_ == 0; }
  Part part_of(const Options& options, std::size_t outputs) override;
  void begin(Machine& machine, const DataDigest& data) override;
  bool end_epoch(const Machine& machine, EpochReport& report, bool stop) override;
  const Machine& whole(const Machine& machine) override;

  /// Whether learning has begun. Until then processes may fail one by one, and tell each other.
  bool has_begun() const { return world_.has_value(); }
  std::uint32_t rank() const { return rank_; }
  /// Tells the others that this process cannot begin; returns whether it is the one to say why.
  bool cannot_begin();

 private:
  /// Called by all once: the first process that cannot begin, or nobody.
  std::optional<std::uint32_t> first_that_cannot(bool can);
  void expect_same(std::uint64_t number, const std::string& otherwise);

  std::uint32_t rank_ = 0, size_ = 1;
  double deadline_ = 600;
  std::optional<MpiCollective> world_, group_;  // all; those with the same classes
  std::optional<Machine> whole_;
  std::optional<std::uint64_t> whole_epoch_;  // known to all
};

}  // namespace falsum::mpi
