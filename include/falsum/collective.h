// Collective: the members of a group add up their numbers. It is all that shards of clauses (falsum/part.h) need of
// each other; who carries the numbers (threads, MPI, anything else) is no concern of learning. Sums of integers do not
// depend on the order of the members, so neither does what is learned.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace falsum {

class Collective {
 public:
  virtual ~Collective() = default;
  /// This member's number, from 0 on, and how many there are.
  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t size() const = 0;
  /// Replaces every number by its sum over all members. All members call it equally often, with equally many numbers.
  /// Throws an Error if a member is gone: what was learned since the last complete epoch is then lost.
  virtual void sum(std::span<std::int32_t> numbers) = 0;
};

/// The members of a group of threads of this process; each is used by one thread. While others wait for a member that
/// is destroyed, their sum() throws.
std::vector<std::unique_ptr<Collective>> thread_collectives(std::uint32_t members);

}  // namespace falsum
