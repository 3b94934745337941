// falsum explain: why a row gets its answer, and the smallest change that would give another.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "data_options.h"
#include "falsum/error.h"
#include "falsum/explanation.h"
#include "falsum/model.h"
#include "falsum/pipeline.h"
#include "literals/row_features.h"
#include "parse_number.h"
#include "report.h"
#include "rows.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

struct ExplainArguments {
  std::string model, data, wanted;
  std::uint64_t row = 0, rules = 10;
  bool json = false;
  DataOptions data_options;
};

std::string answer_of(const Predictor& predictor, std::span<const std::int32_t> votes,
                      const std::vector<std::string>& labels) {
  return answer_texts(predictor.answers(votes).view(), labels).front();
}

/// One row of the data as bits.
BitMatrix one_row(const Model& model, const Source& source, std::uint64_t row) {
  const AnyRows all = model.booleanizer().rows(source);
  const Rows rows = all.view();
  if (row >= rows.rows()) {
    throw ConfigError(fmt::format("row must be below {}, the rows of {}, got {}", rows.rows(), source.origin, row));
  }
  BitMatrix one(1, rows.columns());
  for_each_feature(rows, row, [&](std::size_t feature) { one.set(0, feature); });
  return one;
}

std::optional<std::uint32_t> wanted_output(const std::string& wanted, const std::vector<std::string>& labels) {
  if (wanted.empty()) return std::nullopt;
  const auto found = std::ranges::find(labels, wanted);
  if (found == labels.end()) {
    throw ConfigError(fmt::format("to must be one of the model's labels ({}), got {}", joined(labels, ", "), wanted));
  }
  return static_cast<std::uint32_t>(found - labels.begin());
}

Json rule_json(const RuleRecord& record, const std::vector<std::string>& labels) {
  const Rule& rule = record.rule;
  const auto cast = static_cast<std::int64_t>(record.votes_cast);
  return {{"class", labels[rule.output]},
          {"votes", rule.votes < 0 ? -cast : cast},
          {"conditions", rule.conditions},
          {"text", rule_text(rule.votes, rule.conditions, labels[rule.output], rule.less)}};
}

Json explanation_json(const ExplainArguments& arguments, const Explanation& why, const std::string& answer,
                      const std::vector<std::string>& labels) {
  Json json = {{"model", arguments.model}, {"data", arguments.data}, {"row", arguments.row}, {"answer", answer}};
  Json votes;
  for (std::size_t o = 0; o < labels.size(); ++o) votes[labels[o]] = why.votes[o];
  json["votes"] = votes;
  Json rules = Json::array();
  for (const RuleRecord& record : why.rules) rules.push_back(rule_json(record, labels));
  json["rules"] = rules;
  return json;
}

Json change_json(const SmallestChange& change, const std::string& answer, const std::vector<std::string>& labels) {
  Json json = {{"answer", answer}, {"proven", change.proven}};
  Json changes = Json::array(), votes;
  for (const ColumnChange& one : change.changes) {
    changes.push_back({{"column", one.column}, {"from", one.from}, {"to", one.to}});
  }
  for (std::size_t o = 0; o < labels.size(); ++o) votes[labels[o]] = change.votes[o];
  json["changes"] = changes;
  json["votes"] = votes;
  return json;
}

void print_rules(const Explanation& why, std::size_t output, const std::vector<std::string>& labels,
                 std::uint64_t most) {
  const std::size_t width = std::max<std::size_t>(terminal_width(), 40) - 1;
  std::size_t shown = 0, others = 0;
  std::int64_t other_votes = 0;
  for (const RuleRecord& record : why.rules) {
    if (record.rule.output != output) continue;
    const auto cast = static_cast<std::int64_t>(record.votes_cast) * (record.rule.votes < 0 ? -1 : 1);
    if (shown == most) {
      ++others;
      other_votes += cast;
      continue;
    }
    ++shown;
    std::vector<std::string> pieces = rule_pieces(cast, record.rule.conditions, labels[output], record.rule.less);
    for (std::string& piece : pieces) piece = printable(piece);
    fmt::print("  {}\n", wrap(pieces, width - 2, "      "));
  }
  if (others > 0) fmt::print("  {:+} by {}\n", other_votes, counted(others, "other rule", "other rules"));
  if (shown == 0) fmt::print("  no rule is true of it\n");
}

