// What `predict` and `evaluate` share: rows in the form the data came in, and the engine that votes on them.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "command_line.h"
#include "falsum/booleanizer.h"
#include "falsum/predictor.h"

namespace falsum::cli {

/// Packed, or sparse when the data came sparse: those never become packed on the way to a vote.
using AnyRows = std::variant<BitMatrix, SparseBits>;

inline bool is_sparse(const AnyRows& rows) { return std::holds_alternative<SparseBits>(rows); }

AnyRows transform(const Booleanizer& booleanizer, const Source& source);
std::vector<std::int32_t> votes(const Predictor& predictor, const AnyRows& rows, unsigned threads,
                                PredictCounters* counters = nullptr);
std::vector<std::uint32_t> predict(const Predictor& predictor, const AnyRows& rows, unsigned threads,
                                   PredictCounters* counters = nullptr);

/// --explain-engine. The flag must outlive the parsing.
void add_explain_engine(const Verb& verb, bool& flag);
/// "engine sliced: ..."
std::string explanation(const EngineChoice& engine);

}  // namespace falsum::cli
