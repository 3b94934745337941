// Matches: two players, every opening twice with the colours exchanged, so that neither an opening nor the first move
// favours one of them. Elo by the share of points; its interval from the spread of the pairs of games, which are
// independent, while the two games of a pair are not.
#pragma once

#include <string>
#include <vector>

#include "search.h"

namespace falsum::hex {

struct Player {
  std::string name;
  std::unique_ptr<Evaluator> evaluator;
  SearchOptions options;
  std::uint64_t simulations = 0, moves = 0;
  double seconds = 0;
};
/// "rollout", "recompute:NAME", "incremental:NAME" (load_machines); then options of its own, each after a comma:
/// "rollout,uct-exploration=0.3". Throws ConfigError and FileError.
Player make_player(const std::string& text, std::size_t size, const SearchOptions& options, const Judgement& judgement);

struct MatchResult {
  std::vector<double> pairs;  // points of the first player in each pair: 0, 1 or 2
  double share() const;       // of the points
  double elo(double share) const;
  /// The 95% interval of the share, at least the width of one game.
  double low() const, high() const;
};

/// `openings` random stones first. Progress goes to standard error.
MatchResult play_match(Player& first, Player& second, std::size_t size, std::size_t pairs, std::size_t openings,
                       std::uint64_t seed);

}  // namespace falsum::hex
