// The fuzzy-pattern machine as public code has it (docs/family.md): the includes of a clause are bits, its misses are
// counted word by word, and feedback walks all automata in loops that are left to the compiler. Called by
// fuzzy_worker.py.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kLimit = 128, kHighest = 255 };

struct machine {
  int classes, clauses, features, words, threshold, forgets, most_literals, most_votes;
  uint64_t random;
  uint8_t* states;     // class, clause, feature or negation, padded to whole words
  uint64_t* included;  // the same as bits
  uint8_t* on;         // the features of a row, a byte each
};

static uint64_t next_random(struct machine* m) {  // xorshift64*
  m->random ^= m->random >> 12;
  m->random ^= m->random << 25;
  m->random ^= m->random >> 27;
  return m->random * 0x2545f4914f6cdd1dull;
}
static int below(struct machine* m, int size) { return (int)(((next_random(m) >> 32) * (uint64_t)size) >> 32); }

void* fuzzy_create(int classes, int clauses, int features, int threshold, int forgets, int most_literals,
                   int most_votes, uint64_t seed) {
  struct machine* m = calloc(1, sizeof *m);
  const int words = (features + 63) / 64;
  *m = (struct machine){classes,       clauses,    features, words, threshold, forgets,
                        most_literals, most_votes, seed | 1, 0,     0,         0};
  const size_t all = (size_t)classes * clauses * 2 * words;
  m->states = malloc(64 * all);
  memset(m->states, kLimit - 1, 64 * all);
  m->included = calloc(all, sizeof *m->included);
  m->on = calloc(64 * (size_t)words, 1);
  return m;
}

static int value(const struct machine* m, const uint64_t* included, const uint64_t* row) {
  int misses = 0;
  for (int w = 0; w < m->words; ++w) {
    misses += __builtin_popcountll((included[w] & ~row[w]) | (included[m->words + w] & row[w]));
  }
  return misses < m->most_votes ? m->most_votes - misses : 0;
}

static int class_votes(const struct machine* m, int c, const uint64_t* row, int* values) {
  const uint64_t* included = m->included + (size_t)c * m->clauses * 2 * m->words;
  int votes = 0;
  for (int j = 0; j < m->clauses; ++j, included += 2 * m->words) {
    values[j] = value(m, included, row);
    votes += j < m->clauses / 2 ? values[j] : -values[j];
  }
  return votes;
}

static void feedback(struct machine* m, uint8_t* states, uint64_t* included, int agrees, int fires) {
  uint8_t* negations = states + 64 * (size_t)m->words;
  const uint8_t* on = m->on;
  if (agrees && fires) {
    int size = 0;
    for (int w = 0; w < m->words; ++w) size += __builtin_popcountll(included[w] | included[m->words + w]);
    if (size < m->most_literals) {
      for (int k = 0; k < m->features; ++k) {
        states[k] += on[k] & (states[k] < kHighest);
        negations[k] += !on[k] & (negations[k] < kHighest);
      }
    }
    for (int k = 0; k < m->features; ++k) {
      states[k] -= !on[k] & (states[k] < kLimit) & (states[k] > 0);
      negations[k] -= on[k] & (negations[k] < kLimit) & (negations[k] > 0);
    }
  } else if (agrees) {
    for (int i = 0; i < m->forgets; ++i) {
      const int k = below(m, m->features), n = below(m, m->features);
      states[k] -= states[k] > 0;
      negations[n] -= negations[n] > 0;
    }
  } else if (fires) {
    for (int k = 0; k < m->features; ++k) {
      states[k] += !on[k] & (states[k] < kLimit);
      negations[k] += on[k] & (negations[k] < kLimit);
    }
  } else {
    return;
  }
  for (int w = 0; w < 2 * m->words; ++w) {
    uint64_t bits = 0;
    for (int k = 0; k < 64; ++k) bits |= (uint64_t)(states[64 * w + k] >= kLimit) << k;
    included[w] = bits;
  }
}

void fuzzy_learn(void* machine, const uint64_t* rows, const uint32_t* labels, const int* order, int count) {
  struct machine* m = machine;
  int* values = malloc(sizeof(int) * (size_t)m->clauses);
  for (int i = 0; i < count; ++i) {
    const uint64_t* row = rows + (size_t)order[i] * m->words;
    for (int k = 0; k < m->features; ++k) m->on[k] = (row[k / 64] >> (k % 64)) & 1;
    for (int c = 0; c < m->classes; ++c) {
      const int is_label = labels[order[i]] == (uint32_t)c, t = m->threshold;
      int votes = class_votes(m, c, row, values);
      votes = votes > t ? t : votes < -t ? -t : votes;
      const uint32_t distance = (uint32_t)(is_label ? t - votes : t + votes);
      for (int j = 0; distance > 0 && j < m->clauses; ++j) {
        if ((next_random(m) >> 32) * 2 * (uint64_t)t >= (uint64_t)distance << 32) continue;
        const size_t clause = (size_t)c * m->clauses + j;
        feedback(m, m->states + 128 * clause * m->words, m->included + 2 * clause * m->words,
                 (j < m->clauses / 2) == is_label, values[j] > 0);
      }
    }
  }
  free(values);
}

void fuzzy_predict(const void* machine, const uint64_t* rows, uint32_t* predicted, int count) {
  const struct machine* m = machine;
  int* values = malloc(sizeof(int) * (size_t)m->clauses);
  for (int i = 0; i < count; ++i) {
    int best = 0;
    for (int c = 0; c < m->classes; ++c) {
      const int votes = class_votes(m, c, rows + (size_t)i * m->words, values);
      if (c == 0 || votes > best) {
        best = votes;
        predicted[i] = (uint32_t)c;
      }
    }
  }
  free(values);
}
