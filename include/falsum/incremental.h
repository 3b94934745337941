// IncrementalPredictor: the votes of a position that changes feature by feature, as in a game, a search or an
// explanation. A fresh prediction walks the inclusion lists of all false literals; a flip walks two lists: that of the
// literal that becomes false and that of the literal that becomes true.
//
//   index     one per model, read only, shared by any number of threads: which clauses that can vote include a literal
//   position  one per thread: the features; for each clause the number of its literals that are false; the votes
//
// A clause that is one literal short names that literal. So one pass over the clauses that are true or one literal
// short gives the votes after every single flip at once: successors().
//
// The index and the numbers have one of two forms; only speed and memory depend on it:
//
//   lists    inclusion lists of the literals. A clause has a word: the number of its false literals and the sum of
//            their ids, which is the literal if there is only one. (A sum does what the XOR of the ids would do, and
//            one addition changes it together with the number.)
//   bitmaps  a bit for each clause and literal. The numbers of 512 clauses are a few bit planes, so that a flip changes
//            512 clauses with a few instructions. For crisp clauses that include much of what there is, as in games
//
// Votes are those of Predictor, bit for bit. Crisp clauses without literals and those that contradict themselves (x and
// not x) never vote and are left out. Fuzzy models and models of patches work too: a fuzzy clause loses a vote with
// each false literal; a clause of patches has a word for each patch, and a flip touches the patches that cover the
// feature. Their successors cost more: a walk through the clauses that have votes or nearly, and two flips for each
// feature.
//
//   IncrementalPredictor position(model);
//   position.set(rows.row(0));
//   const auto mark = position.mark();
//   position.flip(7);
//   std::int32_t votes = position.votes(1);
//   position.undo(mark);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "falsum/model.h"
#include "falsum/patches.h"

namespace falsum {

/// Deterministic counts of the work.
struct IncrementalCounters {
  std::uint64_t flips = 0;            // undone and those of set() as well
  std::uint64_t entries_visited = 0;  // lists: entries walked by flips
  std::uint64_t lines_joined = 0;     // bitmaps: lines of 512 clauses changed by flips
  std::uint64_t successors = 0;       // calls
  std::uint64_t near_clauses = 0;     // successors: clauses that a flip could change
  std::uint64_t literals_walked = 0;  // successors: of those clauses
};

enum class IncrementalForm : std::uint8_t { kAuto, kLists, kBitmaps };

struct Kernels;

class IncrementalIndex {
 public:
  /// Fuzzy clauses and clauses of patches have lists: ConfigError if bitmaps are wanted, and for unknown kernels.
  explicit IncrementalIndex(const Model& model, IncrementalForm form = IncrementalForm::kAuto,
                            const std::string& kernels = "auto");

  /// Lists or bitmaps.
  IncrementalForm form() const { return planes_ > 0 ? IncrementalForm::kBitmaps : IncrementalForm::kLists; }

  std::size_t features() const { return features_; }
  std::size_t outputs() const { return outputs_; }
  Task task() const { return task_; }
  /// The clauses that can vote.
  std::size_t clauses() const { return model_ids_.size(); }
  /// Memory of the index, and of each position.
  std::uint64_t bytes() const;
  std::uint64_t position_bytes() const;

 private:
  friend class IncrementalPredictor;

  struct Vote {
    std::uint32_t output;
    std::int32_t votes;
  };
  /// A bit for each of 512 clauses.
  struct alignas(64) Line {
    std::uint64_t words[8];
  };

  void keep_clauses(const Model& model);
  bool bitmaps_are_faster() const;
  void make_lists();
  void make_bitmaps();
  void count_votes(const Model& model);
  void count_falsehoods();
  std::span<const std::uint32_t> literals(std::size_t clause) const {
    return {literals_.data() + clause_starts_[clause], literals_.data() + clause_starts_[clause + 1]};
  }

  const Kernels* kernels_;
  std::size_t features_, clause_features_, outputs_;
  Task task_;
  std::optional<PatchShape> patches_;
  bool fuzzy_, wide_ = false, narrow_ = false;
  bool single_ = false;  // each clause votes on one output: votes_[clause] is its vote
  std::size_t longest_ = 0, lines_ = 0;
  std::uint32_t planes_ = 0;  // of bitmaps

