// Part: which of a machine's classes a Machine holds. The update of a class reads only that class
// (docs/architecture.md, "Random numbers"), so a machine of some classes learns the very bits that the whole machine
// learns for them. Parts may learn in other processes, on other computers and at other times; Machine::join puts their
// checkpoints together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace falsum {

struct Part {
  /// Classes or labels, ascending; empty: all.
  std::vector<std::uint32_t> classes;

  bool is_whole() const { return classes.empty(); }
  friend bool operator==(const Part&, const Part&) = default;
};

/// "classes 0, 3 and 5", "class 7", "all classes".
std::string text_of(const Part& part);

}  // namespace falsum
