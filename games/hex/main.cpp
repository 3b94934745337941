// falsum-hex: a Hex player whose judgement is a Tsetlin machine, evaluated incrementally.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "falsum/falsum.h"
#include "features.h"
#include "match.h"
#include "page.h"
#include "protocol.h"
#include "random.h"
#include "rollout.h"
#include "train.h"
#include "winners.h"

namespace {

using namespace falsum;
using namespace falsum::hex;
using Json = nlohmann::ordered_json;

const CLI::Range kSizes(static_cast<int>(kLeastSize), static_cast<int>(kMostSize));

void add_search(CLI::App& command, SearchOptions& options, Judgement& judgement) {
  command.add_option("--simulations", options.simulations, "simulations a move; 0: by time alone")
      ->capture_default_str();
  command.add_option("--seconds", options.seconds, "seconds a move; 0: by simulations alone")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  command.add_option("--exploration", options.exploration, "of searches with machines")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  command.add_option("--uct-exploration", options.uct_exploration, "of searches with rollouts")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  command.add_option("--caution", options.caution, "of searches with machines: what a move not tried yet is worse by")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--patience", options.patience, "visits before the moves of a position are looked at")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      .add_option("--rollout-share", judgement.rollouts,
                  "share of a rollout in the value of a machine's position; 0: the machine alone")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--temperature", judgement.temperature, "of a machine's priors, times the one it learned")
      ->check(CLI::Range(0.01, 100.0))
      ->capture_default_str();
}

struct MatchSettings {
  std::string first, second;
  std::size_t size = 7, pairs = 100, openings = 2;
  SearchOptions search;
  Judgement judgement;
  std::uint64_t seed = 1;
  bool json = false;
};

void run_match(const MatchSettings& settings) {
  Player first = make_player(settings.first, settings.size, settings.search, settings.judgement);
  Player second = make_player(settings.second, settings.size, settings.search, settings.judgement);
  const MatchResult result = play_match(first, second, settings.size, settings.pairs, settings.openings, settings.seed);
  const double elo = result.elo(result.share()), low = result.elo(result.low()), high = result.elo(result.high());
  const auto each = [](const Player& player) {
    return static_cast<double>(player.simulations) / static_cast<double>(std::max<std::uint64_t>(1, player.moves));
  };
  const auto milliseconds = [](const Player& player) {
    return 1000 * player.seconds / static_cast<double>(std::max<std::uint64_t>(1, player.moves));
  };
  if (settings.json) {
    fmt::print("{}\n", Json{{"first", settings.first},
                            {"second", settings.second},
                            {"size", settings.size},
                            {"games", 2 * settings.pairs},
                            {"share", result.share()},
                            {"elo", elo},
                            {"low", low},
                            {"high", high},
                            {"simulations", {each(first), each(second)}},
                            {"milliseconds", {milliseconds(first), milliseconds(second)}}}
                           .dump());
    return;
  }
  fmt::print(
      "{} against {}, {}x{}, {} games: {:.1f}% of the points, Elo {:+.0f} (95%: {:+.0f} to {:+.0f}); {:.0f} and "
      "{:.0f} simulations and {:.2f} and {:.2f} ms a move\n",
      settings.first, settings.second, settings.size, settings.size, 2 * settings.pairs, 100 * result.share(), elo, low,
      high, each(first), each(second), milliseconds(first), milliseconds(second));
  for (const Player* player : {&first, &second}) {
    const EvaluatorWork work = player->evaluator->work();
    if (work.positions == 0) continue;
    const auto share = [](std::uint64_t some, std::uint64_t all) {
      return static_cast<double>(some) / static_cast<double>(all);
    };
    fmt::print("{}: machines asked in {:.1f}% of the simulations", player->name,
               100 * share(work.positions, player->simulations));
    if (work.flips > 0) fmt::print(", {:.1f} flips each time", share(work.flips, work.positions));
    fmt::print("\n");
  }
}

struct WinnerSettings {
  std::string model, games;
  std::size_t least = 2, most = 22;
  bool json = false;
};

void run_winners(const WinnerSettings& settings) {
  const Model model = Model::load(settings.model);
  const std::vector<Game> games = games_of_text(size_of(model), read_text(settings.games), settings.games);
  const std::vector<WinnerCounts> all = winner_counts(model, games, settings.least, settings.most);
  WinnerCounts sum;
  Json json;
  for (std::size_t stones = 0; stones < all.size(); ++stones) {
    if (all[stones].positions == 0) continue;
    sum.positions += all[stones].positions;
    sum.right += all[stones].right;
    const double share = static_cast<double>(all[stones].right) / static_cast<double>(all[stones].positions);
    if (settings.json)
      json["by_stones"].push_back({{"stones", stones}, {"positions", all[stones].positions}, {"accuracy", share}});
    if (!settings.json)
      fmt::print("{:>3} stones  {:>7} positions  {:5.1f}%\n", stones, all[stones].positions, 100 * share);
  }
  if (sum.positions == 0) throw DataError("no game has a position with so many stones");
  const double share = static_cast<double>(sum.right) / static_cast<double>(sum.positions);
  json["positions"] = sum.positions;
  json["accuracy"] = share;
  if (settings.json) return fmt::print("{}\n", json.dump());
  fmt::print("{:>3} to {} {:>7} positions  {:5.1f}%\n", settings.least, settings.most, sum.positions, 100 * share);
}

