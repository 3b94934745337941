// The page: its parts, which are embedded (report/), around the data of one model.
#include "falsum/report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "explain/settings.h"
#include "explain/votes_by_clause.h"
#include "falsum/calibration.h"
#include "falsum/error.h"
#include "falsum/pipeline.h"
#include "falsum/prune.h"
#include "falsum/rule_records.h"
#include "falsum/scores.h"
#include "literals/row_features.h"
#include "report/json_text.h"
#include "report/packing.h"
#include "support/base64.h"
#include "support/format.h"

extern "C" {
extern const char falsum_report_body_begin[], falsum_report_body_end[];
extern const char falsum_report_style_begin[], falsum_report_style_end[];
extern const char falsum_report_script_begin[], falsum_report_script_end[];
}

namespace falsum {
namespace {

class Reporter {
 public:
  Reporter(const Model& model, const Rows& rows, const Targets& truth, const ReportOptions& options)
      : original_(model),
        model_(merge_clauses(model).model),
        conditions_(model_),
        rows_(rows),
        truth_(truth),
        options_(options),
        predictor_(model_),
        labels_(output_labels(model)),
        votes_(predictor_.votes(rows)),
        answers_(predictor_.answers(votes_)) {
    if (truth.task() != model.task()) throw DataError("the answers are not of the model's task");
    if (truth.size() != rows.rows()) {
      throw DataError(fmt::format("there must be an answer for each of {} rows, got {}", rows.rows(), truth.size()));
    }
    if (!options.texts.empty() && options.texts.size() != rows.rows()) {
      throw ConfigError(
          fmt::format("texts must be one for each of {} rows, got {}", rows.rows(), options.texts.size()));
    }
    choose_rows();
  }

  std::string json() {
    json_.open('{');
    describe_model();
    describe_columns();
    describe_quality();
    describe_rows();
    json_.close('}');
    return json_.text();
  }

  /// Clauses: length, literals as differences. For each output: how many weights, then clause as a difference, votes
  /// (sign in the lowest bit), rows that it is true of, of these rows that it is right about. Rows of the page: how
  /// many features are true, then these as differences.
  std::string bytes() const {
    std::string bytes;
    const auto add_ascending = [&](std::span<const std::uint32_t> numbers) {
      add_number(bytes, numbers.size());
      std::uint32_t last = 0;
      for (const std::uint32_t number : numbers) {
        add_number(bytes, number - last);
        last = number;
      }
    };
    add_number(bytes, model_.clauses());
    for (std::size_t c = 0; c < model_.clauses(); ++c) add_ascending(model_.clause(c));
    const std::vector<Record> records = records_by_weight();
    std::size_t position = 0;
    for (std::size_t output = 0; output < model_.outputs(); ++output) {
      add_number(bytes, model_.weights(output).size());
      std::uint32_t last = 0;
      for (const Weight& weight : model_.weights(output)) {
        add_number(bytes, weight.clause - std::exchange(last, weight.clause));
        add_number(bytes, static_cast<std::uint64_t>(std::abs(std::int64_t{weight.votes})) << 1 | (weight.votes < 0));
        add_number(bytes, records[position].rows);
        add_number(bytes, records[position].right);
        add_number(bytes, records[position].votes_cast);
        ++position;
      }
    }
    for (const std::size_t r : chosen_) {
      std::vector<std::uint32_t> features;
      for_each_feature(rows_, r, [&](std::size_t k) { features.push_back(static_cast<std::uint32_t>(k)); });
      add_ascending(features);
    }
    return bytes;
  }

 private:
  struct Record {
    std::uint64_t rows = 0, right = 0, votes_cast = 0;
  };

  /// What each weight of the model did on all rows.
  std::vector<Record> records_by_weight() const {
    std::vector<Record> records(model_.parts().weights.size());
    for (const RuleRecord& record : record_rules(conditions_, rows_, truth_).rules) {
      const auto right = std::llround(record.precision.value_or(0) * static_cast<double>(record.rows));
      for (const std::size_t at : record.rule.clauses) {
        const auto size = static_cast<std::uint64_t>(std::abs(model_.weights(record.rule.output)[at].votes));
        Record& own = records[model_.parts().weight_starts[record.rule.output] + at];
        own = {record.rows, static_cast<std::uint64_t>(right), size * record.rows};
        if (is_fuzzy(model_.options())) own.votes_cast = record.votes_cast / record.rule.clauses.size();
      }
    }
    return records;
  }

  /// No number is wrong.
  bool is_right(std::size_t r) const {
    return model_.task() == Task::kRegression || same_answer(answers_.view(), r, truth_, r);
  }

