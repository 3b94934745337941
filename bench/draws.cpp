// falsum_draws STREAM: random draws as endless bytes on standard output, for a public battery of tests (make battery).
//
//   table     one table of draws after the other, 1,568 bytes each, as dense passes of MNIST draw them
//   clauses   64 bytes for each clause of a use, 2,000 clauses: keys that differ by a sum, as Type Ib draws them
//   position  one byte for each of 20,000 clauses of a use: the same position in all of them
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string_view>

#include "support/random.h"

namespace {

using namespace falsum;

/// Ends the program when nobody reads any more.
class Output {
 public:
  void put(const AesBlock& block, int bytes) {
    for (int b = 0; b < bytes; ++b) {
      buffer_[filled_++] = static_cast<char>((b < 8 ? block.low : block.high) >> (8 * (b % 8)));
      if (filled_ < sizeof buffer_) continue;
      filled_ = 0;
      if (write(STDOUT_FILENO, buffer_, sizeof buffer_) != static_cast<ssize_t>(sizeof buffer_)) _exit(0);
    }
  }

 private:
  char buffer_[1 << 16];
  std::size_t filled_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view stream = argc == 2 ? argv[1] : "";
  const bool table = stream == "table", clauses = stream == "clauses", position = stream == "position";
  if (!table && !clauses && !position) {
    std::fputs("usage: falsum_draws table|clauses|position\n", stderr);
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);  // write() fails instead
  static Output output;
  for (std::uint64_t use = 0;; ++use) {
    const std::uint64_t key = use_key(learner_key(42, 0), use);
    for (std::uint32_t c = 0; c < (table ? 1u : clauses ? 2000u : 20000u); ++c) {
      const std::uint64_t event = event_key(key, c);
      if (position) {
        output.put(draw_block(forget_key(event), 0), 1);
      } else {
        for (std::uint64_t block = 0; block < (table ? 98u : 4u); ++block) {
          output.put(draw_block(table ? dense_key(event) : forget_key(event), block), 16);
        }
      }
    }
  }
}
