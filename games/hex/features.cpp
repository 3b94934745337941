#include "features.h"

#include <fmt/format.h>

#include "falsum/error.h"

namespace falsum::hex {
namespace {

bool fits(const Model& model, std::size_t size, std::size_t outputs) {
  return model.features() == feature_count(size) && model.outputs() == outputs &&
         model.task() == Task::kClassification && !model.patches();
}

}  // namespace

std::vector<std::uint64_t> features_of(const Board& board) {
  std::vector<std::uint64_t> row((feature_count(board.size()) + 63) / 64);
  const Colour mover = board.to_move();
  for (const Colour colour : {Colour::kBlack, Colour::kWhite}) {
    const std::size_t first = colour == mover ? 0 : board.cells();
    for (std::size_t w = 0; w < 2; ++w) {
      for (std::uint64_t bits = board.stones(colour)[w]; bits != 0; bits &= bits - 1) {
        const std::size_t cell = 64 * w + static_cast<std::size_t>(std::countr_zero(bits));
        const std::size_t k = first + seen_by(board, mover, cell);
        row[k / 64] |= std::uint64_t{1} << (k % 64);
      }
    }
  }
  return row;
}

std::size_t size_of(const Model& value) {
  for (std::size_t size = kLeastSize; size <= kMostSize; ++size) {
    if (fits(value, size, 2)) return size;
  }
  throw ConfigError(
      fmt::format("the model must have two classes and 2 n n features, n from {} to {}, got {} outputs and {} features",
                  kLeastSize, kMostSize, value.outputs(), value.features()));
}

std::string value_path(const std::string& name) { return name + ".value.falsum"; }
std::string policy_path(const std::string& name) { return name + ".policy.falsum"; }

Machines load_machines(const std::string& name) {
  Machines machines{Model::load(value_path(name)), Model::load(policy_path(name))};
  machines.size = size_of(machines.value);
  if (!fits(machines.policy, machines.size, machines.size * machines.size)) {
    throw ConfigError(fmt::format("{} must have {} features and a class for each of {} cells, got {} and {}",
                                  policy_path(name), feature_count(machines.size), machines.size * machines.size,
                                  machines.policy.features(), machines.policy.outputs()));
  }
  return machines;
}

double vote_scale(const Model& model) {
  const Calibration& calibration = model.calibration();
  return static_cast<double>(vote_target(model.options())) *
         (calibration.method == CalibrationMethod::kTemperature ? calibration.temperature : 1.0);
}

}  // namespace falsum::hex
