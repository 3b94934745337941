#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "explain/votes_by_clause.h"
#include "falsum/clause_outputs.h"
#include "falsum/error.h"
#include "falsum/rule_records.h"
#include "literals/row_features.h"
#include "support/format.h"
#include "support/random.h"

namespace falsum {
namespace {

/// What the clauses did on the rows.
struct Tally {
  std::vector<std::uint64_t> rows;       // by clause: that it is true of
  std::vector<std::uint64_t> rows_hash;  // which: the sum of a hash of each
  std::vector<std::uint64_t> cast;       // by clause: its votes if its weight is 1
  std::vector<std::uint64_t> own;        // by weight: rows of the output
  std::vector<double> sum;               // by clause: of the rows' numbers
  std::vector<std::uint64_t> of_output;  // rows of each output
  double numbers = 0;                    // the sum of all
};

class Tallier {
 public:
  Tallier(const Model& model, const std::optional<Targets>& truth) : model_(model), truth_(truth), voters_(model) {
    tally.rows.resize(model.clauses());
    tally.rows_hash.resize(model.clauses());
    tally.cast.resize(model.clauses());
    tally.sum.resize(model.clauses());
    tally.own.resize(model.parts().weights.size());
    tally.of_output.resize(model.outputs());
  }

  /// Rows of a block, of which the first has this position.
  void add(const Rows& block, std::size_t first) {
    const BitMatrix outputs = clause_outputs(model_, block);
    const bool fuzzy = is_fuzzy(model_.options());
    const std::vector<std::uint16_t> votes = fuzzy ? fuzzy_votes(model_, block) : std::vector<std::uint16_t>{};
    std::vector<bool> is_own(model_.outputs());
    for (std::size_t r = 0; r < block.rows(); ++r) {
      mark_own(first + r, is_own);
      const std::uint64_t hash = mix64(first + r + 1);
      const double number = truth_ && model_.task() == Task::kRegression ? truth_->numbers()[first + r] : 0;
      tally.numbers += number;
      for_each_bit(outputs.row(r).data(), outputs.words_per_row(), [&](std::size_t c) {
        ++tally.rows[c];
        tally.rows_hash[c] += hash;
        tally.cast[c] += fuzzy ? votes[c * block.rows() + r] : 1;
        tally.sum[c] += number;
        for (const VotesByClause::Vote& vote : voters_.of(c)) tally.own[vote.position] += is_own[vote.output];
      });
    }
  }

  Tally tally;

 private:
  void mark_own(std::size_t row, std::vector<bool>& is_own) {
    if (!truth_ || model_.task() == Task::kRegression) return;
    is_own.assign(is_own.size(), false);
    if (model_.task() == Task::kClassification) {
      is_own[truth_->classes()[row]] = true;
    } else {
      for_each_feature(truth_->labels(), row, [&](std::size_t label) { is_own[label] = true; });
    }
    for (std::size_t o = 0; o < is_own.size(); ++o) tally.of_output[o] += is_own[o];
  }

  const Model& model_;
  const std::optional<Targets>& truth_;
  VotesByClause voters_;
};

/// For each rule of an output, the rules that are more general: all their literals are implied. Only rules of the same
/// polarity.
template <class Visit>
void for_each_more_general(const Conditions& conditions, std::span<const RuleRecord> rules, const Visit& visit) {
  std::vector<std::vector<std::size_t>> rules_with(conditions.model().literals());
  for (std::size_t r = 0; r < rules.size(); ++r) {
    for (const std::uint32_t literal : rules[r].rule.literals) rules_with[literal].push_back(r);
  }
  std::vector<std::uint32_t> met(rules.size());
  std::vector<std::size_t> touched;
  for (std::size_t special = 0; special < rules.size(); ++special) {
    for (const std::uint32_t literal : conditions.implied(rules[special].rule.literals)) {
      for (const std::size_t general : rules_with[literal]) {
        if (met[general]++ == 0) touched.push_back(general);
      }
    }
    std::ranges::sort(touched);
    for (const std::size_t general : touched) {
      const Rule& rule = rules[general].rule;
      if (std::exchange(met[general], 0) == rule.literals.size() && general != special &&
          (rule.votes < 0) == (rules[special].rule.votes < 0)) {
        visit(general, special);
      }
    }
    touched.clear();
  }
}

class Recorder {
 public:
  Recorder(const Conditions& conditions, const Tally& tally, std::size_t rows, const std::optional<Targets>& truth)
      : conditions_(conditions), model_(conditions.model()), tally_(tally), rows_(rows), has_truth_(truth) {}

