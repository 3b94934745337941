// for_each_parallel and the helpers that it keeps. FINDINGS 6.8 asked for tests of it: exceptions, and a system that
// refuses threads.
#include "support/parallel.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "falsum/cpu.h"
#include "sanitized.h"
#include "support/turn_board.h"

namespace falsum::parallel_test {
namespace {

/// Every item of a call stays until `threads` of them are under way at once, or for a long while.
class Meeting {
 public:
  explicit Meeting(unsigned threads) : threads_(threads) {}
  void come() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    ++here_;
    while (here_ < threads_ && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  }
  bool complete() const { return here_ >= threads_; }

 private:
  const unsigned threads_;
  std::atomic<unsigned> here_{0};
};

std::set<std::thread::id> threads_of_a_call(unsigned threads) {
  Meeting meeting(threads);
  std::mutex mutex;
  std::set<std::thread::id> ids;
  for_each_parallel(threads, threads, [&](std::size_t) {
    meeting.come();
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_TRUE(meeting.complete());
  return ids;
}

TEST(ParallelThreads, EveryItemIsDoneOnceWhateverTheThreads) {
  for (const unsigned threads : {0u, 1u, 2u, 3u, 8u, 100u}) {
    for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
      std::vector<int> done(count);
      for_each_parallel(count, threads, [&](std::size_t i) { ++done[i]; });
      EXPECT_EQ(done, std::vector<int>(count, 1)) << count << " items on " << threads;
    }
  }
}

TEST(ParallelThreads, OneThreadMeansTheCallers) {
  for_each_parallel(
      10, 1, [caller = std::this_thread::get_id()](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(ParallelThreads, NoMoreThreadsWorkThanWereAskedFor) {
  threads_of_a_call(8);  // there are helpers to be had
  std::mutex mutex;
  std::set<std::thread::id> ids;
  for_each_parallel(2000, 3, [&](std::size_t) {
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_LE(ids.size(), 3u);
}

TEST(ParallelThreads, TheSameHelpersComeAgain) {
  const std::set<std::thread::id> first = threads_of_a_call(4);
  ASSERT_EQ(first.size(), 4u);
  const std::size_t helpers = parallel_helpers();
  std::set<std::thread::id> all = first;
  for (int i = 0; i < 200; ++i) all.merge(threads_of_a_call(4));
  EXPECT_EQ(parallel_helpers(), helpers);
  EXPECT_LE(all.size(), helpers + 1) << "a call started a thread although there were enough";
}

TEST(ParallelThreads, TheFirstExceptionIsThrownAfterAllHaveLeft) {
  for (const unsigned threads : {1u, 2u, 4u}) {
    std::atomic<int> inside{0}, calls{0};
    try {
      for_each_parallel(100000, threads, [&](std::size_t i) {
        ++inside;
        ++calls;
        if (i == 5) --inside, throw std::runtime_error("item 5");
        if (i > 5) std::this_thread::sleep_for(std::chrono::microseconds(1));  // so that others do not do all meanwhile
        --inside;
      });
      FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "item 5");
    }
    EXPECT_EQ(inside, 0);
    EXPECT_LT(calls, 100000) << "what is left is not begun";
  }
  EXPECT_EQ(threads_of_a_call(4).size(), 4u) << "a helper that threw helps again";
}

TEST(ParallelThreads, AnExceptionOfAHelperReachesTheCaller) {
  Meeting meeting(2);
  const std::thread::id caller = std::this_thread::get_id();
  EXPECT_THROW(for_each_parallel(2, 2,
                                 [&](std::size_t) {
                                   meeting.come();
                                   if (std::this_thread::get_id() != caller) throw std::runtime_error("a helper's");
                                 }),
               std::runtime_error);
}

TEST(ParallelThreads, CallsWithinCallsEnd) {
  std::atomic<std::size_t> done{0};
  for_each_parallel(8, 4, [&](std::size_t) {
    for_each_parallel(8, 4, [&](std::size_t) { for_each_parallel(8, 4, [&](std::size_t) { ++done; }); });
  });
  EXPECT_EQ(done, 512u);
}

TEST(ParallelThreads, ManyCallersAtOnceAllEndAndShareTheHelpers) {
  constexpr std::size_t kCallers = 16;
  std::atomic<std::size_t> done{0};
  const std::size_t enough = std::max<std::size_t>({parallel_helpers(), cpu_cores() - 1, 3});
  {
    std::vector<std::jthread> callers;
    for (std::size_t t = 0; t < kCallers; ++t) {
      callers.emplace_back([&] {
        for (int call = 0; call < 100; ++call) for_each_parallel(20, 4, [&](std::size_t) { ++done; });
      });
    }
  }
  EXPECT_EQ(done, kCallers * 100 * 20);
  EXPECT_LE(parallel_helpers(), enough) << "as many as one call wants, or as there are cores; not so many a caller";
}

TEST(ParallelThreads, SignalsAreLeftToTheThreadsOfTheProgram) {
  Meeting meeting(2);
  const std::thread::id caller = std::this_thread::get_id();
  for_each_parallel(2, 2, [&](std::size_t) {
    meeting.come();
    sigset_t held;
    pthread_sigmask(SIG_SETMASK, nullptr, &held);
    const bool helper = std::this_thread::get_id() != caller;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) EXPECT_EQ(sigismember(&held, signal), helper) << signal;
    EXPECT_EQ(sigismember(&held, SIGSEGV), 0);
  });
}

TEST(ParallelSlow, AHelperThatNobodyWantsEnds) {
  ASSERT_EQ(threads_of_a_call(4).size(), 4u);
  for (int tenths = 0; parallel_helpers() > 0 && tenths < 600; ++tenths) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(parallel_helpers(), 0u);
  EXPECT_EQ(threads_of_a_call(4).size(), 4u) << "and others come when they are wanted again";
}

/// The exit code of a child process that runs `work`, or -1 if it has not ended after a minute.
template <class Work>
int in_a_child(Work&& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  for (int tenths = 0; tenths < 600; ++tenths) {
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return -1;
}

TEST(ParallelFork, AChildStartsHelpersOfItsOwn) {
  ASSERT_EQ(threads_of_a_call(4).size(), 4u);
  const int result = in_a_child([] {
    if (parallel_helpers() != 0) return 2;  // they stayed in the parent
    return threads_of_a_call(4).size() == 4 && parallel_helpers() >= 3 ? 0 : 3;
  });
  EXPECT_EQ(result, 0) << "2: the parent's helpers are counted; 3: too few came; -1: it waits for threads it has not";
  EXPECT_EQ(threads_of_a_call(4).size(), 4u) << "the parent's are still there";
}

TEST(ParallelFork, AChildOfAProcessWhoseHelpersAreAtWorkIsAsFree) {
#if defined(FALSUM_ADDRESS_SANITIZER)
  GTEST_SKIP() << "of the locks of the address sanitizer's allocator, a child keeps those that threads of its parent "
                  "hold, and its helpers wait for them for ever";
#endif
  std::atomic<bool> stop{false};
  std::jthread busy([&] {
    while (!stop) for_each_parallel(4, 4, [](std::size_t) { std::this_thread::yield(); });
  });
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(in_a_child([] { return threads_of_a_call(3).size() == 3 ? 0 : 1; }), 0);
  }
  stop = true;
}

TEST(CrewThreads, MembersExchangeNumbersTurnByTurn) {
  for (const unsigned threads : {1u, 2u, 3u, 7u}) {
    TurnBoard board(threads, 1);
    std::atomic<int> calls{0}, wrong{0};
    std::atomic<std::size_t> crew{0};
    work_together(threads, [&](std::size_t member, std::size_t members) {
      ++calls;
      crew = members;
      for (std::int64_t turn = 0; turn < 300; ++turn) {
        *board.mine(member) = 1000 * turn + static_cast<std::int64_t>(member);
        if (!board.exchange(member, members)) ++wrong;
        for (std::size_t other = 0; other < members; ++other) {
          wrong += *board.theirs(member, other) != 1000 * turn + static_cast<std::int64_t>(other);
        }
      }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(static_cast<std::size_t>(calls), crew);
    EXPECT_LE(crew, threads);
  }
}

TEST(CrewThreads, NobodyWaitsForAMemberThatHasFailed) {
  TurnBoard board(3, 1);
  const auto work = [&](std::size_t member, std::size_t members) {
    for (int turn = 0; turn < 10; ++turn) {
      if (turn == 5 && member == members - 1) {
        board.fail();
        throw std::runtime_error("out of memory");
      }
      if (!board.exchange(member, members)) return;
    }
  };
  EXPECT_THROW(work_together(3, work), std::runtime_error);
}

TEST(CrewThreads, WorkInsideOtherWorkIsDone) {
  std::atomic<int> turns{0};
  for_each_parallel(4, 4, [&](std::size_t) {
    TurnBoard board(3, 1);
    work_together(3, [&](std::size_t member, std::size_t members) {
      for (int turn = 0; turn < 20; ++turn) {
        board.exchange(member, members);
        turns += member == 0;
      }
    });
  });
  EXPECT_EQ(turns, 80);
}

TEST(ParallelFork, AChildEndsByExitAsWell) {
#if defined(FALSUM_ADDRESS_SANITIZER)
  GTEST_SKIP() << "the leak sanitizer looks for leaks at exit, and takes what the parent's threads hold for some";
#endif
  threads_of_a_call(4);
  const int result = in_a_child([] {
    for_each_parallel(100, 4, [](std::size_t) {});
    std::exit(7);  // with what is to be done at exit
    return 0;
  });
  EXPECT_EQ(result, 7);
}

TEST(ParallelFork, ASystemThatRefusesHelpersGetsTheSameWorkDone) {
  const int result = in_a_child([] {
    if (geteuid() == 0 && setuid(65534) != 0) return 5;  // no limit holds for root
    const rlimit none = {0, 0};
    if (setrlimit(RLIMIT_NPROC, &none) != 0) return 2;
    std::vector<int> done(1000);
    for_each_parallel(1000, 8, [&](std::size_t i) { ++done[i]; });
    if (parallel_helpers() != 0) return 3;
    std::size_t crew = 0;
    work_together(8, [&](std::size_t, std::size_t members) { crew = members; });
    if (crew != 1) return 6;
    return done == std::vector<int>(1000, 1) ? 0 : 4;
  });
  EXPECT_EQ(result, 0) << "3: it gave threads nevertheless";
}

}  // namespace
}  // namespace falsum::parallel_test
