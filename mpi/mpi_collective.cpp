#include "mpi_collective.h"

#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "report.h"
#include "support/format.h"

namespace falsum::mpi {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // of a message: MPI counts in int

}  // namespace

void end_job(const std::string& sentence, int code) {
  cli::say(sentence);
  std::fflush(nullptr);
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);  // not reached
}

void wait_for(MPI_Request& request, double deadline, const std::string& whom) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  for (int turns = 0;; ++turns) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    const double waited = std::chrono::duration<double>(Clock::now() - began).count();
    if (waited > deadline) {
      constexpr int kDeadline = 2;
      end_job(fmt::format("{} did not answer within {:g} s (--deadline): the job ends, and goes on from its checkpoint "
                          "with --resume",
                          whom, deadline),
              kDeadline);
    }
    // Sums during learning take microseconds; who waits longer waits for a slower process, and leaves it the core.
    if (waited < 0.001) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
}

MpiCollective::MpiCollective(MPI_Comm group, double deadline) : group_(group), deadline_(deadline) {
  int rank = 0, size = 0;
  MPI_Comm_rank(group, &rank);
  MPI_Comm_size(group, &size);
  rank_ = static_cast<std::uint32_t>(rank);
  size_ = static_cast<std::uint32_t>(size);
}

void MpiCollective::sum(std::span<std::int32_t> numbers) {
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_INT32_T, MPI_SUM, group_,
                 &request);
  wait_for(request, deadline_, "a process with the same classes");
  digest_ = XXH64(numbers.data(), numbers.size_bytes(), digest_);
}

void MpiCollective::sum(std::span<std::uint64_t> numbers) {
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_UINT64_T, MPI_SUM, group_,
                 &request);
  wait_for(request, deadline_, "another process");
}

std::vector<std::string> MpiCollective::gather(const std::string& bytes) {
  std::vector<std::uint64_t> sizes(size_);
  sizes[rank_] = bytes.size();
  sum(sizes);
  const auto each_message = [](std::uint64_t size, auto&& transfer) {
    for (std::uint64_t at = 0; at < size; at += kMostBytes) {
      transfer(at, static_cast<int>(std::min<std::uint64_t>(kMostBytes, size - at)));
    }
  };
  MPI_Request request;
  if (rank_ != 0) {
    each_message(bytes.size(), [&](std::uint64_t at, int count) {
      MPI_Isend(bytes.data() + at, count, MPI_BYTE, 0, 0, group_, &request);
      wait_for(request, deadline_, "process 0");
    });
    return {};
  }
  std::vector<std::string> all(size_);
  all[0] = bytes;
  for (std::uint32_t from = 1; from < size_; ++from) {
    all[from].resize(sizes[from]);
    each_message(sizes[from], [&](std::uint64_t at, int count) {
      MPI_Irecv(all[from].data() + at, count, MPI_BYTE, static_cast<int>(from), 0, group_, &request);
      wait_for(request, deadline_, fmt::format("process {}", from));
    });
  }
  return all;
}

}  // namespace falsum::mpi