  std::vector<std::uint32_t> model_ids_;       // of the clauses kept: their number in the model
  std::vector<std::uint64_t> clause_starts_;   // clauses() + 1, into literals_
  std::vector<std::uint32_t> literals_;        // without those that contradict each other
  std::vector<std::uint32_t> contradictions_;  // pairs of a fuzzy clause that contradict: one of each is always false
  std::vector<std::int32_t> most_votes_;       // of a fuzzy clause
  std::vector<std::uint64_t> list_starts_;     // literals + 1, into the lists
  std::vector<std::uint16_t> narrow_lists_;    // of clauses, where their ids fit
  std::vector<std::uint32_t> lists_;
  std::vector<Line> bitmaps_;               // of literals: lines_ each
  std::vector<std::uint64_t> masks_;        // of clauses: the features that they want, then those that they forbid
  std::vector<std::uint64_t> vote_starts_;  // clauses() + 1, into votes_
  std::vector<Vote> votes_;
  std::vector<std::uint64_t> output_starts_;  // outputs + 1, into output_votes_
  std::vector<Weight> output_votes_;          // by clause kept, ascending

  // The position in which every feature is false.
  std::vector<std::uint32_t> words_, true_patches_;
  std::vector<std::uint64_t> wide_words_;
  std::vector<Line> counters_;  // of bitmaps: of each line its planes
  std::vector<std::int32_t> zero_votes_;
};

class IncrementalPredictor {
 public:
  /// A place in the sequence of flips, to return to.
  struct Mark {
    std::uint64_t set = 0, flips = 0;
  };

  /// At first all features are false.
  explicit IncrementalPredictor(const Model& model);
  explicit IncrementalPredictor(std::shared_ptr<const IncrementalIndex> index);

  const std::shared_ptr<const IncrementalIndex>& index() const { return index_; }
  std::size_t features() const { return index_->features_; }
  std::size_t outputs() const { return index_->outputs_; }
  Task task() const { return index_->task_; }

  /// Another position, as packed features. Marks made before can no longer be returned to. Throws DataError for a wrong
  /// number of words.
  void set(std::span<const std::uint64_t> row);
  /// Changes one feature; the same call again changes it back. Throws DataError for a feature that does not exist.
  void flip(std::size_t feature);
  bool feature(std::size_t k) const { return (row_[k / 64] >> (k % 64)) & 1; }
  std::span<const std::uint64_t> row() const { return row_; }

  /// From the first mark on flips are noted, four bytes each, until undo() takes them back or set() forgets them.
  Mark mark();
  /// Back to the position of the mark; the mark stays valid. Throws DataError if the mark is not on the way to here.
  void undo(Mark mark);

  /// Unclipped class sums, as Predictor::votes gives them.
  std::int32_t votes(std::size_t output) const { return votes_[output]; }
  std::span<const std::int32_t> votes() const { return votes_; }

  /// The votes after each single flip: out[k * outputs() + i] are those of output i after flip(k). The position stays.
  /// Throws DataError unless `out` has features() * outputs() elements.
  void successors(std::span<std::int32_t> out);

  /// visit(clause of the model, its votes for the output now) for every clause that votes on the output here, in the
  /// order of the model.
  template <class Visit>
  void for_each_true(std::size_t output, Visit&& visit) const {
    const Weight* const end = index_->output_votes_.data() + index_->output_starts_[output + 1];
    for (const Weight* w = index_->output_votes_.data() + index_->output_starts_[output]; w != end; ++w) {
      if (const std::int32_t value = this->value(w->clause)) visit(index_->model_ids_[w->clause], value * w->votes);
    }
  }

  const IncrementalCounters& counters() const { return counters_; }

 private:
  struct Walks;    // of lists, for each kind of models (incremental.cpp)
  struct Bitmaps;  // (incremental_bitmaps.cpp)
  using Flip = void (*)(IncrementalPredictor&, std::size_t);
  using AddSuccessors = void (*)(IncrementalPredictor&, std::int32_t*);

  /// The votes of a clause kept, before its weight: 0 or 1, or more if it is fuzzy.
  std::int32_t value(std::size_t clause) const;
  void change(std::size_t feature) {
    change_(*this, feature);
    row_[feature / 64] ^= std::uint64_t{1} << (feature % 64);
    ++counters_.flips;
  }
  void to_zero();

  std::shared_ptr<const IncrementalIndex> index_;
  Flip change_ = nullptr;
  AddSuccessors add_successors_ = nullptr;
  std::vector<std::uint64_t> row_;
  std::vector<std::uint32_t> words_, true_patches_;
  std::vector<std::uint64_t> wide_words_;
  std::vector<IncrementalIndex::Line> planes_, turned_;  // turned: scratch
  std::vector<std::int32_t> votes_;
  std::vector<std::uint32_t> near_;   // successors: clauses that are true, and those one literal short; scratch
  std::vector<std::uint32_t> noted_;  // flips since the first mark
  bool noting_ = false;
  std::uint64_t sets_ = 0;
  IncrementalCounters counters_;
};

}  // namespace falsum
