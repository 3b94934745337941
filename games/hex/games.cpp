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
    std::optional<int> chance;
    if (game.moves.size() < opening) {
      const std::vector<std::size_t> free = board.legal_cells();
      move = free[random.below(free.size())];
    } else {
      const SearchResult result = search(board, evaluator, options, random());
      move = result.move;
      chance = static_cast<int>(100 * (board.to_move() == Colour::kBlack ? result.value : 1 - result.value) + 0.5);
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
    game.chances.push_back(chance);
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
      if (i < game.chances.size() && game.chances[i]) text += fmt::format("={}", *game.chances[i]);
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
      const std::size_t sign = word.find('=');
      std::optional<int> chance;
      if (sign != std::string::npos) {
        const std::string digits = word.substr(sign + 1);
        const bool fits =
            !digits.empty() && digits.size() <= 3 && digits.find_first_not_of("0123456789") == digits.npos;
        if (!fits || std::stoi(digits) > 100) throw bad(fmt::format("a chance must be from 0 to 100, got {}", digits));
        chance = std::stoi(digits);
      }
      const std::optional<std::size_t> move = board.move_named(word.substr(0, sign));
      if (!move || *move == kSwap || !board.legal(*move)) throw bad(fmt::format("{} is no legal move", word));
      board.play(*move);
      game.moves.push_back(*move);
      game.chances.push_back(chance);
    }
    if (!board.over()) throw bad("the game is not over");
    game.winner = *board.winner();
    games.push_back(std::move(game));
  }
  return games;
}

Positions positions_of(std::size_t size, const std::vector<Game>& games, int margin) {
  const auto wanted = [&](const Game& game, std::size_t stones) {
    return game.chances[stones] && std::abs(*game.chances[stones] - 50) >= margin;
  };
  std::size_t count = 0;
  for (const Game& game : games) {
    for (std::size_t stones = 1; stones < game.moves.size(); ++stones) count += wanted(game, stones);
  }
  Positions all{BitMatrix(4 * count, feature_count(size)), {}};
  all.labels.reserve(4 * count);
  const std::size_t cells = size * size;
  for (const Game& game : games) {
    for (std::size_t stones = 1; stones < game.moves.size(); ++stones) {
      if (!wanted(game, stones)) continue;
      const bool white_ahead = *game.chances[stones] < 50;
      for (const bool exchanged : {false, true}) {
        for (const bool turned : {false, true}) {
          const std::size_t r = all.labels.size();
          for (std::size_t i = 0; i < stones; ++i) {
            std::size_t cell = game.moves[i];
            if (turned) cell = cells - 1 - cell;
            if (exchanged) cell = cell % size * size + cell / size;
            const bool white = (i % 2 == 1) != exchanged;
            all.rows.set(r, stone_feature(size, white ? Colour::kWhite : Colour::kBlack, cell));
          }
          if ((stones % 2 == 1) != exchanged) all.rows.set(r, turn_feature(size));
          all.labels.push_back(white_ahead != exchanged ? 1 : 0);
        }
      }
    }
  }
  return all;
}

}  // namespace falsum::hex
