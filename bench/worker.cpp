// falsum_bench_worker: falsum as one of the systems that bench/peers times.
//
//   falsum_bench_worker export DATA VOCABULARY DIRECTORY   writes the bits that every system learns from
//   falsum_bench_worker serve                              a request a line on stdin, an answer a line on stdout
//
// The requests and the files are described in bench/README.md; bench/peers/workers holds the same worker for the
// other systems. Times are taken here, around the work alone: processor time and wall time.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "clock.h"
#include "data.h"
#include "falsum/falsum.h"
#include "learn/trainer.h"

namespace {

using namespace falsum;
using bench::LabelledRows;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// ------------------------------------------------------------------------------------------- the files
// <split>.bits: the rows' 64-bit words, little endian, as they lie in a BitMatrix. <split>.labels: 32-bit class ids; of
// several labels a byte for each, row by row; in regression 64-bit numbers.

void write_file(const fs::path& path, const void* bytes, std::size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  if (!file.flush()) throw FileError("cannot write " + path.string());
}

void read_file(const fs::path& path, void* bytes, std::size_t size) {
  std::ifstream file(path, std::ios::binary);
  if (!file.read(static_cast<char*>(bytes), static_cast<std::streamsize>(size)))
    throw FileError("cannot read " + path.string());
}

void write_rows(const fs::path& directory, const std::string& split, const LabelledRows& rows) {
  write_file(directory / (split + ".bits"), rows.bits.row(0).data(), rows.bits.bytes());
  write_file(directory / (split + ".labels"), rows.labels.data(), rows.labels.size() * sizeof(rows.labels[0]));
}

struct Split {
  BitMatrix bits;
  AnyTargets targets;
};

template <class Number>
std::vector<Number> read_numbers(const fs::path& path, std::size_t count) {
  std::vector<Number> numbers(count);
  read_file(path, numbers.data(), count * sizeof(Number));
  return numbers;
}

Split read_rows(const fs::path& directory, const std::string& split, Task task, const Json& shape) {
  const std::size_t rows = shape.at(split), outputs = shape.at("classes");
  Split read{BitMatrix(rows, shape.at("features").get<std::size_t>()), {}};
  read_file(directory / (split + ".bits"), read.bits.row(0).data(), read.bits.bytes());
  const fs::path labels = directory / (split + ".labels");
  if (task == Task::kClassification) read.targets = read_numbers<std::uint32_t>(labels, rows);
  if (task == Task::kRegression) read.targets = read_numbers<double>(labels, rows);
  if (task == Task::kMultilabel) {
    const std::vector<std::uint8_t> bytes = read_numbers<std::uint8_t>(labels, rows * outputs);
    BitMatrix apply(rows, outputs);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] != 0) apply.set(i / outputs, i % outputs);
    }
    read.targets = std::move(apply);
  }
  return read;
}

Split some_rows(const Split& all, std::size_t first, std::size_t count) {
  Split some{bench::some_bits(all.bits, first, count), {}};
  std::vector<bool> wanted(all.bits.rows());
  std::fill_n(wanted.begin() + static_cast<std::ptrdiff_t>(first), count, true);
  some.targets = all.targets.part(wanted);
  return some;
}

/// Of classes and labels the share of right decisions, of numbers the root of the mean squared error.
Json score(const Targets& answers, const Targets& truth) {
  const std::vector<Score> all = scores(answers, truth);
  if (truth.task() == Task::kRegression) return {{"rmse", all[0].value}};
  return {{"accuracy", all[truth.task() == Task::kMultilabel ? 1 : 0].value}};
}

void export_data(const std::string& data, const std::string& vocabulary, const fs::path& directory) {
  const bench::DataSet set = bench::load_data(data, {.vocabulary = static_cast<std::uint32_t>(std::stoul(vocabulary))});
  fs::create_directories(directory);
  write_rows(directory, "train", bench::shuffled(set.train));
  write_rows(directory, "test", bench::shuffled(set.test));
  const Json shape = {{"data", data},
                      {"features", set.train.bits.columns()},
                      {"classes", set.classes},
                      {"train", set.train.labels.size()},
                      {"test", set.test.labels.size()}};
  const std::string text = shape.dump() + "\n";
  write_file(directory / "shape.json", text.data(), text.size());  // the last: its presence says that all is there
}

