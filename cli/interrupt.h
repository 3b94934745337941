// Stopping while learning: SIGINT (Ctrl-C), SIGTERM, SIGHUP (the terminal was closed) and SIGPIPE (the reader of the
// table was closed) request a stop. The first signal is reported on standard error at once; learning stops within a
// fraction of a second, and the learned state is saved. A second Ctrl-C reports that saving is under way; a third ends
// the process as if there were no handler. Repetitions of the other signals have no effect: shells and orchestrators
// send them twice.
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

/// Handles signals while it exists. One at a time. A signal that was ignored at the start (nohup) stays ignored.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// The signal that asked for a stop first, or 0.
  int signal() const;
  /// From now on these signals are ignored: everything is saved, and the process is about to end. A signal either came
  /// before, and signal() tells, or it changes nothing.
  void finish();
  /// Acts as if the signal had come; prints nothing.
  void ask(int number) const;

 private:
  using Handler = void (*)(int);
  std::vector<std::pair<int, Handler>> before_;
};

}  // namespace falsum::cli
