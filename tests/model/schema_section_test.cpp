// The schema inside a model: read back, of the width of the booleanizer, hostile bytes refused, and nothing changed in
// models that have none.
#include <gtest/gtest.h>

#include "data/data_files.h"
#include "data/formats.h"
#include "falsum/machine.h"
#include "falsum/model.h"
#include "model/container.h"
#include "support/bytes.h"

namespace falsum::schema_section_test {
namespace {

using testing_data::expect_error;

Model model_of(const std::string& text, bool with_schema = true) {
  const Source source = load_csv(text, "t.csv", {});
  const Booleanizer booleanizer = Booleanizer::fit(source);
  Options options;
  options.clauses = 4;
  options.threads = 1;
  Machine machine(options, booleanizer.features(), 2);
  const std::vector<std::string> labels = distinct_labels(source.labels);
  machine.learn_epoch(booleanizer.transform(source), encode_labels(source, labels));
  return machine.model().described({labels, booleanizer, with_schema ? source.schema : Schema{}});
}

const char* const kPlain = "a,c,y\n1,red,p\n2,blue,q\n3,red,p\n";
const char* const kMissing = "a,c,y\n1,red,p\nNA,blue,q\n3,red,p\n";

std::uint32_t version_of(const std::string& bytes) {
  ByteReader reader(std::string_view(bytes).substr(8), "bytes");
  return reader.u32();
}

/// The sections of a model, some with another payload, as a new file with right checksums.
std::string with_section(const std::string& bytes, std::string_view tag, std::string_view payload) {
  ContainerWriter writer(FileKind::kModel, version_of(bytes));
  ByteReader reader(bytes, "bytes");
  for (reader.raw(16); reader.left() >= 20;) {
    const std::string_view found = reader.raw(4);
    const std::string_view old = reader.raw(reader.u64());
    reader.u64();
    if (found == "END ") break;
    writer.section(found, found == tag ? payload : old);
  }
  return writer.finish();
}

std::string schema_bytes(const Schema& schema) {
  ByteWriter writer;
  schema.write(writer);
  return writer.take();
}

TEST(ModelSchema, IsReadBackWithTheModel) {
  for (const char* text : {kPlain, kMissing, "d,y\n2024-01-01,p\n2024-02-01,q\n"}) {
    const Model model = model_of(text);
    const std::string bytes = model.to_bytes();
    const Model loaded = Model::from_bytes(bytes);
    EXPECT_EQ(loaded.schema(), model.schema());
    EXPECT_EQ(loaded.booleanizer(), model.booleanizer());
    EXPECT_EQ(loaded.to_bytes(), bytes);
    EXPECT_EQ(loaded.reading_schema(), model.schema());
  }
}

TEST(ModelSchema, VersionIs2OnlyWhereAReaderMustKnowMissingValuesOrDates) {
  EXPECT_EQ(version_of(model_of(kPlain).to_bytes()), 1u);
  EXPECT_EQ(version_of(model_of(kMissing).to_bytes()), 2u);
  EXPECT_EQ(version_of(model_of("d,y\n2024-01-01,p\n2024-02-01,q\n").to_bytes()), 2u);
}

TEST(ModelSchema, AModelWithoutOneHasNoBytesForIt) {
  const std::string with = model_of(kPlain).to_bytes(), without = model_of(kPlain, false).to_bytes();
  EXPECT_NE(with.find("schm"), std::string::npos);
  EXPECT_EQ(without.find("schm"), std::string::npos);
  EXPECT_EQ(version_of(without), 1u);
  EXPECT_FALSE(Model::from_bytes(without).schema().known());
  // All that stands before the section is the same.
  EXPECT_EQ(with.substr(0, with.find("schm")), without.substr(0, with.find("schm")));
}

TEST(ModelSchema, WithoutOneTheBooleanizerSaysWhatColumnsThereAre) {
  const Schema reading = model_of(kPlain, false).reading_schema();
  ASSERT_EQ(reading.columns.size(), 2u);
  EXPECT_EQ(reading.columns[0].name, "a");
  EXPECT_EQ(reading.columns[0].kind, ColumnKind::kNumber);
  EXPECT_EQ(reading.columns[1].kind, ColumnKind::kCategory);
  EXPECT_EQ(reading.label_at(), 2u) << "it knows no label";
}

TEST(ModelSchema, OneOfAnotherWidthIsRefused) {
  const Model model = model_of(kPlain);
  Schema wider = model.schema(), narrower = model.schema();
  wider.columns.emplace_back();
  narrower.columns[0].role = ColumnRole::kIgnored;
  for (const Schema& schema : {wider, narrower}) {
    const std::string bytes = with_section(model.to_bytes(), "schm", pack(schema_bytes(schema), 1));
    expect_error<FileError>([&] { Model::from_bytes(bytes, "model m"); },
                            {"model m is damaged", "another number of columns"});
  }
}

TEST(ModelSchema, HostileBytesReadOrAreOurError) {
  const Model model = model_of(kMissing);
  const std::string bytes = model.to_bytes(), schema = schema_bytes(model.schema());
  std::size_t refused = 0;
  const auto attempt = [&](const std::string& payload) {
    try {
      Model::from_bytes(with_section(bytes, "schm", pack(payload, 1)), "model m");
    } catch (const FileError&) {
      ++refused;
    }
  };
  for (std::size_t i = 0; i < schema.size(); ++i) {
    attempt(schema.substr(0, i));
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = schema;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      attempt(damaged);
    }
  }
  EXPECT_GT(refused, schema.size() / 2);
  EXPECT_THROW(Model::from_bytes(with_section(bytes, "schm", "not packed"), "model m"), FileError);
}

}  // namespace
}  // namespace falsum::schema_section_test
