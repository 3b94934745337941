// Some classes of a model as bitmaps, lists and wanted literals: bitmap_engine.cpp has the idea. The constructor
// chooses how each literal is stored; votes() evaluates samples. Id is wide enough for the slots and the further bytes.
//
//   flags    a byte per clause: 127 + wanted literals still to come, 255 when a list falsified it; so the top bit is
//            off when no list makes it false. A clause that wants more than 127 has further bytes (`parts`).
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "predict/literal_votes.h"
#include "predict/vote_engine.h"
#include "support/aligned.h"
#include "support/bits.h"
#include "support/large_block.h"
#include "support/scratch.h"

namespace falsum {

/// Costs of walking, in cycles: measured on MNIST, Fashion-MNIST and IMDb; the optimum is flat.
struct BitmapCosts {
  double line;         // of a bitmap, 512 clauses
  double entry = 1.5;  // of a list
  double list = 30;    // its end, which the processor cannot predict
  double bitmap = 8;   // finding it
};

/// Some classes of a model. Writes their elements in rows of `model.outputs()` votes.
template <class Id>
class BitmapPart {
 public:
  static constexpr std::uint8_t kMostWanted = 127;  // literals that one byte of flags counts

  /// Without the clauses that `literal_votes` takes.
  BitmapPart(const Model& model, const Kernels& kernels, const LiteralVotes& literal_votes, const BitmapCosts& costs,
             std::size_t first_class, std::size_t last_class)
      : features_(model.features()),
        feature_words_(words_for(model.features())),
        first_class_(first_class),
        classes_(last_class - first_class),
        row_votes_(model.outputs()),
        kernels_(kernels) {
    const LargeVector<Placed> clauses = place(model, literal_votes);
    LargeVector<std::uint64_t> starts(model.literals() + 1);  // the clauses that include a literal: counting sort
    for (const Placed& clause : clauses) {
      for (const std::uint32_t l : clause.literals) ++starts[l + 1];
    }
    for (std::size_t l = 0; l < model.literals(); ++l) starts[l + 1] += starts[l];
    LargeVector<std::uint32_t> includers(starts.back());
    LargeVector<std::uint64_t> next = starts;
    for (const Placed& clause : clauses) {
      for (const std::uint32_t l : clause.literals) includers[next[l]++] = clause.slot;
    }
    keep(model, costs, starts, includers);
  }

  double row_cycles(bool sparse) const {
    return row_cycles_ + (sparse ? 0 : kWordCycles * static_cast<double>(feature_words_));
  }
  std::uint64_t bitmap_bytes() const { return bitmaps_.size() * 8; }
  std::uint64_t bytes() const {
    return bitmaps_.size() * 8 + lists_.size() * sizeof(Id) + starts_.size() * 8 + bitmap_of_.size() * 4 +
           flags_.size() + happens_.size() + (parts_.size() + absent_.size() + absent_at_.size()) * 4 +
           padding_.size() * 8 + weights_.size() * 4 + 4 * feature_words_ * 8 + groups_.size() * sizeof(Group);
  }

  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const {
    Sample sample = begin();
    out += first_class_;
    for (std::size_t r = 0; r < block.rows; ++r, out += row_votes_) {
      const std::uint64_t* const row = block.row(r).data();
      for (std::size_t w = 0; w < feature_words_; ++w) {
        collect_bitmaps(sample, (row[w] & bitmap_if_true_[w]) | (~row[w] & bitmap_if_false_[w]), row[w], w);
        collect_events(sample, (row[w] & listed_if_true_[w]) | (~row[w] & listed_if_false_[w]), row[w], w);
      }
      finish(sample, out, counters);
    }
  }

  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const {
    Sample sample = begin();
    out += first_class_;
    for (std::size_t r = 0; r < block.rows; ++r, out += row_votes_) {
      // The events of false features apply to all features that are not in the row: remove those that are.
      std::fill_n(sample.absent, words_for(absent_.size()), ~std::uint64_t{0});
      for (const std::uint32_t k : block.row(r)) {
        sample.absent[absent_at_[k] / 64] &= ~(std::uint64_t{1} << (absent_at_[k] % 64));
        collect(sample, 2 * std::size_t{k} + 1);
      }
      if (absent_.size() % 64 != 0)
        sample.absent[absent_.size() / 64] &= (std::uint64_t{1} << (absent_.size() % 64)) - 1;
      for_each_bit(sample.absent, words_for(absent_.size()),
                   [&](std::size_t i) { collect(sample, 2 * std::size_t{absent_[i]}); });
      finish(sample, out, counters);
    }
  }

