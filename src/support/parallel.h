// for_each_parallel: calls work(0) .. work(count-1), each once, on up to `threads` threads, and returns when all are
// done. Which thread takes which item varies, so items must not share anything they write, nor wait for each other. The
// first exception is rethrown here, after all threads have left the work.
//
// The caller works as well, together with helpers: threads of the process that are started when first needed and kept,
// since starting a thread costs more than many calls take. There are as many helpers as cores, or as the largest call
// requested; callers share them and never wait for a free one. So work may call for_each_parallel itself, and several
// threads may call it at once. A helper without work for a while ends, and frees its scratch (scratch.h). It keeps the
// cores and the priority of the thread that started it. After fork() the child has no helpers and starts its own; no
// item may fork.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>

namespace falsum {

/// The untyped function behind the template below: `call(work, i)` for every i, on the caller's thread and up to
/// `helpers` others.
void run_parallel(std::size_t count, std::size_t helpers, void (*call)(void* work, std::size_t i), void* work);

/// The number of helpers, working or waiting; for tests.
std::size_t parallel_helpers();

/// Who takes part in work_together: the first to enter waits a little for the others, then closes the gate.
class CrewGate {
 public:
  explicit CrewGate(unsigned most) : most_(most) {}
  /// The member's number, when the crew is complete; nothing for those who come late.
  std::optional<std::size_t> enter();
  /// Known to those who have entered.
  std::size_t members() const { return state_.load(std::memory_order_acquire) & ~kClosed; }

 private:
  static constexpr std::size_t kClosed = ~(~std::size_t{0} >> 1);
  const std::size_t most_;
  std::atomic<std::size_t> state_{0};  // how many have entered, and whether it is closed
};

template <class Work>
void for_each_parallel(std::size_t count, unsigned threads, Work&& work) {
  const std::size_t workers = std::min<std::size_t>(threads, count);
  if (workers <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  using Plain = std::remove_reference_t<Work>;
  const auto call = [](void* of, std::size_t i) { (*static_cast<Plain*>(of))(i); };
  run_parallel(count, workers - 1, call, const_cast<std::remove_const_t<Plain>*>(std::addressof(work)));
}

/// Calls work(member, members) once for each member of a crew, all at the same time on threads of their own, so that
/// members may wait for each other. The crew has up to `threads` members, and fewer if helpers do not come at once:
/// the caller is always one. If a member throws, others must not wait for it (TurnBoard::fail).
template <class Work>
void work_together(unsigned threads, Work&& work) {
  CrewGate gate(threads);
  for_each_parallel(threads, threads, [&](std::size_t) {
    if (const std::optional<std::size_t> member = gate.enter()) work(*member, gate.members());
  });
}

}  // namespace falsum
