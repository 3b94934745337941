// What predicts.
#include "falsum/predictor.h"

#include "handles.h"

namespace falsum::c_api {

namespace {

const Predictor& needed_predictor(const falsum_predictor* predictor) {
  return needed(predictor, "predictor").predictor;
}

/// Compared first: the number of votes that are wanted follows from both.
std::size_t checked_rows(const Predictor& predictor, const falsum_rows* rows) {
  const Rows view = needed(rows, "rows").rows;
  if (view.columns() == predictor.features()) return view.rows();
  throw DataError(
      fmt::format("the rows have {} features but the model was made for {}", view.columns(), predictor.features()));
}

}  // namespace
}  // namespace falsum::c_api

using namespace falsum;
using namespace falsum::c_api;

int falsum_predictor_new(const falsum_model* model, const char* engine, const char* kernels,
                         falsum_predictor** predictor) {
  return give_handle(predictor, "predictor", [&] {
    return Predictor(needed(model, "model").model, engine_named(engine == nullptr ? "auto" : engine),
                     kernels == nullptr ? "auto" : kernels);
  });
}

size_t falsum_predictor_features(const falsum_predictor* predictor) {
  return guarded_value(std::size_t{0}, [&] { return needed_predictor(predictor).features(); });
}
size_t falsum_predictor_outputs(const falsum_predictor* predictor) {
  return guarded_value(std::size_t{0}, [&] { return needed_predictor(predictor).outputs(); });
}

int falsum_predictor_votes(const falsum_predictor* predictor, const falsum_rows* rows, uint32_t threads, int32_t* votes,
                           size_t vote_count) {
  return guarded([&] {
    const Predictor& chosen = needed_predictor(predictor);
    require_count("vote_count", vote_count, checked_rows(chosen, rows) * chosen.outputs());
    const auto out = array(votes, vote_count, "votes");
    const auto made = chosen.votes(rows->rows, checked_threads(threads));
    std::copy(made.begin(), made.end(), out.begin());
  });
}

int falsum_predictor_predict(const falsum_predictor* predictor, const falsum_rows* rows, uint32_t threads,
                             uint32_t* classes, size_t class_count) {
  return guarded([&] {
    const Predictor& chosen = needed_predictor(predictor);
    require_count("class_count", class_count, checked_rows(chosen, rows));
    const auto out = array(classes, class_count, "classes");
    const auto made = chosen.predict(rows->rows, checked_threads(threads));
    std::copy(made.begin(), made.end(), out.begin());
  });
}

int falsum_predictor_multilabel(const falsum_predictor* predictor, const falsum_rows* rows, uint32_t threads,
                                uint8_t* labels, size_t label_count) {
  return guarded([&] {
    const Predictor& chosen = needed_predictor(predictor);
    const std::size_t outputs = chosen.outputs();
    require_count("label_count", label_count, checked_rows(chosen, rows) * outputs);
    const auto out = array(labels, label_count, "labels");
    const BitMatrix made = chosen.labels(rows->rows, checked_threads(threads));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = made.get(i / outputs, i % outputs);
  });
}

int falsum_predictor_numbers(const falsum_predictor* predictor, const falsum_rows* rows, uint32_t threads,
                             double* numbers, size_t number_count) {
  return guarded([&] {
    const Predictor& chosen = needed_predictor(predictor);
    require_count("number_count", number_count, checked_rows(chosen, rows));
    const auto out = array(numbers, number_count, "numbers");
    const auto made = chosen.numbers(rows->rows, checked_threads(threads));
    std::copy(made.begin(), made.end(), out.begin());
  });
}

int falsum_predictor_votes_packed(const falsum_predictor* predictor, const uint64_t* words, size_t word_count,
                                  int32_t* votes, size_t vote_count) {
  return guarded([&] {
    const Predictor& chosen = needed_predictor(predictor);
    const std::size_t features = chosen.features();
    require_count("word_count", word_count, (features + 63) / 64);
    require_count("vote_count", vote_count, chosen.outputs());
    const auto row = array(words, word_count, "words");
    if (features % 64 != 0 && row.back() >> (features % 64) != 0) {
      throw DataError(fmt::format("the row has bits beyond its last feature, {}: they must be 0", features - 1));
    }
    chosen.votes(row, array(votes, vote_count, "votes"));
  });
}

int falsum_predictor_votes_sparse(const falsum_predictor* predictor, const uint32_t* features, size_t feature_count,
                                  int32_t* votes, size_t vote_count) {
  return guarded([&] {
    const Predictor& chosen = needed_predictor(predictor);
    require_count("vote_count", vote_count, chosen.outputs());
    chosen.votes(array(features, feature_count, "features"), array(votes, vote_count, "votes"));
  });
}

void falsum_predictor_free(falsum_predictor* predictor) { delete predictor; }
