#include "export/json_parts.h"

#include <type_traits>

#include "support/bytes.h"
#include "support/limits.h"

namespace falsum {
namespace {

constexpr ColumnKind kColumnKinds[] = {ColumnKind::kNumber, ColumnKind::kBoolean,  ColumnKind::kCategory,
                                       ColumnKind::kDate,   ColumnKind::kDateTime, ColumnKind::kTime,
                                       ColumnKind::kEmpty};
constexpr ColumnRole kColumnRoles[] = {ColumnRole::kFeature, ColumnRole::kLabel, ColumnRole::kIgnored};
constexpr LabelKind kKindsOfLabels[] = {LabelKind::kText, LabelKind::kInteger, LabelKind::kReal, LabelKind::kBoolean};
constexpr DataFormat kDataFormats[] = {DataFormat::kNone, DataFormat::kCsv,     DataFormat::kSvmlight, DataFormat::kNpy,
                                       DataFormat::kIdx,  DataFormat::kBuiltin, DataFormat::kFrame};

/// Through the bytes of a model file, whose reader checks everything that may be wrong.
template <class Part>
Part checked(const Part& part, const std::string& path) {
  ByteWriter writer;
  part.write(writer);
  ByteReader reader(writer.bytes(), path);
  return Part::read(reader);
}

JsonValue column_json(const Booleanizer::ColumnMapping& column) {
  JsonValue json = {{"name", column.name}};
  json["kind"] = column.categorical ? "category" : column.boolean ? "boolean" : "number";
  if (column.categorical) json["categories"] = column.categories;
  if (!column.categorical && !column.boolean) json["thresholds"] = column.thresholds;
  if (column.missing) json["missing"] = true;
  if (column.unit != ColumnKind::kNumber) json["unit"] = name_of(column.unit);
  return json;
}

Booleanizer::ColumnMapping column_from_json(const JsonPlace& json) {
  constexpr ColumnKind kKinds[] = {ColumnKind::kNumber, ColumnKind::kBoolean, ColumnKind::kCategory};
  Booleanizer::ColumnMapping column;
  column.name = json["name"].text();
  const ColumnKind kind = json["kind"].one_of(kKinds);
  column.categorical = kind == ColumnKind::kCategory;
  column.boolean = kind == ColumnKind::kBoolean;
  if (column.categorical) column.categories = json["categories"].texts();
  if (kind == ColumnKind::kNumber) {
    const JsonPlace thresholds = json["thresholds"];
    for (std::size_t i = 0; i < thresholds.size(); ++i) column.thresholds.push_back(thresholds.at(i).number());
  }
  if (json.has("missing")) column.missing = json["missing"].truth();
  if (json.has("unit")) column.unit = json["unit"].one_of(kColumnKinds);
  return column;
}

char character(const JsonPlace& json) {
  const std::string& text = json.text();
  if (text.size() > 1) json.fail("one character, or none");
  return text.empty() ? '\0' : text[0];
}

double number_or(const JsonPlace& json, const char* key, double otherwise) {
  return json.has(key) ? json[key].number() : otherwise;
}

void read_option(const JsonPlace& json, std::int64_t& value) { value = json.whole(0, std::int64_t{1} << 53); }
void read_option(const JsonPlace& json, std::uint64_t& value) { value = json.unsigned_number(); }
void read_option(const JsonPlace& json, double& value) { value = json.number(); }
void read_option(const JsonPlace& json, bool& value) { value = json.truth(); }
void read_option(const JsonPlace& json, std::string& value) { value = json.text(); }
template <class Word>
requires std::is_enum_v<Word>
void read_option(const JsonPlace& json, Word& value) {
  try {
    value = named<Word>(json.text());
  } catch (const ConfigError& error) {
    throw FileError(error.what());
  }
}

}  // namespace

JsonValue booleanizer_json(const Booleanizer& booleanizer) {
  if (booleanizer.features() == 0) return nullptr;
  JsonValue json = {{"kind", booleanizer.kind()}};
  if (const auto* bits = std::get_if<Booleanizer::Bits>(&booleanizer.mapping())) {
    json["features"] = bits->features;
    if (booleanizer.image_width() > 0) json["image_width"] = booleanizer.image_width();
    if (!bits->names.empty()) json["names"] = bits->names;
  } else if (const auto* levels = std::get_if<Booleanizer::Levels>(&booleanizer.mapping())) {
    json["pixels"] = levels->pixels;
    json["image_width"] = levels->width;
    json["thresholds"] = levels->thresholds;
  } else if (const auto* table = std::get_if<Booleanizer::ByColumn>(&booleanizer.mapping())) {
    json["columns"] = JsonValue::array();
    for (const Booleanizer::ColumnMapping& column : table->columns) json["columns"].push_back(column_json(column));
  } else {
    const auto& words = std::get<Booleanizer::Words>(booleanizer.mapping());
    json["phrases"] = words.phrases;
    json["vocabulary"] = words.vocabulary;
  }
  return json;
}

Booleanizer booleanizer_from_json(const JsonPlace& json) {
  if (json.value().is_null()) return {};
  const std::string& kind = json["kind"].text();
  constexpr auto kMost = static_cast<std::int64_t>(kMaxFeatures);
  const auto width = [&] {
    return json.has("image_width") ? static_cast<std::uint32_t>(json["image_width"].whole(0, kMost)) : 0;
  };
  Booleanizer::Mapping mapping;
  if (kind == "bits") {
    Booleanizer::Bits bits{.features = static_cast<std::uint32_t>(json["features"].whole(1, kMost)), .names = {}};
    if (json.has("names")) bits.names = json["names"].texts();
    mapping = std::move(bits);
  } else if (kind == "levels") {
    Booleanizer::Levels levels{static_cast<std::uint32_t>(json["pixels"].whole(1, kMost)), width(), {}};
    const JsonPlace thresholds = json["thresholds"];
    for (std::size_t i = 0; i < thresholds.size(); ++i)
      levels.thresholds.push_back(static_cast<std::uint8_t>(thresholds.at(i).whole(0, 255)));
    mapping = std::move(levels);
  } else if (kind == "columns") {
    Booleanizer::ByColumn table;
    const JsonPlace columns = json["columns"];
    for (std::size_t i = 0; i < columns.size(); ++i) table.columns.push_back(column_from_json(columns.at(i)));
    mapping = std::move(table);
  } else if (kind == "words") {
    mapping = Booleanizer::Words{json["vocabulary"].texts(), static_cast<std::uint32_t>(json["phrases"].whole(1, 3))};
  } else {
    json["kind"].fail("\"bits\", \"levels\", \"columns\" or \"words\"");
  }
  return checked(Booleanizer::from_mapping(std::move(mapping), kind == "bits" ? width() : 0), json.path());
}

JsonValue schema_json(const Schema& schema) {
  if (!schema.known()) return nullptr;
  const auto text = [](char c) { return c == '\0' ? std::string() : std::string(1, c); };
  JsonValue json = {{"format", name_of(schema.format)}, {"labels", name_of(schema.label_kind)}};
  if (schema.format == DataFormat::kCsv) {
    json["dialect"] = {
        {"delimiter", text(schema.dialect.delimiter)},     {"quote", text(schema.dialect.quote)},
        {"backslash", schema.dialect.backslash},           {"header", schema.dialect.header},
        {"decimal", text(schema.dialect.numbers.decimal)}, {"thousands", text(schema.dialect.numbers.thousands)}};
    json["missing"] = schema.missing_marks;
  }
  if (schema.first_index >= 0) json["first_index"] = schema.first_index;
  if (schema.bits) json["bits"] = true;
  if (schema.columns.empty()) return json;
  json["columns"] = JsonValue::array();
  for (const ColumnSchema& column : schema.columns) {
    json["columns"].push_back({{"name", column.name},
                               {"role", name_of(column.role)},
                               {"kind", name_of(column.kind)},
                               {"missing", column.missing},
                               {"distinct", column.distinct},
                               {"least", number_json(column.least)},
                               {"most", number_json(column.most)}});
  }
  return json;
}

Schema schema_from_json(const JsonPlace& json) {
  Schema schema;
  schema.format = json["format"].one_of(kDataFormats);
  schema.label_kind = json["labels"].one_of(kKindsOfLabels);
  if (json.has("dialect")) {
    const JsonPlace dialect = json["dialect"];
    schema.dialect = {.delimiter = character(dialect["delimiter"]),
                      .quote = character(dialect["quote"]),
                      .backslash = dialect["backslash"].truth(),
                      .header = dialect["header"].truth(),
                      .numbers = {character(dialect["decimal"]), character(dialect["thousands"])}};
  }
  if (json.has("missing")) schema.missing_marks = json["missing"].texts();
  if (json.has("first_index")) schema.first_index = static_cast<int>(json["first_index"].whole(0, 1));
  if (json.has("bits")) schema.bits = json["bits"].truth();
  if (json.has("columns")) {
    const JsonPlace columns = json["columns"];
    for (std::size_t i = 0; i < columns.size(); ++i) {
      ColumnSchema column;
      column.name = columns.at(i)["name"].text();
      column.role = columns.at(i)["role"].one_of(kColumnRoles);
      column.kind = columns.at(i)["kind"].one_of(kColumnKinds);
      column.missing = columns.at(i)["missing"].unsigned_number();
      column.distinct = columns.at(i)["distinct"].unsigned_number();
      column.least = number_or(columns.at(i), "least", 0);
      column.most = number_or(columns.at(i), "most", 0);
      schema.columns.push_back(std::move(column));
    }
  }
  return checked(schema, json.path());
}

JsonValue options_json(const Options& options) {
  JsonValue json = JsonValue::object();
  for (const OptionInfo* option : options_of(OptionScope::kMachine)) {
    std::visit(
        [&](auto field) {
          const auto& value = options.*field;
          if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>) {
            json[std::string(option->name)] = name_of(value);
          } else {
            json[std::string(option->name)] = value;
          }
        },
        option->field);
  }
  return json;
}

