// Queries of the system: terminals and memory. The part of report.h that differs on Windows.
#include <cstdlib>
#include <fstream>

#include "report.h"

#if defined(_WIN32)
#include <io.h>
#include <windows.h>
#else
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace falsum::cli {

#if defined(_WIN32)

bool stdout_is_terminal() { return _isatty(_fileno(stdout)) != 0; }

bool stderr_is_terminal() { return _isatty(_fileno(stderr)) != 0; }

std::size_t terminal_width() {
  for (const DWORD stream : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {
    CONSOLE_SCREEN_BUFFER_INFO info{};
    if (GetConsoleScreenBufferInfo(GetStdHandle(stream), &info) != 0 && info.dwSize.X > 0) {
      return static_cast<std::size_t>(info.dwSize.X);
    }
  }
  return 100;
}

std::uint64_t peak_rss_bytes() { return 0; }  // not known

std::uint64_t rss_bytes(MappedPages) { return 0; }

void give_back_freed_memory() {}

#else

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) == 1; }

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

std::size_t terminal_width() {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    winsize size{};
    if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  }
  return 100;
}

std::uint64_t peak_rss_bytes() {
  // Avoids getrusage() if possible: on Linux its maximum starts from that of the parent process.
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::uint64_t rss_bytes(MappedPages mapped) {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0, of_files = 0;
  if (!(file >> all >> resident >> of_files)) return peak_rss_bytes();
  if (mapped == MappedPages::kLeftOut) resident -= of_files;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void give_back_freed_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

#endif

}  // namespace falsum::cli
