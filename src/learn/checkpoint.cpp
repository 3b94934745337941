// Writing a checkpoint: a Trainer's state as a container. Derived data (the index) are not in it; they are rebuilt.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "falsum/error.h"
#include "falsum/patches.h"
#include "learn/saved_part.h"
#include "learn/trainer.h"
#include "model/container.h"
#include "model/sections.h"
#include "support/bytes.h"
#include "support/format.h"
#include "support/parallel.h"

namespace falsum {

namespace {

std::string write_data(const DataDigest& data) {
  ByteWriter writer;
  for (const std::uint64_t part :
       {data.rows, data.features, data.values, data.labels, data.label_names, data.feature_names}) {
    writer.u64(part);
  }
  if (data.weights != 0) writer.u64(data.weights);
  return writer.take();
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
  ContainerStream container(FileKind::kCheckpoint, level && !weighted && part_.is_whole() ? machine : 2, sink);
  const std::uint64_t clauses = count_banks(options_, outputs_) * static_cast<std::uint64_t>(options_.clauses);
  write_machine(container, machine, options_, {features_, outputs_, clauses});
  if (!part_.is_whole()) container.section(kPartTag, write_part(part_));
  ByteWriter progress;
  progress.u64(epoch_);
  progress.u64(position_);
  progress.u64(stopped_rows_);
  for (const Learner& learner : learners_) progress.u64(learner.uses());
  for (std::size_t i = 0; fuzzy_ && i < fuzzy_->size(); ++i) progress.u64((*fuzzy_)[i].uses());
  container.section(kProgressTag, progress.bytes());
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
  for (const Learner& learner : learners_) learner.weights().write(weights, clauses_);
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
        [&](std::string_view bytes) { container.section(kBankTag, bytes); });
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

}  // namespace falsum
