#include "search.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>

#include "falsum/error.h"
#include "random.h"

namespace falsum::hex {
namespace {

struct Node {
  std::uint32_t first = 0, visits = 0;
  float sum = 0;  // of the chances of the player who moved here
  float prior = 0;
  std::uint8_t cell = 0, count = 0;
};

class Tree {
 public:
  Tree(const Board& board, Evaluator& evaluator, const SearchOptions& options, std::uint64_t seed)
      : root_(board), evaluator_(evaluator), options_(options), random_(seed) {
    evaluator_.reseed(random_());
    nodes_.emplace_back();
    expand(0, root_);
  }

  SearchResult run() {
    const auto now = [&] {
      timespec time{};
      clock_gettime(options_.processor_time ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
      return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double start = now();
    const auto elapsed = [&] { return now() - start; };
    SearchResult result;
    for (;;) {
      simulate();
      ++result.simulations;
      if (options_.simulations > 0 && result.simulations >= options_.simulations) break;
      if (options_.seconds > 0 && result.simulations % 16 == 0 && elapsed() >= options_.seconds) break;
    }
    result.seconds = elapsed();
    const Node& root = nodes_[0];
    std::uint32_t most = root.first;
    for (std::uint32_t c = root.first; c < root.first + root.count; ++c) {
      result.cells.push_back(nodes_[c].cell);
      result.visits.push_back(nodes_[c].visits);
      const auto better = [&](const Node& a, const Node& b) {
        return a.visits > b.visits || (a.visits == b.visits && a.sum > b.sum);
      };
      if (better(nodes_[c], nodes_[most])) most = c;
    }
    result.move = nodes_[most].cell;
    result.value = nodes_[most].sum / static_cast<float>(nodes_[most].visits);
    return result;
  }

 private:
  void simulate() {
    Board board = root_;
    path_.assign(1, 0);
    for (;;) {
      Node& node = nodes_[path_.back()];
      if (board.over()) break;
      if (node.count == 0) {
        if (node.visits + 1 < options_.patience) break;
        expand(path_.back(), board);
        break;
      }
      const std::uint32_t next = select(node);
      board.play(nodes_[next].cell);
      path_.push_back(next);
    }
    const double black = board.over() ? (board.winner() == Colour::kBlack ? 1 : 0) : evaluator_.value(board);
    // Of the player who moved to each node: at the root that is not the one to move.
    bool blacks = other(root_.to_move()) == Colour::kBlack;
    for (const std::uint32_t at : path_) {
      ++nodes_[at].visits;
      nodes_[at].sum += static_cast<float>(blacks ? black : 1 - black);
      blacks = !blacks;
    }
  }

  std::uint32_t select(const Node& parent) const {
    const auto visits = static_cast<float>(parent.visits);
    // Of the player to move here, for children that nothing is known about.
    const float mean = parent.visits == 0 ? 0.5F : 1 - parent.sum / visits;
    return knows_moves_ ? by_puct(parent, static_cast<float>(options_.exploration) * std::sqrt(visits),
                                  mean - static_cast<float>(options_.caution))
                        : by_uct(parent, std::log(visits + 1), mean);
  }
  std::uint32_t by_puct(const Node& parent, float all, float unknown) const {
    return best(parent, [&](const Node& child) {
      const auto tried = static_cast<float>(child.visits);
      return (child.visits == 0 ? unknown : child.sum / tried) + all * child.prior / (1 + tried);
    });
  }
  std::uint32_t by_uct(const Node& parent, float all, float unknown) const {
    return best(parent, [&](const Node& child) {
      const auto tried = static_cast<float>(child.visits);
      return (child.visits == 0 ? unknown : child.sum / tried) +
             static_cast<float>(options_.uct_exploration) * std::sqrt(all / (tried + 0.1F));
    });
  }
  template <class Score>
  std::uint32_t best(const Node& parent, const Score& score) const {
    std::uint32_t best = parent.first;
    float most = -1e9F;
    for (std::uint32_t c = parent.first; c < parent.first + parent.count; ++c) {
      const float mine = score(nodes_[c]);
      if (mine > most) best = c, most = mine;
      if (nodes_[c].visits == 0) break;
    }
    return best;
  }

  void expand(std::uint32_t node, const Board& board) {
    cells_.clear();
    for (std::size_t cell = 0; cell < board.cells(); ++cell) {
      if (board.empty(cell)) cells_.push_back(static_cast<std::uint8_t>(cell));
    }
    priors_.resize(cells_.size());
    order_.resize(cells_.size());
    std::iota(order_.begin(), order_.end(), std::uint8_t{0});
    knows_moves_ = evaluator_.priors(board, cells_, priors_);
    if (knows_moves_) {
      std::ranges::sort(order_, [&](std::uint8_t a, std::uint8_t b) {
        return priors_[a] > priors_[b] || (priors_[a] == priors_[b] && a < b);
      });
    } else {
      for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random_.below(i)]);
    }
    nodes_[node].first = static_cast<std::uint32_t>(nodes_.size());
    nodes_[node].count = static_cast<std::uint8_t>(cells_.size());
    for (const std::uint8_t i : order_) {
      Node& child = nodes_.emplace_back();
      child.cell = cells_[i];
      child.prior = priors_[i];
    }
  }

  Board root_;
  Evaluator& evaluator_;
  const SearchOptions& options_;
  Random random_;
  bool knows_moves_ = false;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> path_;
  std::vector<std::uint8_t> cells_, order_;
  std::vector<float> priors_;
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
  constexpr int kGuesses = 200;  // of each; a rollout guesses 0 or 1
  std::size_t fairest = 0;
  double least = 1;
  evaluator.reseed(seed);
  for (const std::size_t cell : board.legal_cells()) {
    Board next = board;
    next.play(cell);
    double chance = 0;
    for (int n = 0; n < kGuesses; ++n) chance += evaluator.value(next) / kGuesses;
    if (std::abs(chance - 0.5) < least) fairest = cell, least = std::abs(chance - 0.5);
  }
  return fairest;
}

}  // namespace falsum::hex