Options options_from_json(const JsonPlace& json) {
  if (!json.value().is_object()) json.fail("an object");
  Options options;
  for (const auto& [name, value] : json.value().items()) {
    const OptionInfo* const option = find_option(name);
    if (option == nullptr || option->scope != OptionScope::kMachine) {
      throw FileError(fmt::format("{}.{} is not an option of a machine", json.path(), name));
    }
    const JsonPlace place(value, json.path() + "." + name);
    std::visit([&](auto field) { read_option(place, options.*field); }, option->field);
  }
  return options;
}

JsonValue provenance_json(const Provenance& provenance) {
  return {{"falsum_version", provenance.falsum_version},
          {"data", provenance.data},
          {"samples", provenance.samples},
          {"epochs", provenance.epochs},
          {"test_accuracy", provenance.test_accuracy == -1 ? JsonValue() : number_json(provenance.test_accuracy)},
          {"test_rmse", provenance.test_rmse == -1 ? JsonValue() : number_json(provenance.test_rmse)}};
}

Provenance provenance_from_json(const JsonPlace& json) {
  Provenance provenance;
  if (json.has("falsum_version")) provenance.falsum_version = json["falsum_version"].text();
  if (json.has("data")) provenance.data = json["data"].text();
  if (json.has("samples")) provenance.samples = json["samples"].unsigned_number();
  if (json.has("epochs")) provenance.epochs = json["epochs"].unsigned_number();
  provenance.test_accuracy = number_or(json, "test_accuracy", -1);
  provenance.test_rmse = number_or(json, "test_rmse", -1);
  return provenance;
}

