#include <falsum/falsum.h>

#include <cstdio>

int main() {
  const falsum::Source train = falsum::load_source("noisy-xor:train");  // or "iris.csv", "images-idx3-ubyte.gz", ...
  const falsum::Source test = falsum::load_source("noisy-xor:test");
  const auto names = falsum::distinct_labels(train.labels);
  const auto booleanizer = falsum::Booleanizer::fit(train);
  const falsum::BitMatrix rows = booleanizer.transform(train);

  const falsum::Options options = {.clauses = 200, .threshold = 200, .specificity = 3.9, .boost = false};
  falsum::Machine machine(options, rows.columns(), names.size());
  for (int epoch = 0; epoch < 100; ++epoch) machine.learn_epoch(rows, falsum::encode_labels(train, names));

  const auto predicted = falsum::Predictor(machine.model()).predict(booleanizer.transform(test));
  const auto wanted = falsum::encode_labels(test, names);
  double right = 0;
  for (std::size_t r = 0; r < wanted.size(); ++r) right += predicted[r] == wanted[r];
  std::printf("accuracy %.3f\n", right / static_cast<double>(wanted.size()));
}
