// Checkpoints: a Trainer's state as a container. Derived data (the index) are not in it; they are rebuilt.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "falsum/error.h"
#include "falsum/patches.h"
#include "learn/trainer.h"
#include "model/container.h"
#include "model/sections.h"
#include "support/bytes.h"
#include "support/format.h"
#include "support/parallel.h"

namespace falsum {

namespace {

constexpr std::string_view kDrawsTag = "DRAW", kAheadTag = "AHED", kDataTag = "data", kRatesTag = "RATE",
                           kSnapshotTag = "SNAP";

/// Which random numbers were drawn: 1 in falsum 0.1, whose checkpoints have no such section; 2 since 0.2
/// (support/random.h).
constexpr std::uint64_t kDraws = 2;

std::string write_data(const DataDigest& data) {
  ByteWriter writer;
  for (const std::uint64_t part :
       {data.rows, data.features, data.values, data.labels, data.label_names, data.feature_names}) {
    writer.u64(part);
  }
  if (data.weights != 0) writer.u64(data.weights);
  return writer.take();
}

DataDigest read_data(std::string_view section, const std::string& what) {
  ByteReader reader(section, what);
  DataDigest data;
  for (std::uint64_t* const part :
       {&data.rows, &data.features, &data.values, &data.labels, &data.label_names, &data.feature_names}) {
    *part = reader.u64();
  }
  if (reader.left() > 0) data.weights = reader.u64();
  reader.expect_end();
  return data;
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

/// Writes banks to a checkpoint: several threads pack them, and a thread that finds the next bank ready writes it
/// while the others continue to pack.
class PackedInOrder {
 public:
  PackedInOrder(std::size_t banks, std::size_t packers)
      : plains_(packers), rooms_(std::min(banks, packers + kPackedAhead)), packed_(banks) {
    for (ByteWriter& plain : plains_) free_plains_.push_back(&plain);
    for (RawBytes& room : rooms_) free_rooms_.push_back(&room);
  }

  /// Takes the next free bank: pack(bank, plain, room) returns its bytes, write(bytes) receives them at their turn.
  /// To be called once for every bank, on at most `packers` threads at a time. A thread without a buffer waits for the
  /// writer, which never waits. Buffers are taken in the order of the banks, so the bank whose turn it is always has
  /// one.
  template <class Pack, class Write>
  void next(const Pack& pack, const Write& write) {
    std::unique_lock lock(mutex_);
    there_is_room_.wait(lock, [&] { return failed_ || !free_rooms_.empty(); });
    if (failed_) return;
    try {
      const std::size_t c = taken_++;
      ByteWriter* const plain = take(free_plains_);
      RawBytes* const room = take(free_rooms_);
      lock.unlock();
      const std::string_view bytes = pack(c, *plain, *room);
      lock.lock();
      free_plains_.push_back(plain);
      packed_[c] = {room, bytes};
      while (!writing_ && written_ < packed_.size() && packed_[written_].room != nullptr) {
        const Packed& turn = packed_[written_];
        writing_ = true;
        lock.unlock();
        write(turn.bytes);
        lock.lock();
        writing_ = false;
        ++written_;
        free_rooms_.push_back(turn.room);
        there_is_room_.notify_one();
      }
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      failed_ = true;
      there_is_room_.notify_all();
      throw;
    }
  }

 private:
  struct Packed {
    RawBytes* room = nullptr;
    std::string_view bytes;
  };
  template <class T>
  static T* take(std::vector<T*>& free) {
    T* const last = free.back();
    free.pop_back();
    return last;
  }

  std::mutex mutex_;
  std::condition_variable there_is_room_;
  std::vector<ByteWriter> plains_;
  std::vector<RawBytes> rooms_;
  std::vector<ByteWriter*> free_plains_;
  std::vector<RawBytes*> free_rooms_;
  std::vector<Packed> packed_;  // by bank; without a buffer until it is ready
  std::size_t taken_ = 0, written_ = 0;
  bool writing_ = false, failed_ = false;
};

}  // namespace

void Trainer::checkpoint(const ByteSink& sink) const {
  const bool level = std::all_of(ahead_.begin(), ahead_.end(), [](std::uint64_t uses) { return uses == 0; });
  const bool weighted = begun() && stopped_weights_ != 0;
  const std::uint32_t machine = format_version(options_);
  ContainerStream container(FileKind::kCheckpoint, level && !weighted ? machine : 2, sink);
  const std::uint64_t clauses = ahead_.size() * static_cast<std::uint64_t>(options_.clauses);
  write_machine(container, machine, options_, {features_, outputs_, clauses});
  ByteWriter progress;
  progress.u64(epoch_);
  progress.u64(position_);
  progress.u64(stopped_rows_);
  for (const Learner& learner : learners_) progress.u64(learner.uses());
  for (std::size_t i = 0; fuzzy_ && i < fuzzy_->size(); ++i) progress.u64((*fuzzy_)[i].uses());
  container.section("PROG", progress.bytes());
  ByteWriter draws;
  draws.varint(kDraws);
  container.section(kDrawsTag, draws.bytes());
  if (range_) write_range(container, *range_);
  if (weighted) {
    ByteWriter rates;
    rates.u64(samples_);
    rates.u64(stopped_weights_);
    container.section(kRatesTag, rates.bytes());
  }
  if (!level) {
    ByteWriter ahead;
    write_ahead(ahead);
    container.section(kAheadTag, ahead.bytes());
  }
  ByteWriter weights;
  for (const Learner& learner : learners_) learner.weights().write(weights);
  if (!weights.bytes().empty()) container.section(kWeightsTag, pack(weights.bytes(), 1));
  for (const Model& snapshot : snapshots_) container.section(kSnapshotTag, snapshot.to_bytes(Packing::kQuick));
  if (data_) container.section(kDataTag, write_data(*data_));
  ByteWriter counts;
  feature_counts_.write(counts);
  container.section(kFeatureCountsTag, counts.bytes());
  // Packing and writing take most of the time of a stop: both run at once, on all allowed threads, in memory that is
  // reused.
  const unsigned packers = std::min(threads_, kMostPackers);
  PackedInOrder packed(ahead_.size(), packers);
  for_each_parallel(ahead_.size(), packers, [&](std::size_t) {
    packed.next(
        [&](std::size_t c, ByteWriter& plain, RawBytes& room) {
          const auto write = [&](const auto& bank) {
            plain.reserve(bank.bytes());
            bank.write(plain);
          };
          plain.clear();
          fuzzy_ ? write((*fuzzy_)[c].bank()) : write(learners_[c].bank());
          return pack(plain.bytes(), 1, room);
        },
        [&](std::string_view bytes) { container.section("BANK", bytes); });
  });
  container.finish();
}

std::string Trainer::checkpoint() const {
  // Room for all banks even if they are incompressible: unused room is never touched, and growing would copy.
  LargeBytes bytes;
  bytes.reserve(automata_bytes());
  checkpoint([&](std::string_view piece) { bytes += piece; });
  return std::string(bytes);  // without the unused room
}

/// For each learner the uses that it is ahead and, if it is sharded, the remaining votes of its current block.
void Trainer::write_ahead(ByteWriter& writer) const {
  for (std::size_t c = 0; c < learners_.size(); ++c) {
    writer.varint(ahead_[c]);
    if (!options_.sharded) continue;
    const std::vector<std::int64_t>& votes = learners_[c].sharded()->left();
    writer.varint(votes.size());
    for (const std::int64_t v : votes) writer.u64(static_cast<std::uint64_t>(v));
  }
}

void Trainer::read_ahead(ByteReader& reader) {
  const std::uint64_t most = samples_ - position_;  // a sample is used by a learner at most once
  const std::int64_t all_votes = options_.clauses * most_votes(options_);
  for (std::size_t c = 0; c < ahead_.size(); ++c) {
    ahead_[c] = reader.varint();
    if (fuzzy_ || ahead_[c] > most || ahead_[c] > learners_[c].uses())
      reader.fail("a class is past the end of its data");
    if (!options_.sharded) continue;
    std::vector<std::int64_t> votes(reader.count(8));
    if (votes.size() >= LookaheadBlock::kUses) reader.fail("more votes are left than a block has");
    for (std::int64_t& v : votes) {
      v = static_cast<std::int64_t>(reader.u64());
      if (v > all_votes || v < -all_votes) reader.fail("there are more votes than clauses have");
    }
    learners_[c].sharded()->leave(std::move(votes));
  }
  reader.expect_end();
}

Trainer Trainer::from_checkpoint(std::string_view bytes, const Options& run, const std::string& what) {
  const Container container(bytes, FileKind::kCheckpoint,
                            {kMachineTag, kShapeTag, kOptionsTag, "PROG", "BANK", kDrawsTag, kAheadTag, kWeightsTag,
                             kRangeTag, kRatesTag, kSnapshotTag},
                            what);
  Shape shape;
  Options options = read_machine(container, UnknownOptions::kRefuse, shape);
  copy_options(OptionScope::kRun, run, options);
  const std::vector<std::string_view> banks = container.sections("BANK");
  ByteReader progress(container.section("PROG"), what);
  const std::uint64_t learners = count_banks(options, shape.outputs);
  if (banks.size() != learners || shape.clauses != learners * static_cast<std::uint64_t>(options.clauses))
    progress.fail("it has another number of banks than it needs");

  // A clause takes its states, a byte for its pending events, and at most 6 bytes per released literal. A bank of an
  // impossible size is found before the machine is made.
  const auto clauses = static_cast<std::uint64_t>(options.clauses);
  std::uint64_t literals = 0;
  try {
    literals = 2 * clause_features(options, shape.features);
  } catch (const ConfigError& error) {
    progress.fail(error.what());
  }
  // A fuzzy clause has its states alone.
  const bool fuzzy = is_fuzzy(options);
  const std::uint64_t least = clauses * (literals + (fuzzy ? 0 : 2));
  const std::uint64_t most = fuzzy ? least : clauses * (literals * 7 + 16);
  for (const std::string_view bank : banks) {
    if (unpacked_size(bank, most, what) < least) progress.fail("a bank is smaller than its clauses");
  }

  Trainer trainer(options, shape.features, shape.outputs);
  trainer.epoch_ = progress.u64();
  trainer.position_ = progress.u64();
  trainer.stopped_rows_ = progress.u64();
  trainer.samples_ = trainer.stopped_rows_;
  for (const std::string_view section : container.sections(kRatesTag)) {  // none unless the epoch has row weights
    ByteReader rates(section, what);
    trainer.samples_ = rates.u64();
    trainer.stopped_weights_ = rates.u64();
    rates.expect_end();
  }
  if (trainer.position_ > trainer.samples_) progress.fail("its position is past the end of its data");
  for (Learner& learner : trainer.learners_) learner.set_uses(progress.u64());
  for (std::size_t i = 0; fuzzy && i < learners; ++i) (*trainer.fuzzy_)[i].set_uses(progress.u64());
  progress.expect_end();
  for (const std::string_view section : container.sections(kRangeTag)) {
    try {
      trainer.set_range(read_range(section, what));
    } catch (const ConfigError& error) {
      progress.fail(error.what());
    }
  }
  trainer.draws_changed_ = container.sections(kDrawsTag).empty();
  for (const std::string_view section : container.sections(kDrawsTag)) {
    ByteReader draws(section, what);
    if (draws.varint() != kDraws) draws.fail("its random numbers are those of another version of falsum");
    draws.expect_end();
  }
  if (const auto data = container.sections(kDataTag); !data.empty()) trainer.data_ = read_data(data.front(), what);
  for (const std::string_view section : container.sections(kFeatureCountsTag)) {  // none in older files
    ByteReader counts(section, what);
    trainer.feature_counts_.read(counts);
    counts.expect_end();
  }
  for (std::size_t c = 0; c < banks.size(); ++c) {
    const LargeBytes plain = unpack(banks[c], most, what);
    ByteReader reader(plain, what);
    if (fuzzy) {
      (*trainer.fuzzy_)[c].bank().read(reader);
      (*trainer.fuzzy_)[c].bank_changed();
    } else {
      trainer.learners_[c].bank().read(reader);
    }
    reader.expect_end();
  }
  if (!fuzzy && !trainer.learners_[0].weights().are_fixed()) {
    const std::uint64_t weights_of_clause = shape.outputs / learners;
    const LargeBytes plain = unpack(container.section(kWeightsTag), 4 * shape.clauses * weights_of_clause, what);
    ByteReader weights(plain, what);
    for (Learner& learner : trainer.learners_) learner.weights().read(weights);
    weights.expect_end();
  }
  for (const std::string_view section : container.sections(kSnapshotTag)) {
    Model snapshot = Model::from_bytes(section, what);
    if (trainer.snapshots_.size() + 1 >= static_cast<std::size_t>(options.snapshots) ||
        snapshot.features() != shape.features || snapshot.outputs() != shape.outputs ||
        !same_machine(snapshot.options(), options)) {
      progress.fail("it has a snapshot of another machine");
    }
    trainer.snapshots_.push_back(std::move(snapshot));
  }
  trainer.use_engine();
  for (const std::string_view section : container.sections(kAheadTag)) {  // none if all learners are at the same sample
    ByteReader ahead(section, what);
    trainer.read_ahead(ahead);
  }
  return trainer;
}

}  // namespace falsum
