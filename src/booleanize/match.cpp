#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "booleanize/mappings.h"
#include "data/formats.h"
#include "falsum/cpu.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

/// A name and the number of its earlier occurrences.
using Occurrence = std::pair<std::string_view, std::size_t>;

std::vector<Occurrence> occurrences_of(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> times;
  std::vector<Occurrence> occurrences;
  occurrences.reserve(names.size());
  for (const std::string& name : names) occurrences.emplace_back(name, times[name]++);
  return occurrences;
}

bool has_names(const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [](const std::string& name) { return !name.empty(); });
}

}  // namespace

BitMatrix make_bits(std::size_t rows, std::size_t features, const std::string& origin) {
  // A row of a sparse file may be a few bytes and still name the last of millions of features.
  const std::uint64_t most = physical_memory() > 0 ? physical_memory() : std::uint64_t{64} << 30;
  const std::uint64_t words = features / 64 + 1;
  if (rows > most / 8 / words) {
    throw DataError(fmt::format("{} has {} rows and {} features, which need {} MB as bits, and this machine has {} MB",
                                origin, rows, features, checked_product(rows, words, origin) / 125000, most / 1000000));
  }
  return BitMatrix(rows, features);
}

BitMatrix dense_bits(const SparseBits& sparse, const std::string& origin) {
  BitMatrix bits = make_bits(sparse.rows(), sparse.columns, origin);
  for (std::size_t r = 0; r < sparse.rows(); ++r) {
    for (const std::uint32_t k : sparse.row(r)) bits.set(r, k);
  }
  return bits;
}

std::vector<std::size_t> match_columns(const std::vector<std::string>& fitted, std::size_t fitted_count,
                                       const std::vector<std::string>& found, std::size_t count,
                                       const std::string& origin) {
  if (has_names(fitted) && has_names(found)) {
    std::map<Occurrence, std::size_t> found_at;
    const std::vector<Occurrence> there = occurrences_of(found), wanted = occurrences_of(fitted);
    for (std::size_t i = 0; i < there.size(); ++i) found_at.emplace(there[i], i);
    std::vector<std::size_t> matched;
    for (const Occurrence& column : wanted) {
      const auto place = found_at.find(column);
      if (place == found_at.end()) {
        throw DataError(fmt::format("{} has no column {:?}, one of the {} that the model was trained on", origin,
                                    column.first, fitted_count));
      }
      matched.push_back(place->second);
      found_at.erase(place);
    }
    if (!found_at.empty()) {
      throw DataError(fmt::format("{} has {} columns, expected {}: {:?} was not there in training", origin, count,
                                  fitted_count, found_at.begin()->first.first));
    }
    return matched;
  }
  if (count != fitted_count) {
    throw DataError(fmt::format("{} has {} columns, expected {} as in training", origin, count, fitted_count));
  }
  std::vector<std::size_t> matched(fitted_count);
  for (std::size_t i = 0; i < fitted_count; ++i) matched[i] = i;
  return matched;
}

}  // namespace falsum
