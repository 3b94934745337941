/* What a program should not do: NULLs, wrong sizes, damaged bytes. Everything ends in a status and one sentence,
 * nothing in a crash, which the address sanitizer would see (tests/c_api/run). */
#include "xor.h"

static falsum_machine* the_callers;

static void rubbish_is_refused(void) {
  falsum_options* options = small_machine();
  falsum_machine* machine = learned(0, options);
  falsum_rows *rows = rows_of(0), *none = NULL;
  falsum_model *model = NULL, *other = NULL;
  falsum_predictor* predictor = NULL;
  falsum_epoch_report small = {8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  static int32_t votes[kRows * kClasses];
  static uint32_t classes[kRows];
  const uint64_t tail[] = {0, (uint64_t)1 << 6}; /* bit 70 of 70 */
  const uint64_t backwards[] = {0, 2, 1, 2};
  const uint64_t beyond[] = {0, 5}, good[] = {0, 2};
  const uint32_t ascending[] = {2, 3}, descending[] = {3, 2}, unknown[] = {70};
  const double weight = 1;
  const char* names[] = {"a", NULL};
  uint32_t wrong[kRows];
  uint32_t* literals = NULL;
  falsum_texts* texts = NULL;
  char* text = NULL;
  size_t count = 1;

  REFUSED(falsum_rows_from_packed(NULL, 2, 1, 70, &none), FALSUM_ERROR_ARGUMENT, "words must not be NULL");
  REFUSED(falsum_rows_from_packed(words, 3, 1, 70, &none), FALSUM_ERROR_ARGUMENT, "word_count must be 2");
  REFUSED(falsum_rows_from_packed(words, 2, SIZE_MAX, 70, &none), FALSUM_ERROR_ARGUMENT, "absurdly large");
  REFUSED(falsum_rows_from_packed(words, 2, 1, 0, &none), FALSUM_ERROR_ARGUMENT, "features must be from 1");
  REFUSED(falsum_rows_from_packed(words, 2, 1, SIZE_MAX, &none), FALSUM_ERROR_ARGUMENT, "features must be from 1");
  REFUSED(falsum_rows_from_packed(words, 2, 1, 70, NULL), FALSUM_ERROR_ARGUMENT, "out must not be NULL");
  REFUSED(falsum_rows_from_packed(tail, 2, 1, 70, &none), FALSUM_ERROR_DATA, "beyond its last feature, 69");
  REFUSED(falsum_rows_from_bytes(bytes, 69, 1, 70, &none), FALSUM_ERROR_ARGUMENT, "byte_count must be 70");
  REFUSED(falsum_rows_from_csr(NULL, 0, NULL, 0, 70, &none), FALSUM_ERROR_ARGUMENT, "start_count");
  REFUSED(falsum_rows_from_csr(backwards, 4, ascending, 2, 70, &none), FALSUM_ERROR_DATA, "must not descend");
  REFUSED(falsum_rows_from_csr(beyond, 2, ascending, 2, 70, &none), FALSUM_ERROR_DATA, "number of their features");
  REFUSED(falsum_rows_from_csr(good, 2, descending, 2, 70, &none), FALSUM_ERROR_DATA, "row 0 has feature 2");
  CHECK(none == NULL && falsum_rows_count(NULL) == 0 && strstr(falsum_last_error(), "rows must not be NULL") != NULL);
  CHECK(falsum_rows_features(NULL) == 0);

  REFUSED(falsum_machine_new(options, 0, 2, &the_callers), FALSUM_ERROR_ARGUMENT, "features");
  REFUSED(falsum_machine_new(options, 70, 0, &the_callers), FALSUM_ERROR_ARGUMENT, "classes");
  REFUSED(falsum_machine_new(options, SIZE_MAX, SIZE_MAX, &the_callers), FALSUM_ERROR_ARGUMENT, "features");
  REFUSED(falsum_machine_new(options, 60000000, 999999, &the_callers), FALSUM_ERROR_ARGUMENT, "memory");
  REFUSED(falsum_machine_learn_epoch(NULL, rows, labels, kRows, NULL, NULL, NULL), FALSUM_ERROR_ARGUMENT, "machine");
  REFUSED(falsum_machine_learn_epoch(machine, NULL, labels, kRows, NULL, NULL, NULL), FALSUM_ERROR_ARGUMENT, "rows");
  REFUSED(falsum_machine_learn_epoch(machine, rows, NULL, kRows, NULL, NULL, NULL), FALSUM_ERROR_ARGUMENT, "labels");
  REFUSED(falsum_machine_learn_epoch(machine, rows, labels, 3, NULL, NULL, NULL), FALSUM_ERROR_DATA, "3 labels");
  REFUSED(falsum_machine_learn_epoch_weighted(machine, rows, labels, kRows, NULL, kRows, NULL, NULL, NULL),
          FALSUM_ERROR_ARGUMENT, "weights");
  REFUSED(falsum_machine_learn_epoch_weighted(machine, rows, labels, kRows, &weight, 1, NULL, NULL, NULL),
          FALSUM_ERROR_DATA, "1 row weights");
  REFUSED(falsum_machine_learn_epoch(machine, rows, labels, kRows, NULL, NULL, &small), FALSUM_ERROR_ARGUMENT, "size");
  memcpy(wrong, labels, sizeof wrong);
  wrong[5] = 2;
  REFUSED(falsum_machine_learn_epoch(machine, rows, wrong, kRows, NULL, NULL, NULL), FALSUM_ERROR_DATA,
          "label 2 of row 5");
  CHECK(falsum_machine_epoch(machine) == 30 && falsum_machine_epoch(NULL) == 0 && falsum_machine_features(NULL) == 0);
  REFUSED(falsum_machine_option(machine, "colour", &text), FALSUM_ERROR_ARGUMENT, "colour");
  REFUSED(falsum_machine_model(NULL, &model), FALSUM_ERROR_ARGUMENT, "machine must not be NULL");
  REFUSED(falsum_machine_model(machine, NULL), FALSUM_ERROR_ARGUMENT, "model must not be NULL");
  REFUSED(falsum_machine_checkpoint(machine, NULL, &count), FALSUM_ERROR_ARGUMENT, "bytes must not be NULL");
  REFUSED(falsum_machine_from_checkpoint(NULL, 5, NULL, &the_callers), FALSUM_ERROR_ARGUMENT, "bytes");
  REFUSED(falsum_machine_from_checkpoint(NULL, 0, NULL, &the_callers), FALSUM_ERROR_FILE, "checkpoint");
  CHECK(the_callers == NULL);

  OK(falsum_machine_model(machine, &model));
  REFUSED(falsum_model_from_bytes(bytes, sizeof bytes, &other), FALSUM_ERROR_FILE, "model");
  REFUSED(falsum_model_load(NULL, &other), FALSUM_ERROR_ARGUMENT, "path must not be NULL");
  REFUSED(falsum_model_clause(model, 80, &literals, &count), FALSUM_ERROR_ARGUMENT, "clause must be below 80, got 80");
  CHECK(literals == NULL && count == 0);
  REFUSED(falsum_model_weights(model, 2, NULL, &count), FALSUM_ERROR_ARGUMENT, "weights must not be NULL");
  REFUSED(falsum_model_rules(model, 2, &texts), FALSUM_ERROR_ARGUMENT, "output must be below 2, got 2");
  REFUSED(falsum_model_provenance(model, "colour", &text), FALSUM_ERROR_ARGUMENT, "colour");
  REFUSED(falsum_model_described(model, names, 3, NULL, 0, NULL, &other), FALSUM_ERROR_ARGUMENT, "label_count");
  REFUSED(falsum_model_described(model, names, 2, NULL, 0, NULL, &other), FALSUM_ERROR_ARGUMENT, "must not be NULL");
  REFUSED(falsum_model_described(model, NULL, 0, names, 2, NULL, &other), FALSUM_ERROR_ARGUMENT,
          "name_count must be 70");
  CHECK(other == NULL && falsum_model_features(NULL) == 0);

  REFUSED(falsum_predictor_new(model, "steam", NULL, &predictor), FALSUM_ERROR_ARGUMENT, "steam");
  REFUSED(falsum_predictor_new(model, NULL, "mmx", &predictor), FALSUM_ERROR_ARGUMENT, "mmx");
  REFUSED(falsum_predictor_new(NULL, NULL, NULL, &predictor), FALSUM_ERROR_ARGUMENT, "model must not be NULL");
  OK(falsum_predictor_new(model, NULL, NULL, &predictor));
  REFUSED(falsum_predictor_votes(predictor, rows, 1, votes, 7), FALSUM_ERROR_ARGUMENT, "vote_count must be 800, got 7");
  REFUSED(falsum_predictor_votes(predictor, rows, 1, NULL, 800), FALSUM_ERROR_ARGUMENT, "votes must not be NULL");
  REFUSED(falsum_predictor_votes(predictor, rows, 5000, votes, 800), FALSUM_ERROR_ARGUMENT, "threads must be");
  REFUSED(falsum_predictor_predict(predictor, rows, 1, classes, 1), FALSUM_ERROR_ARGUMENT, "class_count must be 400");
  REFUSED(falsum_predictor_predict(NULL, rows, 1, classes, 1), FALSUM_ERROR_ARGUMENT, "predictor must not be NULL");
  REFUSED(falsum_predictor_votes_packed(predictor, words, 1, votes, 2), FALSUM_ERROR_ARGUMENT, "word_count must be 2");
  REFUSED(falsum_predictor_votes_packed(predictor, tail, 2, votes, 2), FALSUM_ERROR_DATA, "beyond its last feature");
  REFUSED(falsum_predictor_votes_sparse(predictor, descending, 2, votes, 2), FALSUM_ERROR_DATA, "must ascend");
  REFUSED(falsum_predictor_votes_sparse(predictor, unknown, 1, votes, 2), FALSUM_ERROR_DATA, "feature 70");
  OK(falsum_rows_from_bytes(bytes, 12, 3, 4, &none));
  REFUSED(falsum_predictor_predict(predictor, none, 1, classes, 3), FALSUM_ERROR_DATA, "the rows have 4 features");
  falsum_rows_free(none);

  falsum_position* position = NULL;
  falsum_position* twin = NULL;
  falsum_mark mark = {0, 0};
  uint32_t* fired = NULL;
  size_t fired_count = 0;
  REFUSED(falsum_position_new(NULL, &position), FALSUM_ERROR_ARGUMENT, "model must not be NULL");
  REFUSED(falsum_position_new(model, NULL), FALSUM_ERROR_ARGUMENT, "position must not be NULL");
  OK(falsum_position_new(model, &position));
  CHECK(falsum_position_features(position) == 70 && falsum_position_outputs(position) == 2);
  CHECK(falsum_position_features(NULL) == 0 && falsum_position_outputs(NULL) == 0);
  REFUSED(falsum_position_set(position, words, 1), FALSUM_ERROR_ARGUMENT, "word_count must be 2, got 1");
  REFUSED(falsum_position_set(position, NULL, 2), FALSUM_ERROR_ARGUMENT, "words must not be NULL");
  REFUSED(falsum_position_flip(position, 70), FALSUM_ERROR_DATA, "feature must be from 0 to 69, got 70");
  REFUSED(falsum_position_flip(NULL, 0), FALSUM_ERROR_ARGUMENT, "position must not be NULL");
  REFUSED(falsum_position_undo(position, mark), FALSUM_ERROR_DATA, "the mark is not on the way");
  REFUSED(falsum_position_mark(position, NULL), FALSUM_ERROR_ARGUMENT, "mark must not be NULL");
  OK(falsum_position_mark(position, &mark));
  OK(falsum_position_flip(position, 3));
  OK(falsum_position_copy(position, &twin));
  OK(falsum_position_undo(twin, mark));
  falsum_position_free(twin);
  REFUSED(falsum_position_copy(NULL, &twin), FALSUM_ERROR_ARGUMENT, "position must not be NULL");
  REFUSED(falsum_position_votes(position, votes, 3), FALSUM_ERROR_ARGUMENT, "vote_count must be 2, got 3");
  REFUSED(falsum_position_successors(position, votes, 3), FALSUM_ERROR_ARGUMENT, "vote_count must be 140, got 3");
  REFUSED(falsum_position_true_clauses(position, 2, &fired, &fired_count), FALSUM_ERROR_ARGUMENT,
          "output must be from 0 to 1, got 2");
  OK(falsum_position_true_clauses(position, 1, &fired, &fired_count));
  falsum_free(fired);
  falsum_position_free(NULL);
  falsum_position_free(position);

  falsum_rows_free(NULL);
  falsum_texts_free(NULL);
  falsum_options_free(NULL);
  falsum_data_free(NULL);
  falsum_machine_free(NULL);
  falsum_model_free(NULL);
  falsum_predictor_free(NULL);
  falsum_free(NULL);
  falsum_predictor_free(predictor);
  falsum_model_free(model);
  falsum_rows_free(rows);
  falsum_machine_free(machine);
  falsum_options_free(options);
}

/* Targets that are not those of the task, or no targets at all. */
static void rubbish_of_other_tasks_is_refused(void) {
  falsum_options* options = small_machine();
  falsum_machine *classes = learned(0, options), *sets = NULL, *numbers = NULL;
  falsum_rows* rows = rows_of(0);
  falsum_model* model = NULL;
  falsum_predictor* predictor = NULL;
  falsum_epoch_report small = {8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  static uint8_t some[kRows * kClasses];
  static double wanted[kRows];
  static uint32_t predicted[kRows];
  uint8_t* set = NULL;
  double* number = NULL;
  size_t count = 1;

  OK(falsum_options_set(options, "task", "multilabel"));
  OK(falsum_machine_new(options, kFeatures, kClasses, &sets));
  OK(falsum_options_set(options, "task", "regression"));
  OK(falsum_machine_new(options, kFeatures, 1, &numbers));
  REFUSED(falsum_machine_new(options, kFeatures, 2, &the_callers), FALSUM_ERROR_ARGUMENT, "has 1 output, got 2");
  REFUSED(falsum_options_set(options, "task", "shapes"), FALSUM_ERROR_ARGUMENT, "shapes");

  REFUSED(falsum_machine_learn_multilabel(classes, rows, some, sizeof some, NULL, NULL, NULL), FALSUM_ERROR_DATA,
          "the task of the machine is classification");
  REFUSED(falsum_machine_learn_numbers(sets, rows, wanted, kRows, NULL, NULL, NULL), FALSUM_ERROR_DATA,
          "the task of the machine is multilabel");
  REFUSED(falsum_machine_learn_epoch(numbers, rows, labels, kRows, NULL, NULL, NULL), FALSUM_ERROR_DATA,
          "the task of the machine is regression");
  REFUSED(falsum_machine_learn_multilabel(sets, rows, some, 7, NULL, NULL, NULL), FALSUM_ERROR_ARGUMENT,
          "label_count must be 800");
  REFUSED(falsum_machine_learn_multilabel(sets, rows, NULL, 800, NULL, NULL, NULL), FALSUM_ERROR_ARGUMENT, "labels");
  REFUSED(falsum_machine_learn_multilabel(sets, NULL, some, 800, NULL, NULL, NULL), FALSUM_ERROR_ARGUMENT, "rows");
  REFUSED(falsum_machine_learn_multilabel(NULL, rows, some, 800, NULL, NULL, NULL), FALSUM_ERROR_ARGUMENT, "machine");
  REFUSED(falsum_machine_learn_multilabel(sets, rows, some, 800, NULL, NULL, &small), FALSUM_ERROR_ARGUMENT, "size");
  REFUSED(falsum_machine_learn_numbers(numbers, rows, NULL, kRows, NULL, NULL, NULL), FALSUM_ERROR_ARGUMENT, "numbers");
  REFUSED(falsum_machine_learn_numbers(numbers, rows, wanted, 3, NULL, NULL, NULL), FALSUM_ERROR_DATA, "3");
  REFUSED(falsum_machine_learn_numbers(NULL, rows, wanted, kRows, NULL, NULL, NULL), FALSUM_ERROR_ARGUMENT, "machine");
  wanted[5] = strtod("nan", NULL);
  REFUSED(falsum_machine_learn_numbers(numbers, rows, wanted, kRows, NULL, NULL, NULL), FALSUM_ERROR_DATA, "row 5");
  CHECK(falsum_machine_epoch(sets) == 0 && falsum_machine_epoch(numbers) == 0);

  OK(falsum_machine_model(sets, &model));
  OK(falsum_predictor_new(model, NULL, NULL, &predictor));
  REFUSED(falsum_predictor_multilabel(predictor, rows, 1, some, 7), FALSUM_ERROR_ARGUMENT, "label_count must be 800");
  REFUSED(falsum_predictor_multilabel(predictor, rows, 1, NULL, 800), FALSUM_ERROR_ARGUMENT, "labels must not be NULL");
  REFUSED(falsum_predictor_multilabel(NULL, rows, 1, some, 800), FALSUM_ERROR_ARGUMENT, "predictor must not be NULL");
  REFUSED(falsum_predictor_multilabel(predictor, NULL, 1, some, 800), FALSUM_ERROR_ARGUMENT, "rows must not be NULL");
  REFUSED(falsum_predictor_numbers(predictor, rows, 1, wanted, kRows), FALSUM_ERROR_ARGUMENT, "multilabel");
  REFUSED(falsum_predictor_numbers(predictor, rows, 1, wanted, 3), FALSUM_ERROR_ARGUMENT, "number_count must be 400");
  REFUSED(falsum_predictor_numbers(predictor, rows, 1, NULL, kRows), FALSUM_ERROR_ARGUMENT, "numbers must not be NULL");
  REFUSED(falsum_predictor_predict(predictor, rows, 1, predicted, kRows), FALSUM_ERROR_ARGUMENT, "multilabel");
  REFUSED(falsum_data_multilabel(NULL, &set, &count), FALSUM_ERROR_ARGUMENT, "data must not be NULL");
  REFUSED(falsum_data_numbers(NULL, &number, &count), FALSUM_ERROR_ARGUMENT, "data must not be NULL");
  CHECK(set == NULL && number == NULL && count == 0);
  falsum_predictor_free(predictor);
  falsum_model_free(model);
  falsum_rows_free(rows);
  falsum_machine_free(classes);
  falsum_machine_free(sets);
  falsum_machine_free(numbers);
  falsum_options_free(options);
}

int main(void) {
  make_data();
  rubbish_is_refused();
  rubbish_of_other_tasks_is_refused();
  puts("rubbish is refused");
  return 0;
}
