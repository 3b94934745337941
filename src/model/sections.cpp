#include "model/sections.h"

#include <algorithm>
#include <type_traits>

#include "falsum/cpu.h"
#include "falsum/error.h"
#include "support/bytes.h"
#include "support/format.h"
#include "support/limits.h"

namespace falsum {

namespace {
std::uint64_t most_bytes_set = 0;  // 0: by the memory
}

std::uint64_t most_section_bytes() {
  if (most_bytes_set != 0) return most_bytes_set;
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 28, kMost = std::uint64_t{1} << 34;
  return std::clamp(physical_memory() / 8, kLeast, kMost);
}
void set_most_section_bytes(std::uint64_t bytes) { most_bytes_set = bytes; }

void write_range(ContainerStream& container, const NumberRange& range) {
  ByteWriter writer;
  writer.f64(range.least);
  writer.f64(range.most);
  container.section(kRangeTag, writer.bytes());
}

NumberRange read_range(std::string_view section, const std::string& what) {
  ByteReader reader(section, what);
  NumberRange range;
  range.least = reader.f64();
  range.most = reader.f64();
  reader.expect_end();
  return range;
}

namespace {

/// The options that version 1 can store: all others must have their defaults.
constexpr std::string_view kVersion1[] = {"clauses", "threshold", "specificity", "states", "boost", "sharded", "seed"};

std::string write_version_1(const Options& options, const Shape& shape) {
  ByteWriter writer;
  writer.u64(shape.features);
  writer.u64(shape.outputs);
  writer.u64(static_cast<std::uint64_t>(options.clauses));
  writer.u64(static_cast<std::uint64_t>(options.threshold));
  writer.f64(options.specificity);
  writer.u32(static_cast<std::uint32_t>(options.states));
  writer.u8(static_cast<std::uint8_t>(options.boost | options.sharded << 1));
  writer.u64(options.seed);
  return writer.take();
}

Options read_version_1(ByteReader& reader, Shape& shape) {
  Options options = neutral_options();
  shape.features = reader.u64();
  shape.outputs = reader.u64();
  options.clauses = static_cast<std::int64_t>(reader.u64());
  options.threshold = static_cast<std::int64_t>(reader.u64());
  options.specificity = reader.f64();
  options.states = reader.u32();
  const std::uint8_t switches = reader.u8();
  if (switches > 3) reader.fail("it has a switch that this version does not know");
  options.boost = (switches & 1) != 0;
  options.sharded = (switches & 2) != 0;
  options.seed = reader.u64();
  shape.clauses = 0;  // follows from the options, once they are checked
  return options;
}

void write_value(ByteWriter& writer, std::int64_t value) { writer.u64(static_cast<std::uint64_t>(value)); }
void write_value(ByteWriter& writer, std::uint64_t value) { writer.u64(value); }
void write_value(ByteWriter& writer, double value) { writer.f64(value); }
void write_value(ByteWriter& writer, bool value) { writer.u8(value); }
void write_value(ByteWriter& writer, const std::string& value) { writer.text(value); }
template <class Word>
requires std::is_enum_v<Word>
void write_value(ByteWriter& writer, Word value) { writer.text(name_of(value)); }
void read_value(ByteReader& reader, std::int64_t& value) { value = static_cast<std::int64_t>(reader.u64()); }
void read_value(ByteReader& reader, std::uint64_t& value) { value = reader.u64(); }
void read_value(ByteReader& reader, double& value) { value = reader.f64(); }
void read_value(ByteReader& reader, bool& value) { value = reader.u8() != 0; }
void read_value(ByteReader& reader, std::string& value) { value = reader.text(); }
template <class Word>
requires std::is_enum_v<Word>
void read_value(ByteReader& reader, Word& value) {
  const std::string word = reader.text();
  try {
    value = named<Word>(word);
  } catch (const ConfigError& error) {
    reader.fail(error.what());
  }
}

bool is_of_version_1(const OptionInfo& option) {
  return std::ranges::find(kVersion1, option.name) != std::end(kVersion1);
}

bool is_neutral(const Options& options, const OptionInfo& option) {
  return std::visit([&](auto field) { return options.*field == neutral_options().*field; }, option.field);
}

std::string write_options(const Options& options) {
  ByteWriter writer;
  for (const OptionInfo* option : options_of(OptionScope::kMachine)) {
    if (!is_of_version_1(*option) && is_neutral(options, *option)) continue;  // readers know the default
    writer.named(option->name, [&](ByteWriter& value) {
      std::visit([&](auto field) { write_value(value, options.*field); }, option->field);
    });
  }
  return writer.take();
}

Options read_options(ByteReader& reader, UnknownOptions unknown) {
  Options options = neutral_options();
  reader.each_named([&](std::string_view name, ByteReader& value) {
    const OptionInfo* const option = find_option(name);
    if (option != nullptr && option->scope == OptionScope::kMachine) {
      std::visit([&](auto field) { read_value(value, options.*field); }, option->field);
    } else if (unknown == UnknownOptions::kRefuse) {
      throw FileError(fmt::format("{} has an option {:?} that falsum {} does not know: it needs a later version",
                                  reader.what(), name, version()));
    }
  });
  return options;
}

}  // namespace

std::uint32_t format_version(const Options& options) {
  for (const OptionInfo* option : options_of(OptionScope::kMachine)) {
    if (!is_of_version_1(*option) && !is_neutral(options, *option)) return 2;
  }
  return 1;
}

void write_machine(ContainerStream& container, std::uint32_t version, const Options& options, const Shape& shape) {
  if (version == 1) return container.section(kMachineTag, write_version_1(options, shape));
  ByteWriter sizes;
  for (const std::uint64_t size : {shape.features, shape.outputs, shape.clauses}) sizes.u64(size);
  container.section(kShapeTag, sizes.bytes());
  container.section(kOptionsTag, write_options(options));
}

Options read_machine(const Container& container, UnknownOptions unknown, Shape& shape) {
  Options options;
  const bool version_1 = container.sections(kShapeTag).empty();
  ByteReader reader(container.section(version_1 ? kMachineTag : kShapeTag), container.what());
  if (version_1) {
    options = read_version_1(reader, shape);
  } else {
    ByteReader named(container.section(kOptionsTag), container.what());
    options = read_options(named, unknown);
    for (std::uint64_t* const size : {&shape.features, &shape.outputs, &shape.clauses}) *size = reader.u64();
  }
  reader.expect_end();
  if (shape.features == 0 || shape.features > kMaxFeatures)
    reader.fail(fmt::format("features must be from 1 to {}, got {}", kMaxFeatures, shape.features));
  if (shape.outputs == 0 || shape.outputs > kMaxClasses)
    reader.fail(fmt::format("classes must be from 1 to {}, got {}", kMaxClasses, shape.outputs));
  try {
    validate(options);
  } catch (const ConfigError& error) {
    reader.fail(error.what());
  }
  if (options.task == Task::kRegression && shape.outputs != 1)
    reader.fail(fmt::format("a regression machine has one output, got {}", shape.outputs));
  if (version_1) shape.clauses = shape.outputs * static_cast<std::uint64_t>(options.clauses);
  if (shape.clauses == 0 || shape.clauses > 0xffffffff)
    reader.fail(fmt::format("there must be from 1 to 4294967295 clauses, got {}", shape.clauses));
  return options;
}

}  // namespace falsum