JsonValue calibration_json(const Calibration& calibration) {
  if (calibration.method == CalibrationMethod::kNone) return nullptr;
  JsonValue json = {{"method", name_of(calibration.method)}, {"rows", calibration.rows}};
  if (calibration.method == CalibrationMethod::kTemperature) {
    json["temperature"] = calibration.temperature;
    return json;
  }
  json["curves"] = JsonValue::array();
  for (const std::vector<CurvePoint>& curve : calibration.curves) {
    JsonValue points = JsonValue::array();
    for (const CurvePoint& point : curve) points.push_back({point.lead, point.probability});
    json["curves"].push_back(std::move(points));
  }
  return json;
}

Calibration calibration_from_json(const JsonPlace& json) {
  constexpr CalibrationMethod kMethods[] = {CalibrationMethod::kTemperature, CalibrationMethod::kIsotonic};
  Calibration calibration;
  calibration.method = json["method"].one_of(kMethods);
  calibration.rows = json["rows"].unsigned_number();
  if (calibration.method == CalibrationMethod::kTemperature) {
    calibration.temperature = json["temperature"].number();
    return calibration;
  }
  const JsonPlace curves = json["curves"];
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<CurvePoint> curve;
    for (std::size_t k = 0; k < curves.at(i).size(); ++k) {
      const JsonPlace point = curves.at(i).at(k);
      if (point.size() != 2) point.fail("a lead and a probability");
      curve.push_back({point.at(0).whole(-(std::int64_t{1} << 40), std::int64_t{1} << 40), point.at(1).number()});
    }
    calibration.curves.push_back(std::move(curve));
  }
  return calibration;
}

}  // namespace falsum
