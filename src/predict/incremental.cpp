// The walks of IncrementalPredictor through lists: flips and successors for each kind of model. The kind, the width of
// the words and that of the ids in the lists are template parameters; a position chooses among them, and the bitmaps
// (incremental_bitmaps.cpp), once, when it is made.
#include "falsum/incremental.h"

#include <algorithm>

#include "falsum/error.h"
#include "predict/incremental_bitmaps.h"
#include "predict/incremental_words.h"
#include "support/bits.h"
#include "support/format.h"

namespace falsum {

struct IncrementalPredictor::Walks {
  using Index = IncrementalIndex;
  using Position = IncrementalPredictor;

  template <class Word>
  static auto& words_of(Position& position) {
    if constexpr (sizeof(Word) == 4) {
      return position.words_;
    } else {
      return position.wide_words_;
    }
  }
  template <class Id>
  static std::span<const Id> list(const Index& index, std::size_t literal) {
    const std::uint64_t first = index.list_starts_[literal], last = index.list_starts_[literal + 1];
    if constexpr (sizeof(Id) == 2) {
      return {index.narrow_lists_.data() + first, last - first};
    } else {
      return {index.lists_.data() + first, last - first};
    }
  }
  static void vote(const Index& index, std::int32_t* votes, std::size_t clause, std::int32_t times) {
    for (std::uint64_t i = index.vote_starts_[clause]; i < index.vote_starts_[clause + 1]; ++i) {
      votes[index.votes_[i].output] += times * index.votes_[i].votes;
    }
  }

  // A clause gains or loses votes as a literal of it becomes true or false. `word`: before it becomes false, or after
  // it became true.
  struct Crisp {
    template <class Word>
    static bool counts(const Index& /*index*/, std::size_t /*clause*/, Word word) {
      return word == 0;
    }
  };
  struct Fuzzy {
    template <class Word>
    static bool counts(const Index& index, std::size_t clause, Word word) {
      return static_cast<std::int64_t>(FalseLiterals<Word>::count(word)) < index.most_votes_[clause];
    }
  };

  template <class Kind, class Word, class Id>
  static void flip(Position& position, std::size_t feature) {
    const Index& index = *position.index_;
    Word* const words = words_of<Word>(position).data();
    std::int32_t* const votes = position.votes_.data();
    const std::size_t negation = feature + index.features_;
    const bool on = position.feature(feature);
    const std::size_t loses = on ? feature : negation, gains = on ? negation : feature;
    const std::span<const Id> falsified = list<Id>(index, loses), satisfied = list<Id>(index, gains);
    for (const Id j : falsified) {
      const Word word = words[j];
      if (Kind::counts(index, j, word)) vote(index, votes, j, -1);
      words[j] = word + FalseLiterals<Word>::of(loses);
    }
    for (const Id j : satisfied) {
      const Word word = words[j] - FalseLiterals<Word>::of(gains);
      if (Kind::counts(index, j, word)) vote(index, votes, j, 1);
      words[j] = word;
    }
    position.counters_.entries_visited += falsified.size() + satisfied.size();
  }

  template <class Word, class Id>
  static void flip_patches(Position& position, std::size_t feature) {
    const Index& index = *position.index_;
    const PatchShape& shape = *index.patches_;
    const std::size_t channel = feature % shape.channels, pixel = feature / shape.channels;
    const std::size_t row = pixel / shape.image_columns, column = pixel % shape.image_columns;
    const bool on = position.feature(feature);
    const auto first = [](std::size_t at, std::size_t size, std::size_t stride) {
      return at < size ? 0 : (at - size) / stride + 1;
    };
    for (std::size_t r = first(row, shape.rows, shape.row_stride); r < shape.down() && r * shape.row_stride <= row;
         ++r) {
      for (std::size_t c = first(column, shape.columns, shape.column_stride);
           c < shape.across() && c * shape.column_stride <= column; ++c) {
        const std::size_t inside = (row - r * shape.row_stride) * shape.columns + (column - c * shape.column_stride);
        const std::size_t literal = shape.position_features() + inside * shape.channels + channel;
        const std::size_t negation = literal + index.clause_features_;
        Word* const words = words_of<Word>(position).data() + (r * shape.across() + c) * index.clauses();
        falsify_in_patch<Word, Id>(position, words, on ? literal : negation);
        satisfy_in_patch<Word, Id>(position, words, on ? negation : literal);
      }
    }
  }
  template <class Word, class Id>
  static void falsify_in_patch(Position& position, Word* words, std::size_t literal) {
    const std::span<const Id> clauses = list<Id>(*position.index_, literal);
    for (const Id j : clauses) {
      if (words[j] == 0 && --position.true_patches_[j] == 0) vote(*position.index_, position.votes_.data(), j, -1);
      words[j] += FalseLiterals<Word>::of(literal);
    }
    position.counters_.entries_visited += clauses.size();
  }
  template <class Word, class Id>
  static void satisfy_in_patch(Position& position, Word* words, std::size_t literal) {
    const std::span<const Id> clauses = list<Id>(*position.index_, literal);
    for (const Id j : clauses) {
      words[j] -= FalseLiterals<Word>::of(literal);
      if (words[j] == 0 && position.true_patches_[j]++ == 0) vote(*position.index_, position.votes_.data(), j, 1);
    }
    position.counters_.entries_visited += clauses.size();
  }

