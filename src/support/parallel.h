// for_each_parallel: calls work(0) .. work(count-1), each once, on up to `threads` threads, and returns when all are
// done. Which thread takes which item is left to chance, so items must not share anything they write. The first
// exception is thrown again here, after all threads have ended.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace falsum {

template <class Work>
void for_each_parallel(std::size_t count, unsigned threads, Work&& work) {
  const std::size_t workers = std::min<std::size_t>(threads, count);
  if (workers <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      next = count;
    }
  };
  std::vector<std::jthread> helpers;  // joins on destruction, also when starting one fails
  try {
    for (std::size_t t = 1; t < workers; ++t) helpers.emplace_back(run);
  } catch (const std::system_error&) {
    // The system gives no more threads: those there are do all the work, with the same result.
  }
  run();
  helpers.clear();
  if (error) std::rethrow_exception(error);
}

}  // namespace falsum
