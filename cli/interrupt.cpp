#include "interrupt.h"

#include <atomic>
#include <csignal>

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
  // signal() of every C library in use lets a read or write under way go on; Windows has no other.
  before_int_ = std::signal(SIGINT, ask_to_stop);
  before_term_ = std::signal(SIGTERM, ask_to_stop);
  // Whoever started us with Ctrl-C ignored (nohup, a background job of a plain shell) meant it.
  if (before_int_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, before_int_);
  std::signal(SIGTERM, before_term_);
}

int Interrupt::signal() const { return asked.load(std::memory_order_relaxed); }

}  // namespace falsum::cli
