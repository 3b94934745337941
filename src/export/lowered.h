// Lowered: what a model computes and nothing else, the form that all exports but JSON are written from. Votes stay the
// same, row by row:
//
//   dropped   clauses without literals, with a literal and its negation, or without votes
//   merged    equal clauses, of one output or several: their votes are added
//   constant  fuzzy clauses without literals: they always have the same votes
//
// A fuzzy clause with a literal and its negation stays: it only has one miss more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "falsum/export.h"
#include "falsum/model.h"

namespace falsum {

struct OutputVotes {
  std::uint32_t output = 0;
  std::int32_t votes = 0;
};

struct LoweredClause {
  std::vector<std::uint32_t> literals;  // ascending, at least one
  std::uint32_t first = 0;              // the literal that is false most often: to be looked at first
  std::int32_t most = 1;           // what the clause counts for if no literal is false; each false one takes 1 away
  std::vector<OutputVotes> votes;  // ascending outputs, at least one; votes are not 0
};

struct Lowered {
  explicit Lowered(const Model& lowered_model) : model(lowered_model) {}

  const Model& model;
  std::size_t features = 0, outputs = 0;
  std::size_t clause_features = 0;  // literals are numbered by this: of a row, or of a patch
  bool fuzzy = false;
  std::optional<PatchShape> patches;
  std::vector<std::int32_t> base;  // votes of each output before any clause
  std::vector<LoweredClause> clauses;
  std::int64_t target = 1;  // T in votes, for numbers

  std::size_t included() const;
  bool is_negated(std::uint32_t literal) const { return literal >= clause_features; }
  std::uint32_t feature_of(std::uint32_t literal) const {
    return is_negated(literal) ? literal - static_cast<std::uint32_t>(clause_features) : literal;
  }
  /// The features that some clause includes, ascending.
  std::vector<std::uint32_t> used_features() const;
};

Lowered lower(const Model& model);

/// The clauses as bytes, for C and JavaScript:
///
///   for each output a zigzag: its base
///   for each clause
///     if fuzzy, a varint: most
///     a varint: bytes of the literals; varint `first`, then the other literals ascending, each less the one before
///     (or less 0), less 1 from the second on
///     a varint: bytes of the votes; for each output a varint and a zigzag: its votes
std::string clause_bytes(const Lowered& lowered);

/// One sentence: "a model of patches cannot become sql: ...".
[[noreturn]] void refuse_export(std::string_view what, ExportFormat format, std::string_view why);

}  // namespace falsum