 private:
  static constexpr std::size_t kLineWords = 8, kLineClauses = 512;
  static constexpr std::uint8_t kNothingWanted = 127, kFalsified = 255;

  enum class Kept : std::uint8_t { kNowhere, kBitmap, kList, kWanted };

  struct Best {
    Kept kept;
    double cycles;  // expected of a sample
  };

  static Best cheapest(const BitmapCosts& costs, double false_share, double clauses, double lines) {
    if (clauses == 0) return {Kept::kNowhere, 0};
    const double bitmap = false_share * (costs.bitmap + lines * costs.line);
    const double list = false_share * (costs.list + clauses * costs.entry);
    const double wanted = (1 - false_share) * (costs.list + clauses * costs.entry);
    if (bitmap <= list && bitmap <= wanted) return {Kept::kBitmap, bitmap};
    return list <= wanted ? Best{Kept::kList, list} : Best{Kept::kWanted, wanted};
  }

  /// A clause and its bit.
  struct Placed {
    std::span<const std::uint32_t> literals;
    std::uint32_t slot;
  };
  /// The clauses of one class and polarity.
  struct Group {
    std::size_t first_word, words;
    std::uint32_t class_id;
    std::int32_t sign;  // 0: use the table of weights
  };
  /// The working memory for one sample.
  struct Sample {
    std::uint64_t *falsified, *alive, *absent;
    const std::uint64_t** bitmaps;
    std::uint32_t* events;  // 2 x feature + its value
    std::uint8_t* flags;
    std::size_t bitmap_count = 0, event_count = 0;
  };
  void collect(Sample& sample, std::size_t event) const {
    sample.bitmaps[sample.bitmap_count] = bitmap(bitmap_of_[event]);
    sample.bitmap_count += happens_[event] & 1;
    sample.events[sample.event_count] = static_cast<std::uint32_t>(event);
    sample.event_count += happens_[event] >> 1;
  }
  static constexpr double kWordCycles = 20;  // to scan 64 packed features
  static constexpr std::size_t kAtOnce = 8;  // bits converted to indices without testing whether there are so many

  LargeVector<Placed> place(const Model& model, const LiteralVotes& literal_votes) {
    LargeVector<Placed> placed;
    LargeVector<std::int32_t> weights;
    for (std::size_t c = 0; c < classes_; ++c) {
      std::vector<VotingClause> clauses = non_empty_clauses(model, first_class_ + c);
      std::erase_if(clauses, [&](const VotingClause& clause) { return literal_votes.takes(clause); });
      const bool unit = std::all_of(clauses.begin(), clauses.end(), [](const VotingClause& clause) {
        return clause.weight == 1 || clause.weight == -1;
      });
      for (const bool positive : {true, false}) {
        Group group = {weights.size() / 64, 0, static_cast<std::uint32_t>(c), unit ? (positive ? 1 : -1) : 0};
        for (const VotingClause& clause : clauses) {
          if ((clause.weight > 0) != positive) continue;
          placed.push_back({clause.literals, static_cast<std::uint32_t>(weights.size())});
          weights.push_back(clause.weight);
        }
        weights.resize((weights.size() + 63) / 64 * 64);
        group.words = weights.size() / 64 - group.first_word;
        if (group.words != 0) groups_.push_back(group);
      }
    }
    lines_ = (weights.size() + kLineClauses - 1) / kLineClauses;
    padding_ = AlignedArray<std::uint64_t>(lines_ * kLineWords);
    std::fill_n(padding_.data(), padding_.size(), ~std::uint64_t{0});
    for (const Placed& clause : placed) padding_[clause.slot / 64] &= ~(std::uint64_t{1} << (clause.slot % 64));
    if (std::any_of(groups_.begin(), groups_.end(), [](const Group& group) { return group.sign == 0; })) {
      weights_ = std::move(weights);
    }
    return placed;
  }

