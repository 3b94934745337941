// The text protocol that Hex programs speak (HTP, the Go Text Protocol with moves of Hex): a command on each line, an
// answer that begins with "= " or "? " and ends with an empty line. HexGui and match programs play through it.
#pragma once

#include <iosfwd>
#include <string>

#include "search.h"

namespace falsum::hex {

struct ProtocolSettings {
  std::string evaluator = "rollout", machines;
  std::size_t size = 7;
  SearchOptions search;
  Judgement judgement;
  bool swap = true;
  std::uint64_t seed = 1;
};

/// Until "quit" or the end of the input.
void speak(const ProtocolSettings& settings, std::istream& in, std::ostream& out);

}  // namespace falsum::hex
