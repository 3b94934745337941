#include "falsum/model.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <iterator>

#include "falsum/cpu.h"
#include "falsum/error.h"
#include "model/container.h"
#include "model/sections.h"
#include "support/bytes.h"
#include "support/file.h"
#include "support/format.h"

namespace falsum {
namespace {

/// To predict takes memory for every feature, whether a clause has it or not: a column of 512 samples for each of its
/// two literals, and where the literal's clauses are. A file of 200 bytes can claim half a billion of them.
void check_features(std::uint64_t features, const std::string& what) {
  constexpr std::uint64_t kBytes = 192;
  const std::uint64_t memory = physical_memory(), needed = features * kBytes;
  if (memory == 0 || needed <= memory / 2) return;
  throw FileError(
      fmt::format("{} has {} features; to predict with it would take {:.1f} GB, more than half of the {:.1f} GB "
                  "that this machine has",
                  what, features, static_cast<double>(needed) / 1e9, static_cast<double>(memory) / 1e9));
}

/// Whoever reads by the schema hands its columns to the booleanizer, so there must be as many.
void check_schema(const Model& model, const ByteReader& reader) {
  if (model.schema.columns.empty()) return;
  const auto* table = std::get_if<Booleanizer::ByColumn>(&model.booleanizer.rule());
  const auto* bits = std::get_if<Booleanizer::Bits>(&model.booleanizer.rule());
  const std::size_t columns = model.schema.count(ColumnRole::kFeature);
  if (table != nullptr ? columns != table->columns.size() : bits == nullptr || columns != bits->features) {
    reader.fail("its schema has another number of columns than its booleanizer");
  }
}

}  // namespace

Model::Model(const Options& options, std::size_t features, std::size_t classes, std::vector<std::uint64_t> starts,
             std::vector<std::uint32_t> literals, std::vector<std::int32_t> weights)
    : options_(options),
      features_(features),
      classes_(classes),
      starts_(std::move(starts)),
      literals_(std::move(literals)),
      weights_(std::move(weights)) {
  assert(starts_.size() == classes_ * clauses() + 1 && starts_.back() == literals_.size());
  assert(weights_.size() == classes_ * clauses());
  // The model is the machine's, however it was run.
  copy_options(OptionScope::kRun, Options{}, options_);
}

std::vector<std::string> Model::literal_names() const {
  std::vector<std::string> names = booleanizer.feature_names(), negated = booleanizer.negated_names();
  if (names.size() != features_) {  // a machine trained on bare bits
    names.clear();
    negated.clear();
    for (std::size_t k = 0; k < features_; ++k) {
      names.push_back(fmt::format("x{}", k));
      negated.push_back("not " + names.back());
    }
  }
  names.insert(names.end(), std::make_move_iterator(negated.begin()), std::make_move_iterator(negated.end()));
  return names;
}

Schema Model::reading_schema() const {
  Schema reading = schema;
  if (!reading.columns.empty()) return reading;
  if (const auto* table = std::get_if<Booleanizer::ByColumn>(&booleanizer.rule())) {
    for (const Booleanizer::ColumnRule& rule : table->columns) {
      ColumnSchema column;
      column.name = rule.name;
      column.kind = rule.categorical ? ColumnKind::kCategory : rule.boolean ? ColumnKind::kBoolean : rule.unit;
      reading.columns.push_back(std::move(column));
    }
  } else if (const auto* bits = std::get_if<Booleanizer::Bits>(&booleanizer.rule())) {
    reading.columns.resize(bits->features);
    for (std::size_t k = 0; k < bits->names.size(); ++k) reading.columns[k].name = bits->names[k];
  }
  return reading;
}

std::string Model::to_bytes(Packing packing) const {
  const int level = packing == Packing::kQuick ? 1 : 9;  // of zstd
  ContainerWriter container(FileKind::kModel, booleanizer.format_version());
  container.section("MACH", write_machine_section(options_, {features_, classes_}));

  ByteWriter clauses_section;  // per clause: |weight|, number of literals, gaps between them
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    clauses_section.varint(static_cast<std::uint64_t>(std::abs(weights_[c])));
    clauses_section.varint(starts_[c + 1] - starts_[c]);
    std::uint32_t next = 0;
    for (std::uint64_t i = starts_[c]; i < starts_[c + 1]; ++i) {
      clauses_section.varint(literals_[i] - next);
      next = literals_[i] + 1;
    }
  }
  container.section("CLAU", pack(clauses_section.bytes(), level));

  ByteWriter labels_section;
  labels_section.texts(labels);
  container.section("LABL", labels_section.bytes());
  ByteWriter booleanizer_section;
  booleanizer.write(booleanizer_section);
  container.section("BOOL", pack(booleanizer_section.bytes(), level));
  ByteWriter provenance_section;
  provenance_section.text(provenance.falsum_version);
  provenance_section.text(provenance.data);
  provenance_section.u64(provenance.samples);
  provenance_section.u64(provenance.epochs);
  provenance_section.f64(provenance.test_accuracy);
  container.section("PROV", provenance_section.bytes());
  if (schema.known()) {
    ByteWriter schema_section;
    schema.write(schema_section);
    container.section(kSchemaTag, pack(schema_section.bytes(), level));
  }
  if (!truth_shares.empty()) {
    ByteWriter shares;
    for (const std::uint16_t share : truth_shares) {
      shares.u8(static_cast<std::uint8_t>(share));
      shares.u8(static_cast<std::uint8_t>(share >> 8));
    }
    container.section(kTruthsTag, pack(shares.bytes(), level));
  }
  return container.finish();
}

