// Rows of Boolean features, copied from the caller and checked on the way.
#include <limits>

#include "handles.h"
#include "support/limits.h"

using namespace falsum;
using namespace falsum::c_api;

namespace {

void check_features(std::size_t features) {
  if (features >= 1 && features <= kMaxFeatures) return;
  throw ConfigError(fmt::format("features must be from 1 to {}, got {}", kMaxFeatures, features));
}

/// The number of elements that so many rows must have; it is compared, so that nothing is sized by rows alone.
void check_elements(const char* name, std::size_t got, std::size_t rows, std::size_t of_a_row) {
  if (rows > std::numeric_limits<std::size_t>::max() / of_a_row) {
    throw ConfigError(fmt::format("rows is absurdly large: {} rows of {} elements each", rows, of_a_row));
  }
  if (got == rows * of_a_row) return;
  throw ConfigError(
      fmt::format("{} must be {} for {} rows of {} elements each, got {}", name, rows * of_a_row, rows, of_a_row, got));
}

BitMatrix from_packed(std::span<const std::uint64_t> words, std::size_t rows, std::size_t features) {
  BitMatrix bits(rows, features);
  const std::size_t width = bits.words_per_row();
  const std::uint64_t beyond = features % 64 == 0 ? 0 : ~std::uint64_t{0} << (features % 64);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::span<const std::uint64_t> row = words.subspan(r * width, width);
    if ((row.back() & beyond) != 0) {
      throw DataError(fmt::format("row {} has bits beyond its last feature, {}: they must be 0", r, features - 1));
    }
    std::copy(row.begin(), row.end(), bits.row(r).begin());
  }
  return bits;
}

}  // namespace

BitMatrix falsum::c_api::bits_of_bytes(std::span<const std::uint8_t> bytes, const char* count_name, std::size_t rows,
                                       std::size_t features) {
  check_elements(count_name, bytes.size(), rows, features);
  BitMatrix bits(rows, features);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::uint8_t* row = bytes.data() + r * features;
    const std::span<std::uint64_t> words = bits.row(r);
    for (std::size_t k = 0; k < features; ++k) words[k / 64] |= std::uint64_t{row[k] != 0} << (k % 64);
  }
  return bits;
}

int falsum_rows_from_packed(const uint64_t* words, size_t word_count, size_t rows, size_t features, falsum_rows** out) {
  return give_handle(out, "out", [&] {
    const auto given = array(words, word_count, "words");
    check_features(features);
    check_elements("word_count", word_count, rows, (features + 63) / 64);
    return falsum_rows{from_packed(given, rows, features)};
  });
}

int falsum_rows_from_bytes(const uint8_t* bytes, size_t byte_count, size_t rows, size_t features, falsum_rows** out) {
  return give_handle(out, "out", [&] {
    const auto given = array(bytes, byte_count, "bytes");
    check_features(features);
    return falsum_rows{bits_of_bytes(given, "byte_count", rows, features)};
  });
}

int falsum_rows_from_csr(const uint64_t* starts, size_t start_count, const uint32_t* indices, size_t index_count,
                         size_t features, falsum_rows** out) {
  return give_handle(out, "out", [&] {
    const SparseBitsView given = {features, array(starts, start_count, "starts"),
                                  array(indices, index_count, "indices")};
    check_features(features);
    if (start_count == 0) throw ConfigError("start_count must be one more than there are rows, got 0");
    given.check();
    SparseBits bits(features);
    bits.starts.assign(given.starts.begin(), given.starts.end());
    bits.features.assign(given.features.begin(), given.features.end());
    return falsum_rows{std::move(bits)};
  });
}

size_t falsum_rows_count(const falsum_rows* rows) {
  return guarded_value(std::size_t{0}, [&] { return needed(rows, "rows").rows.view().rows(); });
}
size_t falsum_rows_features(const falsum_rows* rows) {
  return guarded_value(std::size_t{0}, [&] { return needed(rows, "rows").rows.view().columns(); });
}
void falsum_rows_free(falsum_rows* rows) { delete rows; }
