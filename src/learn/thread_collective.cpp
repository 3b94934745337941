#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "falsum/collective.h"
#include "falsum/error.h"

namespace falsum {
namespace {

/// What the members of a group share. A sum has two halves: all add, then all read. Nobody adds to the next sum before
/// all have read this one.
class Table {
 public:
  explicit Table(std::uint32_t members) : members_(members) {}

  void sum(std::span<std::int32_t> numbers) {
    std::unique_lock lock(mutex_);
    wait(lock, [&] { return readers_ == 0; });
    if (added_ == 0) sums_.assign(numbers.size(), 0);
    if (sums_.size() != numbers.size()) {
      fail();
      throw ConfigError("the members of a group add up different counts of numbers");
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) sums_[i] += numbers[i];
    if (++added_ == members_) {
      added_ = 0;
      readers_ = members_;
      changed_.notify_all();
    } else {
      wait(lock, [&] { return readers_ > 0; });
    }
    std::copy(sums_.begin(), sums_.end(), numbers.begin());
    if (--readers_ == 0) changed_.notify_all();
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    fail();
  }

 private:
  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, const Condition& condition) {
    changed_.wait(lock, [&] { return failed_ || condition(); });
    if (!condition()) throw ConfigError("a member of the group is gone");
  }
  void fail() {
    failed_ = true;
    changed_.notify_all();
  }

  const std::uint32_t members_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::int32_t> sums_;
  std::uint32_t added_ = 0, readers_ = 0;
  bool failed_ = false;
};

class ThreadCollective final : public Collective {
 public:
  ThreadCollective(std::shared_ptr<Table> table, std::uint32_t rank, std::uint32_t size)
      : table_(std::move(table)), rank_(rank), size_(size) {}
  ~ThreadCollective() override { table_->leave(); }
  std::uint32_t rank() const override { return rank_; }
  std::uint32_t size() const override { return size_; }
  void sum(std::span<std::int32_t> numbers) override { table_->sum(numbers); }

 private:
  std::shared_ptr<Table> table_;
  std::uint32_t rank_, size_;
};

}  // namespace

std::vector<std::unique_ptr<Collective>> thread_collectives(std::uint32_t members) {
  const auto table = std::make_shared<Table>(members);
  std::vector<std::unique_ptr<Collective>> all;
  for (std::uint32_t rank = 0; rank < members; ++rank) {
    all.push_back(std::make_unique<ThreadCollective>(table, rank, members));
  }
  return all;
}

}  // namespace falsum
