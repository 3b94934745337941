// What clauses say, in the words that the command prints.
#include "falsum/rules.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"

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
  m.def("output_labels", &output_labels, nb::arg("model"), "The labels as the model spells them; 0, 1, ... without.");
}

}  // namespace falsum::python
