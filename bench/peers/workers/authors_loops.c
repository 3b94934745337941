/* The loops of the authors' itm_fit and itm_predict without the rebuilding of the index at their start, so that it can
 * be left out of the times. All the work is done by the authors' own functions, which this file only calls. */
#include <stdlib.h>

#include "IndexedTsetlinMachine.h"

/* The index must be up to date: it is after itm_fit(..., epochs = 0), and learning keeps it so. */
void loop_learn(struct IndexedTsetlinMachine* itm, unsigned int* rows, int* labels, int* order, int count) {
  int classes = itm->mc_tm->number_of_classes;
  size_t words = itm->mc_tm->number_of_ta_chunks;
  for (int i = 0; i < count; ++i) {
    unsigned int* row = rows + order[i] * words;
    int label = labels[order[i]], other = label;
    itm_update(itm, row, label, 1);
    while (other == label) other = (int)((double)classes * rand() / ((double)RAND_MAX + 1));
    itm_update(itm, row, other, 0);
  }
}

/* itm_predict must have been called since the last learning: it leaves index and baseline sums behind. */
int itm_sum_up_clause_votes(struct IndexedTsetlinMachine* itm, int class, unsigned int* row);

void loop_predict(struct IndexedTsetlinMachine* itm, unsigned int* rows, int* predicted, int count) {
  size_t words = itm->mc_tm->number_of_ta_chunks;
  int threshold = itm->mc_tm->tsetlin_machines[0]->T;
  for (int i = 0; i < count; ++i) {
    int best = -1, most = -threshold - 1;
    for (int class = 0; class < itm->mc_tm->number_of_classes; ++class) {
      int sum = itm->baseline_class_sum[class] + itm_sum_up_clause_votes(itm, class, rows + i * words);
      sum = sum > threshold ? threshold : sum < -threshold ? -threshold : sum;
      if (sum > most) {
        most = sum;
        best = class;
      }
    }
    predicted[i] = best;
  }
}
