// Model: what predicts. The included literals and weight of every clause, with all that is needed to use
// them: labels, feature names, booleanizer, the options it was learned with. Frozen and small (a Machine
// holds a byte per automaton, a Model only what is included); immutable, so it can be shared freely.
//
//   class 0: clause 0 .. n-1 | class 1: clause 0 .. n-1 | ...
//   The first half of a class's clauses votes for it, the second half against: weight +1 / -1.
//   Literal k < features() is feature k; literal features() + k is its negation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "falsum/booleanizer.h"
#include "falsum/options.h"

namespace falsum {

/// Where a model came from; for people, not for prediction.
struct Provenance {
  std::string falsum_version;
  std::string data;  // Source::origin of the training data
  std::uint64_t samples = 0;
  std::uint64_t epochs = 0;
  double test_accuracy = -1;  // negative: not known
  friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// How hard to pack a file: the same model either way. The quick one is for a training that was asked to stop.
enum class Packing { kSmall, kQuick };

class Model {
 public:
  /// `starts` has classes * clauses + 1 entries into `literals`; each clause's literals ascend.
  Model(const Options& options, std::size_t features, std::size_t classes, std::vector<std::uint64_t> starts,
        std::vector<std::uint32_t> literals, std::vector<std::int32_t> weights);

  std::size_t features() const { return features_; }
  std::size_t literals() const { return 2 * features_; }
  std::size_t classes() const { return classes_; }
  std::size_t clauses() const { return static_cast<std::size_t>(options_.clauses); }  // per class
  const Options& options() const { return options_; }

  std::span<const std::uint32_t> clause(std::size_t class_id, std::size_t clause) const {
    const std::size_t c = class_id * clauses() + clause;
    return {literals_.data() + starts_[c], static_cast<std::size_t>(starts_[c + 1] - starts_[c])};
  }
  /// Votes this clause adds to its class when true: negative for the second half of the clauses.
  std::int32_t weight(std::size_t class_id, std::size_t clause) const {
    return weights_[class_id * clauses() + clause];
  }
  std::size_t included() const { return literals_.size(); }  // over all clauses

  // For people and files; set by whoever trains.
  std::vector<std::string> labels;  // one per class
  Booleanizer booleanizer;
  Schema schema;  // how the training data were read; not known() in models of falsum 0.1
  Provenance provenance;
  /// How often each feature was true in training, in 1/65535; empty when that is not known. Engines are laid out by it;
  /// no vote depends on it.
  std::vector<std::uint16_t> truth_shares;

  /// Name of a literal: "age >= 41.5", or "not age >= 41.5" for a negation.
  std::vector<std::string> literal_names() const;

  /// How data for this model are to be read: its schema, completed by what its booleanizer takes.
  Schema reading_schema() const;

  std::string to_bytes(Packing packing = Packing::kSmall) const;
  static Model from_bytes(std::string_view bytes, const std::string& what = "model");
  void save(const std::string& path) const;
  static Model load(const std::string& path);

 private:
  Options options_;
  std::size_t features_;
  std::size_t classes_;
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> literals_;
  std::vector<std::int32_t> weights_;
};

}  // namespace falsum
