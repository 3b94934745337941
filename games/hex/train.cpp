#include "train.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "falsum/falsum.h"
#include "features.h"
#include "games.h"
#include "random.h"

namespace falsum::hex {
namespace {

namespace fs = std::filesystem;

nlohmann::ordered_json json_of(const MachineSettings& s) {
  return {{"clauses", s.clauses},
          {"threshold", s.threshold},
          {"specificity", s.specificity},
          {"max_literals", s.max_literals},
          {"epochs", s.epochs}};
}

std::string settings_text(const TrainSettings& s) {
  return nlohmann::ordered_json{{"size", s.size},
                                {"games", s.games},
                                {"window", s.window},
                                {"simulations", s.simulations},
                                {"rollouts", s.rollouts},
                                {"rollout_share", s.rollout_share},
                                {"value", json_of(s.value)},
                                {"policy", json_of(s.policy)},
                                {"seed", s.seed}}
             .dump(1) +
         "\n";
}

class Progress {
 public:
  explicit Progress(std::string what) : what_(std::move(what)) {}
  void show(std::size_t done, std::size_t all) {
    const auto now = std::chrono::steady_clock::now();
    if (done != all && now - shown_ < std::chrono::milliseconds(500)) return;
    shown_ = now;
    fmt::print(stderr, "\r{}: {} of {}{}", what_, done, all, done == all ? "\n" : "  ");
  }

 private:
  std::string what_;
  std::chrono::steady_clock::time_point shown_{};
};

class Training {
 public:
  Training(const TrainSettings& settings, const std::string& folder) : settings_(settings), folder_(folder) {}

  void run() {
    for (std::size_t round = 0; round < settings_.rounds; ++round) {
      if (!fs::exists(games_path(round))) play(round);
      const std::string value = value_path(name(round)), policy = policy_path(name(round));
      if (fs::exists(value) && fs::exists(policy)) continue;
      const auto [learned, held] = games_until(round);
      const std::size_t size = settings_.size;
      if (!fs::exists(value)) {
        learn(value, settings_.value, value_positions(size, learned), value_positions(size, held), {"mover", "other"});
      }
      if (!fs::exists(policy)) {
        std::vector<std::string> cells;
        for (std::size_t cell = 0; cell < size * size; ++cell) cells.push_back(Board(size).name(cell));
        learn(policy, settings_.policy, policy_positions(size, learned), policy_positions(size, held), cells);
      }
    }
    fmt::print("{} rounds done: {}\n", settings_.rounds, name(settings_.rounds - 1));
  }

 private:
  std::string name(std::size_t round) const { return fmt::format("{}/round-{}", folder_, round); }
  std::string games_path(std::size_t round) const { return name(round) + ".games"; }

  void play(std::size_t round) const {
    std::unique_ptr<Evaluator> evaluator =
        round == 0 ? make_evaluator("rollout", nullptr, settings_.size, {})
                   : make_evaluator("incremental", std::make_shared<const Machines>(load_machines(name(round - 1))),
                                    settings_.size, {.rollouts = settings_.rollout_share});
    SearchOptions options;
    options.simulations = round == 0 ? settings_.rollouts : settings_.simulations;
    std::vector<Game> games;
    Progress progress(fmt::format("round {}, games", round));
    std::size_t moves = 0, black = 0;
    for (std::size_t g = 0; g < settings_.games; ++g) {
      games.push_back(self_play(settings_.size, *evaluator, options, seed_of(settings_.seed, round, g)));
      moves += games.back().moves.size();
      black += games.back().winner == Colour::kBlack;
      progress.show(g + 1, settings_.games);
    }
    write_text(games_path(round), games_text(settings_.size, games));
    const auto count = static_cast<double>(games.size());
    fmt::print("round {}: {} games, {:.1f} moves each, black won {:.1f}%\n", round, games.size(),
               static_cast<double>(moves) / count, 100 * static_cast<double>(black) / count);
  }

  /// Of the window: those to learn from, and every tenth, by which machines are judged and their temperature is found.
  std::pair<std::vector<Game>, std::vector<Game>> games_until(std::size_t round) const {
    std::vector<Game> learned, held;
    for (std::size_t r = round + 1 > settings_.window ? round + 1 - settings_.window : 0; r <= round; ++r) {
      const std::vector<Game> games = games_of_text(settings_.size, read_text(games_path(r)), games_path(r));
      for (std::size_t g = 0; g < games.size(); ++g) (g % 10 == 9 ? held : learned).push_back(games[g]);
    }
    return {std::move(learned), std::move(held)};
  }

  void learn(const std::string& path, const MachineSettings& settings, const Positions& some, const Positions& others,
             const std::vector<std::string>& labels) const {
    Options options;
    options.clauses = settings.clauses;
    options.threshold = settings.threshold;
    options.specificity = settings.specificity;
    options.max_literals = settings.max_literals;
    options.weighted = true;
    options.threads = 1;
    options.seed = settings_.seed;
    Machine machine(options, feature_count(settings_.size), labels.size());
    const std::string what = fs::path(path).stem();
    Progress progress(what + ", epochs");
    const Targets targets = Targets(some.labels);
    for (std::int64_t e = 0; e < settings.epochs; ++e) {
      machine.learn_epoch(some.rows, targets);
      progress.show(static_cast<std::size_t>(e + 1), static_cast<std::size_t>(settings.epochs));
    }
    const Model model = machine.model();
    const std::vector<std::int32_t> votes = Predictor(model).votes(others.rows);
    const Calibration calibration = fit_calibration(CalibrationMethod::kTemperature, votes, others.labels, model);
    model.described({.labels = labels, .booleanizer = {}, .schema = {}, .data = "self-play"})
        .calibrated(calibration)
        .save(path);
    const std::vector<std::uint32_t> answers = winners(votes, labels.size());
    std::size_t right = 0;
    for (std::size_t r = 0; r < answers.size(); ++r) right += answers[r] == others.labels[r];
    const ProbabilityScore score = score_probabilities(
        probabilities(votes, labels.size(), vote_target(model.options()), calibration), others.labels, labels.size());
    fmt::print(
        "{}: {} rows learned, accuracy {:.1f}%, log loss {:.3f} on {} other rows, {:.1f} literals a clause, "
        "temperature "
        "{:.2f}\n",
        what, some.rows.rows(), 100 * static_cast<double>(right) / static_cast<double>(answers.size()), score.log_loss,
        answers.size(), static_cast<double>(model.included()) / static_cast<double>(model.clauses()),
        calibration.temperature);
    std::fflush(stdout);
  }

  const TrainSettings& settings_;
  std::string folder_;
};

}  // namespace

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw FileError(fmt::format("cannot read {}", path));
  return text.str();
}

void write_text(const std::string& path, const std::string& text) {
  const std::string other = path + ".new";
  std::ofstream file(other, std::ios::binary);
  file << text;
  file.close();
  std::error_code failed;
  if (file) fs::rename(other, path, failed);
  if (!file || failed) throw FileError(fmt::format("cannot write {}", path));
}

void train(const TrainSettings& settings, const std::string& folder) {
  if (settings.games < 10) throw ConfigError(fmt::format("games must be at least 10, got {}", settings.games));
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw FileError(fmt::format("cannot make the folder {}: {}", folder, failed.message()));
  const std::string path = folder + "/settings.json", text = settings_text(settings);
  if (fs::exists(path) && read_text(path) != text) {
    throw ConfigError(fmt::format("{} has other settings than these: name another folder, or the same settings", path));
  }
  write_text(path, text);
  Training(settings, folder).run();
}

}  // namespace falsum::hex
