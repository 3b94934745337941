#include "falsum/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "falsum/error.h"

namespace falsum {
namespace {

constexpr OptionInfo kTable[] = {
    {"clauses", "", &Options::clauses, 2, 16777216, "",
     "clauses per class, half of them for it and half against; even"},
    {"threshold", "T", &Options::threshold, 1, 1e9, "", "vote target T: learning slows down as votes come near it"},
    {"specificity", "s", &Options::specificity, 1, 1e6, "",
     "specificity s: forgetting happens with probability 1/s, so larger means longer clauses"},
    {"states", "", &Options::states, 2, 256, "",
     "states of an automaton, half of them excluding and half including; even"},
    {"boost", "", &Options::boost, 0, 1, "",
     "always strengthen true literals of a true clause, instead of with probability (s-1)/s"},
    {"sharded", "", &Options::sharded, 0, 1, "",
     "take the votes of every 256 uses of a class at once, so that more threads than classes can learn; the result "
     "differs from the exact machine's, but not with the number of threads"},
    {"seed", "", &Options::seed, 0, 18446744073709551615.0, "", "seed of every random draw"},
    {"epochs", "", &Options::epochs, 1, 1e9, "", "passes over the training data"},
    {"engine", "", &Options::engine, 0, 0, "auto|scan|index|lookahead|bitmap|sliced",
     "how clauses are evaluated: scan and index learn and predict, lookahead learns, bitmap and sliced predict; never "
     "changes the result"},
    {"threads", "", &Options::threads, 0, 1024, "", "threads, 0 for all cores; never changes the result"},
    {"kernels", "", &Options::kernels, 0, 0, "",
     "kernel set, auto for the fastest (see falsum cpu); never changes the result"},
    {"max_memory", "", &Options::max_memory, 0, 1e9, "",
     "memory that learning may take, in MB, 0 for what the machine has; more is refused before it is asked for"},
};

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

std::string range_text(const OptionInfo& option) {
  if (std::holds_alternative<bool Options::*>(option.field)) return "true or false";
  if (std::holds_alternative<std::string Options::*>(option.field)) {
    std::string choices(option.choices.empty() ? "auto or a name" : option.choices);
    for (std::size_t i = choices.find('|'); i != std::string::npos; i = choices.find('|', i))
      choices.replace(i, 1, ", ");
    return choices;
  }
  if (option.name == "seed") return "0 to 2^64 - 1";
  return plain(option.least) + " to " + plain(option.most);
}

}  // namespace

std::span<const OptionInfo> option_table() { return kTable; }

void validate(const Options& options) {
  for (const OptionInfo& option : kTable) {
    if (const auto* whole = std::get_if<std::int64_t Options::*>(&option.field)) {
      check_range(option, static_cast<double>(options.**whole), std::to_string(options.**whole));
    } else if (const auto* real = std::get_if<double Options::*>(&option.field)) {
      check_range(option, options.**real, fmt::format("{}", options.**real));
    } else if (const auto* text = std::get_if<std::string Options::*>(&option.field); text && !option.choices.empty()) {
      const std::string value = options.**text;
      if (("|" + std::string(option.choices) + "|").find("|" + value + "|") == std::string::npos || value.empty()) {
        throw ConfigError(fmt::format("{} must be one of {}, got {}", option.name, range_text(option), value));
      }
    }
  }
  if (options.clauses % 2 != 0) {
    throw ConfigError(
        fmt::format("clauses must be even, since half vote for a class and half against, got {}", options.clauses));
  }
  if (options.states % 2 != 0) {
    throw ConfigError(fmt::format("states must be even, since half exclude and half include, got {}", options.states));
  }
}

std::string default_text(const OptionInfo& option) {
  const Options defaults;
  return std::visit([&](auto field) { return fmt::format("{}", defaults.*field); }, option.field);
}

std::string flag_name(const OptionInfo& option) {
  std::string name(option.name);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string options_markdown() {
  std::string text = "| option | default | allowed | what it is |\n|---|---|---|---|\n";
  for (const OptionInfo& option : kTable) {
    const std::string flag = option.flag.empty() ? "" : fmt::format("`-{}`, ", option.flag);
    text += fmt::format("| {}`--{}` | {} | {} | {} |\n", flag, flag_name(option), default_text(option),
                        range_text(option), option.help);
  }
  return text;
}

}  // namespace falsum