  /// The records of an output, most votes cast first.
  std::vector<RuleRecord> of(std::size_t output, RuleRecords& all) const {
    std::vector<RuleRecord> records;
    for (Rule& rule : rules_of(conditions_, output)) {
      all.equal += rule.clauses.size() - 1;
      records.push_back(record(std::move(rule)));
    }
    if (!is_fuzzy(model_.options())) all.subsumed += join_special_cases(records);
    std::ranges::stable_sort(records, std::greater<>{}, &RuleRecord::votes_cast);
    if (!is_fuzzy(model_.options())) {
      for_each_more_general(conditions_, records, [&](std::size_t general, std::size_t special) {
        std::optional<std::size_t>& first = records[special].special_case_of;
        first = std::min(first.value_or(general), general);
      });
    }
    for (const RuleRecord& record : records) all.never_true += record.rows == 0;
    return records;
  }

 private:
  const Weight& first_weight(const Rule& rule) const { return model_.weights(rule.output)[rule.clauses.front()]; }

  RuleRecord record(Rule rule) const {
    RuleRecord record{.rule = std::move(rule)};
    const std::uint32_t clause = first_weight(record.rule).clause;
    record.rows = tally_.rows[clause];
    record.coverage = rows_ == 0 ? 0 : static_cast<double>(record.rows) / static_cast<double>(rows_);
    if (has_truth_ && record.rows > 0) judge(record);
    count_votes(record);
    return record;
  }

  void count_votes(RuleRecord& record) const {
    const std::uint32_t clause = first_weight(record.rule).clause;
    const auto size = static_cast<std::uint64_t>(std::abs(record.rule.votes));
    record.votes_cast = size / static_cast<std::uint64_t>(model_.clause_votes(clause)) * tally_.cast[clause];
  }

  void judge(RuleRecord& record) const {
    const std::uint32_t clause = first_weight(record.rule).clause;
    const auto true_of = static_cast<double>(record.rows);
    if (model_.task() == Task::kRegression) {
      record.mean = tally_.sum[clause] / true_of;
      return;
    }
    const std::size_t output = record.rule.output;
    const std::size_t position = model_.parts().weight_starts[output] + record.rule.clauses.front();
    const auto all = static_cast<double>(rows_);
    double right = static_cast<double>(tally_.own[position]), base = static_cast<double>(tally_.of_output[output]);
    if (record.rule.votes < 0) {
      right = true_of - right;
      base = all - base;
    }
    record.precision = right / true_of;
    if (base > 0) record.lift = *record.precision * all / base;
  }

  /// Rules that say more than another and are true of the same rows join it. Returns how many.
  std::size_t join_special_cases(std::vector<RuleRecord>& records) const {
    std::vector<std::size_t> joins(records.size());
    std::iota(joins.begin(), joins.end(), std::size_t{0});
    const auto key = [&](std::size_t r) {
      const std::uint32_t clause = first_weight(records[r].rule).clause;
      return std::pair(tally_.rows[clause], tally_.rows_hash[clause]);
    };
    for_each_more_general(conditions_, records, [&](std::size_t general, std::size_t special) {
      if (records[special].rows == 0 || key(general) != key(special)) return;
      if (joins[special] == special) joins[special] = general;  // which joins another itself, if there is one
    });
    for (std::size_t special = 0; special < records.size(); ++special) {
      std::size_t general = joins[special];
      if (general == special) continue;
      while (joins[general] != general) general = joins[general];
      Rule& into = records[general].rule;
      const Rule& from = records[special].rule;
      into.votes += from.votes;
      into.clauses.insert(into.clauses.end(), from.clauses.begin(), from.clauses.end());
      ++records[general].special_cases;
    }
    std::vector<RuleRecord> kept;
    for (std::size_t r = 0; r < records.size(); ++r) {
      if (joins[r] != r) continue;
      kept.push_back(std::move(records[r]));
      if (kept.back().special_cases == 0) continue;
      count_votes(kept.back());
      std::ranges::sort(kept.back().rule.clauses);
    }
    const std::size_t joined = records.size() - kept.size();
    records = std::move(kept);
    return joined;
  }

