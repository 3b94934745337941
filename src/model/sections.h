// The sections that models and checkpoints have in common.
#pragma once

#include <cstdint>
#include <string>

#include "falsum/options.h"
#include "model/container.h"

namespace falsum {

/// How often each feature is true: counts in a checkpoint, shares in a model. Optional. Falsum 0.1.0 wrote it as
/// "TRUE"; Container reads that as this.
inline constexpr std::string_view kTruthsTag = "true";

/// How the training data were read. Optional.
inline constexpr std::string_view kSchemaTag = "schm";

/// Bytes that a compressed section may hold: what the memory of this machine has room for, eight times over.
std::uint64_t most_section_bytes();

struct Shape {
  std::uint64_t features = 0, classes = 0;
};

/// "MACH": the shape, and the options that make the machine (not those of the run).
std::string write_machine_section(const Options& options, const Shape& shape);
/// Checks every value as validate() does, but blames the file. Run options come out at their defaults.
Options read_machine_section(const Container& container, Shape& shape);

}  // namespace falsum
