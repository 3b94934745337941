// Hours of use in minutes, on small data: one thread goes on learning (batch after batch, as partial_fit does), takes
// checkpoints and goes on from them, and puts a new model into service; others predict with whichever is in service and
// compare every vote. Memory is printed as it goes; what it holds in the last quarter must not be more than in the
// second.
//
//   falsum_soak [SECONDS]     exit code 1: a wrong vote, or memory that grows
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "falsum/machine.h"
#include "falsum/predictor.h"
#include "falsum/source.h"

namespace falsum {
namespace {

constexpr std::size_t kBatch = 1000;

struct Batch {
  BitMatrix rows{kBatch, 784};
  std::vector<std::uint32_t> labels;
};

std::vector<Batch> mnist_batches(std::size_t count) {
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

double megabytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return static_cast<double>(resident) * 4096 / 1e6;
}

struct Counts {
  std::atomic<std::uint64_t> calls{0}, wrong{0}, batches{0}, swaps{0}, resumed{0};
};

class Soak {
 public:
  explicit Soak(double seconds) : seconds_(seconds), batches_(mnist_batches(20)) {}

  int run() {
    options_.clauses = 200;
    options_.threshold = 25;
    options_.specificity = 8;
    options_.threads = 1;
    machine_ = std::make_unique<Machine>(options_, 784, 10);
    put_into_service();
    std::vector<double> memory;
    {
      std::vector<std::jthread> threads;
      threads.emplace_back([this](std::stop_token stop) { learn(stop); });
      for (unsigned t = 0; t < 4; ++t) threads.emplace_back([this, t](std::stop_token stop) { predict(stop, t); });
      constexpr int kSamples = 40;
      for (int i = 0; i < kSamples; ++i) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds_ / kSamples));
        memory.push_back(megabytes());
        fmt::print("{:6.1f} s {:8.1f} MB, machine and model {:6.1f} MB  {}\n", (i + 1) * seconds_ / kSamples,
                   memory.back(), static_cast<double>(held_) / 1e6,
                   std::string(static_cast<std::size_t>(memory.back() / 2), '#'));
        std::fflush(stdout);
      }
    }
    const auto most = [&](std::size_t first, std::size_t last) {
      return *std::max_element(memory.begin() + static_cast<std::ptrdiff_t>(first),
                               memory.begin() + static_cast<std::ptrdiff_t>(last));
    };
    const double before = most(10, 20), after = most(30, 40);
    fmt::print(
        "{:.0f} s: {} predictions on 4 threads, {} wrong; {} batches of {} learned, {} models put into service, {} "
        "times "
        "gone on from a checkpoint; at most {:.1f} MB in the second quarter, {:.1f} MB in the last\n",
        seconds_, counts_.calls.load(), counts_.wrong.load(), counts_.batches.load(), kBatch, counts_.swaps.load(),
        counts_.resumed.load(), before, after);
    return counts_.wrong == 0 && after <= 1.1 * before ? 0 : 1;
  }

 private:
  std::shared_ptr<const Service> service() const {
    const std::lock_guard lock(mutex_);
    return service_;
  }
  void put_into_service() {
    const std::string file = machine_->model().to_bytes();
    const Model model = Model::from_bytes(file);
    std::shared_ptr<const Service> next(
        new Service{Predictor(model), Predictor(model, "scan", "scalar").votes(batches_[0].rows)});
    ++counts_.swaps;
    held_ = machine_->automata_bytes() + machine_->engine_bytes() + next->predictor.bytes();
    const std::lock_guard lock(mutex_);
    service_.swap(next);
  }
  void learn(const std::stop_token& stop) {
    for (std::size_t i = 0; !stop.stop_requested(); ++i) {
      const Batch& batch = batches_[i % batches_.size()];
      machine_->learn_epoch(batch.rows, batch.labels);
      ++counts_.batches;
      if (i % 5 == 0) put_into_service();
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
      const auto now = service();
      const std::size_t r = i * 7 % kBatch;
      now->predictor.votes(batches_[0].rows.row(r), votes);
      counts_.wrong +=
          !std::equal(votes.begin(), votes.end(), now->expected.begin() + static_cast<std::ptrdiff_t>(r * 10));
      ++counts_.calls;
      if (i % 2000 == 0) counts_.wrong += now->predictor.votes(batches_[0].rows, 2) != now->expected;
    }
  }

  double seconds_;
  std::vector<Batch> batches_;
  Options options_;
  std::unique_ptr<Machine> machine_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Service> service_;
  Counts counts_;
  std::atomic<std::uint64_t> held_{0};  // bytes of the machine and the model in service, as they say themselves
};

}  // namespace
}  // namespace falsum

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 180;
  return falsum::Soak(seconds > 0 ? seconds : 180).run();
}
