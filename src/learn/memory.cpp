#include "falsum/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/lookahead.h"
#include "falsum/cpu.h"
#include "falsum/error.h"

namespace falsum {
namespace {

constexpr std::uint64_t kMegabyte = 1000000;
constexpr std::uint64_t kPredictorBytes = 15;  // of an included literal in a model and its predictor

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

std::string gigabytes(std::uint64_t bytes) {
  const double value = static_cast<double>(bytes) / 1e9;
  return fmt::format("{:.{}f} GB", value, value < 0.1 ? 3 : 1);
}

}  // namespace

MemoryEstimate estimate_memory(const Options& options, std::uint64_t features, std::uint64_t classes,
                               const LearningUse& use) {
  const auto clauses = static_cast<std::uint64_t>(options.clauses);
  const std::uint64_t literals = 2 * features, all = classes * clauses;
  MemoryEstimate estimate;
  estimate.data = use.data;
  constexpr double kAbsurd = 1e17;  // below this nothing here overflows
  if (static_cast<double>(all) * static_cast<double>(literals) > kAbsurd) {
    estimate.automata = static_cast<std::uint64_t>(kAbsurd);
    return estimate;
  }
  estimate.automata = all * rounded_up(literals, 64);

  const std::uint64_t threads = options.threads > 0 ? static_cast<std::uint64_t>(options.threads) : cpu_cores();
  const std::uint64_t young = clauses * std::min(classes, options.sharded ? classes : threads), old = all - young;
  // With T far below the number of clauses few of them get feedback at a time, and those that do grow short; a large s
  // makes them longer.
  const double reach = static_cast<double>(options.threshold) / static_cast<double>(clauses);
  const bool few = use.samples > 0 && use.samples < 200 * classes;
  const double share = std::min(few ? 0.65 : 0.4, reach * std::max(1.0, options.specificity / 10));
  const auto length = static_cast<std::uint64_t>(share * static_cast<double>(features)) + kIdLanes;
  const std::uint64_t bytes = literals > 65536 ? 5 : 3;  // of a hot automaton
  estimate.included = bytes * (young * rounded_up(features, kIdLanes) + old * rounded_up(length, kIdLanes));
  estimate.included += estimate.included / 20 + all * 48;  // what malloc adds
  if (use.tested) estimate.testing = all * length * kPredictorBytes;

  if (options.engine == "scan") {
    estimate.engine = all * rounded_up(literals, 64) / 8;
  } else if (options.engine == "index") {
    const std::uint64_t id = std::max(clauses, literals) < 65536 ? 2 : 4;
    // Young: half of all literals in lists that have grown by halves, and a full row of positions (clause_index.h).
    estimate.engine = young * (literals * id * 7 / 4 + 64) + old * (length * 6 * id + 64) + classes * literals * 32;
  } else {
    const std::uint64_t slots = 2 * rounded_up(clauses / 2, 64);
    estimate.engine = classes * (literals + slots) * kLookaheadWords * 8 + all * 52;
  }
  return estimate;
}

std::uint64_t memory_limit(const Options& options) {
  return options.max_memory > 0 ? static_cast<std::uint64_t>(options.max_memory) * kMegabyte : physical_memory();
}

void check_memory(const Options& options, std::uint64_t features, std::uint64_t classes, const LearningUse& use) {
  const std::uint64_t limit = memory_limit(options);
  const auto needed = [&](std::int64_t clauses) {
    Options other = options;
    other.clauses = clauses;
    return estimate_memory(other, features, classes, use).total();
  };
  if (limit == 0 || needed(options.clauses) <= limit) return;
  std::string advice;
  if (use.data > limit) {
    advice = "the data alone take more: use fewer samples or features";
  } else if (needed(2) > limit) {
    advice = fmt::format("even 2 clauses do not fit: use fewer literals{}", classes > 2 ? " or classes" : "");
  } else {
    std::int64_t fits = 2, too_many = options.clauses;
    while (too_many - fits > 2) {
      const std::int64_t middle = fits + (too_many - fits) / 4 * 2;
      (needed(middle) <= limit ? fits : too_many) = middle;
    }
    advice =
        fmt::format("up to {} clauses fit; fewer literals{} need less too", fits, classes > 2 ? " or classes" : "");
  }
  throw ConfigError(fmt::format("{} classes x {} clauses x {} literals need {} of memory and {} {}: {}", classes,
                                options.clauses, 2 * features, gigabytes(needed(options.clauses)),
                                options.max_memory > 0 ? "max_memory allows" : "this machine has", gigabytes(limit),
                                advice));
}

}  // namespace falsum