  /// Adds to `out`, which holds the votes of the position for each feature, what each flip would change.
  template <class Word>
  static void crisp_successors(Position& position, std::int32_t* out) {
    const Index& index = *position.index_;
    const Word* const words = words_of<Word>(position).data();
    // Two lists, made without branches: few clauses are near, and nobody knows which.
    std::uint32_t* const satisfied = position.near_.data();
    std::uint32_t* const short_of_one = satisfied + position.near_.size() / 2;
    std::size_t satisfied_count = 0, short_count = 0;
    for (std::size_t j = 0; j < index.clauses(); ++j) {
      satisfied[satisfied_count] = static_cast<std::uint32_t>(j);
      short_of_one[short_count] = static_cast<std::uint32_t>(j);
      satisfied_count += words[j] == 0;
      short_count += FalseLiterals<Word>::count(words[j]) == 1;
    }
    const std::size_t features = index.features_, outputs = index.outputs_;
    const auto row_of = [&](std::size_t literal) {
      return out + (literal < features ? literal : literal - features) * outputs;
    };
    const auto add = [&](std::size_t literal, std::size_t j, std::int32_t times) {
      if (index.single_) {
        row_of(literal)[index.votes_[j].output] += times * index.votes_[j].votes;
      } else {
        vote(index, row_of(literal), j, times);
      }
    };
    for (std::size_t i = 0; i < short_count; ++i) {  // the flip that makes the missing literal true
      add(FalseLiterals<Word>::only(words[short_of_one[i]]), short_of_one[i], 1);
    }
    for (std::size_t i = 0; i < satisfied_count; ++i) {
      for (const std::uint32_t l : index.literals(satisfied[i])) add(l, satisfied[i], -1);
      position.counters_.literals_walked += index.literals(satisfied[i]).size();
    }
    position.counters_.near_clauses += satisfied_count + short_count;
  }

  template <class Word>
  static void fuzzy_successors(Position& position, std::int32_t* out) {
    const Index& index = *position.index_;
    const Word* const words = words_of<Word>(position).data();
    for (std::size_t j = 0; j < index.clauses(); ++j) {
      const auto falsehoods = static_cast<std::int64_t>(FalseLiterals<Word>::count(words[j]));
      if (falsehoods > index.most_votes_[j]) continue;
      for (const std::uint32_t l : index.literals(j)) {
        const bool negated = l >= index.features_;
        const std::size_t feature = negated ? l - index.features_ : l;
        const bool is_true = position.feature(feature) != negated;
        if (is_true && falsehoods == index.most_votes_[j]) continue;  // it has no vote to lose
        vote(index, out + feature * index.outputs_, j, is_true ? -1 : 1);
      }
      ++position.counters_.near_clauses;
      position.counters_.literals_walked += index.literals(j).size();
    }
  }

  static void flipped_successors(Position& position, std::int32_t* out) {
    for (std::size_t k = 0; k < position.features(); ++k, out += position.outputs()) {
      position.change(k);
      std::copy(position.votes_.begin(), position.votes_.end(), out);
      position.change(k);
    }
  }

