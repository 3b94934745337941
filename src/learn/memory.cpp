#include "falsum/memory.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "evaluate/lookahead.h"
#include "falsum/cpu.h"
#include "falsum/error.h"
#include "falsum/patches.h"
#include "learn/trainer.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::uint64_t kMegabyte = 1000000;
constexpr std::uint64_t kPredictorBytes = 15;  // of an included literal in a model and its predictor

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

/// The literals of a clause as a share of the features, after this many samples of its class. The first true example
/// includes half of all literals; every second sample makes the clause forget 1/s of the unconfirmed ones. Learned
/// literals come slowly. If T is far below the number of clauses, few clauses get feedback at a time, and these stay
/// short; a large s makes them longer.
double clause_share(const Options& options, double samples) {
  const double reach = static_cast<double>(options.threshold) / static_cast<double>(options.clauses);
  const double specificity = std::max(options.specificity, options.specificity_to);
  const double kept = std::exp(-samples / (2 * specificity)), learned = 0.45 * samples / (samples + 2000);
  return std::min({1.0, kept + learned, reach * std::max(1.0, specificity / 10)});
}

std::string gigabytes(std::uint64_t bytes) {
  const double value = static_cast<double>(bytes) / 1e9;
  return fmt::format("{:.{}f} GB", value, value < 0.1 ? 3 : 1);
}

}  // namespace

MemoryEstimate estimate_memory(const Options& given, std::uint64_t row_features, std::uint64_t outputs,
                               const LearningUse& use) {
  const Options options = with_plain_numbers(given);
  const std::uint64_t features = clause_features(options, row_features);
  const auto clauses = static_cast<std::uint64_t>(options.clauses);
  const std::uint64_t banks = count_banks(options, outputs);
  const std::uint64_t literals = 2 * features, all = banks * clauses;
  MemoryEstimate estimate;
  estimate.data = use.data;
  estimate.loading = use.loading;
  constexpr double kAbsurd = 1e17;  // below this nothing here overflows
  if (static_cast<double>(all) * static_cast<double>(literals) > kAbsurd) {
    estimate.automata = static_cast<std::uint64_t>(kAbsurd);
    return estimate;
  }
  estimate.automata = all * rounded_up(literals, 64);
  if (most_votes(options) > 1) estimate.automata += all * rounded_up(outputs / banks, 4) * 4;
  if (options.weight_growth > 0) {  // rungs, and ladders of sizes up to 2^20
    estimate.automata += 4 * all + 4 * banks * static_cast<std::uint64_t>(14 / std::log1p(options.weight_growth));
  }
  // States of dropped literals are stored apart.
  estimate.automata += static_cast<std::uint64_t>(options.drop_literals * static_cast<double>(all * literals));

  if (is_fuzzy(options)) {  // states and includes; counters in planes, lists of literals, columns of 512 samples
    estimate.automata = all * rounded_up(features, 64) * 9 / 4;
    estimate.engine = all * (64 * 26 + 4 * literals) + 16 * 128 * features;
    if (use.tested) estimate.testing = all * literals * kPredictorBytes;
    if (use.checkpointed) estimate.checkpoint = estimate.automata;
    return estimate;
  }

  const std::uint64_t threads = options.threads > 0 ? static_cast<std::uint64_t>(options.threads) : cpu_cores();
  const std::uint64_t young = clauses * std::min(banks, options.sharded ? banks : threads), old = all - young;
  const auto length_after = [&](std::uint64_t samples) {
    const double share = clause_share(options, static_cast<double>(samples) / static_cast<double>(banks));
    return static_cast<std::uint64_t>(share * static_cast<double>(features)) + HotSet::kGrain;
  };
  // While the last banks are young, the others have learned one chunk; at the end all have learned everything.
  constexpr std::uint64_t kMany = 100000000;
  const std::uint64_t samples = use.samples > 0 ? std::min(use.samples, kMany) : kMany;
  const std::uint64_t then = length_after(std::min<std::uint64_t>(samples, first_chunk_size(banks)));
  const std::uint64_t after = length_after(samples * static_cast<std::uint64_t>(options.epochs));
  const std::uint64_t bytes = literals > 65536 ? 5 : 3;  // of a hot automaton
  estimate.included =
      bytes * std::max(young * rounded_up(features, HotSet::kGrain) + old * rounded_up(then, HotSet::kGrain),
                       all * rounded_up(after, HotSet::kGrain));
  estimate.included += estimate.included / 20 + all * 48;  // overhead of malloc
  const auto snapshots = static_cast<std::uint64_t>(std::min(options.snapshots, options.epochs));
  if (use.tested) estimate.testing = all * after * kPredictorBytes * snapshots;
  estimate.included += (snapshots - 1) * all * (after * 4 + 32);
  // Some banks as plain bytes, and some packed, which are being written or wait for it.
  if (use.checkpointed) {
    const std::uint64_t packers = std::min<std::uint64_t>({threads, banks, kMostPackers});
    const std::uint64_t rooms = std::min(banks, packers + kPackedAhead);
    estimate.checkpoint = (estimate.automata + estimate.included) / banks * (packers + rooms);
  }

  if (options.engine == Engine::kScan) {
    estimate.engine = all * rounded_up(literals, 64) / 8;
  } else if (options.engine == Engine::kIndex) {
    const std::uint64_t id = std::max(clauses, literals) < 65536 ? 2 : 4;
    // Young: half of all literals in lists that grow by halves, and a full row of positions (clause_index.h).
    estimate.engine = std::max(young * (literals * id * 7 / 4) + old * then * 6 * id, all * after * 6 * id) + all * 64 +
                      banks * literals * 32;
  } else if (features != row_features) {  // patches: 64 rows, and each clause as bits and as offsets (WindowEvaluator)
    estimate.engine = banks * row_features * 16 + all * (rounded_up(literals, 64) / 8 + 104 + 4 * features);
  } else {
    const std::uint64_t slots = 2 * rounded_up(clauses / 2, 64);
    const std::uint64_t parts =
        options.sharded ? 1 : parts_of_a_learner(options, Engine::kLookahead, banks, static_cast<unsigned>(threads));
    estimate.engine = parts * banks * (literals + slots) * kLookaheadWords * 8 + all * 52;
  }
  return estimate;
}

