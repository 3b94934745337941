// Calibration: from votes to probabilities. Learning itself gives a probability: a class's votes v stand still where
// the pushes up and down balance, which with K classes and one negative class for each sample is at
//
//   P = (T + v) / ((T + v) + (K - 1) (T - v)),   v clipped to [-T, T]              the law of learning
//
// Divided by their sum over the classes these are probabilities without any fit; of two classes, v is half the
// difference of their votes. They are coarse: votes are clipped, and clauses that know their training data vote too
// surely on others. A calibration is fitted to rows that were not learned from:
//
//   temperature   P is proportional to exp(v / (T * temperature)): one number for all classes
//   isotonic      for each class a rising curve, from its lead (its votes less the most of another class) to how often
//                 it was the true class; divided by the sum. Wants a thousand rows and more
//
// A calibration changes no prediction: the class with the most votes always has the largest probability. Where curves
// of different classes would say otherwise, it and the classes above it get the mean of their probabilities. Sums are
// one up to rounding.
//
//   Model sure = model.calibrated(fit_calibration(CalibrationMethod::kTemperature, votes, labels, model));
//   std::vector<double> p = Predictor(sure).probabilities(rows);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace falsum {

class Model;

enum class CalibrationMethod : std::uint8_t { kNone, kTemperature, kIsotonic };

/// "none", "temperature", "isotonic".
std::string_view name_of(CalibrationMethod method);
/// Throws ConfigError for anything but "temperature" and "isotonic".
CalibrationMethod calibration_named(std::string_view name);

/// A point of a rising curve; between two points it is a straight line, outside of them it is level.
struct CurvePoint {
  std::int64_t lead = 0;
  double probability = 0;
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

struct Calibration {
  CalibrationMethod method = CalibrationMethod::kNone;
  double temperature = 1;                       // kTemperature
  std::vector<std::vector<CurvePoint>> curves;  // kIsotonic: one for each output
  std::uint64_t rows = 0;                       // that it was fitted to
  friend bool operator==(const Calibration&, const Calibration&) = default;
};

/// Throws ConfigError for a calibration that cannot be one of a model with these outputs.
void check_calibration(const Calibration& calibration, std::size_t outputs);

/// `outputs` probabilities for each row of votes; `threshold` is T.
std::vector<double> probabilities(std::span<const std::int32_t> votes, std::size_t outputs, std::int64_t threshold,
                                  const Calibration& calibration = {});

/// Fits to votes (row by row, as Predictor::votes gives them) and class ids of rows that the model was not learned
/// from. Throws DataError without rows, and for labels that do not fit the votes.
Calibration fit_calibration(CalibrationMethod method, std::span<const std::int32_t> votes,
                            std::span<const std::uint32_t> labels, std::size_t outputs, std::int64_t threshold);
Calibration fit_calibration(CalibrationMethod method, std::span<const std::int32_t> votes,
                            std::span<const std::uint32_t> labels, const Model& model);

/// How good probabilities are.
constexpr std::size_t kCalibrationBins = 15;
struct ProbabilityScore {
  double log_loss = 0;           // mean of -ln P of the true class, P at least 1e-15
  double calibration_error = 0;  // rows in bins by their largest probability: mean |share right - mean probability|
};
ProbabilityScore score_probabilities(std::span<const double> probabilities, std::span<const std::uint32_t> labels,
                                     std::size_t outputs);

}  // namespace falsum
