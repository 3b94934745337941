#include "early_stopping.h"

#include "falsum/error.h"
#include "parse_number.h"
#include "support/format.h"

namespace falsum::cli {

void EarlyStoppingOptions::add(const Verb& verb) {
  verb.add_text(
          "--validation",
          [this](const std::string& text) {
            validation = parse_number<double>("validation", text, "more than 0 and less than 1");
            if (*validation <= 0 || *validation >= 1) {
              throw ConfigError("validation must be more than 0 and less than 1, got " + text);
            }
          },
          "hold that share of DATA out of learning and score it after every epoch")
      .type_name("SHARE");
  verb.add_text(
          "--patience",
          [this](const std::string& text) {
            patience = parse_number_within<std::int64_t>("patience", text, 1, 1000000000);
          },
          "stop after so many epochs without a better score of --validation")
      .type_name("N");
  verb.add_text(
          "--keep",
          [this](const std::string& text) {
            if (text != "best" && text != "last") {
              throw ConfigError(fmt::format("keep must be one of best, last, got \"{}\"", text));
            }
            keep_given_ = true;
            keep_best = text == "best";
          },
          "whose clauses to keep: those of the epoch with the best score of --validation, or the last (best|last; "
          "default last)")
      .type_name("WHICH");
}

void EarlyStoppingOptions::check(bool has_checkpoints, bool calibrate) const {
  if (!validation) {
    if (patience > 0) throw ConfigError("--patience needs --validation SHARE: without it there is nothing to go by");
    if (keep_given_) throw ConfigError("--keep needs --validation SHARE: without it no epoch is known to be the best");
    return;
  }
  if (calibrate) {
    throw ConfigError(
        "--validation and --calibrate cannot be together: rows held out for validation fit the "
        "probabilities too");
  }
  if (has_checkpoints) {
    throw ConfigError("--validation cannot be together with --checkpoint or --resume: a checkpoint has no best epoch");
  }
}

bool EarlyStopping::after_epoch(const Machine& machine, const EpochResult& result) {
  if (!options_.validation || result.validation_scores.empty()) return true;
  const double score = last_score_ = result.validation_scores.front().value;
  const bool less_is_better = task_ == Task::kRegression;
  if (!best_ || (less_is_better ? score < *best_ : score > *best_)) {
    best_ = score;
    best_epoch_ = machine.epoch();
    best_tested_ = result.test_scores;
    if (options_.keep_best) best_model_ = machine.model();
  }
  stopped_ = options_.patience > 0 && machine.epoch() - best_epoch_ >= static_cast<std::uint64_t>(options_.patience);
  return !stopped_;
}

Model EarlyStopping::model(const Machine& machine, const TrainingJob& job, const std::vector<Score>& tested) const {
  const Model learned = best_model_ ? *best_model_ : machine.model();
  const Model model = finished_model(learned, job, best_model_ ? best_tested_ : tested);
  if (!best_) return model;
  Description description = {model.labels(), model.booleanizer(), model.schema(), model.provenance().data};
  description.validation_rows = job.held_out->rows.rows();
  description.validation_score = best_model_ ? *best_ : last_score_;
  description.last_epoch = machine.epoch();
  return model.described(std::move(description));
}

std::string EarlyStopping::sentence(const Machine& machine) const {
  if (!best_) return "";
  const std::string score = score_text({{score_names(task_).front(), *best_}});
  return fmt::format("{} epoch {}; the best of the rows held out was epoch {} ({}), {}\n",
                     stopped_ ? "stopped early after" : "learned until", machine.epoch(), best_epoch_, score,
                     options_.keep_best ? "whose clauses are kept" : "but the last one's clauses are kept");
}

Json EarlyStopping::json() const {
  if (!best_) return {};
  return {{"best_epoch", best_epoch_},
          {"best_score", *best_},
          {"stopped", stopped_},
          {"kept", options_.keep_best ? "best" : "last"}};
}

}  // namespace falsum::cli
