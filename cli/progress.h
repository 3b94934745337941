// The bar of a long piece of work: percentage, time left and a note. Drawn on stderr and only when that is
// a terminal, redrawn at most ten times a second, and gone without a trace when the work is done.
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
  bool drawing_;  // is there a terminal at all
  bool drawn_ = false;
  // Where the clock of "time left" began: at the first update, which a resumed run reaches half-way.
  double first_done_ = -1;
  Clock::time_point began_{};
  Clock::time_point last_drawn_{};
};

}  // namespace falsum::cli
