// The progress bar of a long task: percentage, time left and a note. Drawn on stderr, only if that is a terminal,
// redrawn at most ten times a second, and erased when the task is done.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace falsum::cli {

class Progress {
 public:
  explicit Progress(std::string title);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` in 0..1 of the whole work.
  void update(double done, std::string_view note = "");

  /// Leaves an empty line; to be called before anything else is printed.
  void clear();

  void set_title(std::string title) { title_ = std::move(title); }

 private:
  using Clock = std::chrono::steady_clock;
  std::string title_;
  bool drawing_;  // stderr is a terminal
  bool drawn_ = false;
  // The start of the estimate of "time left": the first update, which in a resumed run comes half-way.
  double first_done_ = -1;
  Clock::time_point began_{};
  Clock::time_point last_drawn_{};
};

}  // namespace falsum::cli
