#include "features.h"

#include <fmt/format.h>

#include <cmath>

#include "falsum/error.h"

namespace falsum::hex {

std::vector<std::uint64_t> features_of(const Board& board) {
  std::vector<std::uint64_t> row((feature_count(board.size()) + 63) / 64);
  const auto set = [&](std::size_t k) { row[k / 64] |= std::uint64_t{1} << (k % 64); };
  for (std::size_t cell = 0; cell < board.cells(); ++cell) {
    for (const Colour colour : {Colour::kBlack, Colour::kWhite}) {
      if (board.has(colour, cell)) set(stone_feature(board.size(), colour, cell));
    }
  }
  if (board.to_move() == Colour::kWhite) set(turn_feature(board.size()));
  return row;
}

std::size_t size_of(const Model& model) {
  for (std::size_t size = kLeastSize; size <= kMostSize; ++size) {
    const bool fits = model.features() == feature_count(size) && model.outputs() == 2;
    if (fits && model.task() == Task::kClassification && !model.patches()) return size;
  }
  throw ConfigError(fmt::format(
      "the model must have two classes and 2 n n + 1 features, n from {} to {}, got {} outputs and {} features",
      kLeastSize, kMostSize, model.outputs(), model.features()));
}

WinChance::WinChance(const Model& model)
    : scale_(static_cast<double>(vote_target(model.options())) *
             (model.calibration().method == CalibrationMethod::kTemperature ? model.calibration().temperature : 1.0)) {}

double WinChance::operator()(std::int32_t black, std::int32_t white) const {
  return 1 / (1 + std::exp((static_cast<double>(white) - black) / scale_));
}

}  // namespace falsum::hex
