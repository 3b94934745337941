// falsum plan: what several processes would gain, and what it would cost, before anybody starts them.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "data_options.h"
#include "falsum/cpu.h"
#include "falsum/defaults.h"
#include "falsum/error.h"
#include "falsum/memory.h"
#include "falsum/traffic.h"
#include "machine_options.h"
#include "parse_number.h"
#include "progress.h"
#include "report.h"
#include "stopwatch.h"
#include "support/format.h"
#include "training.h"

namespace falsum::cli {

namespace {

constexpr double kMeasuredSeconds = 5;

struct PlanArguments {
  std::string data;
  std::uint32_t nodes = 8;
  ClusterSetting setting;
  bool json = false;
  DataOptions data_options;
  MachineOptions machine;
};

/// 1, 2, 4, ... and the number itself.
std::vector<std::uint32_t> numbers_up_to(std::uint32_t most) {
  std::vector<std::uint32_t> numbers;
  for (std::uint64_t n = 1; n < most; n *= 2) numbers.push_back(static_cast<std::uint32_t>(n));
  numbers.push_back(most);
  return numbers;
}

/// Seconds of a first epoch on one core, from as much of it as a few seconds allow.
double measured_epoch(const Options& options, const TrainingJob& job) {
  Options alone = options;
  alone.threads = 1;
  Machine machine(alone, job.booleanizer.features(), job.outputs());
  Progress progress("measuring an epoch");
  const Stopwatch watch;
  double share = 1;
  machine.learn_epoch(job.train.rows, job.train.targets.view(), [&](double done) {
    progress.update(std::min(1.0, watch.seconds() / kMeasuredSeconds));
    share = done;
    return watch.seconds() < kMeasuredSeconds;
  });
  return watch.seconds() / std::max(share, 1e-6);
}

/// What the largest of the parts takes, with the data.
std::uint64_t memory_of(const std::vector<MemberCost>& members, const Options& options, const TrainingJob& job) {
  std::uint64_t most = 0;
  for (const MemberCost& member : members) {
    Options part = options;
    part.clauses = std::max<std::int64_t>(2, (options.clauses / member.part.shards + 1) / 2 * 2);
    const std::size_t outputs = member.part.classes.empty() ? job.outputs() : member.part.classes.size();
    const Rows rows = job.train.rows;
    const std::uint64_t data = rows.is_sparse()
                                   ? rows.sparse().features.size_bytes() + rows.sparse().starts.size_bytes()
                                   : rows.rows() * rows.words_per_row() * 8;
    most = std::max(most, estimate_memory(part, job.booleanizer.features(), outputs,
                                          {.samples = job.train.rows.rows(), .data = data})
                              .total());
  }
  return most;
}

int run_plan(PlanArguments& arguments) {
  validate(arguments.machine.options);
  const TrainingJob job = load_job(arguments.data, "", arguments.data_options, arguments.machine.options.task);
  const DataFacts facts = facts_of(job.booleanizer, job.train.rows.rows(), job.outputs());
  const Options options = with_image(chosen_options(arguments.machine.options, facts), job.booleanizer);
  (void)divided(options, job.outputs(), arguments.nodes);  // refuses too many before anything is measured
  ClusterSetting& setting = arguments.setting;
  const bool is_measured = setting.whole_seconds == 0;
  if (is_measured) setting.whole_seconds = measured_epoch(options, job);

  Table table({{"nodes"}, {"seconds an epoch"}, {"times faster"}, {"sums"}, {"summed"}, {"memory of a node"}});
  Json rows = Json::array();
  double alone = 0;
  for (const std::uint32_t nodes : numbers_up_to(arguments.nodes)) {
    const std::vector<MemberCost> members = member_costs(options, job.train.targets.view(), job.outputs(), nodes, 0);
    const double seconds = epoch_seconds(members, options, setting);
    if (nodes == 1) alone = seconds;
    std::uint64_t sums = 0, bytes = 0;
    for (const MemberCost& member : members) {
      sums += member.sums;
      bytes += member.summed_bytes;
    }
    const std::uint64_t memory = memory_of(members, options, job);
    table.add({with_commas(nodes), seconds_text(seconds), fmt::format("{:.1f}", alone / seconds), with_commas(sums),
               bytes_text(bytes), bytes_text(memory)});
    rows.push_back({{"nodes", nodes},
                    {"epoch_seconds", seconds},
                    {"sums", sums},
                    {"summed_bytes", bytes},
                    {"memory_bytes", memory}});
  }
  if (arguments.json) {
    Json report = {{"data", job.train.origin},   {"whole_seconds", setting.whole_seconds},
                   {"measured", is_measured},    {"cores", setting.cores},
                   {"latency", setting.latency}, {"nodes", std::move(rows)}};
    add_machine_options(report, options);
    print_json(report);
    return 0;
  }
  fmt::print("{}: {}, {}; {}{}\n", job.train.origin, counted(job.train.rows.rows(), "sample", "samples"),
             outputs_text(options, job.outputs()), clauses_text(options), unusual_options(options));
  fmt::print("an epoch takes one core {}{}; nodes of {}, messages of {}\n\n", seconds_text(setting.whole_seconds),
             is_measured ? " (measured here, the first)" : "", counted(setting.cores, "core", "cores"),
             seconds_text(setting.latency));
  fmt::print("{}\nsums and summed: of the votes of shards, in an epoch, by all nodes together.\n", table.text());
  return 0;
}

}  // namespace

Command add_plan(CommandLine& line) {
  auto arguments = std::make_shared<PlanArguments>();
  arguments->setting.cores = cpu_cores();
  const Verb plan = line.add_verb("plan", "predict what learning in several processes takes: time, messages, memory");
  plan.add_text("DATA", arguments->data, "the training data, as for train").required().type_name("");
  plan.add_text(
          "--nodes",
          [arguments](const std::string& text) {
            arguments->nodes = parse_number_within<std::uint32_t>("nodes", text, 1, 1000000);
          },
          "processes, each on a computer of its own (default 8)")
      .type_name("N");
  plan.add_text(
          "--cores",
          [arguments](const std::string& text) {
            arguments->setting.cores = parse_number_within<unsigned>("cores", text, 1, 1024);
          },
          "cores of each node (default: those of this computer)")
      .type_name("M");
  plan.add_text(
          "--latency",
          [arguments](const std::string& text) {
            arguments->setting.latency = parse_number_within<double>("latency", text, 0, 10);
          },
          "seconds of a message between two nodes: 2e-6 on InfiniBand, 3e-5 by TCP in a rack (default 3e-5)")
      .type_name("SECONDS");
  plan.add_text(
          "--epoch-seconds",
          [arguments](const std::string& text) {
            arguments->setting.whole_seconds = parse_number_within<double>("epoch-seconds", text, 1e-9, 1e12);
          },
          "seconds that one core takes for an epoch; measured for some seconds unless given")
      .type_name("SECONDS");
  plan.add_flag("--json", arguments->json, "report as one JSON document");
  arguments->machine.add(plan);
  add_load_options(plan, arguments->data_options, true);
  add_booleanize_options(plan, arguments->data_options);
  return {plan, [arguments] { return run_plan(*arguments); }};
}

}  // namespace falsum::cli
