// falsum_bench_incremental: votes of positions that change by one feature, as a search in a game meets them, in
// interleaved rounds on one thread: by flips, by successors, and computed afresh by every engine.
//
//   walk        games of random moves on a board of two features a cell (mine, theirs); after every few moves some are
//               taken back, as a tree search does. A step is one flip and the votes of all classes
//   successors  at every eighth position: the votes after each move of the player to move
//
// Models: of random clauses (a quarter of their literals are not negated; a class has as many for as against it), or of
// a file. Votes are compared before speed: ways that disagree end the run.
//
//   falsum_bench_incremental [--board 7 --clauses 1000 --length 12 | --model FILE] [--soak FLIPS] [--json FILE]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "falsum/falsum.h"
#include "rounds.h"

namespace {

using namespace falsum;
using bench::agree;
using bench::quantile;
using bench::seconds_of;
using Json = nlohmann::ordered_json;

struct Setting {
  std::size_t board = 7, clauses = 1000, length = 12, steps = 4000, soak = 0;
  int rounds = 15;
  std::uint64_t seed = 1;
  std::string model, output;
};

/// Uniform below n; the standard's distributions differ between libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }

 private:
  std::mt19937_64 engine_;
};

Model random_model(const Setting& setting, Random& random) {
  ModelParts parts;
  parts.options.clauses = static_cast<std::int64_t>(setting.clauses);
  parts.features = 2 * setting.board * setting.board;
  parts.outputs = 2;
  for (std::uint32_t c = 0; c < 2 * setting.clauses; ++c) {
    std::vector<std::uint32_t> literals;
    std::vector<bool> used(parts.features);
    while (literals.size() < setting.length) {
      const std::size_t feature = random.below(parts.features);
      if (used[feature]) continue;
      used[feature] = true;
      literals.push_back(static_cast<std::uint32_t>(feature + (random.below(4) == 0 ? 0 : parts.features)));
    }
    std::sort(literals.begin(), literals.end());
    parts.literals.insert(parts.literals.end(), literals.begin(), literals.end());
    parts.clause_starts.push_back(parts.literals.size());
    parts.weights.push_back({c, c % setting.clauses < setting.clauses / 2 ? 1 : -1});
    if ((c + 1) % setting.clauses == 0) parts.weight_starts.push_back(c + 1);
  }
  return Model(std::move(parts));
}

/// What a search does: the features flipped, and the positions met.
struct Walk {
  std::vector<std::uint32_t> flips;
  BitMatrix positions;                               // after each flip
  std::vector<std::size_t> expanded;                 // positions whose successors are wanted
  std::vector<std::vector<std::uint32_t>> children;  // of these: the features that a move sets
  std::size_t moves = 0;                             // in all children
};

Walk walk(std::size_t features, std::size_t steps, Random& random) {
  const std::size_t cells = features / 2;
  Walk walk;
  walk.positions = BitMatrix(steps, features);
  std::vector<std::uint32_t> played;
  std::vector<bool> taken(cells);
  std::size_t goal = cells / 2;
  for (std::size_t s = 0; s < steps; ++s) {
    if (played.size() >= goal && !played.empty()) {  // back up the tree
      taken[played.back() % cells] = false;
      walk.flips.push_back(played.back());
      played.pop_back();
      if (played.size() + 6 <= goal || played.empty()) goal = std::min(cells - 1, played.size() + 1 + random.below(8));
    } else {
      std::size_t cell = random.below(cells);
      while (taken[cell]) cell = (cell + 1) % cells;
      taken[cell] = true;
      const bool mine = played.size() % 2 == 0;
      played.push_back(static_cast<std::uint32_t>(cell + (mine ? 0 : cells)));
      walk.flips.push_back(played.back());
      if (played.size() == goal) goal = std::max<std::size_t>(1, goal);
    }
    for (const std::uint32_t k : played) walk.positions.set(s, k);
    if (s % 8 != 7) continue;
    walk.expanded.push_back(s);
    walk.children.emplace_back();
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (!taken[cell]) walk.children.back().push_back(static_cast<std::uint32_t>(cell + (played.size() % 2) * cells));
    }
    walk.moves += walk.children.back().size();
  }
  return walk;
}

struct Way {
  std::string name, task;  // task: "walk" or "successors"
  std::size_t evaluations = 0;
  std::vector<double> seconds = {};
  std::string work = {};  // counts for each evaluation
};

