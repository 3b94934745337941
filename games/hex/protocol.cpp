#include "protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <ostream>
#include <sstream>

#include "falsum/error.h"
#include "random.h"
#include "reach.h"
#include "solver.h"

namespace falsum::hex {
namespace {

class Session {
 public:
  explicit Session(const ProtocolSettings& settings)
      : settings_(settings), options_(settings.search), random_(settings.seed), board_(settings.size) {
    if (!settings.machines.empty()) machines_ = std::make_shared<const Machines>(load_machines(settings.machines));
    restart(machines_ ? machines_->size : settings.size);
  }

  /// The answer to a command; throws Error with the reason where there is none.
  std::string answer(const std::vector<std::string>& words) {
    const std::string& command = words[0];
    const auto argument = [&](std::size_t i) -> const std::string& {
      if (i >= words.size())
        throw ConfigError(fmt::format("{} needs {} more", command, i == 1 ? "an argument" : "one argument"));
      return words[i];
    };
    if (command == "name") return "falsum-hex";
    if (command == "version") return "0.2.0";
    if (command == "protocol_version") return "2";
    if (command == "list_commands") return commands();
    if (command == "known_command") return known(argument(1)) ? "true" : "false";
    if (command == "boardsize") return resize(argument(1));
    if (command == "clear_board") return restart(board_.size());
    if (command == "showboard") return "\n" + board_.text();
    if (command == "play") return play(colour_of(argument(1)), argument(2));
    if (command == "genmove") return generate(colour_of(argument(1)), true);
    if (command == "reg_genmove") return generate(colour_of(argument(1)), false);
    if (command == "undo") return undo();
    if (command == "final_score")
      return board_.over() ? (board_.winner() == Colour::kBlack ? "B+" : "W+") : "cannot score";
    if (command == "all_legal_moves") return legal_moves();
    if (command == "time_settings") return time_settings(words);
    if (command == "time_left") return "";
    if (command == "evaluate") return fmt::format("{:.4f}", value());
    if (command == "solve") return name_of(Solver(board_.size()).winner(board_));
    if (command == "reach") return reach();
    if (command == "quit") return "";
    throw ConfigError(fmt::format("unknown command {}", command));
  }

 private:
  static constexpr const char* kCommands[] = {
      "all_legal_moves", "boardsize", "clear_board", "evaluate",         "final_score", "genmove", "known_command",
      "list_commands",   "name",      "play",        "protocol_version", "quit",        "reach",   "reg_genmove",
      "showboard",       "solve",     "time_left",   "time_settings",    "undo",        "version"};

  static std::string commands() {
    std::string all;
    for (const char* command : kCommands) all += std::string(all.empty() ? "" : "\n") + command;
    return all;
  }
  static bool known(const std::string& command) {
    return std::ranges::any_of(kCommands, [&](const char* some) { return some == command; });
  }
  static double number(const std::string& text, const char* what, double least, double most) {
    double value = 0;
    std::istringstream in(text);
    if (!(in >> value) || !in.eof() || !(value >= least && value <= most)) {
      throw ConfigError(fmt::format("{} must be a number from {} to {}, got {}", what, least, most, text));
    }
    return value;
  }
  static Colour colour_of(const std::string& text) {
    if (text == "b" || text == "B" || text == "black") return Colour::kBlack;
    if (text == "w" || text == "W" || text == "white") return Colour::kWhite;
    throw ConfigError(fmt::format("colour must be black or white, got {}", text));
  }

