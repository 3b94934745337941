#include "match.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <sstream>

#include "falsum/error.h"
#include "random.h"

namespace falsum::hex {
namespace {

/// Whether black, the first of the two, wins.
bool black_wins(Board board, Player& black, Player& white, Random& random) {
  while (!board.over()) {
    Player& player = board.to_move() == Colour::kBlack ? black : white;
    const SearchResult result = search(board, *player.evaluator, player.options, random());
    player.simulations += result.simulations;
    player.seconds += result.seconds;
    ++player.moves;
    board.play(result.move);
  }
  return board.winner() == Colour::kBlack;
}

/// "name=value".
void set_option(const std::string& text, SearchOptions& options, Judgement& judgement) {
  const std::size_t sign = std::min(text.find('='), text.size());
  const std::string name = text.substr(0, sign);
  std::istringstream digits(text.substr(std::min(sign + 1, text.size())));
  double value = 0;
  const bool number = static_cast<bool>(digits >> value) && digits.eof() && value >= 0 && value <= 1e6;
  const std::pair<std::string_view, std::function<void()>> all[] = {
      {"simulations", [&] { options.simulations = static_cast<std::uint64_t>(value); }},
      {"seconds", [&] { options.seconds = value; }},
      {"exploration", [&] { options.exploration = value; }},
      {"uct-exploration", [&] { options.uct_exploration = value; }},
      {"caution", [&] { options.caution = value; }},
      {"patience", [&] { options.patience = static_cast<std::uint32_t>(value); }},
      {"rollout-share", [&] { judgement.rollouts = std::min(value, 1.0); }},
      {"temperature", [&] { judgement.temperature = std::max(value, 0.01); }}};
  for (const auto& [option, set] : all) {
    if (name == option && number) return set();
  }
  throw ConfigError(fmt::format("a player's option must be name=number, as in patience=2, got {}", text));
}

}  // namespace

Player make_player(const std::string& text, std::size_t size, const SearchOptions& options,
                   const Judgement& judgement) {
  SearchOptions own = options;
  Judgement own_judgement = judgement;
  std::istringstream parts(text);
  std::string player;
  std::getline(parts, player, ',');
  for (std::string part; std::getline(parts, part, ',');) set_option(part, own, own_judgement);
  const std::size_t colon = player.find(':');
  std::shared_ptr<const Machines> machines;
  if (colon != std::string::npos) machines = std::make_shared<const Machines>(load_machines(player.substr(colon + 1)));
  return {text, make_evaluator(player.substr(0, colon), machines, size, own_judgement), own};
}

double MatchResult::share() const {
  return std::accumulate(pairs.begin(), pairs.end(), 0.0) / (2 * static_cast<double>(pairs.size()));
}

double MatchResult::elo(double share) const {
  // A match that was won entirely is as good as one with half a point lost.
  const double least = 0.25 / static_cast<double>(pairs.size());
  const double clipped = std::clamp(share, least, 1 - least);
  return 400 * std::log10(clipped / (1 - clipped));
}

double MatchResult::low() const {
  const auto count = static_cast<double>(pairs.size());
  double squares = 0;
  for (const double points : pairs) squares += (points / 2 - share()) * (points / 2 - share());
  const double deviation = std::sqrt(squares / std::max(1.0, count - 1) / count);
  return share() - std::max(1.96 * deviation, 0.25 / count);
}

double MatchResult::high() const { return 2 * share() - low(); }

MatchResult play_match(Player& first, Player& second, std::size_t size, std::size_t pairs, std::size_t openings,
                       std::uint64_t seed) {
  MatchResult result;
  for (std::size_t p = 0; p < pairs; ++p) {
    Random random(seed_of(seed, p));
    Board board(size);
    for (std::size_t i = 0; i < openings; ++i) {
      const std::vector<std::size_t> free = board.legal_cells();
      board.play(free[random.below(free.size())]);
    }
    double points = 0;
    points += black_wins(board, first, second, random) ? 1 : 0;
    points += black_wins(board, second, first, random) ? 0 : 1;
    result.pairs.push_back(points);
    fmt::print(stderr, "\r{} of {} pairs, {:.1f}% for {}  ", p + 1, pairs, 100 * result.share(), first.name);
  }
  fmt::print(stderr, "\n");
  return result;
}

}  // namespace falsum::hex
