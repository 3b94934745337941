#include <fmt/format.h>

#include <unordered_map>

#include "booleanize/rules.h"
#include "data/formats.h"
#include "falsum/cpu.h"
#include "falsum/error.h"

namespace falsum {
namespace {

using Positions = std::unordered_map<std::string_view, std::size_t>;

/// Empty if the names cannot tell all columns apart.
Positions positions_of(const std::vector<std::string>& names) {
  Positions positions;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty() || !positions.emplace(names[i], i).second) return {};
  }
  return positions;
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
  const Positions fitted_at = positions_of(fitted), found_at = positions_of(found);
  const bool by_name = !fitted_at.empty() && !found_at.empty();
  if (by_name) {
    for (const std::string& name : fitted) {
      if (!found_at.contains(name)) {
        throw DataError(fmt::format("{} has no column {:?}, one of the {} that the model was trained on", origin, name,
                                    fitted_count));
      }
    }
    for (const std::string& name : found) {
      if (!fitted_at.contains(name)) {
        throw DataError(fmt::format("{} has {} columns, expected {}: {:?} was not there in training", origin, count,
                                    fitted_count, name));
      }
    }
  }
  if (count != fitted_count) {
    throw DataError(fmt::format("{} has {} columns, expected {} as in training", origin, count, fitted_count));
  }
  std::vector<std::size_t> matched(fitted_count);
  for (std::size_t i = 0; i < fitted_count; ++i) matched[i] = by_name ? found_at.at(fitted[i]) : i;
  return matched;
}

}  // namespace falsum
