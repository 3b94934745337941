/* Seeds the generator that the authors draw feedback from. It is a static variable of this file of theirs, which always
 * starts from the same number: srand reaches only their choice of the other class. Their file is compiled as it is. */
#include "ConvolutionalTsetlinMachine.c"

void seed_feedback(unsigned long long seed) {
  mcg_state = 2 * seed + 1; /* their multiplier needs an odd state */
  (void)pcg32_fast();
}
