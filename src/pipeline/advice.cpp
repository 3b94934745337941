#include "falsum/advice.h"

#include <algorithm>
#include <cmath>

#include "support/format.h"

namespace falsum {
namespace {

constexpr double kTooFar = 10;             // times the T of the law, or a part of it
constexpr double kAtRest = 0.001;          // share of the clauses that a row teaches
constexpr double kLongestShare = 1.0 / 3;  // of the features
constexpr double kShortEnough = 20;        // literals, however few features there are
constexpr std::uint64_t kFewUses = 1000;   // of rows
constexpr std::size_t kStarvedOneIn = 20;  // of the rows that a class would have if all had the same

Options law_of(const Options& options, const DataFacts& facts) {
  Options open = options;
  open.threshold = kAutomatic;
  open.specificity = kAutomatic;
  open.specificity_to = 0;
  open.epochs = kAutomatic;
  return chosen_options(open, facts);
}

/// Of the clauses that a row's use could teach, how many it did teach in the last epoch.
double taught(const Machine& machine, std::size_t rows, const EpochReport& last) {
  const LearnCounters& counters = last.counters;
  const auto events = static_cast<double>(counters.type_1a + counters.type_1b + counters.type_2);
  return events / (2.0 * static_cast<double>(rows) * static_cast<double>(machine.options().clauses));
}

std::string threshold_advice(const Machine& machine, std::int64_t law, std::size_t rows, const EpochReport& last) {
  const auto threshold = static_cast<double>(machine.options().threshold), usual = static_cast<double>(law);
  const std::string other = fmt::format("T {} is usual for {} clauses", law, machine.options().clauses);
  if (threshold > kTooFar * usual) {
    return fmt::format("T {} may be out of reach of the votes, so that clauses go on learning what others know: {}",
                       machine.options().threshold, other);
  }
  const bool is_at_rest = last.complete && taught(machine, rows, last) < kAtRest;
  if (2 * threshold <= usual && is_at_rest) {
    return fmt::format("nearly all votes had reached T {} in epoch {}, so hardly a clause was taught: {}",
                       machine.options().threshold, last.epoch, other);
  }
  if (kTooFar * threshold < usual) {
    return fmt::format("T {} lets few of the clauses learn, and all of them the same: {}", machine.options().threshold,
                       other);
  }
  return "";
}

double largest_specificity(const Options& options) { return std::max(options.specificity, options.specificity_to); }

std::string length_advice(const Machine& machine, double usual, const EpochReport& last) {
  if (largest_specificity(machine.options()) <= usual) return "";
  const auto features = static_cast<double>(machine.features());
  if (is_fuzzy(machine.options()) || last.mean_clause_length <= std::max(kShortEnough, kLongestShare * features))
    return "";
  return fmt::format(
      "clauses have {:.0f} literals in the mean, of {} features, so they describe single rows: a smaller s, or "
      "max-literals, makes them shorter",
      last.mean_clause_length, machine.features());
}

std::string epochs_advice(const Machine& machine, std::int64_t law, std::size_t rows) {
  const std::uint64_t epochs = machine.epoch();
  if (epochs * rows >= kFewUses || 3 * epochs > static_cast<std::uint64_t>(law)) return "";
  return fmt::format("learned for only {} of {} rows: {} epochs are usual",
                     epochs == 1 ? "1 epoch" : fmt::format("{} epochs", epochs), rows, law);
}

std::string starved_advice(const Targets& targets, std::size_t outputs, std::span<const std::string> labels) {
  if (!targets.weights().empty()) return "";  // somebody has thought of it
  std::vector<std::size_t> rows(outputs);
  for (const std::uint32_t label : targets.classes()) ++rows[label];
  const auto rarest = std::ranges::min_element(rows);
  if (*rarest * outputs * kStarvedOneIn >= targets.size()) return "";
  const auto id = static_cast<std::size_t>(rarest - rows.begin());
  return fmt::format(
      "class {} has {} of {} rows and will hardly be answered: class weights (balanced) let it count more",
      labels.empty() ? fmt::format("{}", id) : fmt::format("{:?}", labels[id]), *rarest, targets.size());
}

}  // namespace

std::vector<std::string> advice(const Machine& machine, const DataFacts& facts, const Targets& targets,
                                const EpochReport& last, std::span<const std::string> labels) {
  if (targets.task() != Task::kClassification || machine.epoch() == 0 || targets.size() == 0) return {};
  const Options law = law_of(machine.options(), facts);
  std::vector<std::string> sentences = {threshold_advice(machine, law.threshold, targets.size(), last),
                                        length_advice(machine, largest_specificity(law), last),
                                        epochs_advice(machine, law.epochs, targets.size()),
                                        starved_advice(targets, machine.outputs(), labels)};
  std::erase(sentences, "");
  return sentences;
}

}  // namespace falsum
