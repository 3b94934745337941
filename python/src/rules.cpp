// What clauses say, in the words that the command prints.
#include "falsum/rules.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "bits.h"
#include "falsum/error.h"
#include "falsum/explanation.h"
#include "falsum/prune.h"
#include "falsum/report.h"
#include "falsum/rule_records.h"
#include "support/file.h"

namespace falsum::python {
namespace {

using Mask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// (output, votes, clauses, conditions, less) of every rule, output by output.
nb::list rules(const Model& model, std::vector<std::string> column_names, const std::optional<Mask>& only) {
  std::vector<std::vector<Rule>> found(model.outputs());
  {
    nb::gil_scoped_release release;
    const Conditions conditions(model, std::move(column_names));
    const auto mask = only ? std::span(only->data(), only->size()) : std::span<const bool>();
    for (std::size_t output = 0; output < found.size(); ++output) found[output] = rules_of(conditions, output, mask);
  }
  nb::list list;
  for (const std::vector<Rule>& of_output : found) {
    for (const Rule& rule : of_output) {
      list.append(nb::make_tuple(rule.output, rule.votes, nb::tuple(nb::cast(rule.clauses)),
                                 nb::tuple(nb::cast(rule.conditions)), rule.less));
    }
  }
  return list;
}

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Right answers as Python has them: classes or numbers; none if they are not known.
std::optional<Targets> targets_of(const std::optional<Labels>& classes, const std::optional<Numbers>& numbers) {
  if (classes) return Targets(std::span(classes->data(), classes->size()));
  if (numbers) return Targets(std::span(numbers->data(), numbers->size()));
  return std::nullopt;
}

Targets needed(const std::optional<Targets>& targets) {
  if (!targets) throw ConfigError("the right answers are needed");
  return *targets;
}

template <class Number>
nb::object or_none(const std::optional<Number>& value) {
  return value ? nb::cast(*value) : nb::none();
}

template <class Rows>
nb::list recorded(const Model& model, const Rows& rows, const std::optional<Labels>& classes,
                  const std::optional<Numbers>& numbers, std::vector<std::string> column_names) {
  RuleRecords records;
  {
    nb::gil_scoped_release release;
    const Conditions conditions(model, std::move(column_names));
    records = record_rules(conditions, rows, targets_of(classes, numbers));
  }
  nb::list list;
  for (const RuleRecord& record : records.rules) {
    const Rule& rule = record.rule;
    list.append(nb::make_tuple(rule.output, rule.votes, nb::tuple(nb::cast(rule.clauses)),
                               nb::tuple(nb::cast(rule.conditions)), rule.less, record.votes_cast, record.share,
                               record.coverage, or_none(record.precision), or_none(record.lift), or_none(record.mean)));
  }
  return list;
}

template <class Rows>
nb::tuple pruned(const Model& model, const Rows& rows, const std::optional<Labels>& classes,
                 const std::optional<Numbers>& numbers, double within, const std::string& origin) {
  std::optional<Pruned> result;
  {
    nb::gil_scoped_release release;
    result = prune(model, rows, needed(targets_of(classes, numbers)), origin, {.within = within});
  }
  return nb::make_tuple(std::move(result->model), result->score_before, result->score_after);
}

/// (changes as (column, from, to), votes, proven), or None.
template <class Rows>
nb::object changed(const Model& model, const Rows& row, std::optional<std::uint32_t> wanted,
                   std::vector<std::string> column_names) {
  std::optional<SmallestChange> change;
  {
    nb::gil_scoped_release release;
    change = Explainer(model, std::move(column_names)).smallest_change(row, wanted);
  }
  if (!change) return nb::none();
  nb::list changes;
  for (const ColumnChange& one : change->changes) changes.append(nb::make_tuple(one.column, one.from, one.to));
  return nb::make_tuple(changes, change->votes, change->proven);
}

template <class Rows>
std::string html_of(const Model& model, const Rows& rows, const std::optional<Labels>& classes,
                    const std::optional<Numbers>& numbers, const std::string& name, const std::string& data,
                    std::size_t shown, std::vector<std::string> texts) {
  nb::gil_scoped_release release;
  return report_html(model, rows, needed(targets_of(classes, numbers)),
                     {.model = name, .data = data, .rows = shown, .texts = std::move(texts)});
}

template <class Rows>
void bind_records(nb::module_& m) {
  m.def("record_rules", &recorded<Rows>, nb::arg("model"), nb::arg("rows"), nb::arg("classes") = nb::none(),
        nb::arg("numbers") = nb::none(), nb::arg("column_names") = std::vector<std::string>(),
        "(output, votes, clauses, conditions, less, votes_cast, share, coverage, precision, lift, mean) of every rule, "
        "most votes cast on the rows first.");
  m.def("prune", &pruned<Rows>, nb::arg("model"), nb::arg("rows"), nb::arg("classes"), nb::arg("numbers"),
        nb::arg("within"), nb::arg("origin"), "(a smaller model, score before, score after).");
  m.def("smallest_change", &changed<Rows>, nb::arg("model"), nb::arg("row"), nb::arg("wanted") = nb::none(),
        nb::arg("column_names") = std::vector<std::string>(),
        "(changes as (column, from, to), votes after them, proven), or None.");
  m.def("report_html", &html_of<Rows>, nb::arg("model"), nb::arg("rows"), nb::arg("classes"), nb::arg("numbers"),
        nb::arg("name"), nb::arg("data"), nb::arg("shown"), nb::arg("texts"), "A page about the model.");
}

}  // namespace

void bind_rules(nb::module_& m) {
  m.def("rules", &rules, nb::arg("model"), nb::arg("column_names") = std::vector<std::string>(),
        nb::arg("only") = nb::none(),
        "(output, votes, clauses, conditions, less) of every rule, output by output, most votes first; of the clauses "
        "that are "
        "True in only, if it is given. column_names: others than the model's.");
  m.def(
      "rule_text",
      [](std::int64_t votes, const std::vector<std::string>& conditions, const std::string& label, std::int64_t less) {
        return rule_text(votes, conditions, label, less);
      },
      nb::arg("votes"), nb::arg("conditions"), nb::arg("label"), nb::arg("less") = 0, "A rule as a sentence.");
  bind_records<BitMatrix>(m);
  bind_records<SparseBits>(m);
  bind_records<AnyRows>(m);
  m.def(
      "merge_clauses", [](const Model& model) { return merge_clauses(model).model; }, nb::arg("model"),
      "The same votes by fewer clauses.");
  m.def(
      "write_file",
      [](const nb::bytes& path, const std::string& text) {
        const std::string name(path.c_str(), path.size());
        nb::gil_scoped_release release;
        write_file_atomically(name, text);
      },
      nb::arg("path"), nb::arg("text"), "Replaces the contents of a file, or leaves it unchanged and raises OSError.");
  m.def("output_labels", &output_labels, nb::arg("model"), "The labels as the model spells them; 0, 1, ... without.");
}

}  // namespace falsum::python
