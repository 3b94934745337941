// Model, and the checks of its parts. Its file: model_file.cpp.
#include "falsum/model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "falsum/error.h"
#include "support/format.h"
#include "support/limits.h"

namespace falsum {
namespace {

void require(bool holds, const char* otherwise) {
  if (!holds) throw ConfigError(otherwise);
}

/// `starts` cuts a list of `size` into pieces.
bool cuts(const std::vector<std::uint64_t>& starts, std::size_t size) {
  return !starts.empty() && starts.front() == 0 && starts.back() == size && std::ranges::is_sorted(starts);
}

void check_clauses(const ModelParts& parts, std::size_t literals) {
  require(cuts(parts.clause_starts, parts.literals.size()), "its clauses are not where they should be");
  for (std::size_t c = 0; c + 1 < parts.clause_starts.size(); ++c) {
    std::uint64_t next = 0;
    for (std::uint64_t i = parts.clause_starts[c]; i < parts.clause_starts[c + 1]; ++i) {
      require(parts.literals[i] >= next, "the literals of a clause do not ascend");
      require(parts.literals[i] < literals, "a clause includes a literal that does not exist");
      next = std::uint64_t{parts.literals[i]} + 1;
    }
  }
}

void check_weights(const ModelParts& parts) {
  constexpr std::int64_t kMostVotes = 0x7fffffff;  // for an output or against it: votes are 32-bit numbers
  const std::int64_t most_value = std::max<std::int64_t>(1, parts.options.fuzzy);  // of a clause
  const std::size_t clauses = parts.clause_starts.size() - 1;
  require(parts.weight_starts.size() == parts.outputs + 1 && cuts(parts.weight_starts, parts.weights.size()),
          "its weights are not where they should be");
  for (std::size_t o = 0; o < parts.outputs; ++o) {
    std::uint64_t next = 0;
    std::int64_t votes_for = 0, votes_against = 0;
    for (std::uint64_t i = parts.weight_starts[o]; i < parts.weight_starts[o + 1]; ++i) {
      const Weight& weight = parts.weights[i];
      require(weight.clause >= next && weight.clause < clauses, "a weight belongs to no clause");
      (weight.votes > 0 ? votes_for : votes_against) += std::abs(std::int64_t{weight.votes}) * most_value;
      require(!is_fuzzy(parts.options) || std::abs(std::int64_t{weight.votes}) == 1, "a fuzzy clause has a weight");
      require(weight.votes != 0 && votes_for <= kMostVotes && votes_against <= kMostVotes,
              "a clause's weight is impossible");
      next = std::uint64_t{weight.clause} + 1;
    }
  }
}

/// A reader passes the columns of the schema to the booleanizer, so the numbers must agree.
void check_schema(const ModelParts& parts) {
  if (parts.schema.columns.empty()) return;
  const auto* table = std::get_if<Booleanizer::ByColumn>(&parts.booleanizer.mapping());
  const auto* bits = std::get_if<Booleanizer::Bits>(&parts.booleanizer.mapping());
  const std::size_t columns = parts.schema.count(ColumnRole::kFeature);
  require(table != nullptr ? columns == table->columns.size() : bits != nullptr && columns == bits->features,
          "its schema has another number of columns than its booleanizer");
}

void check_description(const ModelParts& parts) {
  require(parts.labels.empty() || parts.labels.size() == parts.outputs, "it has another number of labels than classes");
  require(parts.booleanizer.features() == 0 || parts.booleanizer.features() == parts.features,
          "its booleanizer gives another number of features");
  check_schema(parts);
  require(parts.truth_shares.empty() || parts.truth_shares.size() == parts.features,
          "it knows another number of features");
  check_calibration(parts.calibration, parts.outputs);
}

}  // namespace

Model::Model(ModelParts parts) : parts_(std::move(parts)) {
  parts_.options = with_plain_numbers(parts_.options);
  copy_options(OptionScope::kRun, neutral_options(), parts_.options);  // a model does not depend on options of the run
  validate(parts_.options);
  if (parts_.features == 0 || parts_.features > kMaxFeatures) {
    throw ConfigError(fmt::format("features must be from 1 to {}, got {}", kMaxFeatures, parts_.features));
  }
  if (parts_.outputs == 0 || parts_.outputs > kMaxClasses) {
    throw ConfigError(fmt::format("classes must be from 1 to {}, got {}", kMaxClasses, parts_.outputs));
  }
  if (task() == Task::kRegression) {
    require(parts_.outputs == 1, "a regression machine has one output");
    require(parts_.range.least <= parts_.range.most && std::isfinite(parts_.range.most - parts_.range.least),
            "its range of numbers is not finite or does not ascend");
  }
  clause_features_ = clause_features(parts_.options, parts_.features);
  patches_ = patch_shape(parts_.options);
  if (patches_ && patches_->patches() == 1) patches_.reset();  // its features are those of the row
  check_clauses(parts_, literals());
  check_weights(parts_);
  check_description(parts_);
}

Model Model::described(Description description) const {
  Model model = *this;
  model.parts_.labels = std::move(description.labels);
  model.parts_.booleanizer = std::move(description.booleanizer);
  model.parts_.schema = std::move(description.schema);
  model.parts_.provenance.data = std::move(description.data);
  if (description.test_accuracy) model.parts_.provenance.test_accuracy = *description.test_accuracy;
  if (description.test_rmse) model.parts_.provenance.test_rmse = *description.test_rmse;
  if (description.validation_rows > 0) {
    model.parts_.provenance.validation_rows = description.validation_rows;
    model.parts_.provenance.last_epoch = description.last_epoch;
    model.parts_.provenance.validation_score = description.validation_score;
  }
  check_description(model.parts_);
  return model;
}

Model Model::calibrated(Calibration calibration) const {
  check_calibration(calibration, outputs());
  Model model = *this;
  model.parts_.calibration = std::move(calibration);
  return model;
}

std::vector<std::string> Model::literal_names() const {
  std::vector<std::string> names = booleanizer().feature_names(), negated = booleanizer().negated_names();
  if (patches_) {
    names = patch_feature_names(*patches_);
    negated.clear();
    for (const std::string& name : names) negated.push_back("not " + name);
  } else if (names.size() != features()) {  // a machine trained on bits without a booleanizer
    names.clear();
    negated.clear();
    for (std::size_t k = 0; k < features(); ++k) {
      names.push_back(fmt::format("x{}", k));
      negated.push_back("not " + names.back());
    }
  }
  names.insert(names.end(), std::make_move_iterator(negated.begin()), std::make_move_iterator(negated.end()));
  return names;
}

Schema Model::reading_schema() const {
  Schema reading = schema();
  if (!reading.columns.empty()) return reading;
  if (const auto* table = std::get_if<Booleanizer::ByColumn>(&booleanizer().mapping())) {
    for (const Booleanizer::ColumnMapping& mapped : table->columns) {
      ColumnSchema column;
      column.name = mapped.name;
      column.kind = mapped.categorical ? ColumnKind::kCategory : mapped.boolean ? ColumnKind::kBoolean : mapped.unit;
      reading.columns.push_back(std::move(column));
    }
  } else if (const auto* bits = std::get_if<Booleanizer::Bits>(&booleanizer().mapping())) {
    reading.columns.resize(bits->features);
    for (std::size_t k = 0; k < bits->names.size(); ++k) reading.columns[k].name = bits->names[k];
  }
  return reading;
}

}  // namespace falsum