  const Conditions& conditions_;
  const Model& model_;
  const Tally& tally_;
  std::size_t rows_;
  bool has_truth_;
};

}  // namespace

RuleRecords record_rules(const Conditions& conditions, const Rows& rows, const std::optional<Targets>& truth) {
  constexpr std::size_t kRowsOfABlock = 4096;  // their outputs take this times clauses / 8 bytes
  const Model& model = conditions.model();
  if (truth && truth->task() != model.task()) throw DataError("the answers are not of the model's task");
  if (truth && truth->size() != rows.rows()) {
    throw DataError(fmt::format("there must be an answer for each of {} rows, got {}", rows.rows(), truth->size()));
  }
  if (truth && model.task() == Task::kClassification) {
    const auto bad = std::ranges::find_if(truth->classes(), [&](std::uint32_t c) { return c >= model.outputs(); });
    if (bad != truth->classes().end()) {
      throw DataError(fmt::format("classes must be below {}, got {}", model.outputs(), *bad));
    }
  }
  Tallier tallier(model, truth);
  for (std::size_t first = 0; first < rows.rows(); first += kRowsOfABlock) {
    tallier.add(rows.part(first, std::min(kRowsOfABlock, rows.rows() - first)), first);
  }
  RuleRecords records{.rules = {}, .rows = rows.rows()};
  for (const Weight& weight : model.parts().weights) {
    ++records.clauses;
    if (is_fuzzy(model.options())) continue;
    records.empty += model.clause(weight.clause).empty();
    records.contradictory += conditions.never_true(model.clause(weight.clause));
  }
  const Recorder recorder(conditions, tallier.tally, rows.rows(), truth);
  // Rules of an output refer to each other by position: remember where each one goes.
  std::vector<std::vector<RuleRecord>> by_output;
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (std::size_t output = 0; output < model.outputs(); ++output) {
    by_output.push_back(recorder.of(output, records));
    for (std::size_t r = 0; r < by_output.back().size(); ++r) order.emplace_back(output, r);
  }
  std::ranges::stable_sort(order, [&](const auto& a, const auto& b) {
    const RuleRecord &x = by_output[a.first][a.second], &y = by_output[b.first][b.second];
    return std::tuple(y.votes_cast, x.rule.literals.size()) < std::tuple(x.votes_cast, y.rule.literals.size());
  });
  std::vector<std::vector<std::size_t>> place(by_output.size());
  for (std::size_t o = 0; o < by_output.size(); ++o) place[o].resize(by_output[o].size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i].first][order[i].second] = i;
  for (const auto& [output, r] : order) {
    RuleRecord& record = by_output[output][r];
    if (record.special_case_of) record.special_case_of = place[output][*record.special_case_of];
    records.votes_cast += record.votes_cast;
    records.rules.push_back(std::move(record));
  }
  for (RuleRecord& record : records.rules) {
    if (records.votes_cast > 0) {
      record.share = static_cast<double>(record.votes_cast) / static_cast<double>(records.votes_cast);
    }
  }
  return records;
}

namespace {

template <class Wanted>
std::size_t carrying(std::span<const RuleRecord> rules, double share, const Wanted& wanted) {
  double all = 0;
  for (const RuleRecord& record : rules) all += wanted(record) ? static_cast<double>(record.votes_cast) : 0;
  std::size_t count = 0;
  double cast = 0;
  for (const RuleRecord& record : rules) {
    if (cast >= share * all) break;
    if (!wanted(record)) continue;
    ++count;
    cast += static_cast<double>(record.votes_cast);
  }
  return count;
}

}  // namespace

std::size_t rules_that_carry(std::span<const RuleRecord> rules, double share) {
  return carrying(rules, share, [](const RuleRecord&) { return true; });
}

std::size_t rules_that_carry(std::span<const RuleRecord> rules, double share, std::size_t output) {
  return carrying(rules, share, [output](const RuleRecord& record) { return record.rule.output == output; });
}

}  // namespace falsum
