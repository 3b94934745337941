#include "falsum/schema.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "data/data_files.h"
#include "support/bytes.h"

namespace falsum::schema_test {
namespace {

using testing_data::expect_error;

Schema full_schema() {
  Schema schema;
  schema.format = DataFormat::kCsv;
  schema.dialect = {';', '\'', true, false, {',', '.'}};
  schema.missing_marks = {"NA", "", "\xe2\x80\x94"};
  schema.first_index = 1;
  schema.bits = true;
  schema.label_kind = LabelKind::kReal;
  const ColumnRole roles[] = {ColumnRole::kFeature, ColumnRole::kLabel, ColumnRole::kIgnored};
  for (std::size_t k = 0; k < 7; ++k) {
    ColumnSchema column;
    column.name = k == 2 ? "" : "column " + std::to_string(k);
    column.role = k < 3 ? roles[k] : ColumnRole::kFeature;
    column.kind = static_cast<ColumnKind>(k);
    column.missing = 1000 * k;
    column.distinct = k;
    column.least = -1.5 * static_cast<double>(k);
    column.most = 1e300;
    schema.columns.push_back(std::move(column));
  }
  return schema;
}

std::string write(const Schema& schema) {
  ByteWriter writer;
  schema.write(writer);
  return writer.take();
}

Schema read(const std::string& bytes) {
  ByteReader reader(bytes, "model m");
  return Schema::read(reader);
}

TEST(Schema, IsReadBackAsItWasWritten) {
  const Schema schema = full_schema();
  EXPECT_EQ(read(write(schema)), schema);
  EXPECT_EQ(write(read(write(schema))), write(schema));
  EXPECT_EQ(read(write(Schema{})), Schema{});
  EXPECT_EQ(schema.label_at(), 1u);
  EXPECT_EQ(schema.count(ColumnRole::kFeature), 5u);
  EXPECT_EQ(Schema{}.label_at(), 0u);
  EXPECT_FALSE(Schema{}.known());
}

TEST(Schema, PartsOfALaterVersionAreSkipped) {
  const Schema schema = full_schema();
  ByteWriter later;
  later.text("time zone");
  later.text("Europe/Oslo");
  EXPECT_EQ(read(later.bytes() + write(schema)), schema);
  EXPECT_EQ(read(write(schema) + later.bytes()), schema);
}

TEST(Schema, EveryTruncationReadsOrIsOurError) {
  const std::string bytes = write(full_schema());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    try {
      read(bytes.substr(0, size));
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find("model m is damaged"), std::string::npos);
    }
  }
}

TEST(Schema, EveryChangedByteReadsOrIsOurError) {
  const std::string bytes = write(full_schema());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int value = 0; value < 256; ++value) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(value);
      try {
        const Schema schema = read(damaged);
        EXPECT_LE(schema.count(ColumnRole::kLabel), 1u);
        EXPECT_EQ(write(read(write(schema))), write(schema)) << "byte " << i << " is " << value;
      } catch (const FileError&) {
      }
    }
  }
}

TEST(Schema, ImpossibleValuesAreRefused) {
  const auto refused = [](const std::string& name, const std::string& value, const std::string& why) {
    ByteWriter writer;
    writer.text(name);
    writer.text(value);
    expect_error<FileError>([&] { read(writer.bytes()); }, {"model m is damaged", why});
  };
  refused("format", "\x07", "does not know");
  refused("labels", "\x04", "does not know");
  refused("first_index", "\x02", "neither from 0 nor from 1");
  refused("dialect", std::string("x\"\0\1.\0", 6), "delimiter");
  refused("dialect", std::string(",x\0\1.\0", 6), "quote");
  refused("dialect", std::string(",\"\0\1x\0", 6), "decimal mark");
  refused("dialect", ",", "ends too early");
  refused("columns", "\xff\xff\xff\xff\x0f", "middle of a list");
  Schema two = full_schema();
  two.columns[0].role = ColumnRole::kLabel;
  expect_error<FileError>([&] { read(write(two)); }, {"more than one label"});
}

TEST(Schema, EveryKindHasAName) {
  EXPECT_EQ(name_of(ColumnKind::kEmpty), "empty");
  EXPECT_EQ(name_of(ColumnRole::kIgnored), "ignored");
  EXPECT_EQ(name_of(LabelKind::kBoolean), "boolean");
  EXPECT_EQ(name_of(DataFormat::kFrame), "frame");
}

TEST(Schema, ValuesBeyondTheCalendarAreNumbers) {
  EXPECT_EQ(value_text(ColumnKind::kNumber, 1.5), "1.5");
  EXPECT_EQ(value_text(ColumnKind::kDate, 1e8), "100000000");
  EXPECT_EQ(value_text(ColumnKind::kDateTime, 1e300), "1e+300");
  EXPECT_EQ(value_text(ColumnKind::kTime, -1), "-1");
  EXPECT_EQ(value_text(ColumnKind::kDate, 0.0 / 0.0), value_text(ColumnKind::kNumber, 0.0 / 0.0));
}

}  // namespace
}  // namespace falsum::schema_test
