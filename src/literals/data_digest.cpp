#include "falsum/data_digest.h"

#include <xxhash.h>

#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "falsum/row_weights.h"
#include "literals/in_order.h"
#include "literals/row_features.h"
#include "support/format.h"

namespace falsum {
namespace {

class Hash {
 public:
  Hash() : state_(XXH64_createState(), XXH64_freeState) {
    if (!state_) throw std::bad_alloc();
    XXH64_reset(state_.get(), 0);
  }
  void number(std::uint64_t value) { XXH64_update(state_.get(), &value, sizeof value); }
  void text(const std::string& text) {
    number(text.size());
    XXH64_update(state_.get(), text.data(), text.size());
  }
  template <class Number>
  void numbers(std::span<const Number> values) {
    XXH64_update(state_.get(), values.data(), values.size_bytes());
  }
  std::uint64_t value() const { return XXH64_digest(state_.get()); }

 private:
  std::unique_ptr<XXH64_state_t, XXH_errorcode (*)(XXH64_state_t*)> state_;
};

std::uint64_t hash_of(std::span<const std::string> names) {
  Hash hash;
  for (const std::string& name : names) hash.text(name);
  return hash.value();
}

constexpr std::uint64_t kRowEnd = ~std::uint64_t{0};  // in place of a word's position

/// visit(place, word) for the words of a row that are not 0.
template <class Visit>
void for_each_word(const Rows& rows, std::size_t r, const Visit& visit) {
  if (rows.form() == Rows::Form::kPacked) {  // they are there already
    const std::span<const std::uint64_t> row = rows.packed(r);
    for (std::size_t w = 0; w < row.size(); ++w) {
      if (row[w] != 0) visit(w, row[w]);
    }
    return;
  }
  std::uint64_t at = 0, word = 0;
  for_each_feature(rows, r, [&](std::uint64_t feature) {
    if (feature / 64 != at && word != 0) visit(at, std::exchange(word, 0));
    at = feature / 64;
    word |= std::uint64_t{1} << (feature % 64);
  });
  if (word != 0) visit(at, word);
}

std::uint64_t hash_of(const Rows& rows) {
  Hash values;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    will_need_next(rows, r);
    for_each_word(rows, r, [&](std::uint64_t place, std::uint64_t word) {
      values.number(place);
      values.number(word);
    });
    values.number(kRowEnd);
  }
  return values.value();
}

std::uint64_t hash_of(const Targets& targets) {
  if (targets.task() == Task::kMultilabel) return hash_of(targets.labels());
  Hash hash;
  hash.numbers(targets.classes());
  hash.numbers(targets.numbers());
  return hash.value();
}

}  // namespace

DataDigest digest(const Rows& rows, const Targets& targets, std::span<const std::string> label_names,
                  std::span<const std::string> feature_names) {
  return {rows.rows(),
          rows.columns(),
          hash_of(rows),
          hash_of(targets),
          hash_of(label_names),
          hash_of(feature_names),
          digest_of_weights(targets.weights())};
}

std::uint64_t digest_of_weights(std::span<const double> weights) {
  if (!weights_differ(weights)) return 0;
  Hash hash;
  hash.numbers(weights);
  return hash.value();
}

std::string difference(const DataDigest& learned, const DataDigest& given) {
  std::vector<std::string> parts;
  const auto count = [&](std::uint64_t before, std::uint64_t now, const char* what) {
    if (before != now) parts.push_back(fmt::format("{} {} instead of {}", now, what, before));
  };
  count(learned.rows, given.rows, "rows");
  count(learned.features, given.features, "features");
  if (learned.label_names != given.label_names) parts.emplace_back("other names of labels");
  if (learned.feature_names != given.feature_names)
    parts.emplace_back("other features (names, thresholds, categories)");
  // If the number of rows or features differs, everything below differs too, and adds no information.
  if (learned.rows == given.rows) {
    if (learned.labels != given.labels) parts.emplace_back("other labels in its rows");
    if (learned.values != given.values && learned.features == given.features)
      parts.emplace_back("other values in its rows");
    if (learned.weights != given.weights) {
      parts.emplace_back(learned.weights == 0 ? "row weights, which it had not"
                         : given.weights == 0 ? "no row weights"
                                              : "other row weights");
    }
  }
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  }
  return text;
}

}  // namespace falsum
