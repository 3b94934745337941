// Arbitrary text over an alphabet that a format gives meaning to, so that most of it is nearly right.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

namespace falsum {

inline std::string arbitrary_text(const std::string& alphabet) {
  const auto picks = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, alphabet.size()));
  std::string text;
  for (const std::size_t pick : picks) text += alphabet[pick];
  return text;
}

}  // namespace falsum
