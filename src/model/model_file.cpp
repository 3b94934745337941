// Models as files. A model is written in format version 1, byte for byte as falsum 0.1 wrote it, whenever version 1 can
// store all of it: options of falsum 0.1, and for each class the same number of clauses of its own, half of them for it
// and half against. docs/model_format.md has every byte.
#include <algorithm>
#include <cstdlib>

#include "falsum/cpu.h"
#include "falsum/error.h"
#include "falsum/model.h"
#include "model/container.h"
#include "model/sections.h"
#include "support/bytes.h"
#include "support/file.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::string_view kClausesTag = "CLAU", kLabelsTag = "LABL", kBooleanizerTag = "BOOL", kProvenanceTag = "PROV";
constexpr std::string_view kLiteralsTag = "LITS", kInfoTag = "info", kPatchTag = "PTCH";  // version 2
/// Instead of LITS where clauses are fuzzy, so that a reader that does not know them refuses the file.
constexpr std::string_view kFuzzyTag = "FUZZ";
constexpr std::string_view kCalibrationTag = "prob";  // optional

/// Prediction takes memory for every feature, whether a clause includes it or not: a column of 512 samples for each of
/// its two literals, and the position of the literal's clauses. A file of 200 bytes can claim half a billion features.
void check_features(std::uint64_t features, const std::string& what) {
  constexpr std::uint64_t kBytes = 192;
  const std::uint64_t memory = physical_memory(), needed = features * kBytes;
  if (memory == 0 || needed <= memory / 2) return;
  throw FileError(
      fmt::format("{} has {} features; to predict with it would take {:.1f} GB, more than half of the {:.1f} GB "
                  "that this machine has",
                  what, features, static_cast<double>(needed) / 1e9, static_cast<double>(memory) / 1e9));
}

/// Whether output i has clauses i * n .. i * n + n - 1 to itself, the first half for it and the second against.
bool has_clauses_of_version_1(const ModelParts& parts) {
  const auto n = static_cast<std::size_t>(parts.options.clauses);
  if (parts.weights.size() != parts.outputs * n || parts.clause_starts.size() != parts.outputs * n + 1) return false;
  for (std::size_t i = 0; i < parts.weights.size(); ++i) {
    const bool against = i % n >= n / 2;
    if (parts.weights[i].clause != i || (parts.weights[i].votes < 0) != against) return false;
  }
  for (std::size_t o = 0; o <= parts.outputs; ++o) {
    if (parts.weight_starts[o] != o * n) return false;
  }
  return true;
}

/// The number of literals and the gaps between them.
void write_literals(ByteWriter& writer, std::span<const std::uint32_t> literals) {
  writer.varint(literals.size());
  std::uint32_t next = 0;
  for (const std::uint32_t literal : literals) {
    writer.varint(literal - next);
    next = literal + 1;
  }
}

/// Reads one clause. Gaps are checked here, since wrong gaps could wrap around; Model checks everything else.
void read_literals(ByteReader& reader, ModelParts& parts) {
  const std::uint64_t length = reader.count(1);
  std::uint64_t next = 0;
  for (std::uint64_t i = 0; i < length; ++i) {
    const std::uint64_t gap = reader.varint();
    if (gap >= 2 * parts.features - next) reader.fail("a clause includes a literal that does not exist");
    parts.literals.push_back(static_cast<std::uint32_t>(next + gap));
    next += gap + 1;
  }
  parts.clause_starts.push_back(parts.literals.size());
}

/// Reserves room for all literals: every varint ends in a byte without the top bit, and `others` of them are not
/// literals.
void reserve_literals(std::string_view plain, std::uint64_t others, std::vector<std::uint32_t>& literals) {
  const auto numbers = static_cast<std::uint64_t>(
      std::count_if(plain.begin(), plain.end(), [](char byte) { return (byte & 0x80) == 0; }));
  literals.reserve(numbers - std::min(numbers, others));
}

std::string write_clauses(const Model& model) {  // per clause: |weight|, literals
  ByteWriter writer;
  for (const Weight& weight : model.parts().weights) {
    writer.varint(static_cast<std::uint64_t>(std::abs(std::int64_t{weight.votes})));
    write_literals(writer, model.clause(weight.clause));
  }
  return writer.take();
}

