// Reading checkpoints: a Trainer from one that holds all of it, or from several that hold parts of it.
#include <algorithm>
#include <utility>

#include "falsum/error.h"
#include "learn/saved_part.h"
#include "learn/trainer.h"
#include "support/bytes.h"
#include "support/format.h"

namespace falsum {
namespace {

/// Where a bank is: in which checkpoint, and at which place in it.
struct Place {
  const SavedPart* saved = nullptr;
  std::size_t at = 0;
};

/// By bank of the whole machine.
std::vector<Place> places_of(std::span<const SavedPart> saved) {
  std::vector<Place> places(count_banks(saved[0].options(), saved[0].shape().outputs));
  for (const SavedPart& part : saved) {
    for (std::size_t i = 0; i < part.banks().size(); ++i) {
      Place& place = places[part.banks()[i]];
      if (place.saved != nullptr) {
        throw FileError(
            fmt::format("class {} is both in {} and in {}", part.banks()[i], place.saved->what(), part.what()));
      }
      place = {&part, i};
    }
  }
  return places;
}

/// The clauses that vote on each output, which is the output `at` of a model in which every output has so many clauses
/// of its own, one after the other.
Model model_of_outputs(std::span<const std::pair<const Model*, std::size_t>> outputs, std::size_t clauses) {
  const Model& first = *outputs[0].first;
  ModelParts parts;
  parts.options = first.options();
  parts.features = first.features();
  parts.outputs = outputs.size();
  parts.provenance = first.provenance();
  parts.truth_shares = first.truth_shares();
  for (const auto& [model, at] : outputs) {
    const std::span<const Weight> weights = model->weights(at);
    const bool own = model->clauses() == clauses * model->outputs() && weights.size() == clauses &&
                     weights.front().clause == at * clauses && weights.back().clause == (at + 1) * clauses - 1;
    if (!own) throw FileError("a snapshot is damaged: the clauses of an output are not its own");
    for (const Weight& weight : weights) {
      const std::span<const std::uint32_t> literals = model->clause(weight.clause);
      parts.weights.push_back({static_cast<std::uint32_t>(parts.clause_starts.size() - 1), weight.votes});
      parts.literals.insert(parts.literals.end(), literals.begin(), literals.end());
      parts.clause_starts.push_back(parts.literals.size());
    }
    parts.weight_starts.push_back(parts.weights.size());
  }
  return Model(std::move(parts));
}

}  // namespace

Trainer Trainer::from_checkpoint(std::string_view bytes, const Options& run, const std::string& what) {
  const SavedPart saved(bytes, what);
  if (!saved.part().is_whole()) {
    throw FileError(fmt::format("{} holds only {} of {}: it must be joined with the other parts of the machine", what,
                                text_of(saved.part()), saved.shape().outputs));
  }
  return from_saved({&saved, 1}, run, {});
}

Trainer Trainer::join(std::span<const std::string_view> checkpoints, const Options& run, const Part& part) {
  if (checkpoints.empty()) throw ConfigError("a machine can be joined from at least 1 checkpoint, got 0");
  std::vector<SavedPart> saved;
  for (std::size_t i = 0; i < checkpoints.size(); ++i) {
    saved.emplace_back(checkpoints[i], checkpoints.size() == 1 ? "checkpoint" : fmt::format("checkpoint {}", i + 1));
    check_alike(saved.front(), saved.back());
  }
  for (const SavedPart& one : saved) {
    if (saved.size() > 1 && !one.is_level()) {
      throw FileError(fmt::format("{} was stopped in the middle of epoch {}: only parts of complete epochs are joined",
                                  one.what(), one.epoch + 1));
    }
  }
  return from_saved(saved, run, part);
}

Trainer Trainer::from_saved(std::span<const SavedPart> saved, const Options& run, const Part& part) {
  const SavedPart& first = saved[0];
  Options options = first.options();
  copy_options(OptionScope::kRun, run, options);
  const std::vector<Place> places = places_of(saved);
  Trainer trainer(options, first.shape().features, first.shape().outputs, part);
  for (const std::size_t bank : trainer.banks_) {
    if (places[bank].saved == nullptr) throw FileError(fmt::format("class {} is in no checkpoint", bank));
  }
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
  for (std::size_t i = 0; i < trainer.banks_.size(); ++i) {
    const auto& [from, at] = places[trainer.banks_[i]];
    trainer.read_bank(i, *from, at);
  }
  for (const SavedPart& one : saved) {
    LargeBytes plain;
    const std::vector<std::string_view> weights = one.weights_of_banks(plain);
    for (std::size_t i = 0; i < trainer.learners_.size(); ++i) {
      const auto& [from, at] = places[trainer.banks_[i]];
      if (from != &one) continue;
      ByteReader reader(weights[at], one.what());
      trainer.learners_[i].weights().read(reader);
    }
  }
  for (std::size_t k = 0; k < first.snapshots.size(); ++k) {
    if (trainer.part_ == first.part()) {
      trainer.snapshots_.push_back(first.snapshots[k]);
      continue;
    }
    std::vector<std::pair<const Model*, std::size_t>> outputs;
    for (const std::size_t bank : trainer.banks_) {
      outputs.emplace_back(&places[bank].saved->snapshots[k], places[bank].at);
    }
    trainer.snapshots_.push_back(model_of_outputs(outputs, static_cast<std::size_t>(options.clauses)));
  }
  trainer.use_engine();
  for (std::size_t i = 0; i < trainer.banks_.size(); ++i) {
    const auto& [from, at] = places[trainer.banks_[i]];
    trainer.ahead_[i] = from->ahead(at).uses;
    if (options.sharded) trainer.learners_[i].sharded()->leave(from->ahead(at).votes);
  }
  return trainer;
}

/// Reads the automata of learner i, which are bank `at` of the checkpoint.
void Trainer::read_bank(std::size_t i, const SavedPart& saved, std::size_t at) {
  const LargeBytes plain = saved.bank(at);
  ByteReader reader(plain, saved.what());
  if (fuzzy_) {
    (*fuzzy_)[i].set_uses(saved.uses(at));
    (*fuzzy_)[i].bank().read(reader);
    (*fuzzy_)[i].bank_changed();
  } else {
    learners_[i].set_uses(saved.uses(at));
    learners_[i].bank().read(reader);
  }
  reader.expect_end();
}

}  // namespace falsum
