// FuzzyBank: the automata of fuzzy clauses. A fuzzy clause has LF votes less one for each of its literals that is
// false, so Type I and II feedback move many automata, without drawing (docs/family.md, "Fuzzy clauses"):
//
//   Ia   while the clause is shorter than max_literals: true literals +1; then false literals that are excluded -1
//   II   false literals that are excluded +1
//   Ib   features / s times: the automaton of a random feature -1, and that of the negation of another one -1
//
// Included literals that are false keep their state in Ia: they are forgiven, and leave only by Type Ib.
//
//   states     per clause: a byte for each feature, then for each negation, both filled up to 64; the highest is 255
//   included   the same as bits
//
// The rule of this bank is short enough that nothing waits (bank/bank.h defers forgetting): a use touches only clauses
// that were chosen, and late in learning few are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "falsum/options.h"
#include "kernels/kernels.h"
#include "support/aligned.h"
#include "support/bytes.h"

namespace falsum {

class FuzzyBank {
 public:
  FuzzyBank(const Options& options, std::size_t features);

  std::size_t clauses() const { return lengths_.size(); }
  std::size_t features() const { return features_; }
  std::size_t words() const { return words_; }

  /// Whether a literal is included: features first, then negations.
  bool includes(std::size_t clause, std::size_t literal) const;
  /// 0 .. states - 1.
  int state(std::size_t clause, std::size_t literal) const;
  /// words() words of features, then of negations.
  const std::uint64_t* included(std::size_t clause) const { return included_.data() + 2 * words_ * clause; }
  std::size_t literals(std::size_t clause) const { return lengths_[clause].literals; }
  /// The votes of a clause none of whose literals is false.
  std::int64_t most_votes(std::size_t clause) const;

  /// A word of literals that joined or left a clause: word() < words() of features, else of negations.
  using Flips = std::span<const RisenWord>;

  // Events on one clause. The flips are valid until the next event. `row` has the features that are true.
  Flips type_1a(std::size_t clause, const std::uint64_t* row, const Kernels& kernels);
  Flips type_1b(std::size_t clause, std::uint64_t event);
  Flips type_2(std::size_t clause, const std::uint64_t* row, const Kernels& kernels);

  std::uint64_t bytes() const { return states_.size() + 8 * included_.size(); }
  std::size_t written_bytes() const { return clauses() * 2 * features_; }
  void write(ByteWriter& writer) const;
  void read(ByteReader& reader);

 private:
  struct Length {
    std::uint32_t literals = 0, features = 0;
  };
  std::size_t at(std::size_t clause, std::size_t literal) const {
    const bool negated = literal >= features_;
    return 64 * words_ * (2 * clause + negated) + literal - (negated ? features_ : 0);
  }
  Flips pass(FuzzyKind kind, std::size_t clause, const std::uint64_t* row, const Kernels& kernels);
  void count_length(std::size_t clause);
  void count_flips(std::size_t clause);
  void forget(std::size_t clause, std::size_t word, std::size_t feature);

  std::size_t features_, words_;
  std::uint64_t last_;  // the features in the last word
  std::uint8_t lowest_, limit_;
  std::int64_t votes_;
  bool clamp_, counts_features_;
  std::uint64_t max_literals_;
  std::uint64_t forgets_;  // automata of features, and as many of negations, that Type Ib draws
  AlignedArray<std::uint8_t> states_;
  AlignedArray<std::uint64_t> included_;
  std::vector<Length> lengths_;
  std::vector<RisenWord> flips_;
  std::size_t flip_count_ = 0;
};

}  // namespace falsum
