#include "falsum/defaults.h"

#include <algorithm>
#include <cmath>

namespace falsum {
namespace {

/// Whether the caller has said nothing about the machine but its task and its seed.
bool is_open(const Options& options) {
  Options plain = with_plain_numbers(options);
  plain.task = neutral_options().task;
  plain.seed = neutral_options().seed;
  for (const OptionInfo* option : options_of(OptionScope::kMachine)) {
    const bool same = std::visit([&](auto field) { return plain.*field == neutral_options().*field; }, option->field);
    if (!same) return false;
  }
  return is_auto(options.clauses) && is_auto(options.threshold) && is_auto(options.specificity);
}

template <class T, class Value>
void choose(T& value, Value chosen) {
  if (is_auto(value)) value = static_cast<T>(chosen);
}

/// A row teaches its own class and one other. More than so many classes get more epochs.
constexpr std::size_t kFewClasses = 6;

/// Passes, not updates, are what counts up to 2,000 rows. Beyond, about so many uses of rows, but at least some passes.
std::int64_t epochs_for(const Options& options, const DataFacts& facts) {
  if (is_fuzzy(options) && facts.kind == DataKind::kText) return 60;  // cheap: text has few clauses
  const bool fuzzy = is_fuzzy(options);
  const std::size_t uses = fuzzy ? 600000 : 120000, least = fuzzy ? 10 : 20;
  const std::size_t rows = std::max<std::size_t>(1, facts.rows);
  const std::size_t epochs = std::clamp<std::size_t>((uses + rows / 2) / rows, least, 60);
  const bool many = facts.kind == DataKind::kTables && options.task == Task::kClassification;
  const std::size_t classes = many ? std::max(kFewClasses, facts.outputs) : kFewClasses;
  return static_cast<std::int64_t>(epochs * classes / kFewClasses);
}

void choose_fuzzy_for_images(Options& options) {
  options.fuzzy = 20;
  options.max_literals = 40;
  options.clauses = 100;
  options.threshold = 28;
  options.specificity = 200;
}

/// Long documents say the same thing many times: two long clauses, one for and one against, tell most of it.
void choose_fuzzy_for_text(Options& options, std::size_t outputs) {
  options.fuzzy = options.max_literals = 64;
  options.include_limit = 220;
  options.clauses = 2;
  options.shared = outputs == 2;
  options.threshold = 18;
  options.specificity = 1000;
}

std::int64_t root(std::int64_t number) { return std::llround(std::sqrt(static_cast<double>(number))); }

bool has_weights(const Options& options) {
  return most_votes(with_plain_numbers(options)) > votes_of_one(options) && options.weight_growth == 0;
}

bool is_plain(const Options& options) {
  return options.task == Task::kClassification && !is_fuzzy(options) && !options.shared && !has_weights(options) &&
         options.weight_growth == 0;
}

/// Whether T and s are left to the law of tables.
bool follows_tables(const Options& options, const DataFacts& facts) {
  return facts.kind == DataKind::kTables && is_plain(options) && is_auto(options.threshold) &&
         is_auto(options.specificity) && options.specificity_to == 0;
}

/// Tables have more use for many short clauses than for fewer long ones: T and s go together, so each is left to the
/// other law where one of them is given. More classes gain by more clauses, and by averaging longer.
void choose_for_tables(Options& options, std::size_t outputs) {
  choose(options.clauses, outputs > kFewClasses ? 1600 : outputs > 3 ? 800 : 400);
  choose(options.snapshots, outputs > 3 ? 10 : 5);
  options.threshold = std::max<std::int64_t>(1, 2 * root(options.clauses));
  options.specificity = 1.5;
  options.specificity_to = 5;
}

std::int64_t clauses_for(const Options& options, std::size_t outputs) {
  if (is_fuzzy(options)) return 40;
  if (options.task == Task::kRegression) return 1000;
  if (options.shared) return static_cast<std::int64_t>(200 * std::max<std::size_t>(2, outputs));
  return has_weights(options) ? 200 : 400;
}

/// T = sqrt(clauses) is a flat top for plain clauses; integer weights add up to far more votes.
std::int64_t threshold_for(const Options& options) {
  if (is_fuzzy(options)) return std::max<std::int64_t>(1, options.fuzzy / 2);
  if (options.task == Task::kRegression) {  // answers have T steps, which clauses with weights can reach
    return options.weighted ? 5 * options.clauses : std::max<std::int64_t>(1, options.clauses / 2);
  }
  if (options.shared) return std::max<std::int64_t>(1, options.clauses / 4);
  return has_weights(options) ? options.clauses : std::max<std::int64_t>(1, root(options.clauses));
}

void choose_specificity(Options& options) {
  if (!is_auto(options.specificity)) return;
  if (is_fuzzy(options)) {
    options.specificity = 400;
  } else if (options.specificity_to != 0) {
    options.specificity = 2;
  } else if (options.task == Task::kRegression) {
    options.specificity = 3;
  } else if (options.shared || options.weighted || options.max_weight > 1) {
    options.specificity = 5;
  } else {
    options.specificity = 2;
    options.specificity_to = 20;
  }
}

}  // namespace

DataFacts facts_of(const Booleanizer& booleanizer, std::size_t rows, std::size_t outputs) {
  return {data_kind(booleanizer), rows, outputs};
}

Options chosen_options(const Options& given, const DataFacts& facts) {
  Options options = given;
  const bool all_given = !is_auto(given.clauses) && !is_auto(given.threshold) && !is_auto(given.specificity);
  const bool may_be_fuzzy =
      is_open(given) && given.task == Task::kClassification && (is_auto(given.snapshots) || given.snapshots == 1);
  if (may_be_fuzzy && facts.kind == DataKind::kImages) choose_fuzzy_for_images(options);
  if (may_be_fuzzy && facts.kind == DataKind::kText) choose_fuzzy_for_text(options, facts.outputs);
  if (is_open(given) && given.task != Task::kClassification) options.weighted = true;
  if (follows_tables(options, facts)) choose_for_tables(options, facts.outputs);
  choose(options.clauses, clauses_for(options, facts.outputs));
  choose(options.threshold, threshold_for(options));
  choose_specificity(options);
  choose(options.epochs, epochs_for(options, facts));
  // Not by the epochs: a machine that is resumed for more of them must be the same.
  const bool measured = options.task != Task::kRegression && !is_fuzzy(options);
  choose(options.snapshots, all_given || !measured ? 1 : 5);
  return options;
}

}  // namespace falsum
