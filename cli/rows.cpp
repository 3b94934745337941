#include "rows.h"

namespace falsum::cli {

AnyRows transform(const Booleanizer& booleanizer, const Source& source) {
  if (source.is_sparse()) return booleanizer.transform_sparse(source);
  return booleanizer.transform(source);
}

std::vector<std::int32_t> votes(const Predictor& predictor, const AnyRows& rows, unsigned threads,
                                PredictCounters* counters) {
  return std::visit([&](const auto& some) { return predictor.votes(some, threads, counters); }, rows);
}

std::vector<std::uint32_t> predict(const Predictor& predictor, const AnyRows& rows, unsigned threads,
                                   PredictCounters* counters) {
  return std::visit([&](const auto& some) { return predictor.predict(some, threads, counters); }, rows);
}

void add_explain_engine(const Verb& verb, bool& flag) {
  verb.add_flag("--explain-engine", flag, "say which engine predicted, and why");
}

std::string explanation(const EngineChoice& engine) { return "engine " + engine.name + ": " + engine.reason; }

}  // namespace falsum::cli
