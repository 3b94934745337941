// The sections that models and checkpoints have in common.
#pragma once

#include <cstdint>
#include <string>

#include "falsum/options.h"
#include "falsum/targets.h"
#include "model/container.h"

namespace falsum {

/// How often each feature is true: counts in a checkpoint, shares in a model. Optional. Falsum 0.1.0 wrote it as
/// "TRUE"; Container reads that as this.
inline constexpr std::string_view kFeatureCountsTag = "true";

/// How the training data were read. Optional.
inline constexpr std::string_view kSchemaTag = "schm";

// The machine: its shape, and the options that make it (not those of the run). Version 1 stores them in one section of
// fixed layout, which has only the options of falsum 0.1. If other options matter, version 2 has one section for the
// shape and one of named options instead. So a new option does not change the format.
inline constexpr std::string_view kMachineTag = "MACH", kShapeTag = "SHAP", kOptionsTag = "OPTS";

/// The weights of the clauses, if they are learned. A model has those of all outputs, a checkpoint those of all banks.
inline constexpr std::string_view kWeightsTag = "WGTS";

/// The least and the greatest number that a regression machine learns.
inline constexpr std::string_view kRangeTag = "RANG";
void write_range(ContainerStream& container, const NumberRange& range);
NumberRange read_range(std::string_view section, const std::string& what);  // without a look at the numbers

/// The most plain bytes of a compressed section: one eighth of physical memory, within bounds.
std::uint64_t most_section_bytes();

/// That many instead, before the first file is read: a fuzz target reads millions, one after the other.
void set_most_section_bytes(std::uint64_t bytes);

struct Shape {
  std::uint64_t features = 0, outputs = 0;
  std::uint64_t clauses = 0;  // of all outputs
};

/// The lowest format version that can store these options.
std::uint32_t format_version(const Options& options);

/// The sections of `version`, which must be able to store the options.
void write_machine(ContainerStream& container, std::uint32_t version, const Options& options, const Shape& shape);

/// What to do with options that this falsum does not know: no vote depends on them, but further learning does.
enum class UnknownOptions { kSkip, kRefuse };

/// Checks every value like validate(), but the error names the file. Run options get their defaults.
Options read_machine(const Container& container, UnknownOptions unknown, Shape& shape);

}  // namespace falsum