  template <class Word, class Id>
  static void choose(Position& position) {
    const Index& index = *position.index_;
    if (index.patches_) {
      position.change_ = &flip_patches<Word, Id>;
      position.add_successors_ = &flipped_successors;
    } else if (index.fuzzy_) {
      position.change_ = &flip<Fuzzy, Word, Id>;
      position.add_successors_ = &fuzzy_successors<Word>;
    } else {
      position.change_ = &flip<Crisp, Word, Id>;
      position.add_successors_ = &crisp_successors<Word>;
    }
  }
};

IncrementalPredictor::IncrementalPredictor(const Model& model)
    : IncrementalPredictor(std::make_shared<const IncrementalIndex>(model)) {}

IncrementalPredictor::IncrementalPredictor(std::shared_ptr<const IncrementalIndex> index)
    : index_(std::move(index)), near_(2 * (index_->clauses() + 1)) {
  if (index_->form() == IncrementalForm::kBitmaps) {
    change_ = &Bitmaps::flip;
    add_successors_ = &Bitmaps::successors;
    turned_.resize(index_->lines_ + (index_->lines_ + 63) / 64);
  } else if (index_->wide_) {
    Walks::choose<std::uint64_t, std::uint32_t>(*this);
  } else if (index_->narrow_) {
    Walks::choose<std::uint32_t, std::uint16_t>(*this);
  } else {
    Walks::choose<std::uint32_t, std::uint32_t>(*this);
  }
  to_zero();
}

void IncrementalPredictor::to_zero() {
  row_.assign(words_for(features()), 0);
  words_ = index_->words_;
  wide_words_ = index_->wide_words_;
  true_patches_ = index_->true_patches_;
  planes_ = index_->counters_;
  votes_ = index_->zero_votes_;
}

void IncrementalPredictor::set(std::span<const std::uint64_t> row) {
  if (row.size() != row_.size()) {
    throw DataError(fmt::format("a position takes {} words, got {}", row_.size(), row.size()));
  }
  const std::uint64_t last = features() % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (features() % 64)) - 1;
  const auto word = [&](std::size_t w) { return w + 1 == row.size() ? row[w] & last : row[w]; };
  std::size_t on = 0, other = 0;
  for (std::size_t w = 0; w < row.size(); ++w) {
    on += static_cast<std::size_t>(std::popcount(word(w)));
    other += static_cast<std::size_t>(std::popcount(word(w) ^ row_[w]));
  }
  if (on < other) to_zero();
  for (std::size_t w = 0; w < row.size(); ++w) {
    for_each_bit(word(w) ^ row_[w], 64 * w, [&](std::size_t k) { change(k); });
  }
  noted_.clear();
  ++sets_;
}

void IncrementalPredictor::flip(std::size_t feature) {
  if (feature >= features()) {
    throw DataError(fmt::format("feature must be from 0 to {}, got {}", features() - 1, feature));
  }
  change(feature);
  if (noting_) noted_.push_back(static_cast<std::uint32_t>(feature));
}

IncrementalPredictor::Mark IncrementalPredictor::mark() {
  noting_ = true;
  return {sets_, noted_.size()};
}

void IncrementalPredictor::undo(Mark mark) {
  if (!noting_ || mark.set != sets_ || mark.flips > noted_.size()) {
    throw DataError("the mark is not on the way to this position: it was undone, or another position was set since");
  }
  for (; noted_.size() > mark.flips; noted_.pop_back()) change(noted_.back());
}

void IncrementalPredictor::successors(std::span<std::int32_t> out) {
  if (out.size() != features() * outputs()) {
    throw DataError(fmt::format("successors take {} votes for each of {} features, got room for {} in all", outputs(),
                                features(), out.size()));
  }
  // The votes for every feature, by copies that double: one for each feature would cost more than all that follows.
  std::copy(votes_.begin(), votes_.end(), out.begin());
  for (std::size_t filled = outputs(); filled < out.size(); filled *= 2) {
    std::copy_n(out.begin(), std::min(filled, out.size() - filled), out.begin() + static_cast<std::ptrdiff_t>(filled));
  }
  add_successors_(*this, out.data());
  ++counters_.successors;
}

std::int32_t IncrementalPredictor::value(std::size_t clause) const {
  if (index_->form() == IncrementalForm::kBitmaps) return Bitmaps::is_true(*this, clause) ? 1 : 0;
  if (index_->patches_) return true_patches_[clause] > 0 ? 1 : 0;
  if (!index_->fuzzy_) return index_->wide_ ? wide_words_[clause] == 0 : words_[clause] == 0;
  const std::size_t falsehoods = index_->wide_ ? FalseLiterals<std::uint64_t>::count(wide_words_[clause])
                                               : FalseLiterals<std::uint32_t>::count(words_[clause]);
  return static_cast<std::int32_t>(
      std::max<std::int64_t>(0, index_->most_votes_[clause] - static_cast<std::int64_t>(falsehoods)));
}

}  // namespace falsum