  /// Up to half of the page's rows are wrong answers; the others are evenly spread.
  void choose_rows() {
    const std::size_t most = std::min(options_.rows, rows_.rows());
    std::set<std::size_t> chosen;
    for (std::size_t r = 0; r < rows_.rows() && chosen.size() < (most + 1) / 2; ++r) {
      if (!is_right(r)) chosen.insert(r);
    }
    const std::size_t others = most - chosen.size();
    for (std::size_t i = 0; i < others; ++i) chosen.insert(i * rows_.rows() / others);
    chosen_.assign(chosen.begin(), chosen.end());
  }

  void describe_model() {
    const Options& options = original_.options();
    const Provenance& provenance = original_.provenance();
    json_.member("model", options_.model).member("data", options_.data).member("task", name_of(model_.task()));
    json_.list("labels", labels_);
    json_.member("features", std::uint64_t{model_.features()}).member("rowsInData", std::uint64_t{rows_.rows()});
    json_.member("threshold", options.threshold).member("specificity", options.specificity);
    json_.member("specificityTo", options.specificity_to)
        .member("snapshots", static_cast<std::uint64_t>(options.snapshots));
    json_.member("scale", vote_scale(options));
    json_.member("fuzzy", options.fuzzy).member("clamp", options.clamp);
    json_.member("clauses", std::uint64_t{original_.clauses()});
    json_.member("seed", std::uint64_t{static_cast<std::uint64_t>(options.seed)});
    json_.member("version", provenance.falsum_version).member("learnedFrom", provenance.data);
    json_.member("samples", provenance.samples).member("epochs", provenance.epochs);
    if (model_.task() == Task::kRegression) {
      json_.key("range").open('[').add(model_.range().least).add(model_.range().most).close(']');
    }
    if (const std::optional<PatchShape>& p = model_.patches()) {
      json_.key("patches").open('{');
      json_.member("imageRows", std::uint64_t{p->image_rows}).member("imageColumns", std::uint64_t{p->image_columns});
      json_.member("channels", std::uint64_t{p->channels}).member("rows", std::uint64_t{p->rows});
      json_.member("columns", std::uint64_t{p->columns}).member("rowStride", std::uint64_t{p->row_stride});
      json_.member("columnStride", std::uint64_t{p->column_stride});
      json_.list("names", patch_feature_names(*p));
      json_.close('}');
    }
  }

  /// What the reader can change, and how it is called.
  void describe_columns() {
    const Booleanizer& booleanizer = model_.booleanizer();
    const bool known = booleanizer.features() > 0;
    json_.member("kind", known ? booleanizer.kind() : std::string("bits"));
    json_.member("imageWidth", std::uint64_t{booleanizer.image_width()});
    json_.member("imagePixels", std::uint64_t{booleanizer.image_pixels()});
    if (const auto* levels = std::get_if<Booleanizer::Levels>(&booleanizer.mapping())) {
      json_.list("levels", std::vector<std::uint32_t>(levels->thresholds.begin(), levels->thresholds.end()));
    } else if (const auto* words = std::get_if<Booleanizer::Words>(&booleanizer.mapping())) {
      json_.list("names", words->vocabulary).member("phrases", words->phrases);
    } else if (std::holds_alternative<Booleanizer::ByColumn>(booleanizer.mapping())) {
      describe_table();
    } else if (booleanizer.image_width() == 0 && !model_.patches()) {
      std::vector<std::string> names;
      for (std::uint32_t k = 0; k < model_.features(); ++k) names.push_back(conditions_.of({&k, 1})->front());
      json_.list("names", names);
    }
  }

  void describe_table() {
    const Settings settings(conditions_);
    const auto& mapping = std::get<Booleanizer::ByColumn>(model_.booleanizer().mapping());
    json_.key("columns").open('[');
    for (std::size_t column = 0; column < settings.columns(); ++column) {
      const std::vector<std::uint32_t> features = settings.features(column);
      const std::string& name = mapping.columns[column].name;
      json_.open('{').member("name", name.empty() ? fmt::format("x{}", column) : name).list("features", features);
      json_.key("values").open('[');
      for (const std::vector<bool>& value : settings.values(column)) {
        json_.open('{').member("text", settings.text(column, value)).key("on").open('[');
        for (std::size_t k = 0; k < features.size(); ++k) {
          if (value[k]) json_.add(features[k]);
        }
        json_.close(']').close('}');
      }
      json_.close(']').close('}');
    }
    json_.close(']');
    json_.key("conditions").open('[');  // intervals are merged by the library: its words are the page's
    for (std::size_t c = 0; c < model_.clauses(); ++c) {
      json_.open('[');
      const auto told = conditions_.of(model_.clause(c));
      if (told) {
        for (const std::string& condition : *told) json_.add(condition);
      }
      json_.close(']');
    }
    json_.close(']');
  }