void run_solved(const WinnerTask& task, bool json) {
  const WinnerReport report = learn_winners(task);
  const auto percent = [](std::size_t some, std::size_t all) {
    return 100 * static_cast<double>(some) / static_cast<double>(all);
  };
  Json all = {{"learned", report.learned},
              {"tested", report.tested},
              {"accuracy", percent(report.right, report.tested) / 100},
              {"literals", report.literals}};
  for (std::size_t stones = 0; stones < report.by_stones.size(); ++stones) {
    const WinnerCounts& counts = report.by_stones[stones];
    if (counts.positions == 0) continue;
    const double share = percent(counts.right, counts.positions);
    all["by_stones"].push_back({{"stones", stones}, {"positions", counts.positions}, {"accuracy", share / 100}});
    if (!json) fmt::print("{:>3} stones  {:>7} positions  {:5.1f}%\n", stones, counts.positions, share);
  }
  if (json) return fmt::print("{}\n", all.dump());
  fmt::print(
      "{}x{}, {} to {} stones, {}: {:.1f}% of {} positions right after {} epochs on {} others; the mover wins {:.1f}%; "
      "{:.1f} literals a clause\n",
      task.size, task.size, task.least, task.most, task.results ? "labels by the game" : "solved",
      percent(report.right, report.tested), report.tested, task.epochs, report.learned,
      percent(report.mover_wins, report.tested), report.literals);
}

/// Random games in the words of the protocol, for comparing rules with other programs; or, as a summary, how often
/// black wins them and rollouts.
void run_random(std::size_t size, std::size_t count, std::uint64_t seed, bool summary) {
  std::vector<Game> games;
  Rollout rollout;
  rollout.reseed(seed_of(seed, count));
  std::size_t black = 0, black_of_rollouts = 0;
  for (std::size_t g = 0; g < count; ++g) {
    Random random(seed_of(seed, g));
    Board board(size);
    Game game;
    while (!board.over()) {
      const std::vector<std::size_t> free = board.legal_cells();
      game.moves.push_back(free[random.below(free.size())]);
      game.searched.emplace_back();
      board.play(game.moves.back());
    }
    game.winner = *board.winner();
    black += game.winner == Colour::kBlack;
    black_of_rollouts += rollout.black_wins(Board(size));
    if (!summary) games.push_back(std::move(game));
  }
  if (!summary) return fmt::print("{}", games_text(size, games));
  const auto share = [&](std::size_t won) { return 100 * static_cast<double>(won) / static_cast<double>(count); };
  fmt::print("{} games, black wins {:.2f}% of them, {:.2f}% of as many rollouts\n", count, share(black),
             share(black_of_rollouts));
}

