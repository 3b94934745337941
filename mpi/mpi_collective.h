// Messages between the processes of an MPI job, none of which waits for ever: a wait longer than the deadline ends the
// job with a sentence. MPI itself has no such limit, so every message is one that does not block, and is asked for.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "falsum/collective.h"

namespace falsum::mpi {

/// Ends all processes of the job: one sentence on stderr, and that exit code.
[[noreturn]] void end_job(const std::string& sentence, int code);

/// Waits until the message is done, for at most so many seconds; then the job ends.
void wait_for(MPI_Request& request, double deadline, const std::string& whom);

/// Sums over the processes of a communicator. It also keeps a digest of all sums, which must be the same in all of
/// them.
class MpiCollective final : public Collective {
 public:
  MpiCollective(MPI_Comm group, double deadline);

  std::uint32_t rank() const override { return rank_; }
  std::uint32_t size() const override { return size_; }
  void sum(std::span<std::int32_t> numbers) override;

  /// Sums of 64-bit numbers, which are not counted among the digest.
  void sum(std::span<std::uint64_t> numbers);
  std::uint64_t digest() const { return digest_; }

  /// The bytes of every process in the first one; nothing in the others.
  std::vector<std::string> gather(const std::string& bytes);

 private:
  MPI_Comm group_;
  double deadline_;
  std::uint32_t rank_ = 0, size_ = 0;
  std::uint64_t digest_ = 0;
};

}  // namespace falsum::mpi
