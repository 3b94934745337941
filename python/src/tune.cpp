#include "falsum/tune.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "falsum/cpu.h"

namespace falsum::python {
namespace {

nb::dict from_score(const TuneScore& score) {
  nb::dict values;
  values["score"] = score.score;
  values["accuracy"] = score.accuracy;
  values["log_loss"] = score.log_loss;
  values["temperature"] = score.temperature;
  return values;
}

/// Everything of falsum/tune.h in one call: settings, rungs, scores and the model of all rows. `data`: the rows in each
/// way to booleanize; `quantiles`: how many thresholds each has, or none.
nb::dict tune_rows(const std::vector<BitMatrix>& data, const std::vector<int>& quantiles, const Labels& labels,
                   const nb::dict& given, const std::string& kind, bool image, std::size_t outputs, double seconds) {
  const Options options = to_options(given);
  const Targets targets(std::span(labels.data(), labels.size()));
  const DataFacts facts = {to_data_kind(kind, image), labels.size(), outputs};
  const std::vector<TuneSetting> settings =
      settings_to_try(options, facts, quantiles, quantiles.empty() ? 0 : quantiles[0]);
  const std::vector<std::uint64_t> rungs = rungs_for(settings, facts, data[0].columns(), seconds);
  std::vector<Rows> rows;
  for (const BitMatrix& each : data) rows.emplace_back(each);
  std::exception_ptr raised;
  const auto go_on = [&](double) {
    nb::gil_scoped_acquire acquire;
    if (raised) return false;
    if (PyErr_CheckSignals() == 0) return true;
    raised = std::make_exception_ptr(nb::python_error());
    return false;
  };
  TuneResult result;
  std::optional<Model> model;
  {
    nb::gil_scoped_release release;
    TuneCallbacks callbacks;
    callbacks.progress = go_on;
    result = tune(rows, targets, outputs, settings, rungs, static_cast<unsigned>(options.threads), callbacks);
    if (!raised) model = refit(result, rows, targets, outputs, go_on);
  }
  if (raised) std::rethrow_exception(raised);
  nb::list trials;
  for (const std::size_t t : result.order) {
    const TuneTrial& trial = result.trials[t];
    nb::dict entry;
    entry["options"] = from_options(trial.setting.options);
    entry["data"] = trial.setting.data;
    entry["epochs"] = rungs[trial.scores.size() - 1];
    nb::list scores;
    for (const TuneScore& score : trial.scores) scores.append(from_score(score));
    entry["rungs"] = scores;
    trials.append(entry);
  }
  nb::dict report;
  report["trials"] = trials;
  report["both"] = result.both ? nb::object(from_score(*result.both)) : nb::none();
  report["takes_both"] = takes_both(result);
  report["model"] = *model;
  return report;
}

}  // namespace

void bind_tune(nb::module_& m) {
  m.def("tune", &tune_rows, nb::arg("data"), nb::arg("quantiles"), nb::arg("labels"), nb::arg("options"),
        nb::arg("kind"), nb::arg("image"), nb::arg("outputs"), nb::arg("seconds"),
        "Finds a setting, and learns it from all rows.");
}

}  // namespace falsum::python
