// The booleanizer inside a model file: a byte for the kind of mapping, then its fields in the order of
// booleanizer.h. The reader rejects everything that transform() could not handle.
#include <algorithm>
#include <cmath>

#include "booleanize/mappings.h"
#include "data/formats.h"
#include "falsum/booleanizer.h"
#include "support/bytes.h"

namespace falsum {
namespace {

enum Kind : std::uint8_t { kBits = 0, kLevels = 1, kColumns = 2, kWords = 3, kPhrases = 4, kColumnsWithMissing = 5 };
enum RuleKind : std::uint8_t { kNumeric = 0, kCategorical = 1, kBoolean = 2 };

std::uint32_t read_features(ByteReader& reader) {
  const std::uint64_t features = reader.varint();
  if (features > kMaxFeatures) reader.fail("it has more features than are allowed");
  return static_cast<std::uint32_t>(features);
}

/// Rows of an image as wide as this must fill it; 0 stands for no image.
std::uint32_t read_width(ByteReader& reader, std::uint32_t pixels) {
  const std::uint64_t width = reader.varint();
  if (width > pixels || (width > 0 && pixels % width != 0)) reader.fail("its image width does not divide its pixels");
  return static_cast<std::uint32_t>(width);
}

/// What version 1 of the format cannot store: missing values, dates.
bool is_plain(const Booleanizer::ByColumn& table) {
  return std::none_of(table.columns.begin(), table.columns.end(), [](const Booleanizer::ColumnMapping& column) {
    return column.missing || column.unit != ColumnKind::kNumber;
  });
}

void write_column(const Booleanizer::ColumnMapping& column, bool plain, ByteWriter& writer) {
  writer.text(column.name);
  if (!plain) {
    writer.u8(column.missing);
    writer.u8(static_cast<std::uint8_t>(column.unit));
  }
  if (column.categorical) {
    writer.u8(kCategorical);
    writer.texts(column.categories);
  } else if (column.boolean) {
    writer.u8(kBoolean);
  } else {
    writer.u8(kNumeric);
    writer.varint(column.thresholds.size());
    for (const double threshold : column.thresholds) writer.f64(threshold);
  }
}

Booleanizer::ColumnMapping read_column(bool plain, ByteReader& reader) {
  Booleanizer::ColumnMapping column;
  column.name = reader.text();
  if (!plain) {
    const std::uint8_t missing = reader.u8(), unit = reader.u8();
    if (missing > 1 || unit > static_cast<std::uint8_t>(ColumnKind::kTime))
      reader.fail("it has a column of an unknown kind");
    column.missing = missing == 1;
    column.unit = static_cast<ColumnKind>(unit);
  }
  switch (reader.u8()) {
    case kCategorical:
      column.categorical = true;
      column.categories = reader.texts();
      break;
    case kBoolean:
      column.boolean = true;
      break;
    case kNumeric: {
      const std::uint64_t count = reader.count(8);
      for (std::uint64_t i = 0; i < count; ++i) {
        const double threshold = reader.f64();
        const bool ascends = column.thresholds.empty() || threshold > column.thresholds.back();
        if (!std::isfinite(threshold) || !ascends) reader.fail("the thresholds of a column do not ascend");
        column.thresholds.push_back(threshold);
      }
      break;
    }
    default:
      reader.fail("it has a column of an unknown kind");
  }
  return column;
}

}  // namespace

void Booleanizer::write(ByteWriter& writer) const {
  if (const auto* bits = std::get_if<Bits>(&mapping_)) {
    writer.u8(kBits);
    writer.varint(bits->features);
    writer.varint(image_width_);
    writer.texts(bits->names);
  } else if (const auto* levels = std::get_if<Levels>(&mapping_)) {
    writer.u8(kLevels);
    writer.varint(levels->pixels);
    writer.varint(levels->width);
    writer.varint(levels->thresholds.size());
    for (const std::uint8_t threshold : levels->thresholds) writer.u8(threshold);
  } else if (const auto* table = std::get_if<ByColumn>(&mapping_)) {
    const bool plain = is_plain(*table);
    writer.u8(plain ? kColumns : kColumnsWithMissing);
    writer.varint(table->columns.size());
    for (const ColumnMapping& column : table->columns) write_column(column, plain, writer);
  } else {
    const Words& words = std::get<Words>(mapping_);
    writer.u8(words.phrases > 1 ? kPhrases : kWords);
    if (words.phrases > 1) writer.varint(words.phrases);
    writer.texts(words.vocabulary);
  }
}

std::uint32_t Booleanizer::format_version() const {
  const auto* table = std::get_if<ByColumn>(&mapping_);
  return table == nullptr || is_plain(*table) ? 1 : 2;
}

Booleanizer Booleanizer::read(ByteReader& reader) {
  const std::uint8_t kind = reader.u8();
  Booleanizer result;
  if (kind == kBits) {
    Bits bits;
    bits.features = read_features(reader);
    const std::uint32_t width = read_width(reader, bits.features);
    bits.names = reader.texts();
    if (!bits.names.empty() && bits.names.size() != bits.features) reader.fail("its feature names do not fit");
    result = Booleanizer(std::move(bits), width);
  } else if (kind == kLevels) {
    Levels levels;
    levels.pixels = read_features(reader);
    levels.width = read_width(reader, levels.pixels);
    const std::uint64_t count = reader.count(1);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint8_t threshold = reader.u8();
      if (!levels.thresholds.empty() && threshold <= levels.thresholds.back()) reader.fail("its levels do not ascend");
      levels.thresholds.push_back(threshold);
    }
    result = Booleanizer(std::move(levels));
  } else if (kind == kColumns || kind == kColumnsWithMissing) {
    ByColumn table;
    const std::uint64_t count = reader.count(2);
    for (std::uint64_t i = 0; i < count; ++i) table.columns.push_back(read_column(kind == kColumns, reader));
    result = Booleanizer(std::move(table));
  } else if (kind == kWords) {
    result = Booleanizer(Words{reader.texts(), 1});
  } else if (kind == kPhrases) {
    const std::uint64_t most = reader.varint();
    if (most < 2 || most > kMostPhrases) reader.fail("its phrases are of too many words, or too few");
    result = Booleanizer(Words{reader.texts(), static_cast<std::uint32_t>(most)});
  } else {
    reader.fail("its booleanizer is of an unknown kind");
  }
  if (result.features() > kMaxFeatures) reader.fail("it has more features than are allowed");
  return result;
}

}  // namespace falsum
