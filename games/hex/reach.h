// Features beyond stones: how near cells are to the edges. A player's stones and edges are linked where they touch, and
// by bridges: two cells with two empty ones between them, of which the other player can take only one. The distance of
// a cell from an edge is the number of stones that must be added so that a stone there is linked with the edge.
// (Bridges that share cells are not told apart: the distance is a hint, no proof.)
#pragma once

#include <cstdint>
#include <vector>

namespace falsum::hex {

constexpr std::uint8_t kFar = 255;  // no way to the edge

/// Of a position as in features.h: of each cell from the top and the bottom for the mover, then from the left and the
/// right for the other player. Cells that the opponent holds are far.
std::vector<std::uint8_t> edge_distances(const std::vector<std::uint64_t>& row, std::size_t size);

/// `row` is a position as in features.h: the same features, then for each of the mover's top and bottom, the other
/// player's left and right, and each distance below `steps`, the cells that are at most so far from that edge.
std::vector<std::uint64_t> with_reach(const std::vector<std::uint64_t>& row, std::size_t size, std::size_t steps);

inline std::size_t reach_feature_count(std::size_t size, std::size_t steps) { return (2 + 4 * steps) * size * size; }

}  // namespace falsum::hex
