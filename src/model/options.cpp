#include "falsum/options.h"

#include <algorithm>
#include <cmath>

#include "falsum/engines.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr OptionScope kMachine = OptionScope::kMachine, kRun = OptionScope::kRun;

/// "scan and index", "a, b and c".
std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  }
  return text;
}

std::string engine_choices() {
  std::string choices;
  for (const EngineInfo& engine : engine_table()) choices += (choices.empty() ? "" : "|") + std::string(engine.name);
  return choices;
}

std::string engine_help() {
  std::vector<std::string_view> both, learning, predicting;
  for (const EngineInfo& engine : engine_table()) {
    if (engine.name != "auto") (!engine.predicts ? learning : engine.learns ? both : predicting).push_back(engine.name);
  }
  return fmt::format(
      "how clauses are evaluated: {} learn and predict, {} only learns, {} only predict; never changes the result",
      listed(both), listed(learning), listed(predicting));
}

const auto& table() {
  static const std::string kEngineChoices = engine_choices(), kEngineHelp = engine_help();
  static const OptionInfo kTable[] = {
      {"clauses", "", &Options::clauses, 2, 16777216, "",
       "clauses per class, half of them for it and half against; even", kMachine},
      {"threshold", "T", &Options::threshold, 1, 1e9, "", "vote target T: learning slows down as votes come near it",
       kMachine},
      {"specificity", "s", &Options::specificity, 1, 1e6, "",
       "specificity s: forgetting happens with probability 1/s, so larger means longer clauses", kMachine},
      {"states", "", &Options::states, 2, 256, "",
       "states of an automaton, half of them excluding and half including; even", kMachine},
      {"boost", "", &Options::boost, 0, 1, "",
       "always strengthen true literals of a true clause, instead of with probability (s-1)/s", kMachine},
      {"sharded", "", &Options::sharded, 0, 1, "",
       "compute the votes of every 256 uses of a class at once, so that more threads than classes can learn; the "
       "learned machine differs from the exact one, but does not depend on the number of threads",
       kMachine},
      {"max_weight", "", &Options::max_weight, 1, 1048576, "",
       "largest weight of a clause: each Type I feedback on a true clause adds one vote, each Type II removes one; "
       "with 1 every clause has one vote. Larger weights need a larger T",
       kMachine},
      {"seed", "", &Options::seed, 0, 18446744073709551615.0, "", "seed of every random draw", kMachine},
      {"epochs", "", &Options::epochs, 1, 1e9, "", "passes over the training data", kRun},
      {"engine", "", &Options::engine, 0, 0, kEngineChoices, kEngineHelp, kRun},
      {"threads", "", &Options::threads, 0, 1024, "", "threads, 0 for all cores; never changes the result", kRun},
      {"kernels", "", &Options::kernels, 0, 0, "",
       "kernel set, auto for the fastest (see falsum cpu); never changes the result", kRun},
      {"max_memory", "", &Options::max_memory, 0, 1e9, "",
       "memory that learning may take, in MB, 0 for what the machine has; more is refused before it is asked for",
       kRun},
  };
  return kTable;
}

std::string plain(double x) {
  return x == std::floor(x) && std::abs(x) < 1e15 ? fmt::format("{:.0f}", x) : fmt::format("{}", x);
}

[[noreturn]] void refuse(const OptionInfo& option, const std::string& value) {
  throw ConfigError(
      fmt::format("{} must be from {} to {}, got {}", option.name, plain(option.least), plain(option.most), value));
}

void check_range(const OptionInfo& option, double value, const std::string& text) {
  if (!(value >= option.least && value <= option.most)) refuse(option, text);  // also catches NaN
}

template <class T>
std::string text_of(const T& value) {
  return fmt::format("{}", value);
}
std::string text_of(Engine engine) { return std::string(name_of(engine)); }

std::string range_text(const OptionInfo& option) {
  if (std::holds_alternative<bool Options::*>(option.field)) return "true or false";
  if (std::holds_alternative<std::string Options::*>(option.field) ||
      std::holds_alternative<Engine Options::*>(option.field)) {
    std::string choices(option.choices.empty() ? "auto or a name" : option.choices);
    for (std::size_t i = choices.find('|'); i != std::string::npos; i = choices.find('|', i))
      choices.replace(i, 1, ", ");
    return choices;
  }
  if (option.name == "seed") return "0 to 2^64 - 1";
  return plain(option.least) + " to " + plain(option.most);
}

}  // namespace

std::span<const OptionInfo> option_table() { return table(); }

const OptionInfo* find_option(std::string_view name) {
  for (const OptionInfo& option : table()) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

std::vector<const OptionInfo*> options_of(OptionScope scope) {
  std::vector<const OptionInfo*> options;
  for (const OptionInfo& option : table()) {
    if (option.scope == scope) options.push_back(&option);
  }
  return options;
}

void copy_options(OptionScope scope, const Options& from, Options& to) {
  for (const OptionInfo* option : options_of(scope)) {
    std::visit([&](auto field) { to.*field = from.*field; }, option->field);
  }
}

void validate(const Options& options) {
  for (const OptionInfo& option : table()) {
    if (const auto* whole = std::get_if<std::int64_t Options::*>(&option.field)) {
      check_range(option, static_cast<double>(options.**whole), std::to_string(options.**whole));
    } else if (const auto* real = std::get_if<double Options::*>(&option.field)) {
      check_range(option, options.**real, fmt::format("{}", options.**real));
    }
  }
  if (options.clauses % 2 != 0) {
    throw ConfigError(
        fmt::format("clauses must be even, since half vote for a class and half against, got {}", options.clauses));
  }
  if (options.clauses / 2 * options.max_weight > 0x7fffffff) {
    throw ConfigError(
        fmt::format("max_weight must be at most {} for {} clauses, since votes are 32-bit numbers, got {}",
                    0x7fffffff / (options.clauses / 2), options.clauses, options.max_weight));
  }
  if (options.states % 2 != 0) {
    throw ConfigError(fmt::format("states must be even, since half exclude and half include, got {}", options.states));
  }
}

std::string default_text(const OptionInfo& option) {
  const Options defaults;
  return std::visit([&](auto field) { return text_of(defaults.*field); }, option.field);
}

std::string flag_name(const OptionInfo& option) {
  std::string name(option.name);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string options_markdown() {
  std::string text = "| option | default | allowed | what it is |\n|---|---|---|---|\n";
  for (const OptionInfo& option : table()) {
    const std::string flag = option.flag.empty() ? "" : fmt::format("`-{}`, ", option.flag);
    text += fmt::format("| {}`--{}` | {} | {} | {} |\n", flag, flag_name(option), default_text(option),
                        range_text(option), option.help);
  }
  return text;
}

}  // namespace falsum
