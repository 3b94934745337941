#include "falsum/options.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "falsum/engines.h"
#include "falsum/error.h"
#include "model/patch_options.h"
#include "support/format.h"

namespace falsum {
namespace {

// Below this the ladder of sizes would be long (Weights); no published machine grows more slowly.
constexpr double kLeastGrowth = 0.0001;
constexpr std::int64_t kMostFineThreshold = 1 << 22;  // 2 T in votes, times 2^32, is a 64-bit number (Objective)
constexpr std::int64_t kMostModelVotes = 0x7fffffff;  // votes of a model are 32-bit numbers
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
  static const std::string kTaskChoices = choices_of<Task>(), kNegativesChoices = choices_of<Negatives>(),
                           kErrorChoices = choices_of<ErrorLaw>(), kLengthChoices = choices_of<ClauseLength>();
  static const OptionInfo kTable[] = {
      {"task", "", &Options::task, 0, 0, kTaskChoices,
       "what to answer for a row: one of its classes, which of its labels apply, or a number", kMachine},
      {"clauses", "", &Options::clauses, 1, 16777216, "",
       "clauses per class, half of them for it and half against, even; when shared and in regression: in all", kMachine,
       true},
      {"threshold", "T", &Options::threshold, 1, 1e9, "", "vote target T: learning slows down as votes come near it",
       kMachine, true},
      {"specificity", "s", &Options::specificity, 1, 1e6, "",
       "specificity s: forgetting happens with probability 1/s, so larger means longer clauses", kMachine, true},
      {"specificity_to", "", &Options::specificity_to, 0, 1e6, "",
       "a range of s: from `specificity` for the first clauses to this for the last (-s 2:10 sets both); 0 for one s",
       kMachine},
      {"states", "", &Options::states, 2, 256, "",
       "states of an automaton, half of them excluding and half including; even", kMachine},
      {"boost", "", &Options::boost, 0, 1, "",
       "always strengthen true literals of a true clause, instead of with probability (s-1)/s", kMachine},
      {"sharded", "", &Options::sharded, 0, 1, "",
       "compute the votes of a block of uses of a class at once, so that more threads than classes can learn; the "
       "learned machine differs from the exact one, but does not depend on the number of threads",
       kMachine},
      {"block", "", &Options::block, 64, 4096, "",
       "sharded: uses of a class in a block. Fewer are closer to the exact machine; more need fewer messages where "
       "several processes learn",
       kMachine},
      {"weighted", "", &Options::weighted, 0, 1, "",
       "clauses have integer weights: each Type I feedback on a true clause adds one vote, each Type II removes one. "
       "Fewer clauses are needed, and a larger T",
       kMachine},
      {"max_weight", "", &Options::max_weight, 1, 1048576, "",
       "largest weight of a clause; more than 1 implies weights, 1 with weighted or shared means no such limit",
       kMachine},
      {"weight_growth", "", &Options::weight_growth, 0, 1, "",
       "slow real weights: each Type I feedback on a true clause multiplies its weight by 1 + this, each Type II "
       "divides it; 0.0001 to 0.01 is usual, with the T of a machine without weights. 0: weights are integers, if any",
       kMachine},
      {"shared", "", &Options::shared, 0, 1, "",
       "all classes or labels vote with the same clauses, each with weights of its own that may be negative", kMachine},
      {"negatives", "", &Options::negatives, 0, 0, kNegativesChoices,
       "the other class that a row is learned against: any, or rather those with many votes (shared only)", kMachine},
      {"negative_share", "", &Options::negative_share, 0, 1, "",
       "multilabel: share of the labels that do not apply that a row is learned against, drawn anew for each row; less "
       "than 1 is faster with many labels, and answers more labels",
       kMachine},
      {"error", "", &Options::error, 0, 0, kErrorChoices,
       "regression: a clause takes part in learning with probability (error / T)^2, or |error| / T", kMachine},
      {"max_literals", "", &Options::max_literals, 0, 4294967294, "",
       "literal budget: a clause with more literals than this forgets where it would learn more, a fuzzy clause stops "
       "learning more; 0 for no budget",
       kMachine},
      {"fuzzy", "", &Options::fuzzy, 0, 65535, "",
       "fuzzy clauses: a clause has this many votes, less one for each of its literals that is false; 0 for clauses "
       "that are true or false",
       kMachine},
      {"clamp", "", &Options::clamp, 0, 1, "",
       "fuzzy: a clause with fewer literals than `fuzzy` has only as many votes as literals", kMachine},
      {"length", "", &Options::length, 0, 0, kLengthChoices,
       "fuzzy: what max_literals counts: features, fewer than it, or literals, at most as many", kMachine},
      {"include_limit", "", &Options::include_limit, 0, 255, "",
       "fuzzy: the state from which on an automaton includes its literal; 0 for half of the states", kMachine},
      {"drop_clauses", "", &Options::drop_clauses, 0, 0.999, "",
       "share of the clauses that rest during an epoch, drawn anew for each epoch", kMachine},
      {"drop_literals", "", &Options::drop_literals, 0, 0.999, "",
       "share of the literals that no clause sees or learns during an epoch, drawn anew for each epoch", kMachine},
      {"patch", "", &Options::patch, 0, 0, "",
       "rows x columns (10x10): clauses look at patches of an image, and are true where one of them is; empty for none",
       kMachine},
      {"image", "", &Options::image, 0, 0, "",
       "rows x columns (28x28), or with channels (32x32x3): the size of the images that patches are taken of; the "
       "command knows it for image files",
       kMachine},
      {"stride", "", &Options::stride, 0, 0, "", "rows x columns (1x1): how far a patch moves", kMachine},
      {"snapshots", "", &Options::snapshots, 1, 100, "",
       "averaging: the model's votes are the sum of those after each of the last so many epochs; equal clauses become "
       "one "
       "with a weight. 1 for the last epoch alone",
       kMachine, true},
      {"seed", "", &Options::seed, 0, 18446744073709551615.0, "", "seed of every random draw", kMachine},
      {"epochs", "", &Options::epochs, 1, 1e9, "", "passes over the training data", kRun, true},
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
  if (is_auto(value)) return "auto";
  if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(value));
  } else {
    return fmt::format("{}", value);
  }
}

