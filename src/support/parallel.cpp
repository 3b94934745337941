#include "support/parallel.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "falsum/cpu.h"

#if !defined(_WIN32)
#include <pthread.h>
#include <signal.h>
#endif

namespace falsum {
namespace {

constexpr std::chrono::seconds kIdle{10};  // after so long without work a helper ends

/// A running call, on its caller's stack. The pool's mutex guards the members that are not atomic.
struct Job {
  void (*const call)(void* work, std::size_t i);
  void* const work;
  const std::size_t count;
  std::size_t wanted;                 // helpers that may still join
  std::size_t inside = 0;             // helpers at work
  std::exception_ptr error = {};      // the first
  std::condition_variable left = {};  // the last helper has gone
  std::atomic<std::size_t> next{0};

  std::exception_ptr run() {
    try {
      for (std::size_t i = next++; i < count; i = next++) call(work, i);
    } catch (...) {
      next = count;
      return std::current_exception();
    }
    return {};
  }
};

/// Blocks signals: a handler runs on the threads of the program, never on a helper, except for the helper's own fault.
class SignalsHeldBack {
 public:
#if !defined(_WIN32)
  SignalsHeldBack() {
    sigset_t held;
    sigfillset(&held);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPROF})
      sigdelset(&held, fault);
    pthread_sigmask(SIG_SETMASK, &held, &before_);
  }
  ~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t before_;
#endif
};

class Pool {
 public:
  /// Lets helpers join the job from now on, if any are available.
  void offer(Job& job) {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    jobs_.push_back(&job);
    most_ = std::max({most_, job.wanted, std::size_t{cpu_cores()} - 1});
    std::size_t wanted = 0;
    for (const Job* other : jobs_) wanted += other->wanted;
    while (idle_ < wanted && helpers_.size() < most_ && start()) --wanted;
    for (std::size_t i = 0; i < std::min(job.wanted, idle_); ++i) work_.notify_one();
  }

  /// When the caller has run out of items: waits for the helpers that still have one.
  std::exception_ptr finish(Job& job, std::exception_ptr error) {
    std::unique_lock lock(mutex_);
    withdraw(job);
    if (error && !job.error) job.error = std::move(error);
    job.left.wait(lock, [&] { return job.inside == 0; });
    return job.error;
  }

  /// At the end of the program. Does not wait for working helpers; later callers work alone.
  void close() {
    std::list<Helper> idle;
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      for (Helper& helper : helpers_) {
        if (helper.busy) helper.thread.detach();
      }
      helpers_.remove_if([](const Helper& helper) { return helper.busy; });
      idle.swap(helpers_);
      idle.splice(idle.end(), ended_);
      work_.notify_all();
    }
    for (Helper& helper : idle) helper.thread.join();
  }

  std::size_t helpers() {
    const std::lock_guard lock(mutex_);
    return helpers_.size();
  }

 private:
  struct Helper {
    std::thread thread;
    bool busy = false;
  };

  bool start() {
    for (Helper& helper : std::exchange(ended_, {})) helper.thread.join();
    [[maybe_unused]] const SignalsHeldBack here{};  // a thread inherits the signal mask of its creator
    const auto self = helpers_.emplace(helpers_.end());
    try {
      self->thread = std::thread([this, self] { help(self); });
      return true;
    } catch (const std::system_error&) {
      // The system refuses more threads: the existing ones do all the work, with the same result.
      helpers_.erase(self);
      return false;
    }
  }

  void help(std::list<Helper>::iterator self) {
    std::unique_lock lock(mutex_);
    while (!closed_) {
      if (jobs_.empty()) {
        ++idle_;
        const bool called = work_.wait_for(lock, kIdle, [&] { return closed_ || !jobs_.empty(); });
        --idle_;
        if (called) continue;
        ended_.splice(ended_.end(), helpers_, self);
        return;
      }
      Job& job = *jobs_.front();
      if (--job.wanted == 0) withdraw(job);
      ++job.inside;
      self->busy = true;
      lock.unlock();
      std::exception_ptr error = job.run();
      lock.lock();
      if (error && !job.error) job.error = std::move(error);
      withdraw(job);                                 // all items are taken
      if (--job.inside == 0) job.left.notify_one();  // the job exists until the mutex is free
      if (!closed_) self->busy = false;              // else it is no longer in the list
    }
  }

  void withdraw(Job& job) { jobs_.erase(std::remove(jobs_.begin(), jobs_.end(), &job), jobs_.end()); }

  std::mutex mutex_;
  std::condition_variable work_;  // there is a job, or the pool is closed
  std::vector<Job*> jobs_;        // that need helpers
  std::list<Helper> helpers_;
  std::list<Helper> ended_;  // to be joined
  std::size_t idle_ = 0, most_ = 0;
  bool closed_ = false;
};

/// Never destroyed: a thread that outlives main() may still use it. Made before main() begins and not at the first
/// call: a child forked while another thread makes it would wait for that thread for ever.
Pool* const the_pool = new Pool;

#if !defined(_WIN32)
// The threads stay in the parent, in an unknown state, so the child begins with an empty pool. The parent's lists are
// not freed, since a thread that does not exist can neither be joined nor detached.
[[maybe_unused]] const int forked = pthread_atfork(nullptr, nullptr, [] { new (the_pool) Pool; });
const struct AtExit {
  ~AtExit() { the_pool->close(); }
} at_exit;
#endif

}  // namespace

std::optional<std::size_t> CrewGate::enter() {
  constexpr std::chrono::microseconds kPatience{200};
  std::size_t state = state_.load(std::memory_order_relaxed);
  do {
    if ((state & kClosed) != 0) return {};
  } while (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel));
  const std::size_t member = state;
  if (member == 0) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (state_.load(std::memory_order_acquire) < most_ && std::chrono::steady_clock::now() < until) {
    }
    state_.fetch_or(kClosed, std::memory_order_acq_rel);
    return member;
  }
  while ((state_.load(std::memory_order_acquire) & kClosed) == 0) std::this_thread::yield();
  return member;
}

void run_parallel(std::size_t count, std::size_t helpers, void (*call)(void* work, std::size_t i), void* work) {
  Job job{call, work, count, helpers};
  the_pool->offer(job);
  if (std::exception_ptr error = the_pool->finish(job, job.run())) std::rethrow_exception(error);
}

std::size_t parallel_helpers() { return the_pool->helpers(); }

}  // namespace falsum