Model Model::from_bytes(std::string_view bytes, const std::string& what) {
  const Container container(bytes, FileKind::kModel, {"MACH", "CLAU", "LABL", "BOOL", "PROV", kSchemaTag, kTruthsTag},
                            what);
  Shape shape;
  const Options options = read_machine_section(container, shape);
  check_features(shape.features, what);
  const std::uint64_t count = shape.classes * static_cast<std::uint64_t>(options.clauses);

  const LargeBytes plain = unpack(container.section("CLAU"), most_section_bytes(), what);
  ByteReader reader(plain, what);
  if (count > plain.size() / 2) reader.fail("it has fewer clauses than it says");
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> literals;
  std::vector<std::int32_t> weights;
  starts.reserve(count + 1);
  weights.reserve(count);
  // Room for all at once: every number ends in a byte without the top bit, and two of a clause are no literals.
  const auto numbers = static_cast<std::uint64_t>(
      std::count_if(plain.begin(), plain.end(), [](char byte) { return (byte & 0x80) == 0; }));
  literals.reserve(numbers - std::min(numbers, 2 * count));
  const auto clauses = static_cast<std::uint64_t>(options.clauses);
  constexpr std::uint64_t kMostVotes = 0x7fffffff;  // for a class or against it: votes are 32-bit numbers
  std::uint64_t votes = 0;
  for (std::uint64_t c = 0; c < count; ++c) {
    const std::uint64_t weight = reader.varint();
    votes = weight + (c % (clauses / 2) == 0 ? 0 : votes);
    if (weight == 0 || weight > kMostVotes || votes > kMostVotes) reader.fail("a clause's weight is impossible");
    const bool positive = c % clauses < clauses / 2;
    weights.push_back(positive ? static_cast<std::int32_t>(weight) : -static_cast<std::int32_t>(weight));
    const std::uint64_t length = reader.count(1);
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < length; ++i) {
      const std::uint64_t gap = reader.varint();
      if (gap >= 2 * shape.features - next) reader.fail("a clause includes a literal that does not exist");
      literals.push_back(static_cast<std::uint32_t>(next + gap));
      next += gap + 1;
    }
    starts.push_back(literals.size());
  }
  reader.expect_end();

  Model model(options, shape.features, shape.classes, std::move(starts), std::move(literals), std::move(weights));
  ByteReader labels_reader(container.section("LABL"), what);
  model.labels = labels_reader.texts();
  labels_reader.expect_end();
  if (!model.labels.empty() && model.labels.size() != shape.classes)
    labels_reader.fail("it has another number of labels than classes");
  const LargeBytes booleanizer_bytes = unpack(container.section("BOOL"), most_section_bytes(), what);
  ByteReader booleanizer_reader(booleanizer_bytes, what);
  model.booleanizer = Booleanizer::read(booleanizer_reader);
  booleanizer_reader.expect_end();
  if (model.booleanizer.features() != 0 && model.booleanizer.features() != shape.features) {
    booleanizer_reader.fail("its booleanizer gives another number of features");
  }
  ByteReader provenance_reader(container.section("PROV"), what);
  model.provenance.falsum_version = provenance_reader.text();
  model.provenance.data = provenance_reader.text();
  model.provenance.samples = provenance_reader.u64();
  model.provenance.epochs = provenance_reader.u64();
  model.provenance.test_accuracy = provenance_reader.f64();
  provenance_reader.expect_end();
  for (const std::string_view section : container.sections(kSchemaTag)) {  // none in older files
    const LargeBytes schema_bytes = unpack(section, most_section_bytes(), what);
    ByteReader schema_reader(schema_bytes, what);
    model.schema = Schema::read(schema_reader);
    check_schema(model, schema_reader);
    break;
  }
  for (const std::string_view section : container.sections(kTruthsTag)) {  // none in older files
    const LargeBytes shares = unpack(section, 2 * shape.features, what);
    ByteReader shares_reader(shares, what);
    if (shares.size() != 2 * shape.features) shares_reader.fail("it knows another number of features");
    model.truth_shares.resize(shape.features);
    for (std::uint16_t& share : model.truth_shares) {
      const std::uint8_t low = shares_reader.u8();
      share = static_cast<std::uint16_t>(low | shares_reader.u8() << 8);
    }
    shares_reader.expect_end();
  }
  return model;
}

void Model::save(const std::string& path) const { write_file_atomically(path, to_bytes()); }
Model Model::load(const std::string& path) { return from_bytes(read_file(path), path); }

}  // namespace falsum
