#include "games.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "falsum/error.h"
#include "features.h"
#include "random.h"

namespace falsum::hex {

Game self_play(std::size_t size, Evaluator& evaluator, const SearchOptions& options, std::uint64_t seed) {
  Random random(seed);
  Board board(size);
  Game game;
  const std::size_t opening = random.below(4), varied = opening + size / 2;
  while (!board.over()) {
    std::size_t move = 0;
    std::optional<Searched> searched;
    if (game.moves.size() < opening) {
      const std::vector<std::size_t> free = board.legal_cells();
      move = free[random.below(free.size())];
    } else {
      const SearchResult result = search(board, evaluator, options, random());
      move = result.move;
      const double black = board.to_move() == Colour::kBlack ? result.value : 1 - result.value;
      searched = {static_cast<int>(100 * black + 0.5), move};
      if (game.moves.size() < varied) {
        std::uint64_t all = 0;
        for (const std::uint32_t visits : result.visits) all += visits;
        std::uint64_t at = random.below(all), i = 0;
        while (at >= result.visits[i]) at -= result.visits[i++];
        move = result.cells[i];
      }
    }
    board.play(move);
    game.moves.push_back(move);
    game.searched.push_back(searched);
  }
  game.winner = *board.winner();
  return game;
}

std::string games_text(std::size_t size, const std::vector<Game>& games) {
  const Board board(size);
  std::string text;
  for (const Game& game : games) {
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
      text += board.name(game.moves[i]);
      if (i < game.searched.size() && game.searched[i]) {
        text += fmt::format("={}", game.searched[i]->chance);
        if (game.searched[i]->best != game.moves[i]) text += ":" + board.name(game.searched[i]->best);
      }
      text += " ";
    }
    text += fmt::format("{}\n", name_of(game.winner));
  }
  return text;
}

std::vector<Game> games_of_text(std::size_t size, const std::string& text, const std::string& what) {
  std::vector<Game> games;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto bad = [&](const std::string& why) {
      return FileError(fmt::format("{}, line {}: {}", what, games.size() + 1, why));
    };
    Board board(size);
    Game game;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (board.over()) {
        if (word != name_of(*board.winner()))
          throw bad(fmt::format("expected {}, got {}", name_of(*board.winner()), word));
        continue;
      }
      const auto move_of = [&](const std::string& name) {
        const std::optional<std::size_t> move = board.move_named(name);
        if (!move || *move == kSwap || !board.legal(*move)) throw bad(fmt::format("{} is no legal move", word));
        return *move;
      };
      const std::size_t sign = word.find('='), colon = word.find(':');
      const std::size_t move = move_of(word.substr(0, sign));
      std::optional<Searched> searched;
      if (sign != std::string::npos) {
        const std::string digits = word.substr(sign + 1, colon == std::string::npos ? colon : colon - sign - 1);
        const bool fits =
            !digits.empty() && digits.size() <= 3 && digits.find_first_not_of("0123456789") == digits.npos;
        if (!fits || std::stoi(digits) > 100) throw bad(fmt::format("a chance must be from 0 to 100, got {}", digits));
        searched = {std::stoi(digits), colon == std::string::npos ? move : move_of(word.substr(colon + 1))};
      }
      board.play(move);
      game.moves.push_back(move);
      game.searched.push_back(searched);
    }
    if (!board.over()) throw bad("the game is not over");
    game.winner = *board.winner();
    games.push_back(std::move(game));
  }
  return games;
}

namespace {

/// `label`: of a position before a move, by what its search said; none to leave it out. Called as label(searched,
/// whether black is to move, the cells as the mover sees them, turned or not).
template <class Label>
Positions positions_of(std::size_t size, const std::vector<Game>& games, const Label& label) {
  const std::size_t cells = size * size;
  std::size_t count = 0;
  for (const Game& game : games) count += 2 * game.moves.size();
  Positions all{BitMatrix(count, feature_count(size)), {}};
  all.labels.reserve(count);
  for (const Game& game : games) {
    for (std::size_t stones = 1; stones < game.moves.size(); ++stones) {
      if (!game.searched[stones]) continue;
      const bool black = stones % 2 == 0;
      for (const bool turned : {false, true}) {
        const auto seen = [&](std::size_t cell) {
          if (turned) cell = cells - 1 - cell;
          return black ? cell : cell % size * size + cell / size;
        };
        const std::optional<std::size_t> wanted = label(*game.searched[stones], black, seen);
        if (!wanted) continue;
        for (std::size_t i = 0; i < stones; ++i) {
          all.rows.set(all.labels.size(), seen(game.moves[i]) + ((stones - i) % 2 == 0 ? 0 : cells));
        }
        all.labels.push_back(static_cast<std::uint32_t>(*wanted));
      }
    }
  }
  BitMatrix rows(all.labels.size(), feature_count(size));
  for (std::size_t r = 0; r < rows.rows(); ++r) std::ranges::copy(all.rows.row(r), rows.row(r).begin());
  all.rows = std::move(rows);
  return all;
}

}  // namespace

Positions value_positions(std::size_t size, const std::vector<Game>& games, int margin) {
  return positions_of(size, games, [&](const Searched& searched, bool black, const auto& /*seen*/) {
    const bool clear = std::abs(searched.chance - 50) >= margin;
    return clear ? std::optional<std::size_t>((searched.chance > 50) == black ? 0 : 1) : std::nullopt;
  });
}

Positions policy_positions(std::size_t size, const std::vector<Game>& games) {
  return positions_of(size, games, [](const Searched& searched, bool /*black*/, const auto& seen) {
    return std::optional<std::size_t>(seen(searched.best));
  });
}

}  // namespace falsum::hex
