// Compiling a model for IncrementalPredictor: which clauses can vote, their inclusion lists, and the position in which
// every feature is false, from which others are reached by flips.
#include <algorithm>
#include <numeric>

#include "falsum/error.h"
#include "falsum/incremental.h"
#include "kernels/dispatch.h"
#include "predict/incremental_words.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::uint64_t kMostWords = std::uint64_t{1} << 30;

/// The literals of a clause without the pairs that contradict each other, and the number of these pairs.
std::size_t without_contradictions(std::span<const std::uint32_t> clause, std::size_t features,
                                   std::vector<std::uint32_t>& out) {
  const auto half = std::lower_bound(clause.begin(), clause.end(), features);
  std::vector<std::uint32_t> both;
  std::set_intersection(clause.begin(), half, half, clause.end(), std::back_inserter(both),
                        [features](std::uint32_t a, std::uint32_t b) { return a % features < b % features; });
  for (const std::uint32_t l : clause) {
    const auto feature = static_cast<std::uint32_t>(l % features);
    if (!std::binary_search(both.begin(), both.end(), feature)) out.push_back(l);
  }
  return both.size();
}

template <class T>
std::uint64_t bytes_of(const std::vector<T>& some) {
  return some.size() * sizeof(T);
}

}  // namespace

IncrementalIndex::IncrementalIndex(const Model& model, IncrementalForm form, const std::string& kernels)
    : kernels_(&find_kernels(kernels)),
      features_(model.features()),
      clause_features_(model.literals() / 2),
      outputs_(model.outputs()),
      task_(model.task()),
      patches_(model.patches()),
      fuzzy_(is_fuzzy(model.options())),
      clause_starts_{0} {
  keep_clauses(model);
  count_votes(model);
  const bool crisp = !fuzzy_ && !patches_;
  if (form == IncrementalForm::kBitmaps && !crisp) {
    throw ConfigError("fuzzy clauses and clauses of patches have lists, not bitmaps");
  }
  if (form == IncrementalForm::kBitmaps || (form == IncrementalForm::kAuto && crisp && bitmaps_are_faster())) {
    make_bitmaps();
  } else {
    make_lists();
    count_falsehoods();
  }
}

void IncrementalIndex::keep_clauses(const Model& model) {
  std::vector<bool> votes(model.clauses());
  for (const Weight& weight : model.parts().weights) votes[weight.clause] = true;
  for (std::size_t c = 0; c < model.clauses(); ++c) {
    if (!votes[c] || (!fuzzy_ && model.clause(c).empty())) continue;
    const std::size_t pairs = without_contradictions(model.clause(c), clause_features_, literals_);
    if (pairs > 0 && !fuzzy_) {
      literals_.resize(clause_starts_.back());
      continue;
    }
    longest_ = std::max(longest_, literals_.size() - clause_starts_.back() + pairs);
    clause_starts_.push_back(literals_.size());
    model_ids_.push_back(static_cast<std::uint32_t>(c));
    if (!fuzzy_) continue;
    contradictions_.push_back(static_cast<std::uint32_t>(pairs));
    most_votes_.push_back(static_cast<std::int32_t>(model.clause_votes(c)));
  }
  wide_ = longest_ > kMostNarrowCount || 2 * clause_features_ > kMostNarrowLiterals;
  const std::uint64_t patches = patches_ ? patches_->patches() : 1;
  if (clauses() * patches > kMostWords) {
    throw ConfigError(fmt::format("incremental prediction takes at most {} words, but {} clauses of {} patches need {}",
                                  kMostWords, clauses(), patches, clauses() * patches));
  }
}

void IncrementalIndex::make_lists() {
  list_starts_.assign(2 * clause_features_ + 1, 0);
  for (const std::uint32_t l : literals_) ++list_starts_[l + 1];
  std::partial_sum(list_starts_.begin(), list_starts_.end(), list_starts_.begin());
  narrow_ = !wide_ && clauses() <= 65536;
  (narrow_ ? narrow_lists_.resize(literals_.size()) : lists_.resize(literals_.size()));
  std::vector<std::uint64_t> next(list_starts_.begin(), list_starts_.end() - 1);
  for (std::size_t j = 0; j < clauses(); ++j) {
    for (const std::uint32_t l : literals(j)) {
      const std::uint64_t at = next[l]++;
      if (narrow_) {
        narrow_lists_[at] = static_cast<std::uint16_t>(j);
      } else {
        lists_[at] = static_cast<std::uint32_t>(j);
      }
    }
  }
}