void read_clauses(std::string_view plain, const std::string& what, std::uint64_t count, ModelParts& parts) {
  ByteReader reader(plain, what);
  if (count > plain.size() / 2) reader.fail("it has fewer clauses than it says");
  parts.clause_starts.reserve(count + 1);
  parts.weights.reserve(count);
  reserve_literals(plain, 2 * count, parts.literals);
  const auto n = static_cast<std::uint64_t>(parts.options.clauses);
  for (std::uint64_t c = 0; c < count; ++c) {
    const std::uint64_t weight = reader.varint();
    if (weight > 0x7fffffff) reader.fail("a clause's weight is impossible");
    const auto votes = static_cast<std::int32_t>(weight);
    parts.weights.push_back({static_cast<std::uint32_t>(c), c % n < n / 2 ? votes : -votes});
    read_literals(reader, parts);
    if ((c + 1) % n == 0) parts.weight_starts.push_back(c + 1);
  }
  reader.expect_end();
}

std::string write_all_literals(const Model& model) {
  ByteWriter writer;
  for (std::size_t c = 0; c < model.clauses(); ++c) write_literals(writer, model.clause(c));
  return writer.take();
}

void read_all_literals(std::string_view plain, const std::string& what, std::uint64_t count, ModelParts& parts) {
  ByteReader reader(plain, what);
  if (count > plain.size()) reader.fail("it has fewer clauses than it says");
  parts.clause_starts.reserve(count + 1);
  reserve_literals(plain, count, parts.literals);
  for (std::uint64_t c = 0; c < count; ++c) read_literals(reader, parts);
  reader.expect_end();
}

std::string write_weights(const Model& model) {  // per output: how many, then gaps between clauses and signed votes
  ByteWriter writer;
  for (std::size_t o = 0; o < model.outputs(); ++o) {
    writer.varint(model.weights(o).size());
    std::uint32_t next = 0;
    for (const Weight& weight : model.weights(o)) {
      writer.varint(weight.clause - next);
      writer.zigzag(weight.votes);
      next = weight.clause + 1;
    }
  }
  return writer.take();
}

void read_weights(std::string_view plain, const std::string& what, std::uint64_t clauses, ModelParts& parts) {
  ByteReader reader(plain, what);
  if (parts.outputs > plain.size()) reader.fail("it has fewer outputs than it says");
  for (std::size_t o = 0; o < parts.outputs; ++o) {
    const std::uint64_t count = reader.count(2);
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t gap = reader.varint();
      if (next >= clauses || gap >= clauses - next) reader.fail("a weight belongs to no clause");
      const std::int64_t votes = reader.zigzag();
      if (votes > 0x7fffffff || votes < -0x7fffffff) reader.fail("a clause's weight is impossible");
      parts.weights.push_back({static_cast<std::uint32_t>(next + gap), static_cast<std::int32_t>(votes)});
      next += gap + 1;
    }
    parts.weight_starts.push_back(parts.weights.size());
  }
  reader.expect_end();
}

std::string write_provenance(const Provenance& provenance) {
  ByteWriter writer;
  writer.text(provenance.falsum_version);
  writer.text(provenance.data);
  writer.u64(provenance.samples);
  writer.u64(provenance.epochs);
  writer.f64(provenance.test_accuracy);
  return writer.take();
}

Provenance read_provenance(ByteReader reader) {
  Provenance provenance;
  provenance.falsum_version = reader.text();
  provenance.data = reader.text();
  provenance.samples = reader.u64();
  provenance.epochs = reader.u64();
  provenance.test_accuracy = reader.f64();
  reader.expect_end();
  return provenance;
}

std::string write_info(const Provenance& provenance) {
  ByteWriter writer;
  writer.named("falsum_version", [&](ByteWriter& value) { value.text(provenance.falsum_version); });
  writer.named("data", [&](ByteWriter& value) { value.text(provenance.data); });
  writer.named("samples", [&](ByteWriter& value) { value.u64(provenance.samples); });
  writer.named("epochs", [&](ByteWriter& value) { value.u64(provenance.epochs); });
  if (provenance.test_accuracy >= 0) {
    writer.named("test_accuracy", [&](ByteWriter& value) { value.f64(provenance.test_accuracy); });
  }
  if (provenance.test_rmse >= 0) {
    writer.named("test_rmse", [&](ByteWriter& value) { value.f64(provenance.test_rmse); });
  }
  if (provenance.validation_rows > 0) {
    writer.named("validation_rows", [&](ByteWriter& value) { value.u64(provenance.validation_rows); });
    writer.named("validation_score", [&](ByteWriter& value) { value.f64(provenance.validation_score); });
    writer.named("last_epoch", [&](ByteWriter& value) { value.u64(provenance.last_epoch); });
  }
  return writer.take();
}

