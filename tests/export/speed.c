/* Processor time of an export for a row: runs its test until two tenths of a second have passed. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

uint32_t model_test(uint32_t* all);

int main(void) {
  const clock_t begin = clock();
  uint32_t all = 0, rounds = 0;
  while (clock() - begin < CLOCKS_PER_SEC / 5) {
    model_test(&all);
    ++rounds;
  }
  printf("%.9f\n", (double)(clock() - begin) / CLOCKS_PER_SEC / rounds / (all / OUTPUTS));
  return 0;
}
