// Model: a learned machine for prediction. It holds the clauses, their weights for each output, and everything needed
// to use them: labels, booleanizer, the options of training. Small (a Machine holds a byte per automaton, a Model only
// the included literals) and immutable, so threads can share it.
//
//   clauses   a list; clause c is the AND of its literals, which ascend
//   weights   by output: which clauses vote on it, ascending, and how much each adds when it is true
//
// Fuzzy clauses (options().fuzzy) are no ANDs: see clause_votes. Their weights are 1 or -1.
//
// Literal k < features() is feature k; literal features() + k is its negation. In a convolutional model (patches()) the
// literals are those of a patch: its features, then their negations (falsum/patches.h). A clause without literals is
// silent. The plain machine has an output for each class, with n clauses of its own: clauses i * n .. i * n + n - 1
// vote on output i, the first half for it (+1), the second half against it (-1).
//
//   Model model = machine.model().described({.labels = names, .booleanizer = booleanizer, .schema = source.schema});
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "falsum/booleanizer.h"
#include "falsum/calibration.h"
#include "falsum/options.h"
#include "falsum/patches.h"
#include "falsum/targets.h"

namespace falsum {

/// Where a model came from; for readers, not for prediction.
struct Provenance {
  std::string falsum_version;
  std::string data;  // Source::origin of the training data
  std::uint64_t samples = 0;
  std::uint64_t epochs = 0;
  double test_accuracy = -1;  // negative: not known
  double test_rmse = -1;      // of a regression machine; negative: not known
  /// Rows of `data` that were held out of learning to choose the epoch, and the score there; 0 rows: none were. The
  /// epochs are those of the clauses that were kept, and `last_epoch` says how many were learned.
  std::uint64_t validation_rows = 0, last_epoch = 0;
  double validation_score = -1;
  friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// What a clause adds to the votes of an output when it is true; never 0.
struct Weight {
  std::uint32_t clause = 0;
  std::int32_t votes = 0;
  friend bool operator==(const Weight&, const Weight&) = default;
};

/// The contents of a model. Any caller may fill one in; Model's constructor checks it.
struct ModelParts {
  Options options;  // only the options that make the machine are kept
  std::size_t features = 0, outputs = 0;
  std::vector<std::uint64_t> clause_starts = {0};  // one more than clauses, into `literals`
  std::vector<std::uint32_t> literals;
  std::vector<std::uint64_t> weight_starts = {0};  // one more than outputs, into `weights`
  std::vector<Weight> weights;

  NumberRange range;  // of a regression machine

  std::vector<std::string> labels;  // one per output, or none
  Booleanizer booleanizer;          // of the same number of features, or of 0
  Schema schema;                    // how the training data were read; not known() in models of falsum 0.1
  Provenance provenance;
  /// How often each feature was true in training, in 1/65535; empty if unknown. Engines choose their layout by it; no
  /// vote depends on it.
  std::vector<std::uint16_t> truth_shares;
  Calibration calibration;  // no vote and no prediction depends on it
};

/// Facts about the training data that a machine does not know.
struct Description {
  std::vector<std::string> labels;
  Booleanizer booleanizer;
  Schema schema;
  std::string data = {};  // Source::origin
  std::optional<double> test_accuracy = {}, test_rmse = {};
  std::uint64_t validation_rows = 0, last_epoch = 0;
  double validation_score = -1;
};

/// How much effort to spend on compressing a file: the same model either way. kQuick is for a training that was asked
/// to stop.
enum class Packing { kSmall, kQuick };

class Model {
 public:
  /// Throws ConfigError for parts that do not fit together.
  explicit Model(ModelParts parts);

  /// The same clauses with a description of the data, as a file should have it. The provenance that the machine knows
  /// (version, samples, epochs) stays.
  Model described(Description description) const;

  /// The same clauses whose votes become probabilities in this way. Throws ConfigError for a calibration of another
  /// number of outputs.
  Model calibrated(Calibration calibration) const;

  std::size_t features() const { return parts_.features; }
  std::size_t literals() const { return 2 * clause_features_; }
  std::size_t outputs() const { return parts_.outputs; }
  std::size_t clauses() const { return parts_.clause_starts.size() - 1; }
  std::size_t included() const { return parts_.literals.size(); }  // literals of all clauses
  const Options& options() const { return parts_.options; }
  Task task() const { return parts_.options.task; }
  const NumberRange& range() const { return parts_.range; }
  /// No value if a clause sees the whole row.
  const std::optional<PatchShape>& patches() const { return patches_; }

  /// The literals of a clause.
  std::span<const std::uint32_t> clause(std::size_t c) const {
    return {parts_.literals.data() + parts_.clause_starts[c], parts_.literals.data() + parts_.clause_starts[c + 1]};
  }
  /// The votes of clause c if none of its literals is false; each that is false takes one away, down to 0. 1 if clauses
  /// are not fuzzy.
  std::int64_t clause_votes(std::size_t c) const {
    const std::int64_t most = options().fuzzy, length = static_cast<std::int64_t>(clause(c).size());
    return most == 0 ? 1 : options().clamp && length > 0 && length < most ? length : most;
  }
  /// The clauses that vote on an output.
  std::span<const Weight> weights(std::size_t output) const {
    return {parts_.weights.data() + parts_.weight_starts[output],
            parts_.weights.data() + parts_.weight_starts[output + 1]};
  }

  const std::vector<std::string>& labels() const { return parts_.labels; }
  const Booleanizer& booleanizer() const { return parts_.booleanizer; }
  const Schema& schema() const { return parts_.schema; }
  const Provenance& provenance() const { return parts_.provenance; }
  const std::vector<std::uint16_t>& truth_shares() const { return parts_.truth_shares; }
  const Calibration& calibration() const { return parts_.calibration; }
  const ModelParts& parts() const { return parts_; }

  /// Name of a literal: "age >= 41.5", or "not age >= 41.5" for a negation.
  std::vector<std::string> literal_names() const;

  /// How to read data for this model: its schema, completed from its booleanizer.
  Schema reading_schema() const;

  std::string to_bytes(Packing packing = Packing::kSmall) const;
  static Model from_bytes(std::string_view bytes, const std::string& what = "model");
  void save(const std::string& path) const;
  static Model load(const std::string& path);

 private:
  ModelParts parts_;
  std::size_t clause_features_ = 0;
  std::optional<PatchShape> patches_;
};

}  // namespace falsum