class Bench {
 public:
  Bench(const Setting& setting, const Model& model)
      : setting_(setting),
        model_(model),
        index_(std::make_shared<const IncrementalIndex>(model)),
        lists_(std::make_shared<const IncrementalIndex>(model, IncrementalForm::kLists)) {
    Random random(setting.seed + 1);
    walk_ = walk(model.features(), setting.steps, random);
    for (const char* name : {"scan", "index", "bitmap", "auto"}) engines_.emplace_back(model, engine_named(name));
    names_ = {"scan", "index", "bitmap", "auto"};
  }

  void run() {
    const std::string form = index_->form() == IncrementalForm::kLists ? " (lists)" : " (bitmaps)";
    std::vector<Way> ways = {{"flips" + form, "walk", setting_.steps},
                             {"successors" + form, "successors", walk_.moves},
                             {"flips (lists)", "walk", setting_.steps},
                             {"successors (lists)", "successors", walk_.moves}};
    for (const std::string& name : names_) ways.push_back({name, "walk", setting_.steps});
    ways.push_back({"children, one by one", "successors", walk_.moves});
    ways.push_back({"children, as a batch", "successors", walk_.moves});
    for (int round = 0; round < setting_.rounds; ++round) {
      for (std::size_t w = 0; w < ways.size(); ++w) ways[w].seconds.push_back(time(w));
      agree(std::ranges::all_of(walk_votes_, [&](const auto& votes) { return votes == walk_votes_[0]; }), "votes");
      agree(std::ranges::all_of(move_votes_, [&](const auto& votes) { return votes == move_votes_[0]; }), "successors");
    }
    count_work(ways);
    report(ways);
  }

 private:
  double time(std::size_t way) {
    if (way == 0) return by_flips(index_, walk_votes_[0]);
    if (way == 1) return by_successors(index_, move_votes_[0]);
    if (way == 2) return by_flips(lists_, walk_votes_[1]);
    if (way == 3) return by_successors(lists_, move_votes_[1]);
    if (way < kOurs + engines_.size()) return afresh(way - kOurs);
    return way == kOurs + engines_.size() ? children(false) : children(true);
  }

  using Index = std::shared_ptr<const IncrementalIndex>;