/// Given as a word.
bool is_word(const OptionInfo& option) {
  return std::visit(
      [](auto field) {
        using T = std::remove_cvref_t<decltype(Options().*field)>;
        return std::is_enum_v<T> || std::is_same_v<T, std::string>;
      },
      option.field);
}

std::string range_text(const OptionInfo& option) {
  if (std::holds_alternative<bool Options::*>(option.field)) return "true or false";
  if (is_word(option)) {
    std::string choices(!option.choices.empty()    ? option.choices
                        : option.name == "kernels" ? "auto or a name"
                                                   : "sizes, as 10x10");
    for (std::size_t i = choices.find('|'); i != std::string::npos; i = choices.find('|', i))
      choices.replace(i, 1, ", ");
    return choices;
  }
  if (option.name == "seed") return "0 to 2^64 - 1";
  return (option.may_be_auto ? "auto, or " : "") + plain(option.least) + " to " + plain(option.most);
}

}  // namespace

void refuse_word(std::string_view option, std::string_view word, std::string_view allowed) {
  std::string words(allowed);
  for (std::size_t i = words.find('|'); i != std::string::npos; i = words.find('|', i)) words.replace(i, 1, ", ");
  throw ConfigError(fmt::format("{} must be one of {}, got \"{}\"", option, words, word));
}

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

Options with_plain_numbers(Options options) {
  const auto take = [](auto& value, auto plain) {
    if (is_auto(value)) value = plain;
  };
  take(options.clauses, std::int64_t{2000});
  take(options.threshold, std::int64_t{50});
  take(options.specificity, 10.0);
  take(options.snapshots, std::int64_t{1});
  take(options.epochs, std::int64_t{10});
  return options;
}