  void keep(const Model& model, const BitmapCosts& costs, const LargeVector<std::uint64_t>& starts,
            const LargeVector<std::uint32_t>& includers) {
    const std::size_t n = features_;
    LargeVector<Kept> kept(2 * n);
    std::size_t bitmaps = 0, listed_ids = 0;
    row_cycles_ = 300 + 30 * static_cast<double>(lines_);
    for (std::size_t l = 0; l < 2 * n; ++l) {
      const Best best = cheapest(costs, false_share(model, static_cast<std::uint32_t>(l)),
                                 static_cast<double>(starts[l + 1] - starts[l]), static_cast<double>(lines_));
      kept[l] = best.kept;
      row_cycles_ += best.cycles;
      bitmaps += best.kept == Kept::kBitmap;
      if (best.kept == Kept::kList || best.kept == Kept::kWanted) listed_ids += starts[l + 1] - starts[l];
    }
    bitmaps_ = AlignedArray<std::uint64_t>(bitmaps * lines_ * kLineWords);
    lists_.reserve(listed_ids);
    starts_.reserve(4 * n + 1);
    happens_.reserve(2 * n);
    for (auto* words : {&bitmap_if_true_, &bitmap_if_false_, &listed_if_true_, &listed_if_false_}) {
      words->resize(feature_words_);
    }
    bitmap_of_.resize(2 * (64 * feature_words_ + 64));
    LargeVector<std::uint32_t> flag(lines_ *
                                    kLineClauses);  // the byte that currently counts a clause's wanted literals
    for (std::size_t s = 0; s < flag.size(); ++s) flag[s] = static_cast<std::uint32_t>(s);
    flags_.assign(flag.size(), kNothingWanted);
    std::uint32_t placed = 0;
    for (std::size_t event = 0; event < 2 * n; ++event) {
      const std::size_t k = event / 2, value = event % 2;
      const std::size_t falsehood = value == 1 ? n + k : k, truth = value == 1 ? k : n + k;
      const std::uint64_t bit = std::uint64_t{1} << (k % 64);
      const auto includers_of = [&](std::size_t l) {
        return std::span(includers).subspan(starts[l], starts[l + 1] - starts[l]);
      };
      starts_.push_back(lists_.size());
      if (kept[falsehood] == Kept::kBitmap) {
        (value == 1 ? bitmap_if_true_ : bitmap_if_false_)[k / 64] |= bit;
        std::uint64_t* const words = bitmaps_.data() + std::size_t{placed} * lines_ * kLineWords;
        for (const std::uint32_t slot : includers_of(falsehood)) words[slot / 64] |= std::uint64_t{1} << (slot % 64);
        bitmap_of_[event] = placed++;
      } else if (kept[falsehood] == Kept::kList) {
        for (const std::uint32_t slot : includers_of(falsehood)) lists_.push_back(static_cast<Id>(slot));
      }
      starts_.push_back(lists_.size());
      if (kept[truth] == Kept::kWanted) {
        for (const std::uint32_t slot : includers_of(truth)) lists_.push_back(static_cast<Id>(want(slot, flag)));
      }
      const bool listed = lists_.size() != starts_[2 * event];
      if (listed) (value == 1 ? listed_if_true_ : listed_if_false_)[k / 64] |= bit;
      happens_.push_back(static_cast<std::uint8_t>((kept[falsehood] == Kept::kBitmap) | listed << 1));
      if (value == 0 && happens_.back() != 0) absent_.push_back(static_cast<std::uint32_t>(k));
    }
    absent_at_.assign(n, static_cast<std::uint32_t>(64 * words_for(absent_.size())));  // past the end: no event
    for (std::size_t i = 0; i < absent_.size(); ++i) absent_at_[absent_[i]] = static_cast<std::uint32_t>(i);
    starts_.push_back(lists_.size());
    flags_.resize((flags_.size() + 63) / 64 * 64);
  }

  /// The byte that counts one more wanted literal of a clause.
  std::uint32_t want(std::uint32_t slot, LargeVector<std::uint32_t>& flag) {
    if (flags_[flag[slot]] == kNothingWanted + kMostWanted) {
      flag[slot] = static_cast<std::uint32_t>(flags_.size());
      flags_.push_back(kNothingWanted);
      parts_.push_back(slot);
    }
    ++flags_[flag[slot]];
    return flag[slot];
  }

  const std::uint64_t* bitmap(std::uint32_t i) const { return bitmaps_.data() + std::size_t{i} * lines_ * kLineWords; }

  Sample begin() const {
    const std::size_t line_words = lines_ * kLineWords, most = 64 * feature_words_ + kAtOnce;
    std::uint64_t* at = scratch(2 * line_words + feature_words_ + 1 + most + (most + 1) / 2 + flags_.size() / 8);
    const auto take = [&](std::size_t words) { return std::exchange(at, at + words); };
    Sample sample{};
    sample.falsified = take(line_words);
    sample.alive = take(line_words);
    sample.flags = reinterpret_cast<std::uint8_t*>(take(flags_.size() / 8));
    sample.absent = take(feature_words_ + 1);
    sample.bitmaps = reinterpret_cast<const std::uint64_t**>(take(most));
    sample.events = reinterpret_cast<std::uint32_t*>(take((most + 1) / 2));
    return sample;
  }

