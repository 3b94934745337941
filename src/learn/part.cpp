#include "falsum/part.h"

#include <algorithm>
#include <numeric>

#include "falsum/error.h"
#include "learn/saved_part.h"
#include "support/format.h"

namespace falsum {

std::string text_of(const Part& part) {
  std::string text = part.shards == 1 ? "" : fmt::format("shard {} of {} of ", part.shard + 1, part.shards);
  if (part.classes.empty()) return text + "all classes";
  text += part.classes.size() == 1 ? "class " : "classes ";
  for (std::size_t i = 0; i < part.classes.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == part.classes.size() ? " and " : ", ", part.classes[i]);
  }
  return text;
}

namespace {

bool has_shards(const Options& options) { return !is_fuzzy(options) && options.patch.empty(); }

std::int64_t most_shards(const Options& options) {
  return has_shards(options) ? std::max<std::int64_t>(1, options.clauses / kLeastClausesOfAShard) : 1;
}

}  // namespace

std::vector<Part> divided(const Options& given, std::size_t outputs, std::uint32_t members) {
  const Options options = with_plain_numbers(given);
  const std::uint64_t banks = count_banks(options, outputs), groups = std::min<std::uint64_t>(banks, members);
  const std::uint64_t most = banks * static_cast<std::uint64_t>(most_shards(options));
  if (members == 0 || members > most) {
    throw ConfigError(fmt::format("this machine can be divided among 1 to {} processes, got {}", most, members));
  }
  std::vector<Part> parts;
  for (std::uint64_t g = 0; g < groups; ++g) {
    Part part;
    part.shards = static_cast<std::uint32_t>(members * (g + 1) / groups - members * g / groups);
    if (groups > 1) {
      for (std::uint64_t c = banks * g / groups; c < banks * (g + 1) / groups; ++c) {
        part.classes.push_back(static_cast<std::uint32_t>(c));
      }
    }
    for (part.shard = 0; part.shard < part.shards; ++part.shard) parts.push_back(part);
  }
  return parts;
}

ClauseRange clauses_of(const Part& part, const Options& options) {
  const auto clauses = static_cast<std::uint64_t>(options.clauses);
  if (part.shards == 1 && part.shard == 0) return clauses;
  if (!has_shards(options)) {
    throw ConfigError(fmt::format("a machine of {} can be divided by class but not into shards, got {}",
                                  is_fuzzy(options) ? "fuzzy clauses" : "patches", text_of(part)));
  }
  if (options.engine != Engine::kAuto && options.engine != Engine::kLookahead) {
    throw ConfigError(fmt::format("engine must be auto or lookahead for a shard, got {}", name_of(options.engine)));
  }
  const std::int64_t most = most_shards(options);
  if (part.shards < 1 || part.shards > most || part.shard >= part.shards) {
    throw ConfigError(
        fmt::format("{} clauses can be divided into 1 to {} shards, got {}", clauses, most, text_of(part)));
  }
  return {clauses * part.shard / part.shards, clauses * (part.shard + 1) / part.shards};
}

std::vector<std::size_t> banks_of(const Part& part, const Options& options, std::size_t outputs) {
  std::vector<std::size_t> banks(part.classes.begin(), part.classes.end());
  if (part.classes.empty()) {
    banks.resize(count_banks(options, outputs));
    std::iota(banks.begin(), banks.end(), std::size_t{0});
    return banks;
  }
  if (has_one_bank(options)) {
    throw ConfigError("a machine whose outputs share a bank cannot be divided by class");
  }
  for (std::size_t i = 0; i < banks.size(); ++i) {
    if (banks[i] >= outputs || (i > 0 && banks[i] <= banks[i - 1])) {
      throw ConfigError(
          fmt::format("the classes of a part must ascend and be from 0 to {}, got {}", outputs - 1, text_of(part)));
    }
  }
  return banks;
}

}  // namespace falsum