const Options& neutral_options() {
  static const Options kNeutral = with_plain_numbers({});
  return kNeutral;
}

void copy_options(OptionScope scope, const Options& from, Options& to) {
  for (const OptionInfo* option : options_of(scope)) {
    std::visit([&](auto field) { to.*field = from.*field; }, option->field);
  }
}

bool has_one_bank(const Options& options) { return options.shared || options.task == Task::kRegression; }

std::size_t count_banks(const Options& options, std::size_t outputs) { return has_one_bank(options) ? 1 : outputs; }

namespace {

/// Clauses that may all vote for an output, or all against it.
std::int64_t most_on_one_side(const Options& options) {
  return has_one_bank(options) ? options.clauses : std::max<std::int64_t>(1, options.clauses / 2);
}

}  // namespace

std::int64_t votes_of_one(const Options& options) { return options.weight_growth > 0 ? 256 : 1; }

std::int64_t vote_target(const Options& options) { return votes_of_one(options) * options.threshold; }

std::int64_t vote_scale(const Options& options) {
  return vote_target(options) * (is_auto(options.snapshots) ? 1 : options.snapshots);
}

std::int64_t most_votes(const Options& options) {
  const bool grow = options.weighted || (options.shared && !is_fuzzy(options)) || options.weight_growth > 0;
  if (options.max_weight > 1 || !grow) return votes_of_one(options) * options.max_weight;
  return std::min<std::int64_t>(
      1048576, kMostModelVotes / (is_auto(options.snapshots) ? 1 : options.snapshots) / most_on_one_side(options));
}

std::int64_t include_limit(const Options& options) {
  return options.include_limit > 0 ? options.include_limit : options.states / 2;
}

namespace {

[[noreturn]] void refuse_combination(const std::string& sentence) { throw ConfigError(sentence); }

void require_defaults(const Options& options, std::initializer_list<std::string_view> names, std::string_view where) {
  for (const std::string_view name : names) {
    const OptionInfo& option = *find_option(name);
    const bool neutral =
        std::visit([&](auto field) { return options.*field == neutral_options().*field; }, option.field);
    if (neutral) continue;
    const bool says_it_all = std::holds_alternative<bool Options::*>(option.field);  // the other value was given
    refuse_combination(fmt::format("{} must be {} {}{}", name, value_text(option, neutral_options()), where,
                                   says_it_all ? "" : ", got " + value_text(option, options)));
  }
}

void check_fuzzy(const Options& options) {
  if (!is_fuzzy(options)) {
    return require_defaults(options, {"clamp", "length", "include_limit"}, "unless clauses are fuzzy");
  }
  if (options.task == Task::kRegression) refuse_combination("fuzzy must be 0 in regression");
  if (!options.patch.empty())
    refuse_combination(fmt::format("patch must be empty in a fuzzy machine, got {}", options.patch));
  if (options.shared && options.task != Task::kClassification) {
    refuse_combination("shared must be off in a fuzzy machine of labels: only two classes can share fuzzy clauses");
  }
  require_defaults(options,
                   {"boost", "specificity_to", "sharded", "weighted", "max_weight", "weight_growth", "negatives",
                    "negative_share", "drop_clauses", "drop_literals", "snapshots"},
                   "in a fuzzy machine");
  if (include_limit(options) >= options.states) {
    refuse_combination(
        fmt::format("include_limit must be below states, which is {}, got {}", options.states, options.include_limit));
  }
  if (const std::int64_t most = 0x7fffffff / options.clauses; options.fuzzy > most) {
    refuse_combination(fmt::format("fuzzy must be at most {} for {} clauses, since votes are 32-bit numbers, got {}",
                                   most, options.clauses, options.fuzzy));
  }
}

}  // namespace