  void describe_quality() {
    json_.key("scores").open('{');
    for (const auto& [name, value] : scores(answers_.view(), truth_)) json_.member(name, value);
    json_.close('}');
    if (model_.task() != Task::kClassification) return;
    const std::span<const std::uint32_t> given = answers_.view().classes(), truth = truth_.classes();
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> confusion;  // there may be many classes
    for (std::size_t r = 0; r < truth.size(); ++r) ++confusion[{truth[r], given[r]}];
    json_.key("confusion").open('[');
    for (const auto& [cell, rows] : confusion) json_.open('[').add(cell.first).add(cell.second).add(rows).close(']');
    json_.close(']');
    describe_reliability("reliability", {});
    if (original_.calibration().method != CalibrationMethod::kNone) {
      describe_reliability("calibrated", original_.calibration());
    }
  }

  /// Rows in bins by their largest probability: how many, its mean, how many are right. And of the surest answers, in
  /// twenty steps: how many, of these right, their least probability.
  void describe_reliability(std::string_view name, const Calibration& calibration) {
    const std::size_t outputs = labels_.size();
    const std::vector<double> all = probabilities(votes_, outputs, vote_scale(model_.options()), calibration);
    const auto largest = [&](std::size_t r) { return all[r * outputs + answers_.view().classes()[r]]; };
    struct Bin {
      std::uint64_t rows = 0, right = 0;
      double sum = 0;
    };
    constexpr std::size_t kBins = 15;
    std::vector<Bin> bins(kBins);
    for (std::size_t r = 0; r < rows_.rows(); ++r) {
      const double p = largest(r);
      Bin& bin = bins[std::min(kBins - 1, static_cast<std::size_t>(p * kBins))];
      ++bin.rows;
      bin.right += is_right(r);
      bin.sum += p;
    }
    const ProbabilityScore score = score_probabilities(all, truth_.classes(), outputs);
    json_.key(name).open('{').member("error", score.calibration_error).member("logLoss", score.log_loss);
    json_.key("bins").open('[');
    for (const Bin& bin : bins) {
      if (bin.rows == 0) continue;
      json_.open('[').add(bin.rows).add(bin.sum / static_cast<double>(bin.rows)).add(bin.right).close(']');
    }
    json_.close(']').key("surest").open('[');
    constexpr std::size_t kSteps = 20;
    std::vector<std::pair<double, std::size_t>> surest;  // first
    for (std::size_t r = 0; r < rows_.rows(); ++r) surest.emplace_back(-largest(r), r);
    std::ranges::sort(surest);
    std::uint64_t right = 0;
    for (std::size_t i = 0; i < surest.size(); ++i) {
      right += is_right(surest[i].second);
      if ((i + 1) * kSteps / surest.size() == i * kSteps / surest.size()) continue;
      json_.open('[').add(std::uint64_t{i + 1}).add(right).add(-surest[i].first).close(']');
    }
    json_.close(']').close('}');
  }

  void describe_rows() {
    const Targets answers = answers_.view();
    const std::vector<std::string> given = answer_texts(answers, labels_), wanted = answer_texts(truth_, labels_);
    json_.key("rows").open('[');
    for (const std::size_t r : chosen_) {
      json_.open('{').member("row", std::uint64_t{r}).member("truth", wanted[r]).member("answer", given[r]);
      json_.member("right", is_right(r));
      json_.list("votes", std::span(votes_).subspan(r * model_.outputs(), model_.outputs()));
      if (!options_.texts.empty()) json_.member("text", options_.texts[r]);
      json_.close('}');
    }
    json_.close(']');
  }

  const Model& original_;
  Model model_;
  Conditions conditions_;
  const Rows& rows_;
  const Targets& truth_;
  const ReportOptions& options_;
  Predictor predictor_;
  std::vector<std::string> labels_;
  std::vector<std::int32_t> votes_;
  AnyTargets answers_;
  std::vector<std::size_t> chosen_;
  JsonText json_;
};

}  // namespace

std::string report_html(const Model& model, const Rows& rows, const Targets& truth, const ReportOptions& options) {
  const std::string style(falsum_report_style_begin, falsum_report_style_end);
  const std::string script(falsum_report_script_begin, falsum_report_script_end);
  Reporter reporter(model, rows, truth, options);
  std::string html = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; style-src "
      "'sha256-{}'; base-uri 'none'; form-action 'none'\">\n",
      base64(sha256(script)), base64(sha256(style)));
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>falsum report</title>\n";
  html += "<style>" + style + "</style>\n</head>\n";
  html += std::string(falsum_report_body_begin, falsum_report_body_end);
  html += "<script type=\"application/json\" id=\"data\">\"" + base64(deflated(reporter.json())) + "\"</script>\n";
  html += "<script type=\"application/json\" id=\"bytes\">\"" + base64(deflated(reporter.bytes())) + "\"</script>\n";
  html += "<script>" + script + "</script>\n</body>\n</html>\n";
  return html;
}

}  // namespace falsum
