// Stopping while learning: SIGINT (Ctrl-C), SIGTERM, SIGHUP (the terminal went away) and SIGPIPE (the reader of the
// table did) ask for a stop. The first says so on standard error at once; learning obeys within a fraction of a second,
// and what was learned is saved. A second Ctrl-C says that it is being saved; a third ends the process as if nobody had
// listened. Repetitions of the others mean nothing more: shells and orchestrators send them twice.
#pragma once

#include <csignal>
#include <utility>
#include <vector>

namespace falsum::cli {

#ifdef SIGPIPE
inline constexpr int kPipeSignal = SIGPIPE;
#else
inline constexpr int kPipeSignal = 13;
#endif

/// Listens while it lives. One at a time. Whoever started us with a signal ignored (nohup) meant it, and it stays so.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// The signal that asked for a stop first, or 0.
  int signal() const;
  /// As if the signal had come; without a word.
  void ask(int number) const;

 private:
  using Handler = void (*)(int);
  std::vector<std::pair<int, Handler>> before_;
};

}  // namespace falsum::cli
