// A report about a model as one HTML file: how good it is on given rows, its rules, its features, rows with the rules
// that are true of them, and the predictor itself, so that a reader can change a value and see the votes change.
//
// The file needs no network and can load nothing: its policy allows its own script and style by their hashes alone.
// Names, labels and texts are data in it, which the page shows as text only. The rules are those of the merged model
// (prune.h), so the page's votes are the votes of the model on every row of its booleanizer.
//
//   write_file_atomically("report.html", report_html(model, rows, targets, {.data = "test.csv"}));
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "falsum/model.h"
#include "falsum/rows.h"
#include "falsum/targets.h"

namespace falsum {

struct ReportOptions {
  std::string model = "model", data = "data";  // their names
  std::size_t rows = 400;                      // rows in the page at most; wrong answers first
  std::vector<std::string> texts = {};         // of a model of words: the text of each row
};

/// Throws DataError for rows or answers that do not fit; ConfigError for texts of another number than the rows.
std::string report_html(const Model& model, const Rows& rows, const Targets& truth, const ReportOptions& options = {});

}  // namespace falsum
