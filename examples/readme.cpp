#include <falsum/falsum.h>

#include <cstdio>

int main() {
  const falsum::Source training = falsum::load_source("noisy-xor:train");  // or "iris.csv", "images-idx3-ubyte.gz", ...
  const falsum::Options options = {.clauses = 200, .threshold = 200, .specificity = 3.9, .boost = false, .epochs = 100};
  const falsum::Model model = falsum::train(training, options);
  std::printf("accuracy %.3f\n", falsum::accuracy(model, falsum::load_source("noisy-xor:test")));
}
