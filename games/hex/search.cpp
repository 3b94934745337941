#include "search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "falsum/error.h"
#include "random.h"

namespace falsum::hex {
namespace {

struct Node {
  std::uint32_t first = 0, visits = 0;
  double sum = 0;  // of the chances of the player who moved here
  float prior = 0;
  float chance = 0.5F;  // of that player, before any visit
  std::uint8_t cell = 0, count = 0;
};

class Tree {
 public:
  Tree(const Board& board, Evaluator& evaluator, const SearchOptions& options, std::uint64_t seed)
      : root_(board), evaluator_(evaluator), options_(options), random_(seed) {
    evaluator_.reseed(random_());
    evaluator_.set(root_);
    nodes_.push_back({});
  }

  SearchResult run() {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    SearchResult result;
    for (;;) {
      simulate();
      ++result.simulations;
      if (options_.simulations > 0 && result.simulations >= options_.simulations) break;
      if (options_.seconds > 0 && result.simulations % 16 == 0 && elapsed() >= options_.seconds) break;
    }
    result.seconds = elapsed();
    if (nodes_[0].count == 0) expand(0, root_);  // one simulation alone
    const Node& root = nodes_[0];
    std::uint32_t most = 0;
    for (std::uint32_t c = root.first; c < root.first + root.count; ++c) {
      const Node& child = nodes_[c];
      result.cells.push_back(child.cell);
      result.visits.push_back(child.visits);
      result.chances.push_back(chance(child));
      const Node& best = nodes_[root.first + most];
      if (child.visits > best.visits || (child.visits == best.visits && chance(child) > chance(best))) {
        most = c - root.first;
      }
    }
    result.move = nodes_[root.first + most].cell;
    result.value = chance(nodes_[root.first + most]);
    return result;
  }

 private:
  static double chance(const Node& node) {
    return node.visits == 0 ? static_cast<double>(node.chance) : node.sum / node.visits;
  }

  void simulate() {
    Board board = root_;
    path_.assign(1, 0);
    while (nodes_[path_.back()].count > 0) {
      const std::uint32_t next = select(nodes_[path_.back()]);
      evaluator_.play(board.to_move(), nodes_[next].cell);
      board.play(nodes_[next].cell);
      path_.push_back(next);
    }
    double black = 0;
    if (board.over()) {
      black = board.winner() == Colour::kBlack ? 1 : 0;
    } else {
      black = evaluator_.value(board);
      if (nodes_[path_.back()].visits > 0 || path_.size() == 1 || knows_children_) expand(path_.back(), board);
    }
    // Of the player who moved to each node: at the root that is not the one to move.
    bool blacks = other(root_.to_move()) == Colour::kBlack;
    for (std::size_t i = 0; i < path_.size(); ++i, blacks = !blacks) {
      Node& node = nodes_[path_[i]];
      ++node.visits;
      node.sum += blacks ? black : 1 - black;
      if (i > 0) evaluator_.back();
    }
  }

  std::uint32_t select(const Node& parent) const {
    const double visits = parent.visits;
    const double all = knows_children_ ? options_.exploration * std::sqrt(visits) : std::log(visits + 1);
    // Of the player to move here, for children that nothing is known about.
    const double unknown = parent.visits == 0 ? 0.5 : 1 - parent.sum / parent.visits;
    std::uint32_t best = parent.first;
    double best_score = -1;
    for (std::uint32_t c = parent.first; c < parent.first + parent.count; ++c) {
      const Node& child = nodes_[c];
      const double tried = child.visits;
      double score = 0;
      if (knows_children_) {
        score = chance(child) + all * static_cast<double>(child.prior) / (1 + tried);
      } else {
        score = (child.visits == 0 ? unknown : child.sum / tried) +
                options_.uct_exploration * std::sqrt(all / (tried + 0.1));
      }
      if (score > best_score) best = c, best_score = score;
    }
    return best;
  }

  void expand(std::uint32_t node, const Board& board) {
    cells_ = board.legal_cells();
    chances_.assign(cells_.size(), 0.5);
    knows_children_ = evaluator_.children(board, cells_, chances_);
    nodes_[node].first = static_cast<std::uint32_t>(nodes_.size());
    nodes_[node].count = static_cast<std::uint8_t>(cells_.size());
    if (!knows_children_) {  // in an order of chance: among equals the first is tried first
      for (std::size_t i = cells_.size(); i > 1; --i) std::swap(cells_[i - 1], cells_[random_.below(i)]);
    }
    const bool black = board.to_move() == Colour::kBlack;
    double all = 0;
    for (double& chance : chances_) {
      chance = std::clamp(black ? chance : 1 - chance, 1e-6, 1 - 1e-6);
      all += odds(chance);
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      Node child;
      child.cell = static_cast<std::uint8_t>(cells_[i]);
      child.chance = static_cast<float>(chances_[i]);
      child.prior = static_cast<float>(odds(chances_[i]) / all);
      nodes_.push_back(child);
    }
  }
  double odds(double chance) const { return std::pow(chance / (1 - chance), 1 / options_.temperature); }

  Board root_;
  Evaluator& evaluator_;
  const SearchOptions& options_;
  Random random_;
  bool knows_children_ = false;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> path_;
  std::vector<std::size_t> cells_;
  std::vector<double> chances_;
};

}  // namespace

SearchResult search(const Board& board, Evaluator& evaluator, const SearchOptions& options, std::uint64_t seed) {
  if (options.simulations == 0 && !(options.seconds > 0)) {
    throw ConfigError("a search needs a limit: simulations at least 1, or seconds above 0");
  }
  return Tree(board, evaluator, options, seed).run();
}

bool wants_swap(const Board& board, Evaluator& evaluator, const SearchOptions& options, std::uint64_t seed) {
  return board.can_swap() && search(board, evaluator, options, seed).value < 0.5;
}

std::size_t fair_first_move(const Board& board, Evaluator& evaluator, std::uint64_t seed) {
  const std::vector<std::size_t> cells = board.legal_cells();
  std::vector<double> chances(cells.size());
  evaluator.reseed(seed);
  evaluator.set(board);
  if (!evaluator.children(board, cells, chances)) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      Board next = board;
      next.play(cells[i]);
      constexpr int kRollouts = 200;
      for (int n = 0; n < kRollouts; ++n) chances[i] += evaluator.value(next) / kRollouts;
    }
  }
  const auto fairest = std::ranges::min_element(chances, {}, [](double chance) { return std::abs(chance - 0.5); });
  return cells[static_cast<std::size_t>(fairest - chances.begin())];
}

}  // namespace falsum::hex
