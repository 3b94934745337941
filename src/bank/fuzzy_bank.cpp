#include "bank/fuzzy_bank.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "support/bits.h"
#include "support/random.h"

namespace falsum {

FuzzyBank::FuzzyBank(const Options& options, std::size_t features)
    : features_(features),
      words_(words_for(features)),
      last_(features % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (features % 64)) - 1),
      lowest_(static_cast<std::uint8_t>(256 - options.states)),
      limit_(static_cast<std::uint8_t>(256 - options.states + include_limit(options))),
      votes_(options.fuzzy),
      clamp_(options.clamp),
      counts_features_(options.length == ClauseLength::kFeatures),
      max_literals_(options.max_literals == 0 ? std::numeric_limits<std::uint64_t>::max()
                                              : static_cast<std::uint64_t>(options.max_literals)),
      // Half to even, as the default rounding mode does.
      forgets_(static_cast<std::uint64_t>(std::nearbyint(static_cast<double>(features) / options.specificity))),
      states_(static_cast<std::size_t>(options.clauses) * 2 * 64 * words_),
      included_(static_cast<std::size_t>(options.clauses) * 2 * words_),
      lengths_(static_cast<std::size_t>(options.clauses)),
      // Type Ib has a word for each draw, as long as it does not meet the same word twice.
      flips_(std::max<std::size_t>(2 * words_, 2 * forgets_)) {
  // Lanes past the last feature start as low as possible; no event moves them, so no clause includes them.
  std::fill_n(states_.data(), states_.size(), lowest_);
  for (std::size_t c = 0; c < clauses(); ++c) {
    for (const std::size_t first : {std::size_t{0}, features_}) {
      std::fill_n(states_.data() + at(c, first), features_, static_cast<std::uint8_t>(limit_ - 1));
    }
  }
}

bool FuzzyBank::includes(std::size_t clause, std::size_t literal) const {
  return states_[at(clause, literal)] >= limit_;
}

int FuzzyBank::state(std::size_t clause, std::size_t literal) const { return states_[at(clause, literal)] - lowest_; }

std::int64_t FuzzyBank::most_votes(std::size_t clause) const {
  const std::int64_t length = lengths_[clause].literals;
  return clamp_ && length > 0 && length < votes_ ? length : votes_;
}

void FuzzyBank::count_length(std::size_t clause) {
  const std::uint64_t* const bits = included(clause);
  Length length;
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t features = bits[w], negations = bits[words_ + w];
    length.literals += static_cast<std::uint32_t>(std::popcount(features) + std::popcount(negations));
    length.features += static_cast<std::uint32_t>(std::popcount(features | negations));
  }
  lengths_[clause] = length;
}

/// The lengths after these flips, from the lengths before: a few words instead of all.
void FuzzyBank::count_flips(std::size_t clause) {
  if (flip_count_ > 8) return count_length(clause);
  Length& length = lengths_[clause];
  const std::uint64_t* const bits = included(clause);
  for (std::size_t i = 0; i < flip_count_; ++i) {
    const auto [word, flipped] = flips_[i];
    const std::size_t other = word < words_ ? word + words_ : word - words_;
    // Both words as they were when this one flipped: later flips are undone.
    std::uint64_t now = bits[word], beside = bits[other];
    for (std::size_t j = i + 1; j < flip_count_; ++j) {
      if (flips_[j].word == word) now ^= flips_[j].bits;
      if (flips_[j].word == other) beside ^= flips_[j].bits;
    }
    const auto count = [](std::uint64_t some) { return static_cast<std::uint32_t>(std::popcount(some)); };
    const std::uint64_t joined = flipped & now, left = flipped & ~now;
    length.literals += count(joined) - count(left);
    length.features += count(joined & ~beside) - count(left & ~beside);
  }
}

FuzzyBank::Flips FuzzyBank::pass(FuzzyKind kind, std::size_t clause, const std::uint64_t* row, const Kernels& kernels) {
  FuzzyPass pass = {kind,
                    states_.data() + at(clause, 0),
                    included_.data() + 2 * words_ * clause,
                    row,
                    words_,
                    last_,
                    lowest_,
                    limit_,
                    flips_.data()};
  flip_count_ = kernels.fuzzy_pass(pass);
  count_flips(clause);
  return {flips_.data(), flip_count_};
}

FuzzyBank::Flips FuzzyBank::type_1a(std::size_t clause, const std::uint64_t* row, const Kernels& kernels) {
  const bool room =
      counts_features_ ? lengths_[clause].features < max_literals_ : lengths_[clause].literals <= max_literals_;
  return pass(room ? FuzzyKind::kLearn : FuzzyKind::kForget, clause, row, kernels);
}

FuzzyBank::Flips FuzzyBank::type_2(std::size_t clause, const std::uint64_t* row, const Kernels& kernels) {
  return pass(FuzzyKind::kIncludeMore, clause, row, kernels);
}

void FuzzyBank::forget(std::size_t clause, std::size_t first_word, std::size_t feature) {
  const std::size_t word = first_word + feature / 64;
  std::uint8_t& state = states_[at(clause, 0) + 64 * word + feature % 64];
  if (state == lowest_) return;
  if (state-- != limit_) return;
  const std::uint64_t bit = std::uint64_t{1} << (feature % 64);
  included_[2 * words_ * clause + word] &= ~bit;
  flips_[flip_count_++] = {word, bit};
}

FuzzyBank::Flips FuzzyBank::type_1b(std::size_t clause, std::uint64_t event) {
  const std::uint64_t key = fuzzy_forget_key(event);
  flip_count_ = 0;
  for (std::uint64_t i = 0; i < forgets_; ++i) {
    const std::uint64_t bits = child(key, i);
    forget(clause, 0, ((bits >> 32) * features_) >> 32);
    forget(clause, words_, ((bits & 0xffffffffu) * features_) >> 32);
  }
  count_flips(clause);
  return {flips_.data(), flip_count_};
}

void FuzzyBank::write(ByteWriter& writer) const {
  for (std::size_t c = 0; c < clauses(); ++c) {
    for (std::size_t l = 0; l < 2 * features_; ++l) writer.u8(static_cast<std::uint8_t>(state(c, l)));
  }
}

void FuzzyBank::read(ByteReader& reader) {
  for (std::size_t c = 0; c < clauses(); ++c) {
    std::uint64_t* const bits = included_.data() + 2 * words_ * c;
    std::fill_n(bits, 2 * words_, 0);
    for (std::size_t l = 0; l < 2 * features_; ++l) {
      const std::uint8_t state = reader.u8();
      if (state > 255 - lowest_) reader.fail("an automaton has a state that does not exist");
      states_[at(c, l)] = static_cast<std::uint8_t>(state + lowest_);
      const std::size_t feature = l % features_;
      if (includes(c, l)) bits[(l >= features_ ? words_ : 0) + feature / 64] |= std::uint64_t{1} << (feature % 64);
    }
    count_length(c);
  }
}

}  // namespace falsum