// ------------------------------------------------------------------------------------------- measuring

template <typename Work>
Json timed(std::size_t samples, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  const double processor = bench::processor_seconds();
  work();
  const double spent = bench::processor_seconds() - processor;
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {{"samples", samples}, {"cpu", spent}, {"wall", wall}};
}

// ------------------------------------------------------------------------------------------- requests

class Worker {
 public:
  Json answer(const Json& request) {
    const std::string what = request.at("do");
    if (what == "open") return open(request);
    if (!machine_) throw ConfigError("open comes first");
    if (what == "learn") return learn(request.at("first"), request.at("count"));
    if (what == "predict") return predict(request.at("count"));
    if (what == "single") return single(request.at("first"), request.at("count"));
    if (what == "save") return save(request.at("path"));
    if (what == "hand_over") return hand_over(request.at("path"));
    if (what == "load") return load(request.at("path"));
    throw ConfigError("there is no request \"" + what + "\"");
  }

 private:
  Json open(const Json& request) {
    const fs::path directory = request.at("data").get<std::string>();
    std::ifstream file(directory / "shape.json");
    const Json shape = Json::parse(file);
    options_.task = named<Task>(shape.value("task", "classification"));
    train_ = read_rows(directory, "train", options_.task, shape);
    test_ = read_rows(directory, "test", options_.task, shape);
    sparse_ = bench::is_sparse(test_.bits);
    options_.clauses = request.at("clauses");
    options_.threshold = request.at("threshold");
    options_.specificity = request.at("specificity");
    options_.seed = request.at("seed");
    options_.weighted = request.value("weighted", false);
    options_.max_weight = request.value("max_weight", 1);
    options_.shared = request.value("shared", false);
    options_.negatives = named<Negatives>(request.value("negatives", "uniform"));
    options_.fuzzy = request.value("fuzzy", 0);
    options_.max_literals = request.value("max_literals", 0);
    options_.patch = request.value("patch", "");
    options_.image = request.value("image", "");
    options_.threads = request.value("threads", 1);
    options_.kernels = request.value("kernels", "auto");
    machine_.emplace(options_, train_.bits.columns(), shape.at("classes").get<std::size_t>());
    return {{"version", std::string(version())},
            {"rows", sparse_ ? "sparse" : "packed"},
            {"engine", machine_->engine()},
            {"kernels", machine_->kernels()},
            {"total_clauses", static_cast<std::int64_t>(machine_->model().clauses())}};
  }

  Json learn(std::size_t first, std::size_t count) {
    const Split rows = some_rows(train_, first, count);
    predictor_.reset();
    if (options_.task == Task::kRegression && !machine_->range()) set_range();
    EpochReport report;
    Json result = timed(count, [&] { report = machine_->learn_epoch(rows.bits, rows.targets); });
    result["mean_clause_length"] = report.mean_clause_length;
    result["peak_memory"] = bench::peak_memory();
    return result;
  }

  /// Of all training rows: the first to be learned may be a part of them.
  void set_range() {
    const auto [least, most] = std::ranges::minmax(train_.targets.view().numbers());
    machine_->set_range({least, most});
  }

  /// Compiling is no part of the times below; what it took is in the next answer.
  const Predictor& predictor() {
    if (!predictor_) {
      compiling_ = timed(0, [&] { predictor_.emplace(machine_->model(), Engine::kAuto, options_.kernels); }).at("cpu");
    }
    return *predictor_;
  }

  Json predict(std::size_t count) {
    const Split rows = some_rows(test_, 0, count);
    const Predictor& predictor = this->predictor();
    const unsigned threads = static_cast<unsigned>(options_.threads);
    AnyTargets answers;
    Json result;
    if (sparse_) {
      const SparseBits features(rows.bits);
      result = timed(count, [&] { answers = predictor.answers(features, threads); });
    } else {
      result = timed(count, [&] { answers = predictor.answers(rows.bits, threads); });
    }
    result.update(score(answers, rows.targets));
    result["engine"] = predictor.engine(count);
    result["prepare"] = compiling_;
    result["peak_memory"] = bench::peak_memory();
    return result;
  }