  double by_flips(const Index& index, std::vector<std::int32_t>& votes) {
    IncrementalPredictor position(index);
    votes.clear();
    votes.reserve(setting_.steps * model_.outputs());
    return seconds_of([&] {
      for (const std::uint32_t k : walk_.flips) {
        position.flip(k);
        votes.insert(votes.end(), position.votes().begin(), position.votes().end());
      }
    });
  }
  double afresh(std::size_t engine) {
    std::vector<std::int32_t>& votes = walk_votes_[2 + engine];
    votes.resize(setting_.steps * model_.outputs());
    return seconds_of([&] {
      for (std::size_t s = 0; s < setting_.steps; ++s) {
        engines_[engine].votes(walk_.positions.row(s),
                               std::span(votes).subspan(s * model_.outputs(), model_.outputs()));
      }
    });
  }
  /// Flips between the positions are not timed here: by_flips() does.
  double by_successors(const Index& index, std::vector<std::int32_t>& votes) {
    std::vector<IncrementalPredictor> positions;
    for (const std::size_t s : walk_.expanded) {
      positions.emplace_back(index);
      positions.back().set(walk_.positions.row(s));
    }
    const std::size_t outputs = model_.outputs();
    std::vector<std::int32_t> all(model_.features() * outputs);
    votes.clear();
    votes.reserve(walk_.moves * outputs);
    const double seconds = seconds_of([&] {
      for (std::size_t i = 0; i < positions.size(); ++i) {
        positions[i].successors(all);
        for (const std::uint32_t k : walk_.children[i]) {
          for (std::size_t o = 0; o < outputs; ++o) votes.push_back(all[k * outputs + o]);
        }
      }
    });
    return seconds;
  }
  double children(bool batch) {
    const Predictor& predictor = engines_.back();
    std::vector<std::int32_t>& votes = move_votes_[batch ? 3 : 2];
    votes.clear();
    double seconds = 0;
    for (std::size_t i = 0; i < walk_.expanded.size(); ++i) {
      BitMatrix rows(walk_.children[i].size(), model_.features());
      const std::span<const std::uint64_t> here = walk_.positions.row(walk_.expanded[i]);
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        std::ranges::copy(here, rows.row(r).begin());
        rows.set(r, walk_.children[i][r]);
      }
      std::vector<std::int32_t> some(rows.rows() * model_.outputs());
      seconds += seconds_of([&] {
        if (batch) {
          some = predictor.votes(rows);
        } else {
          for (std::size_t r = 0; r < rows.rows(); ++r) {
            predictor.votes(rows.row(r), std::span(some).subspan(r * model_.outputs(), model_.outputs()));
          }
        }
      });
      votes.insert(votes.end(), some.begin(), some.end());
    }
    return seconds;
  }

  void count_work(std::vector<Way>& ways) const {
    const auto steps = static_cast<double>(setting_.steps), calls = static_cast<double>(walk_.expanded.size());
    for (const std::size_t w : {0, 2}) {
      IncrementalPredictor position(w == 0 ? index_ : lists_);
      for (const std::uint32_t k : walk_.flips) position.flip(k);
      const IncrementalCounters flips = position.counters();
      ways[w].work = flips.lines_joined > 0
                         ? fmt::format("{:.0f} lines of 512 clauses", static_cast<double>(flips.lines_joined) / steps)
                         : fmt::format("{:.0f} entries", static_cast<double>(flips.entries_visited) / steps);
      std::vector<std::int32_t> all(model_.features() * model_.outputs());
      for (const std::size_t s : walk_.expanded) {
        position.set(walk_.positions.row(s));
        position.successors(all);
      }
      ways[w + 1].work = fmt::format("{:.0f} near clauses, {:.0f} literals a position",
                                     static_cast<double>(position.counters().near_clauses) / calls,
                                     static_cast<double>(position.counters().literals_walked) / calls);
    }
    for (std::size_t e = 0; e < engines_.size(); ++e) {
      PredictCounters counters;
      for (std::size_t s = 0; s < setting_.steps; ++s) {
        engines_[e].votes(Rows(walk_.positions).part(s, 1), 1, &counters);
      }
      const auto part = [&](std::uint64_t count, const char* name) {
        return count == 0 ? std::string() : fmt::format("{:.0f} {} ", static_cast<double>(count) / steps, name);
      };
      ways[kOurs + e].work = part(counters.entries_visited, "entries") + part(counters.words_compared, "words") +
                             part(counters.bitmaps_joined, "bitmaps") + part(counters.columns_joined, "columns");
    }
  }

  void report(const std::vector<Way>& ways) const {
    fmt::print(
        "{} features, {} clauses that can vote, {:.1f} literals each; {} steps, {} positions with {} moves; {} "
        "rounds by turns, processor time\n",
        model_.features(), index_->clauses(),
        static_cast<double>(model_.included()) / static_cast<double>(std::max<std::size_t>(1, model_.clauses())),
        setting_.steps, walk_.expanded.size(), walk_.moves, setting_.rounds);
    Json json = {{"features", model_.features()},
                 {"clauses", index_->clauses()},
                 {"included", model_.included()},
                 {"index_bytes", index_->bytes()},
                 {"position_bytes", index_->position_bytes()}};
    for (const char* task : {"walk", "successors"}) {
      const std::size_t ours = std::string(task) == "walk" ? 0 : 1;
      fmt::print("\n{:<24}{:>14}{:>28}   {}\n", ours == 0 ? "a move and its votes" : "the votes after each move",
                 "ns each", "times as long (95%)", "work for each");
      for (const Way& way : ways) {
        if (way.task != task) continue;
        std::vector<double> ratios;
        for (std::size_t r = 0; r < way.seconds.size(); ++r) ratios.push_back(way.seconds[r] / ways[ours].seconds[r]);
        const double each = 1e9 * quantile(way.seconds, 0.5) / static_cast<double>(way.evaluations);
        fmt::print("{:<24}{:>14.0f}{:>28}   {}\n", way.name, each,
                   fmt::format("{:.1f} ({:.1f} to {:.1f})", quantile(ratios, 0.5), quantile(ratios, 0.025),
                               quantile(ratios, 0.975)),
                   way.work);
        json["ways"].push_back({{"task", task},
                                {"name", way.name},
                                {"nanoseconds", each},
                                {"ratio", quantile(ratios, 0.5)},
                                {"low", quantile(ratios, 0.025)},
                                {"high", quantile(ratios, 0.975)},
                                {"work", way.work}});
      }
    }
    // What a search pays for the votes of a move: recomputed one by one, or read from the successors of its parent.
    std::vector<double> by_policy;
    for (std::size_t r = 0; r < ways[0].seconds.size(); ++r) {
      double best = ways[kOurs].seconds[r];
      for (std::size_t e = 1; e < engines_.size(); ++e) best = std::min(best, ways[kOurs + e].seconds[r]);
      by_policy.push_back((best / static_cast<double>(setting_.steps)) /
                          (ways[1].seconds[r] / static_cast<double>(walk_.moves)));
    }
    fmt::print(
        "\na move's votes among its parent's successors: {:.1f} ({:.1f} to {:.1f}) times as fast as the best "
        "engine for one position\nall votes of all ways are the same\n",
        quantile(by_policy, 0.5), quantile(by_policy, 0.025), quantile(by_policy, 0.975));
    json["successors_over_best_engine"] = quantile(by_policy, 0.5);
    if (!setting_.output.empty()) std::ofstream(setting_.output) << json.dump(1) << '\n';
  }

  static constexpr std::size_t kOurs = 4;  // ways before the engines

  const Setting& setting_;
  const Model& model_;
  Index index_, lists_;
  Walk walk_;
  std::vector<Predictor> engines_;
  std::vector<std::string> names_;
  std::vector<std::int32_t> walk_votes_[6], move_votes_[4];
};

