#include "progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "report.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

/// Coarse on purpose: digits that change all the time only distract.
std::string time_left_text(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s left", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min left", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h left", whole / 3600, whole / 60 % 60);
}

/// Never throws: if the terminal is gone, the work continues.
void draw(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress(std::string title) : title_(std::move(title)), drawing_(stderr_can_draw()) {}

void Progress::update(double done, std::string_view note) {
  using namespace std::chrono_literals;
  const Clock::time_point now = Clock::now();
  if (!drawing_ || now - last_drawn_ < 100ms) return;
  last_drawn_ = now;

  done = std::clamp(done, 0.0, 1.0);
  if (first_done_ < 0) {
    first_done_ = done;
    began_ = now;
  }
  const double elapsed = std::chrono::duration<double>(now - began_).count();
  std::string facts = fmt::format(" {:3.0f}%", 100 * done);
  // The first moments do not predict the rest.
  if (elapsed > 0.5) facts += "  " + time_left_text(elapsed * (1 - done) / std::max(done - first_done_, 1e-9));
  if (!note.empty()) facts += fmt::format("  {}", note);

  // One column less than the terminal: some wrap as soon as the last one is written.
  const std::size_t width = terminal_width() - 1;
  const std::size_t fixed = title_.size() + facts.size() + 3;
  std::string line;
  if (fixed + 8 <= width) {
    const std::size_t bar = std::min<std::size_t>(30, width - fixed);
    const auto filled = static_cast<std::size_t>(done * static_cast<double>(bar));
    line = fmt::format("{} [{:#<{}}{:.<{}}]{}", title_, "", filled, "", bar - filled, facts);
  } else {
    line = (title_ + facts).substr(0, width);
  }
  draw("\r" + line + "\033[K");
  drawn_ = true;
}

void Progress::clear() {
  if (!drawn_) return;
  draw("\r\033[K");
  drawn_ = false;
  last_drawn_ = {};
}

}  // namespace falsum::cli
