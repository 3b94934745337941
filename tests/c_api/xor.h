/* What the C programs of this folder share: checks, and XOR in every form of rows. */
#include <falsum/c_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRows = 400, kFeatures = 70, kWords = 2, kClasses = 2 };

static uint64_t words[kRows * kWords];
static uint8_t bytes[kRows * kFeatures];
static uint64_t starts[kRows + 1];
static uint32_t indices[kRows * kFeatures];
static uint32_t labels[kRows];

static void failed(int line, const char* what) {
  fprintf(stderr, "line %d: %s; last error: %s\n", line, what, falsum_last_error());
  exit(1);
}
#define CHECK(holds) ((holds) ? (void)0 : failed(__LINE__, #holds))
#define OK(call) CHECK((call) == FALSUM_OK)
/* The call fails with this status, and its message holds this text. */
#define REFUSED(call, status, text) CHECK((call) == (status) && strstr(falsum_last_error(), text) != NULL)

/* XOR of the first and the last feature, in three forms. Eight features are random, the others false. */
static void make_data(void) {
  uint64_t state = 1;
  size_t r, k, next = 0;
  for (r = 0; r < kRows; ++r) {
    starts[r] = next;
    for (k = 0; k < kFeatures; ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      if (((state >> 40) & 1) && (k < 4 || k >= kFeatures - 4)) {
        words[r * kWords + k / 64] |= (uint64_t)1 << (k % 64);
        bytes[r * kFeatures + k] = (uint8_t)(1 + r % 255);
        indices[next++] = (uint32_t)k;
      }
    }
    labels[r] = (uint32_t)((words[r * kWords] ^ (words[r * kWords + 1] >> 5)) & 1);
  }
  starts[kRows] = next;
}

static falsum_options* small_machine(void) {
  falsum_options* options = NULL;
  OK(falsum_options_new(&options));
  OK(falsum_options_set(options, "clauses", "40"));
  OK(falsum_options_set(options, "threshold", "15"));
  OK(falsum_options_set(options, "specificity", "3.9"));
  OK(falsum_options_set(options, "max-memory", "1000"));
  return options;
}

static falsum_rows* rows_of(int form) {
  falsum_rows* rows = NULL;
  if (form == 0) OK(falsum_rows_from_packed(words, kRows * kWords, kRows, kFeatures, &rows));
  if (form == 1) OK(falsum_rows_from_bytes(bytes, sizeof bytes, kRows, kFeatures, &rows));
  if (form == 2) OK(falsum_rows_from_csr(starts, kRows + 1, indices, (size_t)starts[kRows], kFeatures, &rows));
  CHECK(falsum_rows_count(rows) == kRows && falsum_rows_features(rows) == kFeatures);
  return rows;
}

static int count_calls(void* user, double done) {
  CHECK(done >= 0 && done <= 1);
  ++*(int*)user;
  return 0;
}

/* The machine after thirty epochs, from rows in one of the forms. */
static falsum_machine* learned(int form, const falsum_options* options) {
  falsum_machine* machine = NULL;
  falsum_rows* rows = rows_of(form);
  falsum_epoch_report report = FALSUM_EPOCH_REPORT;
  int calls = 0, epoch;
  OK(falsum_machine_new(options, kFeatures, kClasses, &machine));
  for (epoch = 0; epoch < 30; ++epoch) {
    OK(falsum_machine_learn_epoch(machine, rows, labels, kRows, count_calls, &calls, &report));
    CHECK(report.complete == 1 && report.epoch == (uint64_t)epoch + 1 && report.type_1a > 0 && report.flips > 0);
  }
  CHECK(calls >= 30 && falsum_machine_epoch(machine) == 30);
  falsum_rows_free(rows);
  return machine;
}
