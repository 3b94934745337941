// Strong ids: the compiler keeps clauses and literals apart. `at(id)` is the plain number, for array access.
#pragma once

#include <cstdint>

namespace falsum {

enum class ClauseId : std::uint32_t {};   // within a class: 0 .. clauses-1, positive polarity first
enum class LiteralId : std::uint32_t {};  // 0 .. features-1 the features, then their negations

constexpr std::uint32_t at(ClauseId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t at(LiteralId id) { return static_cast<std::uint32_t>(id); }

}  // namespace falsum