  /// Bits become indices eight at a time: their number is unpredictable, but the number of groups of eight is not.
  template <class Add>
  static void each_bit(std::uint64_t bits, std::size_t w, std::size_t& count, Add&& add) {
    const auto size = static_cast<std::size_t>(std::popcount(bits));
    for (std::size_t i = 0; i < size; i += kAtOnce) {
      for (std::size_t j = 0; j < kAtOnce; ++j, bits &= bits - 1) {
        add(count + i + j, 64 * w + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
    count += size;
  }
  void collect_bitmaps(Sample& sample, std::uint64_t bits, std::uint64_t values, std::size_t w) const {
    each_bit(bits, w, sample.bitmap_count, [&](std::size_t i, std::size_t k) {
      sample.bitmaps[i] = bitmap(bitmap_of_[2 * k + ((values >> (k % 64)) & 1)]);
    });
  }
  void collect_events(Sample& sample, std::uint64_t bits, std::uint64_t values, std::size_t w) const {
    each_bit(bits, w, sample.event_count, [&](std::size_t i, std::size_t k) {
      sample.events[i] = static_cast<std::uint32_t>(2 * k + ((values >> (k % 64)) & 1));
    });
  }

  void finish(Sample& sample, std::int32_t* out, PredictCounters& counters) const {
    std::copy_n(padding_.data(), padding_.size(), sample.falsified);
    kernels_.bitwise_or(sample.bitmaps, sample.bitmap_count, lines_, sample.falsified);
    counters.bitmaps_joined += sample.bitmap_count;
    if (!lists_.empty()) walk(sample, counters);
    sample.bitmap_count = sample.event_count = 0;
    std::fill_n(out, classes_, 0);
    for (const Group& group : groups_) {
      std::uint64_t* const words = sample.falsified + group.first_word;
      for (std::size_t w = 0; w < group.words; ++w) words[w] = ~words[w];
      if (group.sign != 0) {
        out[group.class_id] += group.sign * static_cast<std::int32_t>(kernels_.count(words, group.words));
      } else {
        for_each_bit(words, group.words,
                     [&](std::size_t j) { out[group.class_id] += weights_[64 * group.first_word + j]; });
      }
    }
  }

  void walk(Sample& sample, PredictCounters& counters) const {
    std::uint8_t* const flags = sample.flags;
    std::memcpy(flags, flags_.data(), flags_.size());
    for (std::size_t i = 0; i < sample.event_count; ++i) {
      const std::uint64_t* const start = starts_.data() + 2 * std::size_t{sample.events[i]};
      const Id* id = lists_.data() + start[0];
      for (const Id* const end = lists_.data() + start[1]; id != end; ++id) flags[*id] = kFalsified;
      for (const Id* const end = lists_.data() + start[2]; id != end; ++id) --flags[*id];
      counters.entries_visited += start[2] - start[0];
    }
    kernels_.unflagged(flags, lines_ * kLineWords, sample.alive);
    for (std::size_t w = 0; w < lines_ * kLineWords; ++w) sample.falsified[w] |= ~sample.alive[w];
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const std::uint64_t missing = flags[lines_ * kLineClauses + p] >> 7;
      sample.falsified[parts_[p] / 64] |= missing << (parts_[p] % 64);
    }
  }

  std::size_t features_, feature_words_, first_class_, classes_, row_votes_, lines_ = 0;
  double row_cycles_ = 0;
  const Kernels& kernels_;
  std::vector<Group> groups_;
  LargeVector<std::int32_t> weights_;    // by slot; empty when all are 1 or -1
  AlignedArray<std::uint64_t> padding_;  // slots that hold no clause are falsified from the start
  AlignedArray<std::uint64_t> bitmaps_;
  LargeVector<std::uint64_t> bitmap_if_true_, bitmap_if_false_;  // features that have a bitmap for this value
  LargeVector<std::uint64_t> listed_if_true_, listed_if_false_;
  LargeVector<std::uint32_t> bitmap_of_;  // of an event: 2 x feature + its value
  LargeVector<std::uint8_t> happens_;     // of an event: 1 for a bitmap, 2 for a list
  LargeVector<std::uint32_t> absent_;     // features that have an event when they are false
  LargeVector<std::uint32_t> absent_at_;  // of a feature: its position in absent_
  LargeVector<std::uint64_t> starts_;     // two per event: where its falsified and its waiting clauses begin
  LargeVector<Id> lists_;                 // slots, or beyond them `parts`
  LargeVector<std::uint8_t> flags_;       // at the start of a sample
  LargeVector<std::uint32_t> parts_;      // the slot that each further byte belongs to
};

}  // namespace falsum