Provenance read_info(ByteReader reader) {
  Provenance provenance;
  reader.each_named([&](std::string_view name, ByteReader& value) {
    if (name == "falsum_version") provenance.falsum_version = value.text();
    if (name == "data") provenance.data = value.text();
    if (name == "samples") provenance.samples = value.u64();
    if (name == "epochs") provenance.epochs = value.u64();
    if (name == "test_accuracy") provenance.test_accuracy = value.f64();
    if (name == "test_rmse") provenance.test_rmse = value.f64();
    if (name == "validation_rows") provenance.validation_rows = value.u64();
    if (name == "validation_score") provenance.validation_score = value.f64();
    if (name == "last_epoch") provenance.last_epoch = value.u64();
  });
  return provenance;
}

/// read(ByteReader&) of a packed section, all of it.
template <class Read>
auto read_packed(std::string_view section, const std::string& what, const Read& read) {
  const LargeBytes plain = unpack(section, most_section_bytes(), what);
  ByteReader reader(plain, what);
  auto value = read(reader);
  reader.expect_end();
  return value;
}

std::vector<std::uint16_t> read_shares(std::string_view section, const std::string& what, std::size_t features) {
  const LargeBytes plain = unpack(section, 2 * features, what);
  ByteReader reader(plain, what);
  if (plain.size() != 2 * features) reader.fail("it knows another number of features");
  std::vector<std::uint16_t> shares(features);
  for (std::uint16_t& share : shares) {
    const std::uint8_t low = reader.u8();
    share = static_cast<std::uint16_t>(low | reader.u8() << 8);
  }
  return shares;
}

std::string write_calibration(const Calibration& calibration) {
  ByteWriter writer;
  writer.named("rows", [&](ByteWriter& value) { value.u64(calibration.rows); });
  if (calibration.method == CalibrationMethod::kTemperature) {
    writer.named("temperature", [&](ByteWriter& value) { value.f64(calibration.temperature); });
    return writer.take();
  }
  writer.named("isotonic", [&](ByteWriter& value) {
    for (const std::vector<CurvePoint>& curve : calibration.curves) {
      value.varint(curve.size());
      for (const CurvePoint& point : curve) {
        value.zigzag(point.lead);
        value.f64(point.probability);
      }
    }
  });
  return writer.take();
}

/// Model checks the values. A method of a later falsum has a name that is not known here, and is no calibration.
Calibration read_calibration(ByteReader& reader, std::size_t outputs) {
  Calibration calibration;
  reader.each_named([&](std::string_view name, ByteReader& value) {
    if (name == "rows") calibration.rows = value.u64();
    if (name == "temperature") {
      calibration.method = CalibrationMethod::kTemperature;
      calibration.temperature = value.f64();
    }
    if (name != "isotonic") return;
    calibration.method = CalibrationMethod::kIsotonic;
    if (outputs > value.left()) value.fail("its calibration has another number of curves than classes");
    calibration.curves.resize(outputs);
    for (std::vector<CurvePoint>& curve : calibration.curves) {
      curve.resize(value.count(9));
      for (CurvePoint& point : curve) {
        point.lead = value.zigzag();
        point.probability = value.f64();
      }
    }
    value.expect_end();
  });
  return calibration;
}

}  // namespace

