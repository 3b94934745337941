// TurnBoard: how the members of a crew (work_together) tell each other numbers, turn by turn. In every turn each member
// writes its own numbers, says so, and reads the numbers of all: one barrier per turn.
//
//   std::int64_t* mine = board.mine(member)      write into it
//   if (!board.exchange(member, members)) ...    waits for all members; false if one has failed
//   board.theirs(member, other)                  the numbers of this turn, until the member's next exchange
//
// Two sets of numbers are enough: who writes turn t + 2 has seen all in turn t + 1, so all have read turn t.
//
// Cost: two cache lines move between cores per turn and member. A member that waits long lets other
// threads run, since there may be more threads than cores.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace falsum {

class TurnBoard {
 public:
  TurnBoard(std::size_t members, std::size_t numbers) : stride_(numbers + kApart) {
    for (std::size_t m = 0; m < members; ++m) {
      seats_.push_back(std::make_unique<Seat>());
      seats_.back()->numbers.resize(2 * stride_);
    }
  }

  std::int64_t* mine(std::size_t member) { return numbers(member, seats_[member]->turn + 1); }
  const std::int64_t* theirs(std::size_t member, std::size_t other) { return numbers(other, seats_[member]->turn); }

  /// Shows the member's numbers and waits for those of the others.
  bool exchange(std::size_t member, std::size_t members) {
    const std::uint64_t turn = ++seats_[member]->turn;
    seats_[member]->shown.store(turn, std::memory_order_release);
    for (std::size_t other = 0; other < members; ++other) {
      const std::atomic<std::uint64_t>& shown = seats_[other]->shown;
      for (int spins = 0; shown.load(std::memory_order_acquire) < turn; ++spins) {
        if (spins < kSpins) continue;
        if (failed_.load(std::memory_order_relaxed)) return false;
        std::this_thread::yield();
      }
    }
    return true;
  }
  /// Called by a member that will not come again, so that nobody waits for it.
  void fail() { failed_.store(true, std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kApart = 8;  // a cache line between the two sets
  static constexpr int kSpins = 2000;

  struct alignas(64) Seat {
    std::atomic<std::uint64_t> shown{0};
    alignas(64) std::uint64_t turn = 0;  // the member's own
    std::vector<std::int64_t> numbers;
  };
  std::int64_t* numbers(std::size_t member, std::uint64_t turn) {
    return seats_[member]->numbers.data() + turn % 2 * stride_;
  }

  std::size_t stride_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::atomic<bool> failed_{false};
};

}  // namespace falsum
