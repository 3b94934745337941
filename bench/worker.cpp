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
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "clock.h"
#include "data.h"
#include "falsum/falsum.h"

namespace {

using namespace falsum;
using bench::LabelledRows;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// ------------------------------------------------------------------------------------------- the files
// <split>.bits: the rows' 64-bit words, little endian, as they lie in a BitMatrix. <split>.labels: 32-bit class ids.

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

LabelledRows read_rows(const fs::path& directory, const std::string& split, std::size_t rows, std::size_t columns) {
  LabelledRows read{BitMatrix(rows, columns), std::vector<std::uint32_t>(rows)};
  read_file(directory / (split + ".bits"), read.bits.row(0).data(), read.bits.bytes());
  read_file(directory / (split + ".labels"), read.labels.data(), rows * sizeof(read.labels[0]));
  return read;
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
    if (what == "load") return load(request.at("path"));
    throw ConfigError("there is no request \"" + what + "\"");
  }

 private:
  Json open(const Json& request) {
    const fs::path directory = request.at("data").get<std::string>();
    std::ifstream file(directory / "shape.json");
    const Json shape = Json::parse(file);
    const std::size_t features = shape.at("features");
    train_ = read_rows(directory, "train", shape.at("train"), features);
    test_ = read_rows(directory, "test", shape.at("test"), features);
    sparse_ = bench::is_sparse(test_.bits);
    options_.clauses = request.at("clauses");
    options_.threshold = request.at("threshold");
    options_.specificity = request.at("specificity");
    options_.seed = request.at("seed");
    options_.max_weight = request.value("max_weight", 1);
    options_.shared = request.value("shared", false);
    options_.negatives = named<Negatives>(request.value("negatives", "uniform"));
    options_.fuzzy = request.value("fuzzy", 0);
    options_.max_literals = request.value("max_literals", 0);
    options_.threads = request.value("threads", 1);
    options_.kernels = request.value("kernels", "auto");
    machine_.emplace(options_, features, shape.at("classes").get<std::size_t>());
    return {{"version", std::string(version())},
            {"rows", sparse_ ? "sparse" : "packed"},
            {"engine", machine_->engine()},
            {"kernels", machine_->kernels()},
            {"total_clauses", static_cast<std::int64_t>(machine_->model().clauses())}};
  }

  Json learn(std::size_t first, std::size_t count) {
    const LabelledRows rows = bench::some_rows(train_, first, count);
    predictor_.reset();
    EpochReport report;
    Json result = timed(count, [&] { report = machine_->learn_epoch(rows.bits, rows.labels); });
    result["mean_clause_length"] = report.mean_clause_length;
    result["peak_memory"] = bench::peak_memory();
    return result;
  }

  /// Compiling is no part of the times below; what it took is in the next answer.
  const Predictor& predictor() {
    if (!predictor_) {
      compiling_ = timed(0, [&] { predictor_.emplace(machine_->model(), Engine::kAuto, options_.kernels); }).at("cpu");
    }
    return *predictor_;
  }

  Json predict(std::size_t count) {
    const LabelledRows rows = bench::some_rows(test_, 0, count);
    const Predictor& predictor = this->predictor();
    const unsigned threads = static_cast<unsigned>(options_.threads);
    std::vector<std::uint32_t> predicted;
    Json result;
    if (sparse_) {
      const SparseBits features(rows.bits);
      result = timed(count, [&] { predicted = predictor.predict(features, threads); });
    } else {
      result = timed(count, [&] { predicted = predictor.predict(rows.bits, threads); });
    }
    result["accuracy"] = bench::share_right(predicted, rows.labels);
    result["engine"] = predictor.engine(count);
    result["prepare"] = compiling_;
    result["peak_memory"] = bench::peak_memory();
    return result;
  }

  Json single(std::size_t first, std::size_t count) {
    const LabelledRows rows = bench::some_rows(test_, first, count);
    const Predictor& predictor = this->predictor();
    std::vector<std::uint32_t> predicted(count);
    std::vector<std::int32_t> votes(predictor.outputs());
    const auto one_by_one = [&](const auto& features) {
      return timed(count, [&] {
        for (std::size_t r = 0; r < count; ++r) {
          predictor.votes(features.row(r), votes);
          predicted[r] = static_cast<std::uint32_t>(std::ranges::max_element(votes) - votes.begin());
        }
      });
    };
    Json result = sparse_ ? one_by_one(SparseBits(rows.bits)) : one_by_one(rows.bits);
    result["accuracy"] = bench::share_right(predicted, rows.labels);
    result["engine"] = predictor.engine(1);
    return result;
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

  LabelledRows train_, test_;
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
