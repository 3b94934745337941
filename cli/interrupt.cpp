#include "interrupt.h"

#include <atomic>

namespace falsum::cli {

namespace {

std::atomic<int> asked{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void ask_to_stop(int number) {
  asked.store(number, std::memory_order_relaxed);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  asked.store(0);
  struct sigaction action {};
  action.sa_handler = ask_to_stop;
  action.sa_flags = SA_RESTART;  // a read or write under way goes on
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_int_);
  sigaction(SIGTERM, &action, &before_term_);
  // Whoever started us with Ctrl-C ignored (nohup, a background job of a plain shell) meant it.
  if (before_int_.sa_handler == SIG_IGN) sigaction(SIGINT, &before_int_, nullptr);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &before_int_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
}

int Interrupt::signal() const { return asked.load(std::memory_order_relaxed); }

}  // namespace falsum::cli
