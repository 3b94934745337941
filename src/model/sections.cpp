#include "model/sections.h"

#include <algorithm>

#include "falsum/cpu.h"
#include "falsum/error.h"
#include "support/bytes.h"
#include "support/format.h"
#include "support/limits.h"

namespace falsum {

std::uint64_t most_section_bytes() {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  return std::uint64_t{1} << 20;  // millions of files, one after the other
#else
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 28, kMost = std::uint64_t{1} << 34;
  return std::clamp(physical_memory() / 8, kLeast, kMost);
#endif
}

std::string write_machine_section(const Options& options, const Shape& shape) {
  ByteWriter writer;
  writer.u64(shape.features);
  writer.u64(shape.classes);
  writer.u64(static_cast<std::uint64_t>(options.clauses));
  writer.u64(static_cast<std::uint64_t>(options.threshold));
  writer.f64(options.specificity);
  writer.u32(static_cast<std::uint32_t>(options.states));
  writer.u8(static_cast<std::uint8_t>(options.boost | options.sharded << 1));
  writer.u64(options.seed);
  return writer.take();
}

Options read_machine_section(const Container& container, Shape& shape) {
  ByteReader reader(container.section("MACH"), container.what());
  Options options;
  shape.features = reader.u64();
  shape.classes = reader.u64();
  options.clauses = static_cast<std::int64_t>(reader.u64());
  options.threshold = static_cast<std::int64_t>(reader.u64());
  options.specificity = reader.f64();
  options.states = reader.u32();
  const std::uint8_t switches = reader.u8();
  if (switches > 3) reader.fail("it has a switch that this version does not know");
  options.boost = (switches & 1) != 0;
  options.sharded = (switches & 2) != 0;
  options.seed = reader.u64();
  reader.expect_end();
  if (shape.features == 0 || shape.features > kMaxFeatures)
    reader.fail(fmt::format("features must be from 1 to {}, got {}", kMaxFeatures, shape.features));
  if (shape.classes == 0 || shape.classes > kMaxClasses)
    reader.fail(fmt::format("classes must be from 1 to {}, got {}", kMaxClasses, shape.classes));
  try {
    validate(options);
  } catch (const ConfigError& error) {
    reader.fail(error.what());
  }
  return options;
}

}  // namespace falsum