void IncrementalIndex::count_votes(const Model& model) {
  std::vector<std::uint32_t> kept(model.clauses(), ~std::uint32_t{0});
  for (std::size_t j = 0; j < clauses(); ++j) kept[model_ids_[j]] = static_cast<std::uint32_t>(j);
  output_starts_ = {0};
  vote_starts_.assign(clauses() + 1, 0);
  for (std::size_t o = 0; o < outputs_; ++o) {
    for (const Weight& weight : model.weights(o)) {
      const std::uint32_t j = kept[weight.clause];
      if (j == ~std::uint32_t{0}) continue;
      output_votes_.push_back({j, weight.votes});
      ++vote_starts_[j + 1];
    }
    output_starts_.push_back(output_votes_.size());
  }
  std::partial_sum(vote_starts_.begin(), vote_starts_.end(), vote_starts_.begin());
  votes_.resize(output_votes_.size());
  single_ = std::ranges::adjacent_find(vote_starts_, [](auto a, auto b) { return a + 1 != b; }) == vote_starts_.end();
  std::vector<std::uint64_t> next(vote_starts_.begin(), vote_starts_.end() - 1);
  for (std::size_t o = 0; o < outputs_; ++o) {
    for (std::uint64_t i = output_starts_[o]; i < output_starts_[o + 1]; ++i) {
      votes_[next[output_votes_[i].clause]++] = {static_cast<std::uint32_t>(o), output_votes_[i].votes};
    }
  }
}

void IncrementalIndex::count_falsehoods() {
  const std::size_t patches = patches_ ? patches_->patches() : 1, all = clauses() * patches;
  (wide_ ? wide_words_.resize(all) : words_.resize(all));
  if (patches_) true_patches_.resize(clauses());
  zero_votes_.assign(outputs_, 0);
  for (std::size_t p = 0; p < patches; ++p) {
    const std::size_t above = patches_ ? p / patches_->across() : 0, left = patches_ ? p % patches_->across() : 0;
    const std::size_t rows = patches_ ? patches_->down() - 1 : 0;
    const std::size_t positions = patches_ ? patches_->position_features() : 0;
    const auto on = [&](std::size_t feature) {  // with all features of the row off
      return feature < rows ? above > feature : feature < positions && left > feature - rows;
    };
    for (std::size_t j = 0; j < clauses(); ++j) {
      std::uint64_t wide = fuzzy_ ? contradictions_[j] : 0;
      std::uint32_t word = fuzzy_ ? contradictions_[j] : 0;
      for (const std::uint32_t l : literals(j)) {
        if (l < clause_features_ ? on(l) : !on(l - clause_features_)) continue;
        wide += FalseLiterals<std::uint64_t>::of(l);
        word += FalseLiterals<std::uint32_t>::of(l);
      }
      (wide_ ? wide_words_[p * clauses() + j] = wide : words_[p * clauses() + j] = word);
      const bool is_true = wide == 0, first = !patches_ || true_patches_[j] == 0;  // one true patch is enough
      if (patches_) true_patches_[j] += is_true;
      const auto falsehoods = static_cast<std::int32_t>(FalseLiterals<std::uint64_t>::count(wide));
      const std::int32_t value = fuzzy_ ? std::max(0, most_votes_[j] - falsehoods) : is_true && first;
      for (std::uint64_t i = vote_starts_[j]; i < vote_starts_[j + 1]; ++i) {
        zero_votes_[votes_[i].output] += value * votes_[i].votes;
      }
    }
  }
}

std::uint64_t IncrementalIndex::bytes() const {
  return bytes_of(model_ids_) + bytes_of(clause_starts_) + bytes_of(literals_) + bytes_of(contradictions_) +
         bytes_of(most_votes_) + bytes_of(list_starts_) + bytes_of(narrow_lists_) + bytes_of(lists_) +
         bytes_of(bitmaps_) + bytes_of(masks_) + bytes_of(vote_starts_) + bytes_of(votes_) + bytes_of(output_starts_) +
         bytes_of(output_votes_) + position_bytes();
}

std::uint64_t IncrementalIndex::position_bytes() const {
  return bytes_of(words_) + bytes_of(true_patches_) + bytes_of(wide_words_) + bytes_of(counters_) +
         bytes_of(zero_votes_);
}

}  // namespace falsum
