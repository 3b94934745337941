// Which clauses of a model are true of which rows: for counting rules and for explaining a row.
//
// This is separate from Predictor. A Predictor is compiled for votes: its engines drop empty clauses, reorder the
// others and need not finish a clause to know its votes. Keeping the clauses as well would make every predictor larger
// for a rare need. Here the clauses are read from the model itself.
//
// The rows are transposed once, to a column of bits for each feature that clauses mention; a clause is then the AND of
// its columns, 64 rows at a time, left at the first 0. Memory: features mentioned x rows / 8 bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "falsum/model.h"
#include "falsum/rows.h"

namespace falsum {

/// A row for each row, a column for each clause of the model: on where the clause is true. An empty clause is false,
/// since it does not vote; a fuzzy clause is true where it has votes. Throws DataError for a wrong number of features,
/// and for sparse rows whose features do not ascend.
BitMatrix clause_outputs(const Model& model, const Rows& rows);
/// The same by clause: a row for each clause, a column for each row.
BitMatrix rows_of_clauses(const Model& model, const Rows& rows);
/// The votes that fuzzy clauses have for rows if their weight is 1: model.clauses() x rows numbers, clause by clause.
/// Throws ConfigError for a model of other clauses.
std::vector<std::uint16_t> fuzzy_votes(const Model& model, const Rows& rows);

/// Of how many rows of each label a clause is true: model.clauses() x `label_count` numbers, clause by clause. Labels
/// are from 0 to label_count - 1, one per row; throws DataError otherwise. `threads` 0: all cores.
std::vector<std::int64_t> clause_counts(const Model& model, const Rows& rows, std::span<const std::uint32_t> labels,
                                        std::size_t label_count, unsigned threads = 1);

}  // namespace falsum
