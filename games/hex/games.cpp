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
    if (game.moves.size() < opening) {
      const std::vector<std::size_t> free = board.legal_cells();
      move = free[random.below(free.size())];
    } else {
      const SearchResult result = search(board, evaluator, options, random());
      move = result.move;
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
  }
  game.winner = *board.winner();
  return game;
}

std::string games_text(std::size_t size, const std::vector<Game>& games) {
  const Board board(size);
  std::string text;
  for (const Game& game : games) {
    for (const std::size_t move : game.moves) text += board.name(move) + " ";
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
      const std::optional<std::size_t> move = board.move_named(word);
      if (!move || *move == kSwap || !board.legal(*move)) throw bad(fmt::format("{} is no legal move", word));
      board.play(*move);
      game.moves.push_back(*move);
    }
    if (!board.over()) throw bad("the game is not over");
    game.winner = *board.winner();
    games.push_back(std::move(game));
  }
  return games;
}

Positions positions_of(std::size_t size, const std::vector<Game>& games) {
  std::size_t count = 0;
  for (const Game& game : games) count += game.moves.size() - 1;
  Positions all{BitMatrix(4 * count, feature_count(size)), {}};
  all.labels.reserve(4 * count);
  const std::size_t cells = size * size;
  std::size_t r = 0;
  for (const Game& game : games) {
    for (std::size_t stones = 1; stones < game.moves.size(); ++stones) {  // the last position needs no machine
      for (const bool exchanged : {false, true}) {
        for (const bool turned : {false, true}) {
          for (std::size_t i = 0; i < stones; ++i) {
            std::size_t cell = game.moves[i];
            if (turned) cell = cells - 1 - cell;
            if (exchanged) cell = cell % size * size + cell / size;
            const bool white = (i % 2 == 1) != exchanged;
            all.rows.set(r, stone_feature(size, white ? Colour::kWhite : Colour::kBlack, cell));
          }
          if ((stones % 2 == 1) != exchanged) all.rows.set(r, turn_feature(size));
          all.labels.push_back(static_cast<std::uint32_t>(id(exchanged ? other(game.winner) : game.winner)));
          ++r;
        }
      }
    }
  }
  return all;
}

}  // namespace falsum::hex
