// falsum cpu: the kernel sets that this computer can run, for bug reports and comparisons of speed.
#include "falsum/cpu.h"

#include <memory>
#include <string>

#include "command.h"
#include "report.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

void print_cpu_as_json() {
  Json sets = Json::array();
  for (const KernelSetInfo& set : list_kernel_sets()) {
    sets.push_back(
        {{"name", set.name}, {"description", set.description}, {"supported", set.supported}, {"chosen", set.chosen}});
  }
  print_json({{"version", version()},
              {"cpu", cpu_name()},
              {"cores", cpu_cores()},
              {"memory_bytes", physical_memory()},
              {"kernels", std::move(sets)}});
}

void print_cpu_for_people() {
  fmt::print("falsum {}\n", version());
  fmt::print("{}, {} usable, {} of memory\n\n", cpu_name(), counted(cpu_cores(), "core", "cores"),
             physical_memory() == 0 ? "an unknown amount" : bytes_text(physical_memory()));
  using Align = Table::Align;
  Table table({{"kernels", Align::kLeft}, {"here", Align::kLeft}, {"what", Align::kLeft}});
  for (const KernelSetInfo& set : list_kernel_sets()) {
    table.add({set.name, set.chosen ? "chosen" : set.supported ? "yes" : "no", set.description});
  }
  fmt::print("{}", table.text());
}

}  // namespace

Command add_cpu(CommandLine& line) {
  auto json = std::make_shared<bool>(false);
  const Verb cpu = line.add_verb("cpu", "show kernels, cores and memory of this machine");
  cpu.add_flag("--json", *json, "report as one JSON document");
  return {cpu, [json] {
            *json ? print_cpu_as_json() : print_cpu_for_people();
            return 0;
          }};
}

}  // namespace falsum::cli
