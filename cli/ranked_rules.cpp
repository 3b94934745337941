#include "ranked_rules.h"

#include <algorithm>
#include <string>
#include <vector>

#include "report.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

constexpr double kMostVotes = 0.9;  // "how many rules carry 90% of the votes"

/// Positions of the first `count` rules of an output.
std::vector<std::size_t> first_rules(const RuleRecords& records, std::size_t output, std::size_t count) {
  std::vector<std::size_t> found;
  for (std::size_t r = 0; r < records.rules.size() && found.size() < count; ++r) {
    if (records.rules[r].rule.output == output) found.push_back(r);
  }
  return found;
}

std::string record_text(const RuleRecord& record) {
  std::string text = fmt::format("true of {} of the rows", percent_text(record.coverage));
  if (record.precision) text += fmt::format(", right about {}", percent_text(*record.precision));
  if (record.lift) text += fmt::format(", lift {:.2f}", *record.lift);
  if (record.mean) text += fmt::format(", where the mean is {:.5g}", *record.mean);
  text += fmt::format("; {} of all votes", percent_text(record.share));
  if (record.rule.clauses.size() > 1) text += fmt::format("; {} clauses", with_commas(record.rule.clauses.size()));
  return text;
}

}  // namespace

Json ranked_rules_json(const Model& model, const RuleRecords& records, std::size_t count) {
  const std::vector<std::string> labels = output_labels(model);
  Json rules = Json::array(), carry = Json::array();
  for (std::size_t output = 0; output < model.outputs(); ++output) {
    for (const std::size_t r : first_rules(records, output, count)) {
      const RuleRecord& record = records.rules[r];
      Json entry = {{"class", labels[output]},
                    {"rank", r},
                    {"votes", record.rule.votes},
                    {"copies", record.rule.clauses.size()},
                    {"conditions", record.rule.conditions},
                    {"text", rule_text(record.rule.votes, record.rule.conditions, labels[output], record.rule.less)},
                    {"rows", record.rows},
                    {"votes_cast", record.votes_cast},
                    {"share", record.share},
                    {"coverage", record.coverage},
                    {"precision", record.precision ? Json(*record.precision) : Json()},
                    {"lift", record.lift ? Json(*record.lift) : Json()}};
      if (model.task() == Task::kRegression) entry["mean"] = record.mean ? Json(*record.mean) : Json();
      entry["special_cases"] = record.special_cases;
      entry["special_case_of"] = record.special_case_of ? Json(*record.special_case_of) : Json();
      rules.push_back(std::move(entry));
    }
    carry.push_back(rules_that_carry(records.rules, kMostVotes, output));
  }
  return {{"rows", records.rows},
          {"clauses", records.clauses},
          {"empty", records.empty},
          {"contradictory", records.contradictory},
          {"equal", records.equal},
          {"subsumed", records.subsumed},
          {"count", records.rules.size()},
          {"never_true", records.never_true},
          {"votes_cast", records.votes_cast},
          {"carry_90_percent", rules_that_carry(records.rules, kMostVotes)},
          {"carry_90_percent_of_class", carry},
          {"rules", rules}};
}

void print_ranked_rules(const Model& model, const RuleRecords& records, const std::string& origin, std::size_t count) {
  const std::vector<std::string> labels = output_labels(model);
  const std::size_t width = std::max<std::size_t>(terminal_width(), 40) - 1;
  fmt::print("\n{} on {}: {} 90% of the votes; {} on none of the rows\n",
             counted(records.rules.size(), "rule", "rules"), counted(records.rows, "row", "rows") + " of " + origin,
             counted(rules_that_carry(records.rules, kMostVotes), "carries", "carry"),
             records.never_true == 1 ? "1 is true" : with_commas(records.never_true) + " are true");
  fmt::print(
      "{} clauses: {} empty, {} contradict themselves, {} equal to another; {} a special case that adds nothing "
      "here\n",
      with_commas(records.clauses), with_commas(records.empty), with_commas(records.contradictory),
      with_commas(records.equal), records.subsumed == 1 ? "1 rule is" : with_commas(records.subsumed) + " rules are");
  for (std::size_t output = 0; output < model.outputs(); ++output) {
    const char* const kind = model.task() == Task::kMultilabel   ? "label "
                             : model.task() == Task::kRegression ? ""
                                                                 : "class ";
    fmt::print("\n{}: {} 90% of its votes\n", bold(kind + printable(labels[output])),
               counted(rules_that_carry(records.rules, kMostVotes, output), "rule carries", "rules carry"));
    for (const std::size_t r : first_rules(records, output, count)) {
      const RuleRecord& record = records.rules[r];
      std::vector<std::string> pieces =
          rule_pieces(record.rule.votes, record.rule.conditions, labels[output], record.rule.less);
      for (std::string& piece : pieces) piece = printable(piece);
      fmt::print("{}\n    {}\n", wrap(pieces, width, "    "), record_text(record));
    }
  }
}

}  // namespace falsum::cli