  std::string restart(std::size_t size) {
    std::unique_ptr<Evaluator> evaluator = make_evaluator(settings_.evaluator, machines_, size, settings_.judgement);
    board_ = Board(size);
    evaluator_ = std::move(evaluator);
    before_.clear();
    return "";
  }
  std::string resize(const std::string& text) {
    return restart(static_cast<std::size_t>(number(text, "boardsize", kLeastSize, kMostSize)));
  }
  std::string play(Colour colour, const std::string& text) {
    const std::optional<std::size_t> move = board_.move_named(text);
    if (!move) throw ConfigError(fmt::format("{} is no move on this board", text));
    if (board_.over()) throw ConfigError("the game is over");
    if (*move == kSwap && (!settings_.swap || !board_.can_swap() || colour != board_.to_move())) {
      throw ConfigError("swap-pieces is white's second move or none");
    }
    if (*move != kSwap && !board_.empty(*move)) throw ConfigError(fmt::format("{} is taken", text));
    before_.push_back(board_);
    *move == kSwap ? board_.play(kSwap) : board_.put(colour, *move);
    return "";
  }
  std::string generate(Colour colour, bool play_it) {
    if (board_.over()) throw ConfigError("the game is over");
    if (colour != board_.to_move()) throw ConfigError(fmt::format("{} is to move", name_of(board_.to_move())));
    std::size_t move = 0;
    if (settings_.swap && board_.moves() == 0) {
      move = fair_first_move(board_, *evaluator_, random_());
    } else if (settings_.swap && wants_swap(board_, *evaluator_, options_, random_())) {
      move = kSwap;
    } else {
      move = search(board_, *evaluator_, options_, random_()).move;
    }
    const std::string text = board_.name(move);
    if (play_it) {
      before_.push_back(board_);
      board_.play(move);
    }
    return text;
  }
  std::string undo() {
    if (before_.empty()) throw ConfigError("there is no move to take back");
    board_ = before_.back();
    before_.pop_back();
    return "";
  }
  std::string legal_moves() const {
    std::string all;
    for (const std::size_t cell : board_.legal_cells()) all += (all.empty() ? "" : " ") + board_.name(cell);
    if (settings_.swap && board_.can_swap()) all += " swap-pieces";
    return all;
  }
  /// The distances of reach.h, a line for each edge, "-" for far.
  std::string reach() const {
    std::string all;
    const std::vector<std::uint8_t> each = edge_distances(features_of(board_), board_.size());
    for (std::size_t k = 0; k < each.size(); ++k) {
      all += k % board_.cells() == 0 ? "\n" : " ";
      all += each[k] == kFar ? "-" : std::to_string(each[k]);
    }
    return all;
  }
  /// main time, extra time, stones: an even share of the time for each move that may come.
  std::string time_settings(const std::vector<std::string>& words) {
    if (words.size() != 4) throw ConfigError("time_settings needs main time, extra time and stones");
    const double main = number(words[1], "main time", 0, 1e6), extra = number(words[2], "extra time", 0, 1e6);
    const double stones = number(words[3], "stones", 0, 1e6);
    const double each = stones > 0 && extra > 0 ? extra / stones : 2 * main / static_cast<double>(board_.cells());
    if (each > 0) options_.seconds = each, options_.simulations = 0;
    return "";
  }
  double value() {
    if (board_.over()) return board_.winner() == board_.to_move() ? 1 : 0;
    return search(board_, *evaluator_, options_, random_()).value;
  }

  const ProtocolSettings& settings_;
  SearchOptions options_;
  Random random_;
  std::shared_ptr<const Machines> machines_;
  std::unique_ptr<Evaluator> evaluator_;
  Board board_;
  std::vector<Board> before_;
};

}  // namespace

void speak(const ProtocolSettings& settings, std::istream& in, std::ostream& out) {
  Session session(settings);
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    std::istringstream text(line);
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    if (words.empty()) continue;
    std::string number;
    if (words[0].find_first_not_of("0123456789") == std::string::npos && words.size() > 1) {
      number = words[0];
      words.erase(words.begin());
    }
    try {
      const std::string answer = session.answer(words);
      out << "=" << number << " " << answer << "\n\n" << std::flush;
    } catch (const Error& error) {
      out << "?" << number << " " << error.what() << "\n\n" << std::flush;
    }
    if (words[0] == "quit") break;
  }
}

}  // namespace falsum::hex