std::string Model::to_bytes(Packing packing) const {
  const int level = packing == Packing::kQuick ? 1 : 9;  // of zstd
  const std::uint32_t machine =
      has_clauses_of_version_1(parts_) && provenance().validation_rows == 0 ? format_version(options()) : 2;
  ContainerWriter container(FileKind::kModel, std::max(machine, booleanizer().format_version()));
  write_machine(container.stream(), machine, options(), {features(), outputs(), clauses()});
  if (machine == 1) {
    container.section(kClausesTag, pack(write_clauses(*this), level));
  } else {
    container.section(is_fuzzy(options()) ? kFuzzyTag : kLiteralsTag, pack(write_all_literals(*this), level));
    container.section(kWeightsTag, pack(write_weights(*this), level));
  }
  if (!options().patch.empty()) {  // required: without patches the literals would mean other features
    ByteWriter patch_section;
    patch_section.u64(literals() / 2);
    container.section(kPatchTag, patch_section.bytes());
  }
  if (task() == Task::kRegression) write_range(container.stream(), range());
  ByteWriter labels_section;
  labels_section.texts(labels());
  container.section(kLabelsTag, labels_section.bytes());
  ByteWriter booleanizer_section;
  booleanizer().write(booleanizer_section);
  container.section(kBooleanizerTag, pack(booleanizer_section.bytes(), level));
  if (machine == 1) {
    container.section(kProvenanceTag, write_provenance(provenance()));
  } else {
    container.section(kInfoTag, write_info(provenance()));
  }
  if (schema().known()) {
    ByteWriter schema_section;
    schema().write(schema_section);
    container.section(kSchemaTag, pack(schema_section.bytes(), level));
  }
  if (!truth_shares().empty()) {
    ByteWriter shares;
    for (const std::uint16_t share : truth_shares()) {
      shares.u8(static_cast<std::uint8_t>(share));
      shares.u8(static_cast<std::uint8_t>(share >> 8));
    }
    container.section(kFeatureCountsTag, pack(shares.bytes(), level));
  }
  if (calibration().method != CalibrationMethod::kNone) {
    container.section(kCalibrationTag, pack(write_calibration(calibration()), level));
  }
  return container.finish();
}

Model Model::from_bytes(std::string_view bytes, const std::string& what) {
  const Container container(bytes, FileKind::kModel,
                            {kMachineTag, kShapeTag, kOptionsTag, kClausesTag, kLiteralsTag, kFuzzyTag, kWeightsTag,
                             kLabelsTag, kBooleanizerTag, kProvenanceTag, kRangeTag, kPatchTag},
                            what);
  ModelParts parts;
  Shape shape;
  parts.options = read_machine(container, UnknownOptions::kSkip, shape);
  check_features(shape.features, what);
  parts.features = shape.features;
  parts.outputs = shape.outputs;
  const auto unpacked = [&](std::string_view tag) {
    return unpack(container.section(tag), most_section_bytes(), what);
  };
  const bool version_1 = container.sections(kShapeTag).empty();
  if (version_1) {
    read_clauses(unpacked(kClausesTag), what, shape.clauses, parts);
  } else {
    read_all_literals(unpacked(is_fuzzy(parts.options) ? kFuzzyTag : kLiteralsTag), what, shape.clauses, parts);
    read_weights(unpacked(kWeightsTag), what, shape.clauses, parts);
  }
  std::uint64_t patch_features = 0;
  for (const std::string_view section : container.sections(kPatchTag)) {
    ByteReader reader(section, what);
    patch_features = reader.u64();
    reader.expect_end();
  }
  if (parts.options.task == Task::kRegression) parts.range = read_range(container.section(kRangeTag), what);
  ByteReader labels(container.section(kLabelsTag), what);
  parts.labels = labels.texts();
  labels.expect_end();
  parts.booleanizer = read_packed(container.section(kBooleanizerTag), what,
                                  [](ByteReader& reader) { return Booleanizer::read(reader); });
  if (const auto info = container.sections(kInfoTag); !info.empty()) {
    parts.provenance = read_info(ByteReader(info.front(), what));
  } else if (version_1) {
    parts.provenance = read_provenance(ByteReader(container.section(kProvenanceTag), what));
  }
  if (const auto schemas = container.sections(kSchemaTag); !schemas.empty()) {  // none in older files
    parts.schema = read_packed(schemas.front(), what, [](ByteReader& reader) { return Schema::read(reader); });
  }
  if (const auto shares = container.sections(kFeatureCountsTag); !shares.empty()) {  // none in older files
    parts.truth_shares = read_shares(shares.front(), what, parts.features);
  }
  if (const auto fitted = container.sections(kCalibrationTag); !fitted.empty()) {  // none in older files
    parts.calibration =
        read_packed(fitted.front(), what, [&](ByteReader& reader) { return read_calibration(reader, parts.outputs); });
  }
  try {
    Model model(std::move(parts));
    if (patch_features != (model.options().patch.empty() ? 0 : model.literals() / 2)) {
      throw ConfigError("its patches have another number of features than it says");
    }
    return model;
  } catch (const ConfigError& error) {
    throw FileError(fmt::format("{} is damaged: {}", what, error.what()));
  }
}

void Model::save(const std::string& path) const { write_file_atomically(path, to_bytes()); }
Model Model::load(const std::string& path) { return from_bytes(read_file(path), path); }

}  // namespace falsum
