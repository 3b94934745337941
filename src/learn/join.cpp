// Reading checkpoints: a Trainer from one that holds all of it, or from several that hold parts of it.
//
//   checkpoints -> SavedPart -> for every bank its pieces, by their clauses -> the clauses of the trainer's part
//
// What is stored of a clause does not depend on its neighbours: its automata and its weights in bytes of its own, its
// literals and votes in snapshots. So pieces are cut and put together clause by clause, as they are.
#include <algorithm>
#include <utility>

#include "falsum/error.h"
#include "learn/saved_part.h"
#include "learn/trainer.h"
#include "support/bytes.h"
#include "support/format.h"

namespace falsum {
namespace {

/// Clauses of a bank: those of bank `at` of a checkpoint that are wanted.
struct Piece {
  const SavedPart* saved;
  std::size_t at;

  const ClauseRange& clauses() const { return saved->clauses(); }
};
/// Ascending, without gaps and overlaps.
using Pieces = std::vector<Piece>;

std::string text_of(std::size_t bank, const ClauseRange& clauses, const Options& options) {
  const std::string of = has_one_bank(options) ? "" : fmt::format("class {}", bank);
  if (clauses.size() == static_cast<std::size_t>(options.clauses)) return of.empty() ? "the machine" : of;
  return fmt::format("clauses {} to {}{}{}", clauses.first, clauses.last - 1, of.empty() ? "" : " of ", of);
}

/// The pieces of a bank that have some of these clauses.
Pieces pieces_of(std::size_t bank, const ClauseRange& wanted, std::span<const SavedPart> saved) {
  const Options& options = saved[0].options();
  Pieces all;
  for (const SavedPart& one : saved) {
    const auto found = std::ranges::lower_bound(one.banks(), bank);
    if (found != one.banks().end() && *found == bank) {
      all.push_back({&one, static_cast<std::size_t>(found - one.banks().begin())});
    }
  }
  std::ranges::stable_sort(all, {}, [](const Piece& piece) { return piece.clauses().first; });
  for (std::size_t i = 1; i < all.size(); ++i) {
    const ClauseRange both(all[i].clauses().first, std::min(all[i].clauses().last, all[i - 1].clauses().last));
    if (both.first >= both.last) continue;
    throw FileError(fmt::format("{} and {} both have {}", all[i - 1].saved->what(), all[i].saved->what(),
                                text_of(bank, both, options)));
  }
  std::erase_if(all, [&](const Piece& piece) {
    return piece.clauses().last <= wanted.first || piece.clauses().first >= wanted.last;
  });
  std::size_t next = wanted.first;
  const auto reach = [&](std::size_t clause) {
    if (clause <= next) return;
    throw FileError(fmt::format("no checkpoint has {}", text_of(bank, {next, clause}, options)));
  };
  for (const Piece& piece : all) {
    reach(piece.clauses().first);
    next = piece.clauses().last;
  }
  reach(wanted.last);
  return all;
}

/// The bytes of the wanted clauses, from those of a piece; next(reader) reads one clause.
template <class Next>
void append_clauses(std::string_view bytes, const Piece& piece, const ClauseRange& wanted, const Next& next,
                    LargeBytes& to) {
  ByteReader reader(bytes, piece.saved->what());
  for (std::size_t c = piece.clauses().first; c < piece.clauses().last; ++c) {
    const std::size_t begin = bytes.size() - reader.left();
    next(reader);
    const std::size_t end = bytes.size() - reader.left();
    if (wanted.has(static_cast<ClauseId>(c))) to += bytes.substr(begin, end - begin);
  }
  reader.expect_end();
}

/// A bank as Bank::write writes it.
LargeBytes bank_of(const Pieces& pieces, const ClauseRange& wanted, std::size_t literals) {
  const auto& [saved, at] = pieces[0];
  if (pieces.size() == 1 && saved->clauses().size() == wanted.size()) return saved->bank(at);
  LargeBytes all;
  for (const Piece& piece : pieces) {
    const auto next = [&](ByteReader& reader) {
      reader.raw(literals + 1);
      for (std::uint64_t hot = reader.count(1); hot > 0; --hot) reader.varint();
    };
    append_clauses(piece.saved->bank(piece.at), piece, wanted, next, all);
  }
  return all;
}

/// The weights of a bank as Weights::write writes them.
LargeBytes weights_of(const Pieces& pieces, const ClauseRange& wanted, std::size_t outputs) {
  LargeBytes all;
  for (const Piece& piece : pieces) {
    const std::string_view bytes = piece.saved->weights_of(piece.at);
    if (bytes.empty()) continue;  // weights are fixed
    const auto next = [&](ByteReader& reader) {
      for (std::size_t o = 0; o < outputs; ++o) reader.varint();
    };
    append_clauses(bytes, piece, wanted, next, all);
  }
  return all;
}

/// Snapshot k of the banks of a part. In a snapshot the clauses of one bank come after those of another.
Model snapshot_of(const std::vector<Pieces>& banks, const ClauseRange& wanted, std::size_t outputs_of_a_bank,
                  std::size_t k) {
  const Model& first = banks[0][0].saved->snapshots[k];
  ModelParts parts;
  parts.options = first.options();
  parts.features = first.features();
  parts.outputs = banks.size() * outputs_of_a_bank;
  parts.range = first.range();
  parts.provenance = first.provenance();
  parts.truth_shares = first.truth_shares();
  for (const Pieces& pieces : banks) {
    const std::size_t begin = parts.clause_starts.size() - 1;
    for (const auto& [saved, at] : pieces) {
      const Model& model = saved->snapshots[k];
      const ClauseRange& has = saved->clauses();
      for (std::size_t c = std::max(has.first, wanted.first); c < std::min(has.last, wanted.last); ++c) {
        const std::span<const std::uint32_t> literals = model.clause(at * has.size() + c - has.first);
        parts.literals.insert(parts.literals.end(), literals.begin(), literals.end());
        parts.clause_starts.push_back(parts.literals.size());
      }
    }
    for (std::size_t o = 0; o < outputs_of_a_bank; ++o) {
      for (const auto& [saved, at] : pieces) {
        const ClauseRange& has = saved->clauses();
        for (const Weight& weight : saved->snapshots[k].weights(at * outputs_of_a_bank + o)) {
          if (weight.clause / has.size() != at)
            throw FileError(saved->what() + " is damaged: a clause of a snapshot votes for the output of another");
          const std::size_t clause = has.first + weight.clause % has.size();
          if (!wanted.has(static_cast<ClauseId>(clause))) continue;
          parts.weights.push_back({static_cast<std::uint32_t>(begin + clause - wanted.first), weight.votes});
        }
      }
      parts.weight_starts.push_back(parts.weights.size());
    }
  }
  return Model(std::move(parts));
}

}  // namespace

Trainer Trainer::from_checkpoint(std::string_view bytes, const Options& run, const std::string& what) {
  SavedPart saved(bytes, what);
  if (!saved.part().is_whole()) {
    throw FileError(fmt::format("{} holds only {} of {}: it must be joined with the other parts of the machine", what,
                                text_of(saved.part()), saved.shape().outputs));
  }
  return from_saved({&saved, 1}, run, {});
}

Trainer Trainer::join(std::span<const std::string_view> checkpoints, const Options& run, const Part& part) {
  if (checkpoints.empty()) throw ConfigError("a machine can be joined from at least 1 checkpoint, got 0");
  std::vector<SavedPart> saved;
  saved.reserve(checkpoints.size());
  for (std::size_t i = 0; i < checkpoints.size(); ++i) {
    saved.emplace_back(checkpoints[i], checkpoints.size() == 1 ? "checkpoint" : fmt::format("checkpoint {}", i + 1));
    const SavedPart& one = saved.back();
    if (checkpoints.size() > 1 && !one.is_level()) {
      throw FileError(fmt::format("{} was stopped in the middle of epoch {}: only parts of complete epochs are joined",
                                  one.what(), one.epoch + 1));
    }
    check_alike(saved.front(), one);
  }
  return from_saved(saved, run, part);
}

Trainer Trainer::from_saved(std::span<SavedPart> saved, const Options& run, const Part& part) {
  const SavedPart& first = saved[0];
  Options options = first.options();
  copy_options(OptionScope::kRun, run, options);
  Trainer trainer(options, first.shape().features, first.shape().outputs, part);
  for (SavedPart& one : saved) one.unpack_weights();
  std::vector<Pieces> pieces;
  for (const std::size_t bank : trainer.banks_) pieces.push_back(pieces_of(bank, trainer.clauses_, saved));
  trainer.epoch_ = first.epoch;
  trainer.position_ = first.position;
  trainer.stopped_rows_ = first.rows;
  trainer.samples_ = first.samples;
  trainer.stopped_weights_ = first.weights;
  trainer.draws_changed_ = first.draws_changed;
  trainer.data_ = first.data;
  if (!first.feature_counts.empty()) {
    ByteReader counts(first.feature_counts, first.what());
    trainer.feature_counts_.read(counts);
    counts.expect_end();
  }
  try {
    if (first.range) trainer.set_range(*first.range);
  } catch (const ConfigError& error) {
    ByteReader("", first.what()).fail(error.what());
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto& [from, at] = pieces[i][0];
    if (trainer.fuzzy_) {
      FuzzyLearner& learner = (*trainer.fuzzy_)[i];
      const LargeBytes plain = from->bank(at);
      ByteReader reader(plain, from->what());
      learner.bank().read(reader);
      reader.expect_end();
      learner.bank_changed();
      learner.set_uses(from->uses(at));
      continue;
    }
    Learner& learner = trainer.learners_[i];
    const LargeBytes bank = bank_of(pieces[i], trainer.clauses_, learner.bank().literals());
    ByteReader reader(bank, from->what());
    learner.bank().read(reader);
    reader.expect_end();
    const LargeBytes weights = weights_of(pieces[i], trainer.clauses_, trainer.outputs_of_a_bank());
    ByteReader numbers(weights, from->what());
    learner.weights().read(numbers, trainer.clauses_);
    learner.set_uses(from->uses(at));
  }
  for (std::size_t k = 0; k < first.snapshots.size(); ++k) {
    const bool as_it_is = saved.size() == 1 && trainer.part_ == first.part();
    trainer.snapshots_.push_back(as_it_is ? first.snapshots[k]
                                          : snapshot_of(pieces, trainer.clauses_, trainer.outputs_of_a_bank(), k));
  }
  trainer.use_engine();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto& [from, at] = pieces[i][0];
    trainer.ahead_[i] = from->ahead(at).uses;
    if (options.sharded) trainer.learners_[i].sharded()->leave(from->ahead(at).votes);
  }
  return trainer;
}

}  // namespace falsum