void print_why(const Explanation& why, const std::string& answer, const std::vector<std::string>& labels,
               const ExplainArguments& arguments, bool is_number) {
  fmt::print("row {}: {}\n", arguments.row, bold(printable(answer)));
  // The answer and what comes next; of numbers and labels all.
  std::vector<std::size_t> order(labels.size());
  for (std::size_t o = 0; o < order.size(); ++o) order[o] = o;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return why.votes[a] > why.votes[b]; });
  constexpr std::size_t kMostShown = 2, kMostOthers = 20;
  for (std::size_t i = 0; i < std::min(order.size(), kMostShown); ++i) {
    const std::int32_t votes = why.votes[order[i]];
    fmt::print("\n{}: {} {}\n", bold(is_number ? "number" : printable(labels[order[i]])), votes,
               votes == 1 || votes == -1 ? "vote" : "votes");
    print_rules(why, order[i], labels, arguments.rules);
  }
  if (order.size() > kMostShown) {
    std::vector<std::string> rest;
    for (std::size_t i = kMostShown; i < order.size(); ++i) {
      if (rest.size() == kMostOthers) {
        rest.push_back(fmt::format("{} others with no more votes", with_commas(order.size() - i)));
        break;
      }
      rest.push_back(fmt::format("{} {}", printable(labels[order[i]]), why.votes[order[i]]));
    }
    fmt::print("\nother votes: {}\n", wrap(joined(rest, ", "), terminal_width() - 1, "  "));
  }
}

void print_change(const std::optional<SmallestChange>& change, const std::string& other) {
  if (!change) {
    fmt::print("\nno change of up to 40 columns that would give another answer was found\n");
    return;
  }
  fmt::print("\n{} would make it {}{}:\n",
             change->changes.size() == 1 ? "one change" : fmt::format("{} changes", change->changes.size()),
             bold(printable(other)), change->proven ? "; fewer would not" : " (perhaps fewer would, too)");
  for (const ColumnChange& one : change->changes) fmt::print("  {}  ->  {}\n", printable(one.from), printable(one.to));
}

int run_explain(const ExplainArguments& arguments) {
  const Model model = Model::load(arguments.model);
  const std::vector<std::string> labels = output_labels(model);
  const std::optional<std::uint32_t> wanted = wanted_output(arguments.wanted, labels);
  const bool is_number = model.task() == Task::kRegression;
  if (wanted && is_number) throw ConfigError("to must be a label, and the model answers with numbers");
  const Source source = load_for_model(model, arguments.data, arguments.data_options, false);
  const BitMatrix row = one_row(model, source, arguments.row);
  const Explainer explainer(model);
  const Explanation why = explainer.explain(row);
  const std::string answer = answer_of(explainer.predictor(), why.votes, labels);
  std::optional<SmallestChange> change;
  std::string other;
  if (!is_number) {
    change = explainer.smallest_change(row, wanted);
    if (change) other = answer_of(explainer.predictor(), change->votes, labels);
  }
  if (arguments.json) {
    Json json = explanation_json(arguments, why, answer, labels);
    json["smallest_change"] = change ? change_json(*change, other, labels) : Json();
    print_json(json);
    return 0;
  }
  print_why(why, answer, labels, arguments, is_number);
  if (!is_number) print_change(change, other);
  return 0;
}

}  // namespace

Command add_explain(CommandLine& line) {
  auto arguments = std::make_shared<ExplainArguments>();
  const Verb explain = line.add_verb("explain", "say why a row gets its answer, and what would change it");
  explain.add_text("MODEL", arguments->model, "a file that falsum train made").required().type_name("");
  explain.add_text("DATA", arguments->data, "a file, - for standard input, or a built-in name (its test split)")
      .required()
      .type_name("");
  explain
      .add_text(
          "--row",
          [arguments](const std::string& text) {
            arguments->row = parse_number_within<std::uint64_t>("row", text, 0, 1'000'000'000);
          },
          "which row, counted from 0 (default 0)")
      .type_name("N");
  explain
      .add_text(
          "--rules",
          [arguments](const std::string& text) {
            arguments->rules = parse_number_within<std::uint64_t>("rules", text, 1, 1'000'000);
          },
          "print at most N rules of a class (default 10)")
      .type_name("N");
  explain.add_text("--to", arguments->wanted, "the label to change to (default: any other)").type_name("LABEL");
  explain.add_flag("--json", arguments->json, "report as one JSON document, with all rules");
  add_load_options(explain, arguments->data_options, false);
  explain
      .add_flag("--no-label,--no-labels", arguments->data_options.load.no_label,
                "CSV: the data have no label column (default: inferred from names, or from the number of columns)")
      .group("Data");
  return {explain, [arguments] { return run_explain(*arguments); }};
}

}  // namespace falsum::cli
