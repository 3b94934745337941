// Learns XOR of the first two of four features through the installed package and asks for MNIST; exit code 1 if it
// fails to learn, or if MNIST is not there with falsum::datasets or is there without it.
#ifdef WITH_DATASETS
#include <falsum/datasets.h>
#endif
#include <falsum/falsum.h>

#include <cstdio>
#include <string>
#include <vector>

bool mnist_is_where_it_should_be() {
#ifdef WITH_DATASETS
  falsum::use_builtin_datasets();
  return falsum::load_source("mnist:test").rows() == 10000;
#else
  try {
    falsum::load_source("mnist:test");
  } catch (const falsum::FileError& error) {
    std::printf("%s\n", error.what());
    return std::string(error.what()).find("falsum::datasets") != std::string::npos;
  }
  return false;
#endif
}

int main() {
  const std::size_t repeats = 100;
  falsum::BitMatrix rows(16 * repeats, 4);
  std::vector<std::uint32_t> labels;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t k = 0; k < 4; ++k) {
      if ((r >> k) & 1) rows.set(r, k);
    }
    labels.push_back(static_cast<std::uint32_t>((r ^ (r >> 1)) & 1));
  }

  falsum::Options options;
  options.clauses = 20;
  options.threshold = 10;
  options.specificity = 3;
  falsum::Machine machine(options, 4, 2);
  for (int epoch = 0; epoch < 10; ++epoch) machine.learn_epoch(rows, labels);

  const std::vector<std::uint32_t> predicted = falsum::Predictor(machine.model()).predict(rows);
  std::size_t right = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) right += predicted[r] == labels[r];
  const double accuracy = static_cast<double>(right) / static_cast<double>(rows.rows());
  std::printf("accuracy %.3f\n", accuracy);
  return accuracy == 1.0 && mnist_is_where_it_should_be() ? 0 : 1;
}