int run(int argc, char** argv) {
  CLI::App app("falsum-hex: Hex with a Tsetlin machine that is evaluated incrementally");
  app.require_subcommand(1);

  TrainSettings train_settings;
  std::string folder;
  CLI::App* const train_command = app.add_subcommand("train", "learn by self-play; goes on where it was stopped");
  train_command->add_option("folder", folder, "where games and machines are kept")->required();
  train_command->add_option("--size", train_settings.size, "cells on a side")->check(kSizes)->capture_default_str();
  train_command->add_option("--rounds", train_settings.rounds, "rounds")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  train_command->add_option("--games", train_settings.games, "games a round")
      ->check(CLI::Range(10, 10000000))
      ->capture_default_str();
  train_command->add_option("--window", train_settings.window, "rounds that a machine learns from")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  train_command->add_option("--simulations", train_settings.simulations, "simulations a move")
      ->check(CLI::Range(1, 10000000))
      ->capture_default_str();
  train_command->add_option("--rollouts", train_settings.rollouts, "rollouts a move in round 0")
      ->check(CLI::Range(1, 10000000))
      ->capture_default_str();
  train_command
      ->add_option("--rollout-share", train_settings.rollout_share, "share of a rollout in the value of a position")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  const auto add_machine = [&](const std::string& kind, MachineSettings& machine) {
    const auto add = [&](const std::string& name, auto& value, const std::string& help) {
      train_command->add_option("--" + kind + "-" + name, value, help + " of the " + kind + " machine")
          ->capture_default_str();
    };
    add("clauses", machine.clauses, "clauses of each class");
    add("threshold", machine.threshold, "vote target");
    add("specificity", machine.specificity, "specificity");
    add("max-literals", machine.max_literals, "literal budget");
    add("epochs", machine.epochs, "epochs a round");
  };
  add_machine("value", train_settings.value);
  add_machine("policy", train_settings.policy);
  train_command->add_option("--seed", train_settings.seed, "seed")->capture_default_str();

  MatchSettings match;
  CLI::App* const match_command =
      app.add_subcommand("match", "let two players play: rollout, recompute:NAME, incremental:NAME");
  match_command->add_option("first", match.first, "the first player")->required();
  match_command->add_option("second", match.second, "the second player")->required();
  match_command->add_option("--size", match.size, "cells on a side")->check(kSizes)->capture_default_str();
  match_command->add_option("--pairs", match.pairs, "openings, each played twice")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  match_command->add_option("--openings", match.openings, "random stones at first")
      ->check(CLI::Range(0, 4))
      ->capture_default_str();
  match_command->add_option("--seed", match.seed, "seed")->capture_default_str();
  match_command->add_flag("--processor-time", match.search.processor_time,
                          "seconds are those that a player's thread ran: fair on a busy computer");
  match_command->add_flag("--json", match.json, "print JSON");
  add_search(*match_command, match.search, match.judgement);

  ProtocolSettings protocol;
  CLI::App* const protocol_command = app.add_subcommand("htp", "speak the text protocol of Hex programs");
  protocol_command->add_option("--evaluator", protocol.evaluator, "rollout, recompute or incremental")
      ->capture_default_str();
  protocol_command->add_option("--machines", protocol.machines, "the machines: build/hex/7/round-3");
  protocol_command->add_option("--size", protocol.size, "cells on a side, without a machine")
      ->check(kSizes)
      ->capture_default_str();
  protocol_command->add_flag("--swap,!--no-swap", protocol.swap, "the second player may swap");
  protocol_command->add_option("--seed", protocol.seed, "seed")->capture_default_str();
  add_search(*protocol_command, protocol.search, protocol.judgement);

  std::string page_model, page_path;
  CLI::App* const page_command = app.add_subcommand("page", "write a page to play against a machine in a browser");
  page_command->add_option("model", page_model, "the machines: build/hex/7/round-3")->required();
  page_command->add_option("-o,--output", page_path, "the page")->required();

  WinnerSettings winner;
  CLI::App* const winner_command = app.add_subcommand("winners", "how often a machine names the winner of positions");
  winner_command->add_option("model", winner.model, "the machine")->required();
  winner_command->add_option("games", winner.games, "games, as train writes them")->required();
  winner_command->add_option("--least", winner.least, "stones")->capture_default_str();
  winner_command->add_option("--most", winner.most, "stones")->capture_default_str();
  winner_command->add_flag("--json", winner.json, "print JSON");

  WinnerTask solved;
  bool solved_json = false;
  CLI::App* const solved_command = app.add_subcommand("solved", "learn who wins positions, by a solver or by games");
  const auto add_solved = [&](const std::string& name, auto& value, const std::string& help) {
    return solved_command->add_option("--" + name, value, help)->capture_default_str();
  };
  add_solved("size", solved.size, "cells on a side; to be solved at most 8")->check(kSizes);
  add_solved("positions", solved.positions, "after random moves, to learn from")->check(CLI::Range(100, 10000000));
  add_solved("tests", solved.tests, "other positions after random moves, to test")->check(CLI::Range(1, 10000000));
  solved_command->add_flag("--tuning", solved.tuning, "test others: for choosing settings without a look at the test");
  add_solved("reach", solved.reach, "features beyond stones: cells at distances below this from the edges; 0 for none")
      ->check(CLI::Range(0, 8));
  add_solved("games", solved.games, "the positions of these games, as train writes them; every fifth game is a test");
  solved_command->add_flag("--results", solved.results, "of games: the winner is who won, not who wins by best play");
  add_solved("least", solved.least, "stones");
  add_solved("most", solved.most, "stones");
  add_solved("clauses", solved.clauses, "clauses of each class");
  add_solved("threshold", solved.threshold, "vote target");
  add_solved("specificity", solved.specificity, "specificity");
  add_solved("max-literals", solved.max_literals, "literal budget");
  add_solved("epochs", solved.epochs, "epochs")->check(CLI::Range(1, 10000));
  add_solved("seed", solved.seed, "seed");
  solved_command->add_flag("--json", solved_json, "print JSON");

  std::size_t random_size = 7, random_games = 100;
  std::uint64_t random_seed = 1;
  bool random_summary = false;
  CLI::App* const random_command = app.add_subcommand("random", "print random games, a line each");
  random_command->add_option("--size", random_size, "cells on a side")->check(kSizes)->capture_default_str();
  random_command->add_option("--games", random_games, "games")->capture_default_str();
  random_command->add_option("--seed", random_seed, "seed")->capture_default_str();
  random_command->add_flag("--summary", random_summary, "print how often black wins them, and rollouts");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (*train_command) train(train_settings, folder);
  if (*match_command) run_match(match);
  if (*protocol_command) speak(protocol, std::cin, std::cout);
  if (*page_command) write_text(page_path, page_of(load_machines(page_model)));
  if (*winner_command) run_winners(winner);
  if (*solved_command) run_solved(solved, solved_json);
  if (*random_command) run_random(random_size, random_games, random_seed, random_summary);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const falsum::Error& error) {
    fmt::print(stderr, "falsum-hex: {}\n", error.what());
    return 2;
  }
}
