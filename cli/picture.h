// A clause over an image, drawn in characters:  # must be ink   . must be blank   (space) does not matter.
#pragma once

#include <string>
#include <vector>

#include "falsum/model.h"
#include "rules.h"
#include "training.h"

namespace falsum::cli {

/// How often a clause is true on labelled data.
struct ClauseRecord {
  ClauseId id;
  double true_for_own = 0;     // share of the samples of its class
  double true_for_others = 0;  // share of all other samples
};

/// One clause for each of `count` classes, the most telling ones: true for many samples of their class, for
/// few others, and demanding ink, not only blank borders. Looks at no more than 2,000 samples.
std::vector<ClauseRecord> pick_telling_clauses(const Model& model, const LabelledRows& data, std::size_t count);

/// Lines of equal length. The model's features must begin with an image (booleanizer.image_width() > 0).
std::vector<std::string> clause_picture(const Model& model, ClauseId id);

/// Pictures side by side under their captions, as many in a row as `width` characters hold; rows and columns
/// that no picture uses are left out.
std::string gallery(const std::vector<std::vector<std::string>>& pictures,
                    const std::vector<std::vector<std::string>>& captions, std::size_t width);

}  // namespace falsum::cli
