// The law of defaults: the numbers of a machine that the caller leaves open (kAutomatic), from a few facts about the
// data. The command, the Python package, the C interface and pipeline.h all resolve their options here, so that the
// same data get the same machine everywhere. A number that is given is never changed. The law was measured:
// docs/choosing.md.
//
//   Options options = chosen_options({.clauses = 800}, facts_of(booleanizer, rows, outputs));   // T 56, s 1.5:5, ...
//
// Tables and bits get plain clauses; images and text get fuzzy ones, where nothing about the machine was given.
#pragma once

#include <cstddef>

#include "falsum/booleanize_options.h"
#include "falsum/booleanizer.h"
#include "falsum/options.h"

namespace falsum {

/// What the law looks at.
struct DataFacts {
  DataKind kind = DataKind::kTables;
  std::size_t rows = 0;  // to learn from
  std::size_t outputs = 2;
};

DataFacts facts_of(const Booleanizer& booleanizer, std::size_t rows, std::size_t outputs);

/// The options with a number for each that is kAutomatic.
Options chosen_options(const Options& given, const DataFacts& facts);

}  // namespace falsum
