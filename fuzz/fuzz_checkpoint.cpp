#include "falsum/machine.h"
#include "fuzz.h"
#include "fuzz_container.h"

namespace {

/// What was read is written alike, and goes on learning.
void use(falsum::Machine machine, std::string_view input) {
  if (!falsum::fuzz::one_in(4, input)) return;
  const std::string bytes = machine.checkpoint();
  falsum::Options run;
  run.threads = 1;
  const std::string_view one[] = {bytes};
  if (falsum::Machine::join(one, run, machine.part()).checkpoint() != bytes) __builtin_trap();
  if (!falsum::fuzz::one_in(4, input, 1)) return;
  if (machine.features() > 256 || machine.outputs() * static_cast<std::size_t>(machine.options().clauses) > 256) return;
  falsum::BitMatrix rows(6, machine.features());
  falsum::BitMatrix labels(6, machine.outputs());
  std::vector<std::uint32_t> classes;
  std::vector<double> numbers;
  for (std::size_t r = 0; r < 6; ++r) {
    for (std::size_t k = r; k < machine.features(); k += r + 1) rows.set(r, k);
    classes.push_back(static_cast<std::uint32_t>(r % machine.outputs()));
    labels.set(r, r % machine.outputs());
    numbers.push_back(static_cast<double>(r));
  }
  const falsum::Task task = machine.options().task;
  machine.learn_epoch(rows, task == falsum::Task::kClassification ? falsum::Targets(classes)
                            : task == falsum::Task::kMultilabel   ? falsum::Targets(labels)
                                                                  : falsum::Targets(numbers));
  machine.model();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = falsum::fuzz::bytes_of(data, size);
  try {
    falsum::Options run;
    run.threads = 1;
    run.max_memory = 1;  // a MB
    const auto container = falsum::fuzz::container_of(input, falsum::FileKind::kCheckpoint, {"BANK", "WGTS"});
    const std::string_view one[] = {container};
    const falsum::Part part = {falsum::fuzz::one_in(4, input, 2) ? std::vector<std::uint32_t>{0}
                                                                 : std::vector<std::uint32_t>{}};
    use(falsum::Machine::join(one, run, part), input);
  } catch (const falsum::Error&) {
  }
  return 0;
}
