// Ctrl-C while learning: the first SIGINT or SIGTERM asks for a stop, which the trainer obeys at the next
// chance and then saves; the second ends the process at once, as if nobody had listened.
#pragma once

namespace falsum::cli {

/// Listens while it lives. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// The signal that asked for a stop, or 0.
  int signal() const;

 private:
  using Handler = void (*)(int);
  Handler before_int_, before_term_;
};

}  // namespace falsum::cli
