// SavedPart: a checkpoint, as far as it can be read and checked before there is a machine to read it into. A machine is
// resumed from one of them, or put together from several that hold parts of it (Trainer::join).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bank/clause_slots.h"
#include "falsum/data_digest.h"
#include "falsum/model.h"
#include "falsum/options.h"
#include "falsum/part.h"
#include "model/container.h"
#include "model/sections.h"

namespace falsum {

// The sections that only checkpoints have.
inline constexpr std::string_view kPartTag = "PART", kProgressTag = "PROG", kDrawsTag = "DRAW", kAheadTag = "AHED",
                                  kDataTag = "data", kRatesTag = "RATE", kSnapshotTag = "SNAP", kBankTag = "BANK";

/// Which random numbers were drawn: 1 in falsum 0.1, whose checkpoints have no such section; 2 since 0.2
/// (support/random.h).
inline constexpr std::uint64_t kDraws = 2;

/// The part, and the version of falsum that learned it.
std::string write_part(const Part& part);

/// The clauses that a part has of every bank, and the banks, ascending: their numbers in the whole machine. Throw
/// ConfigError for a part that there is not.
ClauseRange clauses_of(const Part& part, const Options& options);
std::vector<std::size_t> banks_of(const Part& part, const Options& options, std::size_t outputs);

class SavedPart {
 public:
  /// Throws FileError unless the sections are whole and fit together. `bytes` must outlive it.
  SavedPart(std::string_view bytes, const std::string& what);

  const std::string& what() const { return container_.what(); }
  const Options& options() const { return options_; }
  const Shape& shape() const { return shape_; }
  const Part& part() const { return part_; }
  bool is_level() const;  // between two epochs

  // Of the machine.
  std::uint64_t epoch = 0, position = 0, rows = 0;
  std::uint64_t samples = 0, weights = 0;  // of the epoch that has begun
  bool draws_changed = false;
  std::optional<DataDigest> data;
  std::optional<NumberRange> range;
  std::vector<Model> snapshots;
  std::string_view feature_counts;  // the section; empty if there is none

  // Of its banks.
  const std::vector<std::size_t>& banks() const { return banks_; }  // their numbers in the whole machine, ascending
  const ClauseRange& clauses() const { return clauses_; }           // of each of them
  std::uint64_t uses(std::size_t i) const { return uses_[i]; }
  /// As Bank::write wrote it.
  LargeBytes bank(std::size_t i) const { return unpack(packed_[i], most_of_bank_, what()); }
  /// As Weights::write wrote them; unpack_weights() must have been called.
  std::string_view weights_of(std::size_t i) const { return bank_weights_[i]; }
  void unpack_weights();
  /// The uses that it is ahead and, if it is sharded, the votes that are left of its block.
  struct Ahead {
    std::uint64_t uses = 0;
    std::vector<std::int64_t> votes;
  };
  const Ahead& ahead(std::size_t i) const { return ahead_[i]; }

 private:
  void read_part();
  void read_progress();
  void read_data();
  void read_banks();
  void read_ahead();
  void read_snapshots();
  [[noreturn]] void fail(const std::string& why) const;

  Container container_;
  Shape shape_;
  Options options_;
  Part part_;
  std::string version_;  // of a part
  std::vector<std::size_t> banks_;
  ClauseRange clauses_ = 0;
  std::vector<std::uint64_t> uses_;
  std::vector<std::string_view> packed_, bank_weights_;
  LargeBytes plain_weights_;
  std::uint64_t most_of_bank_ = 0;
  std::vector<Ahead> ahead_;

  friend void check_alike(const SavedPart& first, const SavedPart& other);
};

/// Throws FileError with a sentence about the first difference unless both are parts of one machine after the same
/// epoch, of the same data.
void check_alike(const SavedPart& first, const SavedPart& other);

}  // namespace falsum
