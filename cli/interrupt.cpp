#include "interrupt.h"

#include <atomic>
#include <cerrno>
#include <string_view>

#include "report.h"
#include "support/posix.h"

namespace falsum::cli {

namespace {

std::atomic<int> asked{0}, pressed_again{0};
std::atomic<bool> terminal{false};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

/// Uses only functions that a signal handler may call. On a terminal it clears the progress bar.
void put(std::string_view text) {
  if (terminal.load(std::memory_order_relaxed)) (void)!::write(2, "\r\033[K", 4);
  (void)!::write(2, text.data(), static_cast<unsigned>(text.size()));
}

void ask_to_stop(int number) {
  const int error = errno;
  std::signal(number, ask_to_stop);  // some systems reset the handler
  int none = 0;
  if (asked.compare_exchange_strong(none, number)) {
    put("falsum: stopping ...\n");
  } else if (number == SIGINT && pressed_again.fetch_add(1) == 0) {
    put("falsum: still saving; press once more to end at once and lose what is not saved\n");
  } else if (number == SIGINT) {
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);
  }
  errno = error;
}

}  // namespace

Interrupt::Interrupt() {
  asked.store(0);
  pressed_again.store(0);
  terminal.store(stderr_can_draw());
  // With signal() of all common C libraries an interrupted read or write continues; Windows has no other function.
  for (const int number : {
           SIGINT,
           SIGTERM,
#ifdef SIGHUP
           SIGHUP,
#endif
#ifdef SIGPIPE
           SIGPIPE,
#endif
       }) {
    const Handler before = std::signal(number, ask_to_stop);
    if (before == SIG_IGN) {
      std::signal(number, SIG_IGN);
    } else if (before != SIG_ERR) {
      before_.emplace_back(number, before);
    }
  }
}

Interrupt::~Interrupt() {
  for (const auto& [number, handler] : before_) std::signal(number, handler);
}

void Interrupt::finish() {
  for (const auto& [number, handler] : before_) std::signal(number, SIG_IGN);
  before_.clear();
}

int Interrupt::signal() const { return asked.load(std::memory_order_relaxed); }

void Interrupt::ask(int number) const {
  int none = 0;
  asked.compare_exchange_strong(none, number);
}

}  // namespace falsum::cli
