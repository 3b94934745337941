// What was learned, and how to look at it.
#include "falsum/model.h"

#include "falsum/rules.h"
#include "handles.h"

namespace falsum::c_api {

namespace {

const Model& needed_model(const falsum_model* model) { return needed(model, "model").model; }

std::string provenance_text(const Provenance& provenance, const std::string& name) {
  if (name == "falsum_version") return provenance.falsum_version;
  if (name == "data") return provenance.data;
  if (name == "samples") return std::to_string(provenance.samples);
  if (name == "epochs") return std::to_string(provenance.epochs);
  if (name == "test_accuracy") return provenance.test_accuracy < 0 ? "" : fmt::format("{}", provenance.test_accuracy);
  if (name == "test_rmse") return provenance.test_rmse < 0 ? "" : fmt::format("{}", provenance.test_rmse);
  throw ConfigError(
      fmt::format("name must be falsum_version, data, samples, epochs, test_accuracy or test_rmse, got \"{}\"", name));
}

std::vector<std::string> texts_of(const char* const* texts, std::size_t count, const char* name) {
  std::vector<std::string> list;
  for (const char* text : array(texts, count, name)) list.push_back(needed_text(text, "a text of a list"));
  return list;
}

void check_place(const char* name, std::size_t place, std::size_t count) {
  if (place >= count) throw ConfigError(fmt::format("{} must be below {}, got {}", name, count, place));
}

}  // namespace
}  // namespace falsum::c_api

using namespace falsum;
using namespace falsum::c_api;

int falsum_model_load(const char* path, falsum_model** model) {
  return give_handle(model, "model", [&] { return Model::load(needed_text(path, "path")); });
}

int falsum_model_save(const falsum_model* model, const char* path) {
  return guarded([&] { needed_model(model).save(needed_text(path, "path")); });
}

int falsum_model_from_bytes(const uint8_t* bytes, size_t size, falsum_model** model) {
  return give_handle(model, "model", [&] {
    const auto given = array(bytes, size, "bytes");
    return Model::from_bytes({reinterpret_cast<const char*>(given.data()), given.size()});
  });
}

int falsum_model_to_bytes(const falsum_model* model, uint8_t** bytes, size_t* size) {
  return give_array(bytes, "bytes", size, "size", [&] { return needed_model(model).to_bytes(); });
}

size_t falsum_model_features(const falsum_model* model) {
  return guarded_value(std::size_t{0}, [&] { return needed_model(model).features(); });
}
size_t falsum_model_outputs(const falsum_model* model) {
  return guarded_value(std::size_t{0}, [&] { return needed_model(model).outputs(); });
}
size_t falsum_model_clauses(const falsum_model* model) {
  return guarded_value(std::size_t{0}, [&] { return needed_model(model).clauses(); });
}

int falsum_model_labels(const falsum_model* model, falsum_texts** labels) {
  return give_handle(labels, "labels", [&] { return output_labels(needed_model(model)); });
}

int falsum_model_literal_names(const falsum_model* model, falsum_texts** names) {
  return give_handle(names, "names", [&] { return needed_model(model).literal_names(); });
}

int falsum_model_option(const falsum_model* model, const char* name, char** value) {
  return give_text(value, "value", [&] { return option_text(needed_model(model).options(), name); });
}

int falsum_model_provenance(const falsum_model* model, const char* name, char** value) {
  return give_text(value, "value",
                   [&] { return provenance_text(needed_model(model).provenance(), needed_text(name, "name")); });
}

int falsum_model_clause(const falsum_model* model, size_t clause, uint32_t** literals, size_t* count) {
  return give_array(literals, "literals", count, "count", [&] {
    check_place("clause", clause, needed_model(model).clauses());
    return model->model.clause(clause);
  });
}

int falsum_model_weights(const falsum_model* model, size_t output, falsum_weight** weights, size_t* count) {
  return give_array(weights, "weights", count, "count", [&] {
    check_place("output", output, needed_model(model).outputs());
    std::vector<falsum_weight> list;
    for (const Weight& weight : model->model.weights(output)) list.push_back({weight.clause, weight.votes});
    return list;
  });
}

int falsum_model_rules(const falsum_model* model, size_t output, falsum_texts** rules) {
  return give_handle(rules, "rules", [&] {
    const Model& learned = needed_model(model);
    check_place("output", output, learned.outputs());
    const std::string label = output_labels(learned)[output];
    std::vector<std::string> sentences;
    for (const Rule& rule : rules_of(Conditions(learned), output)) {
      sentences.push_back(rule_text(rule.votes, rule.conditions, label, rule.less));
    }
    return sentences;
  });
}

int falsum_model_described(const falsum_model* model, const char* const* labels, size_t label_count,
                           const char* const* feature_names, size_t name_count, const char* data,
                           falsum_model** described) {
  return give_handle(described, "described", [&] {
    const Model& plain = needed_model(model);
    Description description = {plain.labels(), plain.booleanizer(), plain.schema(), plain.provenance().data};
    if (labels != nullptr || label_count > 0) {
      require_count("label_count", label_count, plain.outputs());
      description.labels = texts_of(labels, label_count, "labels");
    }
    if (feature_names != nullptr || name_count > 0) {
      require_count("name_count", name_count, plain.features());
      description.booleanizer = Booleanizer::from_mapping(Booleanizer::Bits{
          static_cast<std::uint32_t>(name_count), texts_of(feature_names, name_count, "feature_names")});
      description.schema = {};
    }
    if (data != nullptr) description.data = data;
    return plain.described(std::move(description));
  });
}

void falsum_model_free(falsum_model* model) { delete model; }
