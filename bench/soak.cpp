// Hours of use in minutes, on small data: one thread learns continuously (batch after batch, as partial_fit does),
// takes checkpoints and resumes from them, and puts a new model into service; others predict with whichever is in
// service and compare every vote. Memory is looked at every five batches:
//
//   live        what is allocated and not freed (live_bytes.h). Without what machine and model say they hold it must
//               not be more in the last quarter than in the second: what was lost with every batch would show
//   resident    what the system says. What is resident and not live (kept by the allocator, code, stacks) must level
//               off: 10% more in the last quarter than in the second is too much
//
//   falsum_soak [--one-arena] [SECONDS [SAMPLES.csv [LEAK]]]
//
// Exit code 1: a wrong vote, or memory that grows. LEAK: bytes to lose with every batch, to see that it is found.
// glibc is left to its own settings, as a server leaves it; --one-arena has it keep as little as it can.
#include <fmt/format.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "falsum/datasets.h"
#include "falsum/machine.h"
#include "falsum/predictor.h"
#include "falsum/source.h"
#include "live_bytes.h"

namespace falsum {
namespace {

constexpr std::size_t kBatch = 1000;

struct Batch {
  BitMatrix rows{kBatch, 784};
  std::vector<std::uint32_t> labels;
};

std::vector<Batch> mnist_batches(std::size_t count) {
  use_builtin_datasets();
  const Source source = load_source("mnist:train");
  const BitMatrix& all = std::get<BitMatrix>(source.values);
  const std::vector<std::uint32_t> labels = encode_labels(source, distinct_labels(source.labels));
  std::vector<Batch> batches(count);
  for (std::size_t i = 0; i < count * kBatch; ++i) {
    Batch& batch = batches[i / kBatch];
    std::copy(all.row(i).begin(), all.row(i).end(), batch.rows.row(i % kBatch).begin());
    batch.labels.push_back(labels[i]);
  }
  return batches;
}

struct Service {
  Predictor predictor;
  std::vector<std::int32_t> expected;  // votes of the first batch, by another engine
};

struct Sample {
  double seconds = 0;
  std::uint64_t resident = 0, live = 0, held = 0;  // held: by the machine and the model in service, as they say
  std::uint64_t other() const { return live - std::min(live, held); }
  std::uint64_t kept() const { return resident - std::min(resident, live); }
};

Sample memory_now(double seconds, std::uint64_t held) {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return {seconds, resident * 4096, bench::live_bytes(), held};
}

double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

struct Counts {
  std::atomic<std::uint64_t> calls{0}, wrong{0}, batches{0}, swaps{0}, resumed{0};
};

class Soak {
 public:
  explicit Soak(double seconds) : seconds_(seconds), batches_(mnist_batches(20)) {}

  int run(const std::string& path, std::size_t leak) {
    leak_ = leak;
    options_.clauses = 200;
    options_.threshold = 25;
    options_.specificity = 8;
    options_.threads = 1;
    machine_ = std::make_unique<Machine>(options_, 784, 10);
    put_into_service();
    {
      std::vector<std::jthread> threads;
      threads.emplace_back([this](std::stop_token stop) { learn(stop); });
      for (unsigned t = 0; t < 4; ++t) threads.emplace_back([this, t](std::stop_token stop) { predict(stop, t); });
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds_));
    }
    if (!path.empty()) write_samples(path);
    return report();
  }

