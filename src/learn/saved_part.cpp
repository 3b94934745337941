#include "learn/saved_part.h"

#include <algorithm>

#include "falsum/cpu.h"
#include "falsum/error.h"
#include "falsum/machine.h"
#include "falsum/patches.h"
#include "support/bytes.h"
#include "support/format.h"

namespace falsum {
namespace {

/// Whether banks have weights in the section kWeightsTag.
bool has_weights(const Options& options) {
  return !is_fuzzy(options) && (options.shared || most_votes(options) > 1 || options.weight_growth > 0);
}

/// The machines of a checkpoint and of a snapshot in it.
bool same_machine(const Options& snapshot, const Options& machine) {
  for (const OptionInfo* option : options_of(OptionScope::kMachine)) {
    if (option->name == "snapshots") continue;
    const bool same = std::visit([&](auto field) { return snapshot.*field == machine.*field; }, option->field);
    if (!same) return false;
  }
  return snapshot.snapshots == 1;
}

}  // namespace

std::string write_part(const Part& part) {
  ByteWriter writer;
  writer.text(version());
  writer.varint(part.shards);
  writer.varint(part.shard);
  writer.varint(part.classes.size());
  std::uint32_t next = 0;
  for (const std::uint32_t c : part.classes) {
    writer.varint(c - next);
    next = c + 1;
  }
  return writer.take();
}

SavedPart::SavedPart(std::string_view bytes, const std::string& what)
    : container_(bytes, FileKind::kCheckpoint,
                 {kMachineTag, kShapeTag, kOptionsTag, kPartTag, kProgressTag, kBankTag, kDrawsTag, kAheadTag,
                  kWeightsTag, kRangeTag, kRatesTag, kSnapshotTag},
                 what),
      options_(read_machine(container_, UnknownOptions::kRefuse, shape_)) {
  read_part();
  read_banks();
  read_progress();
  read_data();
  read_ahead();
  read_snapshots();
}

void SavedPart::fail(const std::string& why) const { ByteReader("", what()).fail(why); }

void SavedPart::read_part() {
  for (const std::string_view section : container_.sections(kPartTag)) {
    ByteReader reader(section, what());
    version_ = reader.text();
    const std::uint64_t shards = reader.varint(), shard = reader.varint();
    if (shards > 0xffffffff || shard >= shards) reader.fail("it is a shard that there is not");
    part_ = {{}, static_cast<std::uint32_t>(shard), static_cast<std::uint32_t>(shards)};
    std::uint64_t next = 0;
    for (std::uint64_t left = reader.count(1); left > 0; --left) {
      const std::uint64_t gap = reader.varint();
      if (gap >= shape_.outputs) reader.fail("it has a class that there is not");
      next += gap + 1;
      part_.classes.push_back(static_cast<std::uint32_t>(next - 1));
    }
    if (part_.is_whole()) reader.fail("it is a part, but has all classes");
    reader.expect_end();
  }
  packed_ = container_.sections(kBankTag);
  const std::uint64_t banks = count_banks(options_, shape_.outputs);
  const auto clauses = static_cast<std::uint64_t>(options_.clauses);
  if (packed_.size() != (part_.classes.empty() ? banks : part_.classes.size()) || shape_.clauses != banks * clauses) {
    fail("it has another number of banks than it needs");
  }
  try {
    banks_ = banks_of(part_, options_, shape_.outputs);
    clauses_ = clauses_of(part_, options_);
  } catch (const ConfigError& error) {
    fail(error.what());
  }
}

/// A clause takes its states, a byte for its pending events, and at most 6 bytes per released literal. A bank of an
/// impossible size is found before a machine is made.
void SavedPart::read_banks() {
  const std::uint64_t clauses = clauses_.size();
  std::uint64_t literals = 0;
  try {
    literals = 2 * clause_features(options_, shape_.features);
  } catch (const ConfigError& error) {
    fail(error.what());
  }
  // A fuzzy clause has its states alone.
  const bool fuzzy = is_fuzzy(options_);
  const std::uint64_t least = clauses * (literals + (fuzzy ? 0 : 2));
  most_of_bank_ = fuzzy ? least : clauses * (literals * 7 + 16);
  for (const std::string_view bank : packed_) {
    if (unpacked_size(bank, most_of_bank_, what()) < least) fail("a bank is smaller than its clauses");
  }
}

void SavedPart::read_progress() {
  ByteReader progress(container_.section(kProgressTag), what());
  epoch = progress.u64();
  position = progress.u64();
  samples = rows = progress.u64();
  for (std::size_t i = 0; i < banks_.size(); ++i) uses_.push_back(progress.u64());
  progress.expect_end();
  for (const std::string_view section : container_.sections(kRatesTag)) {  // none unless the epoch has row weights
    ByteReader rates(section, what());
    samples = rates.u64();
    weights = rates.u64();
    rates.expect_end();
  }
  if (position > samples) fail("its position is past the end of its data");
  draws_changed = container_.sections(kDrawsTag).empty();
  for (const std::string_view section : container_.sections(kDrawsTag)) {
    ByteReader draws(section, what());
    if (draws.varint() != kDraws) draws.fail("its random numbers are those of another version of falsum");
    draws.expect_end();
  }
}

void SavedPart::read_data() {
  for (const std::string_view section : container_.sections(kRangeTag)) range = read_range(section, what());
  const auto counts = container_.sections(kFeatureCountsTag);  // none in older files
  if (!counts.empty()) feature_counts = counts.front();
  const auto digests = container_.sections(kDataTag);
  if (digests.empty()) return;
  ByteReader reader(digests.front(), what());
  data.emplace();
  for (std::uint64_t* const number :
       {&data->rows, &data->features, &data->values, &data->labels, &data->label_names, &data->feature_names}) {
    *number = reader.u64();
  }
  if (reader.left() > 0) data->weights = reader.u64();
  reader.expect_end();
}

void SavedPart::read_ahead() {
  ahead_.resize(banks_.size());
  const std::uint64_t most = samples - position;  // a sample is used by a learner at most once
  const std::int64_t all_votes = options_.clauses * most_votes(options_);
  for (const std::string_view section :
       container_.sections(kAheadTag)) {  // none if all learners are at the same sample
    ByteReader reader(section, what());
    for (std::size_t i = 0; i < banks_.size(); ++i) {
      Ahead& ahead = ahead_[i];
      ahead.uses = reader.varint();
      if (is_fuzzy(options_) || ahead.uses > most || ahead.uses > uses_[i])
        reader.fail("a class is past the end of its data");
      if (!options_.sharded) continue;
      ahead.votes.resize(reader.count(8));
      if (ahead.votes.size() >= static_cast<std::size_t>(options_.block))
        reader.fail("more votes are left than a block has");
      for (std::int64_t& v : ahead.votes) {
        v = static_cast<std::int64_t>(reader.u64());
        if (v > all_votes || v < -all_votes) reader.fail("there are more votes than clauses have");
      }
    }
    reader.expect_end();
  }
}

void SavedPart::read_snapshots() {
  const std::size_t outputs = has_one_bank(options_) ? shape_.outputs : banks_.size();
  for (const std::string_view section : container_.sections(kSnapshotTag)) {
    Model snapshot = Model::from_bytes(section, what());
    if (snapshots.size() + 1 >= static_cast<std::size_t>(options_.snapshots) ||
        snapshot.features() != shape_.features || snapshot.outputs() != outputs ||
        snapshot.clauses() != banks_.size() * clauses_.size() || !same_machine(snapshot.options(), options_)) {
      fail("it has a snapshot of another machine");
    }
    snapshots.push_back(std::move(snapshot));
  }
}

void SavedPart::unpack_weights() {
  bank_weights_.resize(banks_.size());
  if (!has_weights(options_)) return;
  const std::uint64_t outputs = has_one_bank(options_) ? shape_.outputs : 1;
  const std::uint64_t numbers = clauses_.size() * outputs;  // of a bank
  plain_weights_ = unpack(container_.section(kWeightsTag), 4 * numbers * banks_.size(), what());
  ByteReader reader(plain_weights_, what());
  std::size_t begin = 0;
  for (std::string_view& bank : bank_weights_) {
    for (std::uint64_t i = 0; i < numbers; ++i) reader.varint();
    const std::size_t end = plain_weights_.size() - reader.left();
    bank = std::string_view(plain_weights_).substr(begin, end - begin);
    begin = end;
  }
  reader.expect_end();
}

bool SavedPart::is_level() const {
  return position == 0 && std::ranges::all_of(ahead_, [](const Ahead& ahead) { return ahead.uses == 0; });
}

CheckpointFacts facts_of_checkpoint(std::string_view bytes, const std::string& what) {
  const SavedPart saved(bytes, what);
  return {saved.options(), saved.shape().features, saved.shape().outputs, saved.epoch, saved.is_level(), saved.part()};
}

void check_alike(const SavedPart& first, const SavedPart& other) {
  const auto refuse = [&](const std::string& difference) {
    throw FileError(fmt::format("{} and {} are not parts of one machine: {}", first.what(), other.what(), difference));
  };
  const auto compare = [&](std::string_view name, const auto& one, const auto& two) {
    if (one != two) refuse(fmt::format("their {} are {} and {}", name, one, two));
  };
  compare("versions of falsum", first.version_, other.version_);
  for (const OptionInfo* option : options_of(OptionScope::kMachine)) {
    const std::string one = value_text(*option, first.options_), two = value_text(*option, other.options_);
    if (one != two) refuse(fmt::format("{} is {} in one and {} in the other", option->name, one, two));
  }
  compare("numbers of features", first.shape_.features, other.shape_.features);
  compare("numbers of classes", first.shape_.outputs, other.shape_.outputs);
  compare("complete epochs", first.epoch, other.epoch);
  compare("numbers of rows", first.rows, other.rows);
  if (first.data && other.data && first.data != other.data) {
    refuse(fmt::format("the second learned from {}", difference(*first.data, *other.data)));
  }
  const bool same_data = first.data == other.data && first.feature_counts == other.feature_counts &&
                         first.range == other.range && first.snapshots.size() == other.snapshots.size();
  if (!same_data) refuse("they learned from other data");
  if (first.draws_changed != other.draws_changed) refuse("their random numbers are those of other versions of falsum");
}

}  // namespace falsum
