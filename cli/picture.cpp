#include "picture.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "evaluate/windows.h"
#include "falsum/clause_outputs.h"
#include "literals/row_features.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

const Weight& weight_of(const Model& model, ClauseId id) { return model.weights(id.class_id)[id.clause]; }
std::span<const std::uint32_t> literals_of(const Model& model, ClauseId id) {
  return model.clause(weight_of(model, id).clause);
}

constexpr std::size_t kSamples = 2000;  // enough to choose by

/// How much a clause's picture shows, 0..1. Only ink makes a shape.
double visibility(const Model& model, ClauseId id, const std::vector<bool>& telling) {
  constexpr double kMuchInk = 8, kMuchBlank = 15;
  double ink = 0, blank = 0;
  for (const std::uint32_t literal : literals_of(model, id)) {
    const bool negated = literal >= model.features();
    const std::size_t feature = negated ? literal - model.features() : literal;
    if (telling[feature % telling.size()]) (negated ? blank : ink) += 1;
  }
  return std::min(1.0, ink / kMuchInk) * std::min(1.0, blank / kMuchBlank);
}

double score(const ClauseRecord& record, double visible) {
  // True for one other sample in a hundred is a lot when the others are nine times as many.
  constexpr double kOtherCost = 20;
  return (record.true_for_own - kOtherCost * record.true_for_others) * visible;
}

/// The smallest box that holds every mark of every picture.
struct Box {
  std::size_t top = SIZE_MAX, bottom = 0, left = SIZE_MAX, right = 0;
};

Box marked_box(const std::vector<std::vector<std::string>>& pictures) {
  Box box;
  for (const auto& picture : pictures) {
    for (std::size_t y = 0; y < picture.size(); ++y) {
      for (std::size_t x = 0; x < picture[y].size(); ++x) {
        if (picture[y][x] == ' ') continue;
        box.top = std::min(box.top, y);
        box.bottom = std::max(box.bottom, y + 1);
        box.left = std::min(box.left, x);
        box.right = std::max(box.right, x + 1);
      }
    }
  }
  return box;
}

}  // namespace

ClauseRecords::ClauseRecords(const Model& model, const LabelledRows& data, std::size_t samples)
    : model_(model), samples_(model.outputs()) {
  const Targets targets = data.targets.view();
  const std::span<const std::uint32_t> labels = targets.classes().first(samples);
  true_of_ = clause_counts(model, data.rows.view().part(0, samples), labels, model.outputs());
  for (const std::uint32_t label : labels) ++samples_[label];
}

ClauseRecord ClauseRecords::of(ClauseId id) const {
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  const std::span true_of =
      std::span(true_of_).subspan(weight_of(model_, id).clause * samples_.size(), samples_.size());
  const auto others = [&](std::span<const std::int64_t> counts) {
    return std::accumulate(counts.begin(), counts.end(), -counts[id.class_id]);
  };
  return {id, share(true_of[id.class_id], samples_[id.class_id]), share(others(true_of), others(samples_))};
}

std::vector<bool> telling_pixels(const Model& model, const LabelledRows& data) {
  const std::size_t samples = std::min(kSamples, data.rows.rows());
  std::vector<std::size_t> ink(model.features());
  for (std::size_t row = 0; row < samples; ++row) {
    for_each_feature(data.rows, row, [&](std::size_t feature) { ++ink[feature]; });
  }
  std::vector<bool> telling(model.booleanizer().image_pixels());
  for (std::size_t pixel = 0; pixel < telling.size(); ++pixel) telling[pixel] = 30 * ink[pixel] >= samples;
  return telling;
}