 private:
  int report() const {
    const std::size_t quarter = samples_.size() / 4;  // of what was learned: a busy machine learns unevenly
    if (quarter == 0) {
      fmt::print("too short: next to nothing was learned\n");
      return 1;
    }
    fmt::print("{:>10}{:>14}{:>14}{:>14}{:>20}{:>20}\n", "quarter", "resident MB", "live MB", "models MB",
               "live beside MB", "resident beside MB");
    double beside[4] = {}, kept[4] = {};
    for (std::size_t q = 0; q < 4; ++q) {
      const std::span<const Sample> samples = std::span(samples_).subspan(q * quarter, quarter);
      // A thread that the system keeps waiting holds the model before: the median does not see it, nor does the least.
      const auto median = [&](auto&& of) {
        std::vector<std::uint64_t> values;
        for (const Sample& sample : samples) values.push_back(of(sample));
        std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(quarter / 2), values.end());
        return megabytes(values[quarter / 2]);
      };
      std::uint64_t least = samples[0].other();
      for (const Sample& sample : samples) least = std::min(least, sample.other());
      beside[q] = megabytes(least);
      kept[q] = median([](const Sample& sample) { return sample.kept(); });
      fmt::print("{:>10}{:>14.1f}{:>14.1f}{:>14.1f}{:>20.2f}{:>20.1f}\n", q + 1,
                 median([](const Sample& sample) { return sample.resident; }),
                 median([](const Sample& sample) { return sample.live; }),
                 median([](const Sample& sample) { return sample.held; }), beside[q], kept[q]);
    }
    const bool grows = beside[3] > 1.02 * beside[1] || kept[3] > 1.1 * kept[1];
    fmt::print(
        "{:.0f} s: {} predictions on 4 threads, {} wrong; {} batches of {} learned, {} models put into service, {} "
        "times gone on from a checkpoint; memory {}\n",
        seconds_, counts_.calls.load(), counts_.wrong.load(), counts_.batches.load(), kBatch, counts_.swaps.load(),
        counts_.resumed.load(), grows ? "GROWS" : "does not grow");
    return counts_.wrong == 0 && !grows ? 0 : 1;
  }
  void write_samples(const std::string& path) const {
    std::ofstream file(path);
    file << "seconds,resident,live,held\n";
    for (const Sample& sample : samples_) {
      file << fmt::format("{:.3f},{},{},{}\n", sample.seconds, sample.resident, sample.live, sample.held);
    }
  }
  std::shared_ptr<const Service> service() const {
    const std::lock_guard lock(mutex_);
    return service_;
  }
  void put_into_service() {
    const std::string file = machine_->model().to_bytes();
    const Model model = Model::from_bytes(file);
    std::shared_ptr<const Service> next(
        new Service{Predictor(model), Predictor(model, Engine::kScan, "scalar").votes(batches_[0].rows)});
    ++counts_.swaps;
    const std::lock_guard lock(mutex_);
    service_.swap(next);
  }
  void look_at_memory() {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - began_;
    const std::uint64_t machine = machine_->automata_bytes() + machine_->engine_bytes();
    samples_.push_back(memory_now(since.count(), machine + service()->predictor.bytes()));
  }
  void learn(const std::stop_token& stop) {
    for (std::size_t i = 0; !stop.stop_requested(); ++i) {
      const Batch& batch = batches_[i % batches_.size()];
      machine_->learn_epoch(batch.rows, batch.labels);
      ++counts_.batches;
      for (std::size_t k = 0; k < leak_; ++k) lost_.push_back('x');
      if (i % 5 == 0) put_into_service();
      if (i % 5 == 4) look_at_memory();  // by now nobody predicts with the model before
      if (i % 50 == 49) {
        const std::string checkpoint = machine_->checkpoint();
        machine_ = std::make_unique<Machine>(Machine::from_checkpoint(checkpoint, options_));
        ++counts_.resumed;
      }
    }
  }
  void predict(const std::stop_token& stop, unsigned thread) {
    std::vector<std::int32_t> votes(10);
    for (std::size_t i = thread; !stop.stop_requested(); ++i) {
      predict_one(i, votes);
      // As requests come; and learning, which is what memory depends on, has its share of the cores.
      if (i % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(4));
    }
  }
  void predict_one(std::size_t i, std::vector<std::int32_t>& votes) {
    const auto now = service();
    const std::size_t r = i * 7 % kBatch;
    now->predictor.votes(batches_[0].rows.row(r), votes);
    counts_.wrong +=
        !std::equal(votes.begin(), votes.end(), now->expected.begin() + static_cast<std::ptrdiff_t>(r * 10));
    ++counts_.calls;
    if (i % 2000 == 0) counts_.wrong += now->predictor.votes(batches_[0].rows, 2) != now->expected;
  }

  double seconds_;
  std::vector<Batch> batches_;
  Options options_;
  std::unique_ptr<Machine> machine_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Service> service_;
  Counts counts_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::vector<Sample> samples_;  // of the thread that learns, until it has ended
  std::size_t leak_ = 0;
  std::string lost_;
};

}  // namespace
}  // namespace falsum

int main(int argc, char** argv) {
  std::vector<std::string> given(argv + 1, argv + argc);
  if (std::erase(given, "--one-arena") > 0) {
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
#endif
  }
  given.resize(3);
  const double seconds = std::atof(given[0].c_str());
  return falsum::Soak(seconds > 0 ? seconds : 180).run(given[1], static_cast<std::size_t>(std::atol(given[2].c_str())));
}
