// A model as a JSON document, and back. Both directions keep everything: the model read back has the same bytes.
#include <algorithm>

#include "export/json_parts.h"
#include "falsum/error.h"
#include "falsum/predictor.h"
#include "support/limits.h"

namespace falsum {
namespace {

constexpr const char* kFormatName = "falsum-model";
constexpr std::int64_t kFormatVersion = 1;

JsonValue raw_json(const RawValue& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

/// The true features of a row.
JsonValue features_json(const BitMatrix& rows, std::size_t row) {
  JsonValue features = JsonValue::array();
  for (std::size_t k = 0; k < rows.columns(); ++k) {
    if (rows.get(row, k)) features.push_back(k);
  }
  return features;
}

/// "key": value on a line; long arrays have a line for each element.
void write_member(std::string& text, const std::string& key, const JsonValue& value) {
  text += fmt::format("{}\n  \"{}\": ", text.size() > 1 ? "," : "", key);
  const std::string line = json_line(value);
  if (!value.is_array() || value.empty() || line.size() < 100) {
    text += line;
    return;
  }
  text += "[";
  for (std::size_t i = 0; i < value.size(); ++i)
    text += fmt::format("{}\n    {}", i > 0 ? "," : "", json_line(value[i]));
  text += "\n  ]";
}

void read_clauses_json(const JsonPlace& clauses, std::size_t literals, ModelParts& parts) {
  for (std::size_t c = 0; c < clauses.size(); ++c) {
    const JsonPlace clause = clauses.at(c);
    for (std::size_t i = 0; i < clause.size(); ++i) {
      parts.literals.push_back(
          static_cast<std::uint32_t>(clause.at(i).whole(0, static_cast<std::int64_t>(literals) - 1)));
      if (i > 0 && parts.literals.back() <= parts.literals[parts.literals.size() - 2]) {
        clause.at(i).fail("above the literal before it");
      }
    }
    parts.clause_starts.push_back(parts.literals.size());
  }
}

void read_weights_json(const JsonPlace& weights, ModelParts& parts) {
  const auto clauses = static_cast<std::int64_t>(parts.clause_starts.size()) - 1;
  if (weights.size() != parts.outputs) {
    throw FileError(fmt::format("{} must have an array for each of the {} outputs, got {}", weights.path(),
                                parts.outputs, weights.size()));
  }
  for (std::size_t o = 0; o < parts.outputs; ++o) {
    for (std::size_t i = 0; i < weights.at(o).size(); ++i) {
      const JsonPlace weight = weights.at(o).at(i);
      if (weight.size() != 2) weight.fail("a clause and its votes");
      parts.weights.push_back({static_cast<std::uint32_t>(weight.at(0).whole(0, clauses - 1)),
                               static_cast<std::int32_t>(weight.at(1).whole(-0x7fffffff, 0x7fffffff))});
    }
    parts.weight_starts.push_back(parts.weights.size());
  }
}

/// The votes in the document must be those of the model.
void check_vectors(const JsonPlace& vectors, const Model& model) {
  const JsonPlace rows = vectors["rows"], votes = vectors["votes"];
  if (rows.size() != votes.size()) votes.fail("as long as the rows");
  BitMatrix bits(rows.size(), model.features());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < rows.at(r).size(); ++i) {
      bits.set(r, static_cast<std::size_t>(rows.at(r).at(i).whole(0, static_cast<std::int64_t>(model.features()) - 1)));
    }
  }
  const std::vector<std::int32_t> found = Predictor(model).votes(bits);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (votes.at(r).size() != model.outputs()) votes.at(r).fail("votes for each output");
    for (std::size_t o = 0; o < model.outputs(); ++o) {
      const std::int64_t wanted = votes.at(r).at(o).whole(-0x7fffffff, 0x7fffffff),
                         got = found[r * model.outputs() + o];
      if (wanted == got) continue;
      throw FileError(fmt::format("{} is {}, but its clauses give {} votes there: the document was changed",
                                  votes.at(r).at(o).path(), wanted, got));
    }
  }
}

/// A misspelt member that may be left out would be lost without a word.
void refuse_unknown_members(const JsonPlace& json) {
  constexpr std::string_view kMembers[] = {"format", "version",    "features",    "outputs",      "options",
                                           "range",  "labels",     "booleanizer", "clauses",      "weights",
                                           "schema", "provenance", "calibration", "truth_shares", "test_vectors"};
  for (const auto& [name, value] : json.value().items()) {
    if (std::ranges::find(kMembers, name) == std::end(kMembers)) {
      throw FileError(fmt::format("{} is not a member of a model", JsonValue(name).dump()));
    }
  }
}