std::uint64_t memory_limit(const Options& options) {
  return options.max_memory > 0 ? static_cast<std::uint64_t>(options.max_memory) * kMegabyte : physical_memory();
}

void check_memory(const Options& options, std::uint64_t features, std::uint64_t outputs, const LearningUse& use) {
  const std::uint64_t limit = memory_limit(options);
  const auto needed = [&](std::int64_t clauses) {
    Options other = options;
    other.clauses = clauses;
    return estimate_memory(other, features, outputs, use).total();
  };
  if (limit == 0 || needed(options.clauses) <= limit) return;
  const std::uint64_t banks = count_banks(options, outputs);
  const char* const fewer_classes = banks > 2 ? " or classes" : "";
  std::string advice;
  if (use.data > limit) {
    advice = "the data alone take more: use fewer samples or features";
  } else if (needed(2) > limit) {
    advice = fmt::format("even 2 clauses do not fit: use fewer literals{}", fewer_classes);
  } else {
    std::int64_t fits = 2, too_many = options.clauses;
    while (too_many - fits > 2) {
      const std::int64_t middle = fits + (too_many - fits) / 4 * 2;
      (needed(middle) <= limit ? fits : too_many) = middle;
    }
    advice = fmt::format("up to {} clauses fit; fewer literals{} need less too", fits, fewer_classes);
  }
  const std::string which = has_one_bank(options) ? "" : fmt::format("{} classes x ", banks);
  throw ConfigError(fmt::format("{}{} clauses x {} literals need {} of memory and {} {}: {}", which, options.clauses,
                                2 * clause_features(options, features), gigabytes(needed(options.clauses)),
                                options.max_memory > 0 ? "max_memory allows" : "this machine has", gigabytes(limit),
                                advice));
}

}  // namespace falsum
