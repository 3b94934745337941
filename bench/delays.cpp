// falsum_bench_delays: whether an epoch in several processes takes as long as `falsum plan` says. The processes are
// threads here, and every sum of n of them takes a delay for each of the log2 n messages that it is made of. What such
// a message takes is measured first, as --latency would be: asking for 1 ms takes somewhat more. Seconds that the model
// predicts and seconds taken, in interleaved rounds; and the sums counted before and while learning.
//
//   falsum_bench_delays [--rounds 3]
//
// Exit code 1 if a median is off by more than a fifth, or a count by anything.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "falsum/falsum.h"
#include "rounds.h"

namespace {

using namespace falsum;
using bench::quantile;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kRows = 1000, kFeatures = 12, kClasses = 2;
constexpr double kMostWrong = 0.2;

/// Adds up, and then waits as long as messages would take.
class DelayedCollective final : public Collective {
 public:
  DelayedCollective(Collective& inner, double latency)
      : inner_(inner), delay_(latency * static_cast<double>(std::bit_width(inner.size() - 1))) {}
  std::uint32_t rank() const override { return inner_.rank(); }
  std::uint32_t size() const override { return inner_.size(); }
  void sum(std::span<std::int32_t> numbers) override {
    inner_.sum(numbers);
    std::this_thread::sleep_for(std::chrono::duration<double>(delay_));
  }

 private:
  Collective& inner_;
  double delay_;
};

struct Data {
  BitMatrix rows{kRows, kFeatures};
  std::vector<std::uint32_t> labels;

  Data() {
    std::mt19937_64 random(1);
    for (std::size_t r = 0; r < kRows; ++r) {
      const std::uint64_t bits = random();
      for (std::size_t k = 0; k < kFeatures; ++k) {
        if (bits >> k & 1) rows.set(r, k);
      }
      labels.push_back((bits ^ bits >> 1) & 1);
    }
  }
};

struct Case {
  const char* name;
  Options options;
  std::uint32_t members;
};

std::vector<Case> cases() {
  Options plain;
  plain.clauses = 200;
  plain.threshold = 15;
  plain.specificity = 3.9;
  plain.threads = 1;
  Options sharded = plain, shared = plain;
  sharded.sharded = true;
  sharded.block = 64;
  shared.shared = true;
  return {{"exact, shards of classes", plain, 4},
          {"sharded, blocks of 64", sharded, 4},
          {"sharded, blocks of 64", sharded, 8},
          {"exact, shared clauses", shared, 2}};
}

template <class Work>
double wall_seconds(Work&& work) {
  const auto began = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - began).count();
}

/// Seconds of a message between processes that do nothing else.
double measured_latency(std::uint32_t shards, double latency) {
  constexpr int kSums = 100;
  auto inner = thread_collectives(shards);
  const double seconds = wall_seconds([&] {
    std::vector<std::thread> threads;
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      threads.emplace_back([&, shard] {
        DelayedCollective delayed(*inner[shard], latency);
        std::vector<std::int32_t> number(1);
        for (int i = 0; i < kSums; ++i) delayed.sum(number);
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
  return seconds / kSums / static_cast<double>(std::bit_width(shards - 1));
}

/// Seconds of an epoch of all members, each a thread; and the sums that they counted.
std::pair<double, std::uint64_t> taken(const Case& one, const Data& data, const std::vector<MemberCost>& members,
                                       double latency) {
  std::vector<std::vector<std::unique_ptr<Collective>>> groups;
  std::vector<std::unique_ptr<DelayedCollective>> delayed;
  std::vector<std::unique_ptr<Machine>> machines;
  for (const MemberCost& member : members) {
    if (member.part.shard == 0) groups.push_back(thread_collectives(member.part.shards));
    delayed.push_back(std::make_unique<DelayedCollective>(*groups.back()[member.part.shard], latency));
    machines.push_back(std::make_unique<Machine>(one.options, kFeatures, kClasses, member.part));
    machines.back()->set_collective(delayed.back().get());
  }
  std::vector<std::uint64_t> sums(members.size());
  const double seconds = wall_seconds([&] {
    std::vector<std::thread> threads;
    for (std::size_t m = 0; m < members.size(); ++m) {
      threads.emplace_back([&, m] { sums[m] = machines[m]->learn(data.rows, data.labels, 1).sums; });
    }
    for (std::thread& thread : threads) thread.join();
  });
  std::uint64_t all = 0;
  for (const std::uint64_t count : sums) all += count;
  return {seconds, all};
}

int run(int rounds) {
  const Data data;
  bool right = true;
  fmt::print("{} rows, {} features, {} classes, 200 clauses, T 15, s 3.9, the first epoch; {} rounds\n\n", kRows,
             kFeatures, kClasses, rounds);
  fmt::print(
      "| machine | processes | delay of a message: asked, measured | sums: predicted, counted | seconds: predicted | "
      "taken | taken / "
      "predicted |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (const Case& one : cases()) {
    const Targets targets(data.labels);
    const std::vector<MemberCost> members = member_costs(one.options, targets, kClasses, one.members, 0);
    std::uint64_t expected_sums = 0;
    for (const MemberCost& member : members) expected_sums += member.sums;
    const std::vector<double> latencies = one.options.sharded ? std::vector{0.005, 0.02} : std::vector{0.001, 0.004};
    std::vector<std::vector<double>> measured(latencies.size()), predicted(latencies.size()), took(latencies.size());
    std::uint64_t counted = 0;
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < latencies.size(); ++i) {
        ClusterSetting setting;
        setting.latency = measured_latency(members.front().part.shards, latencies[i]);
        measured[i].push_back(setting.latency);
        setting.whole_seconds =
            wall_seconds([&] { Machine(one.options, kFeatures, kClasses).learn(data.rows, data.labels, 1); });
        predicted[i].push_back(epoch_seconds(members, one.options, setting));
        const auto [seconds, sums] = taken(one, data, members, latencies[i]);
        took[i].push_back(seconds);
        counted = sums;
      }
    }
    right = right && counted == expected_sums;
    for (std::size_t i = 0; i < latencies.size(); ++i) {
      std::vector<double> ratios;
      for (std::size_t r = 0; r < took[i].size(); ++r) ratios.push_back(took[i][r] / predicted[i][r]);
      const double ratio = quantile(ratios, 0.5);
      right = right && std::abs(ratio - 1) <= kMostWrong;
      fmt::print("| {} | {} | {:g} ms, {:.2f} ms | {}, {} | {:.2f} | {:.2f} | {:.2f} ({:.2f} to {:.2f}) |\n", one.name,
                 one.members, latencies[i] * 1000, quantile(measured[i], 0.5) * 1000, expected_sums, counted,
                 quantile(predicted[i], 0.5), quantile(took[i], 0.5), ratio, quantile(ratios, 0), quantile(ratios, 1));
      std::fflush(stdout);
    }
  }
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times epochs of several processes with slow messages beside what falsum plan says of them.");
  int rounds = 3;
  app.add_option("--rounds", rounds, "interleaved rounds")->check(CLI::Range(1, 100))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return run(rounds);
}