Model model_from_json(const JsonPlace& json) {
  if (json["format"].text() != kFormatName) json["format"].fail(fmt::format("\"{}\"", kFormatName));
  json["version"].whole(1, kFormatVersion);
  refuse_unknown_members(json);
  ModelParts parts;
  parts.features = static_cast<std::size_t>(json["features"].whole(1, static_cast<std::int64_t>(kMaxFeatures)));
  parts.outputs = static_cast<std::size_t>(json["outputs"].whole(1, static_cast<std::int64_t>(kMaxClasses)));
  parts.options = options_from_json(json["options"]);
  validate(parts.options);
  read_clauses_json(json["clauses"], 2 * clause_features(parts.options, parts.features), parts);
  read_weights_json(json["weights"], parts);
  if (json.has("range")) {
    const JsonPlace range = json["range"];
    if (range.size() != 2) range.fail("two numbers");
    parts.range = {range.at(0).number(), range.at(1).number()};
  }
  if (json.has("labels")) parts.labels = json["labels"].texts();
  if (json.has("booleanizer")) parts.booleanizer = booleanizer_from_json(json["booleanizer"]);
  if (json.has("schema")) parts.schema = schema_from_json(json["schema"]);
  if (json.has("provenance")) parts.provenance = provenance_from_json(json["provenance"]);
  if (json.has("calibration")) parts.calibration = calibration_from_json(json["calibration"]);
  if (json.has("truth_shares")) {
    const JsonPlace shares = json["truth_shares"];
    for (std::size_t i = 0; i < shares.size(); ++i)
      parts.truth_shares.push_back(static_cast<std::uint16_t>(shares.at(i).whole(0, 65535)));
  }
  Model model(std::move(parts));
  if (json.has("test_vectors")) check_vectors(json["test_vectors"], model);
  return model;
}

}  // namespace

std::string json_line(const JsonValue& json) {
  try {
    return json.dump();
  } catch (const JsonValue::type_error&) {
    throw ConfigError("a model with a name that is not UTF-8 cannot be exported: JSON text is UTF-8");
  }
}

JsonValue vectors_json(const TestVectors& vectors) {
  JsonValue json = {{"rows", JsonValue::array()}, {"votes", JsonValue::array()}};
  for (std::size_t r = 0; r < vectors.rows.rows(); ++r) {
    json["rows"].push_back(features_json(vectors.rows, r));
    json["votes"].push_back(vectors.votes_of(r));
  }
  if (vectors.raw.empty()) return json;
  json["raw"] = json["raw_votes"] = JsonValue::array();
  for (std::size_t r = 0; r < vectors.raw.size(); ++r) {
    JsonValue row = JsonValue::array();
    for (const RawValue& value : vectors.raw[r]) row.push_back(raw_json(value));
    json["raw"].push_back(std::move(row));
    json["raw_votes"].push_back(vectors.raw_votes_of(r));
  }
  return json;
}

std::string to_json(const Model& model, const ExportOptions& options) {
  std::string text = "{";
  write_member(text, "format", kFormatName);
  write_member(text, "version", kFormatVersion);
  write_member(text, "features", model.features());
  write_member(text, "outputs", model.outputs());
  write_member(text, "options", options_json(model.options()));
  if (model.task() == Task::kRegression) write_member(text, "range", {model.range().least, model.range().most});
  write_member(text, "labels", model.labels());
  write_member(text, "booleanizer", booleanizer_json(model.booleanizer()));
  JsonValue clauses = JsonValue::array(), weights = JsonValue::array();
  for (std::size_t c = 0; c < model.clauses(); ++c) clauses.push_back(model.clause(c));
  for (std::size_t o = 0; o < model.outputs(); ++o) {
    JsonValue some = JsonValue::array();
    for (const Weight& weight : model.weights(o)) some.push_back({weight.clause, weight.votes});
    weights.push_back(std::move(some));
  }
  write_member(text, "clauses", clauses);
  write_member(text, "weights", weights);
  write_member(text, "schema", schema_json(model.schema()));
  write_member(text, "provenance", provenance_json(model.provenance()));
  write_member(text, "calibration", calibration_json(model.calibration()));
  write_member(text, "truth_shares", model.truth_shares().empty() ? JsonValue() : JsonValue(model.truth_shares()));
  write_member(text, "test_vectors", vectors_json(make_vectors(lower(model), options.vectors)));
  return text + "\n}\n";
}

Model from_json(std::string_view text, const std::string& what) {
  try {
    const JsonValue json = JsonValue::parse(text.begin(), text.end());
    return model_from_json(JsonPlace(json, ""));
  } catch (const JsonValue::parse_error& error) {
    throw FileError(fmt::format("{} is not JSON: it ends or breaks at byte {}", what, error.byte));
  } catch (const JsonValue::out_of_range&) {  // a number beyond what a double can hold
    throw FileError(fmt::format("{} has a number that is too large", what));
  } catch (const Error& error) {
    throw FileError(fmt::format("{} is not a model: {}", what, error.what()));
  }
}

}  // namespace falsum
