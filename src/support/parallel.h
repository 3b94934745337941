// for_each_parallel: calls work(0) .. work(count-1), each once, on up to `threads` threads, and returns when all are
// done. Which thread takes which item is left to chance, so items must not share anything they write, nor wait for each
// other. The first exception is thrown again here, after all threads have left the work.
//
// The caller works as well, and others help it: threads of the process that are started when they are first wanted and
// kept, since starting one costs more than many a call. There are as many helpers as cores, or as the largest call
// wanted; callers share them and never wait for one to come. So work may call for_each_parallel itself, and any number
// of threads may at once. A helper that nobody wanted for a while ends, and its scratch (scratch.h) with it. It keeps
// the cores and the priority of the thread that started it. After fork() the child has no helpers and starts its own;
// no item may fork.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace falsum {

/// What the template below comes to: `call(work, i)` for every i, on the caller's thread and up to `helpers` others.
void run_parallel(std::size_t count, std::size_t helpers, void (*call)(void* work, std::size_t i), void* work);

/// Helpers there are, at work or waiting; for tests.
std::size_t parallel_helpers();

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

}  // namespace falsum
