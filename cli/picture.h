// A clause over an image, drawn in characters:  # must be ink   . must be blank   (space) does not matter.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "falsum/model.h"
#include "training.h"

namespace falsum::cli {

/// A clause of a class: its position among the clauses that vote on the class.
struct ClauseId {
  std::size_t class_id = 0, clause = 0;
};

/// How often a clause is true on labelled data.
struct ClauseRecord {
  ClauseId id;
  double true_for_own = 0;     // share of the samples of its class
  double true_for_others = 0;  // share of all other samples
};

/// Which pixels of an image are worth drawing: those that are ink in at least one sample of 30. A blank border of a
/// digit is true and uninformative.
std::vector<bool> telling_pixels(const Model& model, const LabelledRows& data);

/// The records of all clauses, counted once on the first `samples` rows of labelled data. `model` must outlive it.
class ClauseRecords {
 public:
  ClauseRecords(const Model& model, const LabelledRows& data, std::size_t samples);
  ClauseRecord of(ClauseId id) const;

 private:
  const Model& model_;
  std::vector<std::int64_t> samples_;  // of each class
  std::vector<std::int64_t> true_of_;  // of how many of them a clause is true, clause by clause
};

/// One clause for each of `count` classes, the most informative ones: true for many samples of their class and for few
/// others, and with literals for many informative pixels, above all ink. The records are from the data of the choice
/// and are too favourable; published figures must come from ClauseRecords on other data.
std::vector<ClauseRecord> pick_telling_clauses(const Model& model, const LabelledRows& data,
                                               const std::vector<bool>& telling, std::size_t count);

/// Lines of equal length. The model's features must begin with an image (booleanizer.image_width() > 0).
std::vector<std::string> clause_picture(const Model& model, ClauseId id, const std::vector<bool>& telling);

/// A clause of a model of patches: on the left what it looks for in a patch, on the right where the patch may lie: o at
/// these positions, - at the others. Several channels share their pixel: * where one must be ink and another blank.
std::vector<std::string> patch_picture(const Model& model, std::span<const std::uint32_t> clause);

/// Pictures side by side under their captions, as many in a row as `width` characters hold; rows and columns
/// that no picture uses are left out.
std::string gallery(const std::vector<std::vector<std::string>>& pictures,
                    const std::vector<std::vector<std::string>>& captions, std::size_t width);

}  // namespace falsum::cli