std::vector<ClauseRecord> pick_telling_clauses(const Model& model, const LabelledRows& data,
                                               const std::vector<bool>& telling, std::size_t count) {
  struct Candidate {
    ClauseRecord record;
    double score = 0;
  };
  const ClauseRecords records(model, data, std::min(kSamples, data.rows.rows()));
  std::vector<Candidate> best;  // one a class
  for (std::size_t class_id = 0; class_id < model.outputs(); ++class_id) {
    Candidate best_of_class;
    for (std::size_t clause = 0; clause < model.weights(class_id).size(); ++clause) {
      const ClauseId id{class_id, clause};
      if (weight_of(model, id).votes < 0) continue;
      const double visible = visibility(model, id, telling);
      if (visible <= best_of_class.score) continue;  // cannot win
      const ClauseRecord record = records.of(id);
      const double value = score(record, visible);
      if (value > best_of_class.score) best_of_class = {record, value};
    }
    if (best_of_class.score > 0) best.push_back(best_of_class);
  }
  std::stable_sort(best.begin(), best.end(), [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  best.resize(std::min(count, best.size()));
  std::vector<ClauseRecord> picked;
  picked.reserve(best.size());
  for (const Candidate& candidate : best) picked.push_back(candidate.record);
  std::sort(picked.begin(), picked.end(),
            [](const ClauseRecord& a, const ClauseRecord& b) { return a.id.class_id < b.id.class_id; });
  return picked;
}

std::vector<std::string> clause_picture(const Model& model, ClauseId id, const std::vector<bool>& telling) {
  const std::size_t width = model.booleanizer().image_width();
  const std::size_t pixels = telling.size();
  std::vector<std::string> picture((pixels + width - 1) / width, std::string(width, ' '));
  for (const std::uint32_t literal : literals_of(model, id)) {
    const bool negated = literal >= model.features();
    // Several grey levels lie one after the other; they share their pixel in the picture.
    const std::size_t pixel = (negated ? literal - model.features() : literal) % pixels;
    if (telling[pixel]) picture[pixel / width][pixel % width] = negated ? '.' : '#';
  }
  return picture;
}

std::vector<std::string> patch_picture(const Model& model, std::span<const std::uint32_t> clause) {
  const PatchShape& shape = *model.patches();
  const WindowLayout layout(shape);
  std::vector<std::uint64_t> bits(layout.clause_words());
  set_bits(clause, bits);
  const Rectangle box = layout.positions_left(bits.data());
  std::vector<std::string> patch(std::max(shape.rows, shape.down()), std::string(shape.columns, ' '));
  const std::size_t features = model.literals() / 2, positions = shape.position_features();
  for (const std::uint32_t literal : clause) {
    const bool negated = literal >= features;
    const std::size_t feature = negated ? literal - features : literal;
    if (feature < positions) continue;
    const std::size_t pixel = (feature - positions) / shape.channels;
    char& mark = patch[pixel / shape.columns][pixel % shape.columns];
    const char own = negated ? '.' : '#';
    mark = mark == ' ' || mark == own ? own : '*';
  }
  for (std::size_t y = 0; y < patch.size(); ++y) {
    patch[y] += y < shape.rows ? " | " : "   ";
    for (std::size_t x = 0; y < shape.down() && x < shape.across(); ++x) {
      patch[y] += y >= box.top && y <= box.bottom && x >= box.left && x <= box.right ? 'o' : '-';
    }
    patch[y].resize(shape.columns + 3 + shape.across(), ' ');
  }
  return patch;
}

std::string gallery(const std::vector<std::vector<std::string>>& pictures,
                    const std::vector<std::vector<std::string>>& captions, std::size_t width) {
  const Box box = marked_box(pictures);
  if (box.bottom == 0) return "";
  std::size_t cell = box.right - box.left;
  for (const auto& lines : captions) {
    for (const std::string& line : lines) cell = std::max(cell, line.size());
  }
  const std::size_t gap = 4;
  const std::size_t per_row = std::max<std::size_t>(1, (width + gap) / (cell + gap));
  std::string text;
  for (std::size_t first = 0; first < pictures.size(); first += per_row) {
    const std::size_t last = std::min(first + per_row, pictures.size());
    const auto add_line = [&](const auto& cell_text) {
      std::string line = "  ";
      for (std::size_t i = first; i < last; ++i) line += fmt::format("{:<{}}", cell_text(i), cell + gap);
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    };
    for (std::size_t c = 0; c < captions[first].size(); ++c) {
      add_line([&](std::size_t i) { return captions[i][c]; });
    }
    for (std::size_t y = box.top; y < box.bottom; ++y) {
      add_line([&](std::size_t i) { return pictures[i][y].substr(box.left, box.right - box.left); });
    }
    if (last < pictures.size()) text += "\n";
  }
  return text;
}

}  // namespace falsum::cli
