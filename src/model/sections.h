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

// The machine: its shape, and the options that make it (not those of the run). Version 1 has them in one section of
// fixed layout, which can tell the options of falsum 0.1 alone; where others matter, version 2 has a section for the
// shape and one of named options instead. A new option therefore changes no format.
inline constexpr std::string_view kMachineTag = "MACH", kShapeTag = "SHAP", kOptionsTag = "OPTS";

/// Bytes that a compressed section may hold: what the memory of this machine has room for, eight times over.
std::uint64_t most_section_bytes();

struct Shape {
  std::uint64_t features = 0, outputs = 0;
  std::uint64_t clauses = 0;  // of all outputs
};

/// The lowest format version that can tell these options.
std::uint32_t format_version(const Options& options);

/// The sections of `version`, which must be able to tell the options.
void write_machine(ContainerStream& container, std::uint32_t version, const Options& options, const Shape& shape);

/// Options that this falsum does not know: no vote depends on them, but what is learned next does.
enum class UnknownOptions { kSkip, kRefuse };

/// Checks every value as validate() does, but blames the file. Run options come out at their defaults.
Options read_machine(const Container& container, UnknownOptions unknown, Shape& shape);

}  // namespace falsum
