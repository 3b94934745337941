#include "falsum/cpu.h"

#include <algorithm>
#include <fstream>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

namespace falsum {

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  }
  return "unknown";
}

unsigned cpu_cores() {
#if defined(__linux__)
  cpu_set_t set;  // respects taskset and container limits, unlike the number of cores
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
#endif
  const unsigned cores = std::thread::hardware_concurrency();
  return cores == 0 ? 1 : cores;
}

namespace {

std::uint64_t look_for_memory() {
  std::uint64_t memory = 0;
#if defined(__linux__)
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0) memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
  // A container, a job or a service may have less; otherwise the file contains "max" or a huge number.
  const auto look = [&](const std::string& file) {
    std::uint64_t allowed = 0;
    if (std::ifstream(file) >> allowed && allowed > 0) memory = std::min(memory, allowed);
  };
  const std::string unified = "/sys/fs/cgroup", older = "/sys/fs/cgroup/memory";
  look(unified + "/memory.max");
  look(older + "/memory.limit_in_bytes");
  std::ifstream groups("/proc/self/cgroup");  // "0::/path" or "4:memory:/path"
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (names.empty()) look(unified + path + "/memory.max");
    if (names == "memory") look(older + path + "/memory.limit_in_bytes");
  }
#endif
  return memory;
}

}  // namespace

std::uint64_t physical_memory() {
  static const std::uint64_t memory = look_for_memory();  // needed for every table of bits, and reading files is slow
  return memory;
}

std::string_view version() { return FALSUM_VERSION; }

}  // namespace falsum