/// Random flips, marks and undos; every thousandth position against the index engine, at the end against all.
int soak(const Setting& setting, const Model& model) {
  const auto index = std::make_shared<const IncrementalIndex>(model);
  const Predictor check(model, Engine::kIndex);
  Random random(setting.seed + 2);
  IncrementalPredictor position(index);
  std::vector<std::int32_t> votes(model.outputs()), all(model.outputs() * model.features());
  std::uint64_t checks = 0, wrong = 0;
  IncrementalPredictor::Mark mark = position.mark();
  for (std::uint64_t next = 0; position.counters().flips < setting.soak;) {
    position.flip(random.below(model.features()));
    if (random.below(50) == 0) position.undo(mark);
    if (random.below(500) == 0) mark = position.mark();
    if (position.counters().flips < next) continue;
    next += 1000;
    check.votes(position.row(), votes);
    ++checks;
    wrong += !std::ranges::equal(votes, position.votes());
    position.successors(all);
    const std::size_t k = random.below(model.features());
    position.flip(k);
    wrong += !std::equal(position.votes().begin(), position.votes().end(),
                         all.begin() + static_cast<std::ptrdiff_t>(k * model.outputs()));
  }
  for (const char* name : {"scan", "index", "bitmap", "sliced", "auto"}) {
    Predictor(model, engine_named(name)).votes(position.row(), votes);
    wrong += !std::ranges::equal(votes, position.votes());
  }
  fmt::print("{} flips, {} positions compared, {} wrong\n", position.counters().flips, checks, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Setting setting;
  CLI::App app("Votes of positions that change by one feature: flips, successors, and every engine afresh");
  app.add_option("--board", setting.board, "cells on a side")->check(CLI::Range(2, 30))->capture_default_str();
  app.add_option("--clauses", setting.clauses, "clauses of each class")
      ->check(CLI::Range(2, 1000000))
      ->capture_default_str();
  app.add_option("--length", setting.length, "literals of a clause")->check(CLI::Range(1, 60))->capture_default_str();
  app.add_option("--model", setting.model, "a model file instead of random clauses: two features a cell");
  app.add_option("--steps", setting.steps, "moves made or taken back in a round")
      ->check(CLI::Range(100, 10000000))
      ->capture_default_str();
  app.add_option("--rounds", setting.rounds, "rounds")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--seed", setting.seed, "of clauses and moves")->capture_default_str();
  app.add_option("--soak", setting.soak, "instead: this many flips, marks and undos, compared with the engines");
  app.add_option("--json", setting.output, "write the figures to this file");
  CLI11_PARSE(app, argc, argv);
  try {
    if (setting.length > 2 * setting.board * setting.board) {
      throw ConfigError(fmt::format("length must be at most {} for this board, got {}",
                                    2 * setting.board * setting.board, setting.length));
    }
    Random random(setting.seed);
    const Model model = setting.model.empty() ? random_model(setting, random) : Model::load(setting.model);
    if (setting.soak > 0) return soak(setting, model);
    Bench(setting, model).run();
  } catch (const Error& error) {
    fmt::print(stderr, "falsum_bench_incremental: {}\n", error.what());
    return 2;
  }
  return 0;
}