void validate(const Options& given) {
  const Options options = with_plain_numbers(given);
  for (const OptionInfo& option : table()) {
    if (const auto* whole = std::get_if<std::int64_t Options::*>(&option.field)) {
      check_range(option, static_cast<double>(options.**whole), std::to_string(options.**whole));
    } else if (const auto* real = std::get_if<double Options::*>(&option.field)) {
      check_range(option, options.**real, fmt::format("{}", options.**real));
    }
  }
  const bool one_bank = has_one_bank(options);
  if (options.clauses % 2 != 0 && (!one_bank || is_fuzzy(options))) {
    refuse_combination(
        fmt::format("clauses must be even, since half vote for a class and half against, got {}", options.clauses));
  }
  if (options.weight_growth != 0 && options.weight_growth < kLeastGrowth) {
    refuse_combination(fmt::format("weight_growth must be from {} to 1, or 0 for integer weights, got {}", kLeastGrowth,
                                   options.weight_growth));
  }
  if (options.weight_growth != 0 && options.shared) {
    refuse_combination(
        "weight_growth must be 0 when clauses are shared: a weight that is multiplied never changes its sign");
  }
  if (options.weight_growth != 0 && options.threshold > kMostFineThreshold) {
    refuse_combination(
        fmt::format("threshold must be at most {} with weight_growth, got {}", kMostFineThreshold, options.threshold));
  }
  if (const std::int64_t most = kMostModelVotes / options.snapshots / votes_of_one(options);
      most_on_one_side(options) > most) {
    refuse_combination(fmt::format("clauses must be at most {} with {}, since votes are 32-bit numbers, got {}",
                                   one_bank ? most : 2 * most,
                                   options.weight_growth > 0 ? "weight_growth" : "so many snapshots", options.clauses));
  }
  if (const std::int64_t most = kMostModelVotes / options.snapshots / votes_of_one(options) / most_on_one_side(options);
      options.max_weight > most) {
    refuse_combination(
        fmt::format("max_weight must be at most {} for {} clauses, since votes are 32-bit numbers, got {}", most,
                    options.clauses, options.max_weight));
  }
  if (options.specificity_to != 0 && options.specificity_to < 1) {
    refuse_combination(
        fmt::format("specificity_to must be from 1 to 1000000, or 0 for one s, got {}", options.specificity_to));
  }
  if (options.shared && options.task == Task::kRegression) {
    refuse_combination("shared must be off in regression, which has one output and so nothing to share");
  }
  if (options.sharded && options.task == Task::kRegression) {
    refuse_combination("sharded must be off in regression: with votes of 256 rows ago it overshoots");
  }
  if (!options.sharded) require_defaults(options, {"block"}, "unless sharded");
  if (options.shared && options.sharded) {
    refuse_combination("sharded must be off when clauses are shared: one bank votes for all outputs");
  }
  if (options.negatives == Negatives::kFocused && !(options.shared && options.task == Task::kClassification)) {
    refuse_combination("negatives must be uniform unless classes share their clauses, got focused");
  }
  if (options.negative_share != Options().negative_share && options.task != Task::kMultilabel) {
    refuse_combination(fmt::format("negative_share must be {} unless the task is multilabel, got {}",
                                   Options().negative_share, options.negative_share));
  }
  if (options.error != Options().error && options.task != Task::kRegression) {
    refuse_combination(fmt::format("error must be {} unless the task is regression, got {}", name_of(Options().error),
                                   name_of(options.error)));
  }
  check_fuzzy(options);
  check_patch_options(options);
  if (options.sharded && !options.patch.empty()) {
    refuse_combination(fmt::format("sharded must be off with patches, got patch {}", options.patch));
  }
  if (options.states % 2 != 0) {
    throw ConfigError(fmt::format("states must be even, since half exclude and half include, got {}", options.states));
  }
}

std::string value_text(const OptionInfo& option, const Options& options) {
  return std::visit([&](auto field) { return text_of(options.*field); }, option.field);
}

std::string default_text(const OptionInfo& option) { return value_text(option, Options()); }

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