  Json single(std::size_t first, std::size_t count) {
    const Split rows = some_rows(test_, first, count);
    const Predictor& predictor = this->predictor();
    const std::size_t outputs = predictor.outputs();
    std::vector<std::int32_t> votes(count * outputs);
    AnyTargets answers;
    const auto one_by_one = [&](const auto& features) {
      return timed(count, [&] {
        for (std::size_t r = 0; r < count; ++r) {
          predictor.votes(features.row(r), std::span(votes).subspan(r * outputs, outputs));
        }
        answers = predictor.answers(votes);
      });
    };
    Json result = sparse_ ? one_by_one(SparseBits(rows.bits)) : one_by_one(rows.bits);
    result.update(score(answers, rows.targets));
    result["engine"] = predictor.engine(1);
    return result;
  }

  /// The weights and states of all automata, as mc_tm_set_state of pyTsetlinMachine takes them: for each class its
  /// weights, then by clause, word of literals and bit of the state a word of 32 literals. Its clauses for and against
  /// the class take turns.
  Json hand_over(const fs::path& path) {
    const Trainer trainer = Trainer::from_checkpoint(machine_->checkpoint(), options_, "the machine");
    std::vector<std::uint32_t> words;
    for (std::size_t o = 0; o < trainer.learners(); ++o) {
      const Bank& bank = trainer.learner(o).bank();
      const auto clauses = static_cast<std::uint32_t>(bank.clauses());
      const auto ours = [&](std::uint32_t clause) { return ClauseId{clause / 2 + clause % 2 * (clauses / 2)}; };
      for (std::uint32_t c = 0; c < clauses; ++c) {
        words.push_back(static_cast<std::uint32_t>(std::abs(trainer.learner(o).weights().of(ours(c), 0))));
      }
      for (std::uint32_t c = 0; c < clauses; ++c) {
        for (std::uint32_t first = 0; first < bank.literals(); first += 32) {
          std::array<std::uint32_t, 8> bits = {};
          for (std::uint32_t l = first; l < std::min<std::size_t>(first + 32, bank.literals()); ++l) {
            const std::uint8_t state = bank.state(ours(c), LiteralId{l});
            for (std::size_t b = 0; b < 8; ++b) bits[b] |= std::uint32_t{state >> b & 1u} << (l - first);
          }
          words.insert(words.end(), bits.begin(), bits.end());
        }
      }
    }
    write_file(path, words.data(), words.size() * sizeof(words[0]));
    return Json::object();
  }

  Json save(const std::string& path) {
    const std::string bytes = machine_->checkpoint();
    write_file(path, bytes.data(), bytes.size());
    return Json::object();
  }

  Json load(const std::string& path) {
    std::string bytes(fs::file_size(path), '\0');
    read_file(path, bytes.data(), bytes.size());
    machine_ = Machine::from_checkpoint(bytes, options_, path);
    predictor_.reset();
    return Json::object();
  }

  Split train_, test_;
  bool sparse_ = false;
  Options options_;
  std::optional<Machine> machine_;
  std::optional<Predictor> predictor_;
  double compiling_ = 0;
};

void serve() {
  Worker worker;
  for (std::string line; std::getline(std::cin, line);) {
    Json answer;
    try {
      answer = worker.answer(Json::parse(line));
    } catch (const std::exception& error) {
      answer = {{"error", error.what()}};
    }
    std::cout << answer.dump() << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() == 4 && arguments[0] == "export") {
      export_data(arguments[1], arguments[2], arguments[3]);
    } else if (arguments.size() == 1 && arguments[0] == "serve") {
      serve();
    } else {
      throw ConfigError("usage: falsum_bench_worker export DATA VOCABULARY DIRECTORY | falsum_bench_worker serve");
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "falsum_bench_worker: {}\n", error.what());
    return 2;
  }
  return 0;
}
