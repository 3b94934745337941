// falsum inspect: the contents of a model file: its shape, how it was learned, how long its clauses are, and the
// clauses as sentences.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibration.h"
#include "command.h"
#include "data_options.h"
#include "falsum/model.h"
#include "falsum/rule_records.h"
#include "falsum/rules.h"
#include "machine_options.h"
#include "parse_number.h"
#include "picture.h"
#include "ranked_rules.h"
#include "report.h"
#include "rows.h"
#include "schema_report.h"
#include "support/format.h"
#include "training.h"

namespace falsum::cli {

namespace {

struct InspectArguments {
  std::string model;
  std::string data;
  std::uint64_t rules = 0;
  bool json = false, schema = false;
  DataOptions data_options;
};

/// At most `count` rules of an output, first the best rules for it, then the best against it: equally many of both, or
/// more of one kind if there are too few of the other.
std::vector<Rule> best_rules(const Conditions& conditions, std::size_t output, std::size_t count) {
  std::vector<Rule> rules = rules_of(conditions, output);
  const auto against =
      std::stable_partition(rules.begin(), rules.end(), [](const Rule& rule) { return rule.votes > 0; });
  const auto those_for = static_cast<std::size_t>(against - rules.begin());
  const std::size_t few_against = std::min(count - std::min((count + 1) / 2, those_for), rules.size() - those_for);
  const std::size_t few_for = std::min(count - few_against, those_for);
  rules.resize(those_for + few_against);
  rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(few_for), against);
  return rules;
}

Json rules_json(const Model& model, std::size_t count) {
  const std::vector<std::string> labels = output_labels(model);
  const Conditions conditions(model);
  Json rules = Json::array();
  for (std::size_t output = 0; output < model.outputs(); ++output) {
    for (const Rule& rule : best_rules(conditions, output, count)) {
      rules.push_back({{"class", labels[output]},
                       {"clause", rule.clauses.front()},
                       {"copies", rule.clauses.size()},
                       {"votes", rule.votes},
                       {"conditions", rule.conditions},
                       {"text", rule_text(rule.votes, rule.conditions, labels[output], rule.less)}});
    }
  }
  return rules;
}

Json inspect_json(const InspectArguments& arguments, const Model& model, const ClauseStatistics& statistics,
                  std::uint64_t file_bytes, const RuleRecords* records) {
  Json json = {{"model", arguments.model},
               {"file_bytes", file_bytes},
               {"features", model.features()},
               {"literals", model.literals()},
               {"classes", model.outputs()},
               {"labels", output_labels(model)},
               {"booleanizer", model.booleanizer().kind()}};
  add_machine_options(json, model.options());
  const Provenance& provenance = model.provenance();
  json["provenance"] = {{"falsum_version", provenance.falsum_version},
                        {"data", provenance.data},
                        {"samples", provenance.samples},
                        {"epochs", provenance.epochs},
                        {"test_accuracy", provenance.test_accuracy < 0 ? Json() : Json(provenance.test_accuracy)}};
  if (model.task() == Task::kRegression) {
    json["provenance"]["test_rmse"] = provenance.test_rmse < 0 ? Json() : Json(provenance.test_rmse);
    json["range"] = {{"least", model.range().least}, {"most", model.range().most}};
  }
  json["calibration"] = calibration_json(model.calibration());
  json["clause_length"] = {
      {"mean", statistics.mean_length}, {"median", statistics.median_length}, {"max", statistics.longest}};
  json["empty_clauses"] = statistics.empty;
  json["contradictory_clauses"] = statistics.contradictory;
  json["included_literals"] = statistics.included;
  json["mean_inclusion_list_length"] = statistics.mean_list_length;
  if (arguments.schema) {
    json["schema"] = model.schema().known() ? schema_json(model.schema(), model.booleanizer()) : Json();
  }
  if (arguments.rules > 0 && records == nullptr) json["rules"] = rules_json(model, arguments.rules);
  if (records != nullptr) json["on_data"] = ranked_rules_json(model, *records, arguments.rules);
  return json;
}

/// A clause of a patch has dozens of conditions: a picture says more.
void print_patches(const Model& model, std::size_t output, const std::vector<Rule>& rules, std::size_t width) {
  std::vector<std::vector<std::string>> pictures, captions;
  for (const Rule& rule : rules) {
    const auto clause = model.clause(model.weights(output)[rule.clauses.front()].clause);
    pictures.push_back(patch_picture(model, clause));
    captions.push_back({fmt::format("{:+} votes, {}", rule.votes, counted(clause.size(), "literal", "literals"))});
  }
  fmt::print("{}", rules.empty() ? "(no clause can be true)\n" : gallery(pictures, captions, width));
}

/// So has a fuzzy clause of an image, each of which counts.
bool draws_fuzzy(const Model& model) { return is_fuzzy(model.options()) && model.booleanizer().image_width() > 0; }

void print_fuzzy(const Model& model, std::size_t output, const std::vector<Rule>& rules, std::size_t width) {
  const std::vector<bool> all_pixels(model.booleanizer().image_pixels(), true);
  std::vector<std::vector<std::string>> pictures, captions;
  for (const Rule& rule : rules) {
    const std::size_t clause = rule.clauses.front();
    const std::size_t length = model.clause(model.weights(output)[clause].clause).size();
    pictures.push_back(clause_picture(model, {output, clause}, all_pixels));
    captions.push_back(
        {fmt::format("{:+} votes,", rule.votes),
         fmt::format("less {} for each of {} that is false", rule.less, counted(length, "literal", "literals"))});
  }
  fmt::print("{}", rules.empty() ? "(no clause has a literal)\n" : gallery(pictures, captions, width));
}

void print_rules(const Model& model, std::size_t count) {
  const std::vector<std::string> labels = output_labels(model);
  const Conditions conditions(model);
  const std::size_t width = std::max<std::size_t>(terminal_width(), 40) - 1;
  for (std::size_t output = 0; output < model.outputs(); ++output) {
    const char* const kind = model.task() == Task::kMultilabel   ? "label "
                             : model.task() == Task::kRegression ? ""
                                                                 : "class ";
    fmt::print("\n{}\n", bold(kind + printable(labels[output])));
    const std::vector<Rule> rules = best_rules(conditions, output, count);
    if (model.patches()) {
      print_patches(model, output, rules, width);
      continue;
    }
    if (draws_fuzzy(model)) {
      print_fuzzy(model, output, rules, width);
      continue;
    }
    for (const Rule& rule : rules) {
      std::vector<std::string> pieces = rule_pieces(rule.votes, rule.conditions, labels[output], rule.less);
      for (std::string& piece : pieces) piece = printable(piece);
      fmt::print("{}\n", wrap(pieces, width, "    "));
    }
    if (rules.empty()) fmt::print("(no clause can be true)\n");
  }
}

/// The options say what was learned; a pruned model has fewer clauses.
std::string pruned_text(const Model& model) {
  const std::size_t learned =
      static_cast<std::size_t>(model.options().clauses) * count_banks(model.options(), model.outputs());
  return model.clauses() < learned ? fmt::format(", {} of them left", with_commas(model.clauses())) : "";
}

void print_summary(const InspectArguments& arguments, const Model& model, const ClauseStatistics& statistics,
                   std::uint64_t file_bytes) {
  const Options& options = model.options();
  const Provenance& provenance = model.provenance();
  fmt::print("{} ({})\n", bold(arguments.model), bytes_text(file_bytes));
  fmt::print("  machine     {}, {}, {}\n", outputs_text(options, model.outputs()),
             counted(model.features(), "feature", "features"), clauses_text(options) + pruned_text(model));
  fmt::print("  learned     T {}, s {}, {} states{}{}, seed {}\n", options.threshold, specificity_text(options),
             options.states, options.boost ? ", boosted" : "", unusual_options(options), options.seed);
  fmt::print("  from        {}\n",
             provenance.data.empty()
                 ? "not recorded"
                 : fmt::format("{}: {}, {}, falsum {}", printable(provenance.data),
                               counted(provenance.samples, "sample", "samples"),
                               counted(provenance.epochs, "epoch", "epochs"), printable(provenance.falsum_version)));
  const bool is_number = model.task() == Task::kRegression;
  const double tested = is_number ? provenance.test_rmse : provenance.test_accuracy;
  fmt::print("  {:<11} {}\n", is_number ? "RMSE" : "accuracy",
             tested < 0 ? "not tested"
                        : (is_number ? fmt::format("{:.5g}", tested) : percent_text(tested)) +
                              " on the test data given in training");
  if (model.calibration().method != CalibrationMethod::kNone) {
    fmt::print("  calibrated  by {}\n", calibration_text(model.calibration()));
  }
  if (is_number) {
    fmt::print("  numbers     {:.6g} to {:.6g}\n", model.range().least, model.range().most);
  } else {
    fmt::print("  labels      {}\n", wrap(printable(joined(output_labels(model), ", ")), 80, std::string(14, ' ')));
  }
  fmt::print("  features    {}\n", model.booleanizer().kind());
  fmt::print("  clauses     length mean {:.1f}, median {:.1f}, max {}; {} of {} empty, {} never true\n",
             statistics.mean_length, statistics.median_length, with_commas(statistics.longest),
             with_commas(statistics.empty), with_commas(statistics.clauses), with_commas(statistics.contradictory));
  fmt::print("  index       {} literals included, {:.1f} clauses in the mean inclusion list\n",
             with_commas(statistics.included), statistics.mean_list_length);
}

int run_inspect(const InspectArguments& arguments) {
  const Model model = Model::load(arguments.model);
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(arguments.model, unknown);
  const std::uint64_t file_bytes = unknown ? 0 : size;
  const ClauseStatistics statistics = clause_statistics(model);
  std::optional<RuleRecords> records;
  std::string origin;
  if (!arguments.data.empty()) {
    const LabelledData data = load_labelled(model, arguments.data, arguments.data_options);
    const Conditions conditions(model);
    records = record_rules(conditions, data.rows, data.targets.view());
    origin = data.origin;
  }
  if (arguments.json) {
    print_json(inspect_json(arguments, model, statistics, file_bytes, records ? &*records : nullptr));
    return 0;
  }
  print_summary(arguments, model, statistics, file_bytes);
  if (arguments.schema) {
    const std::string text = schema_text(model.schema(), model.booleanizer(), model.provenance().data);
    fmt::print("\n{}", !model.schema().known() ? "the model does not say how its data were read (falsum 0.1)\n"
                       : text.empty()          ? fmt::format("data: {}\n", name_of(model.schema().format))
                                               : text);
  }
  if (records) {
    print_ranked_rules(model, *records, printable(origin), arguments.rules);
    return 0;
  }
  if (arguments.rules > 0 && model.patches()) {
    fmt::print("\n# on   . off   (space) does not matter   o where the patch may lie\n");
  }
  if (arguments.rules > 0 && draws_fuzzy(model)) {
    fmt::print("\n# should be on   . should be off   (space) does not matter\n");
  }
  if (arguments.rules > 0) {
    print_rules(model, arguments.rules);
  } else {
    fmt::print("\n--rules N shows N clauses of every class in words\n");
  }
  return 0;
}

}  // namespace

Command add_inspect(CommandLine& line) {
  auto arguments = std::make_shared<InspectArguments>();
  const Verb inspect = line.add_verb("inspect", "show what is in a model");
  inspect.add_text("MODEL", arguments->model, "a file that falsum train made").required().type_name("");
  inspect
      .add_text(
          "--rules",
          [arguments](const std::string& text) {
            arguments->rules = parse_number_within<std::uint64_t>("rules", text, 0, 1'000'000);
          },
          "print N clauses of every class in words: those learned most often, then the shortest; with --data, those "
          "that "
          "cast most votes there")
      .type_name("N");
  inspect
      .add_text("--data", arguments->data,
                "labelled rows on which rules are ranked: votes cast, coverage, precision, lift; a file, or a built-in "
                "name (its test split)")
      .type_name("DATA");
  inspect.add_flag("--schema", arguments->schema, "print how the data were understood in training");
  inspect.add_flag("--json", arguments->json, "report as one JSON document");
  add_load_options(inspect, arguments->data_options, false);
  return {inspect, [arguments] { return run_inspect(*arguments); }};
}

}  // namespace falsum::cli
