/* The C interface as a C program sees it: learns XOR, predicts, saves and loads. Compiled as C99 with every warning
 * an error, and once more against the library of the sanitizers (tests/c_api/run). Its argument is a
 * folder to write to. Exit code 1 and the line of what did not hold, or 0. */
#include "xor.h"

static int stop(void* user, double done) {
  (void)done;
  ++*(int*)user;
  return 1;
}

static falsum_machine* the_callers;
static int meddle(void* user, double done) {
  const falsum_rows* rows = user;
  falsum_model* model = NULL;
  (void)done;
  REFUSED(falsum_machine_learn_epoch(the_callers, rows, labels, kRows, NULL, NULL, NULL), FALSUM_ERROR_ARGUMENT,
          "is learning");
  REFUSED(falsum_machine_abandon_epoch(the_callers), FALSUM_ERROR_ARGUMENT, "is learning");
  OK(falsum_machine_model(the_callers, &model));
  falsum_model_free(model);
  return 0;
}

static void the_library_tells_what_it_is(void) {
  falsum_texts* names = NULL;
  char* name = NULL;
  CHECK(falsum_abi_version() == FALSUM_ABI_VERSION);
  CHECK(strchr(falsum_version(), '.') != NULL);
  CHECK(strcmp(falsum_last_error(), "") == 0);
  OK(falsum_kernel_sets(&names));
  CHECK(falsum_texts_count(names) >= 1 && strcmp(falsum_texts_at(names, 0), "scalar") == 0);
  CHECK(falsum_texts_length(names, 0) == 6);
  CHECK(falsum_texts_at(names, 1000) == NULL && strstr(falsum_last_error(), "got 1000") != NULL);
  OK(falsum_auto_kernel_set(&name));
  CHECK(strlen(name) > 0);
  falsum_free(name);
  falsum_texts_free(names);
}

static void options_go_by_name(void) {
  falsum_options* options = small_machine();
  falsum_texts* names = NULL;
  char* value = NULL;
  size_t i;
  OK(falsum_options_get(options, "specificity", &value));
  CHECK(strcmp(value, "3.9") == 0);
  falsum_free(value);
  OK(falsum_option_names(&names));
  CHECK(falsum_texts_count(names) > 20);
  for (i = 0; i < falsum_texts_count(names); ++i) { /* every option takes the value it gives */
    const char* name = falsum_texts_at(names, i);
    OK(falsum_options_get(options, name, &value));
    OK(falsum_options_set(options, name, value));
    falsum_free(value);
    OK(falsum_option_help(name, &value));
    CHECK(strlen(value) > 10);
    falsum_free(value);
  }
  falsum_texts_free(names);
  REFUSED(falsum_options_set(options, "clauses", "0"), FALSUM_ERROR_ARGUMENT,
          "clauses must be from 1 to 16777216, got 0");
  REFUSED(falsum_options_set(options, "clauses", "7"), FALSUM_ERROR_ARGUMENT, "clauses must be even");
  REFUSED(falsum_options_set(options, "clauses", "many"), FALSUM_ERROR_ARGUMENT, "clauses must be a whole number");
  REFUSED(falsum_options_set(options, "clauses", "20x"), FALSUM_ERROR_ARGUMENT, "\"20x\"");
  REFUSED(falsum_options_set(options, "boost", "yes"), FALSUM_ERROR_ARGUMENT, "boost must be true or false");
  REFUSED(falsum_options_set(options, "specificity", "nan"), FALSUM_ERROR_ARGUMENT, "specificity must be a number");
  REFUSED(falsum_options_set(options, "engine", "steam"), FALSUM_ERROR_ARGUMENT, "steam");
  REFUSED(falsum_options_set(options, "quantiles", "1000"), FALSUM_ERROR_ARGUMENT, "quantiles must be from 1 to 255");
  REFUSED(falsum_options_set(options, "delimiter", "ab"), FALSUM_ERROR_ARGUMENT, "delimiter must be");
  REFUSED(falsum_options_set(options, "colour", "red"), FALSUM_ERROR_ARGUMENT, "there is no option \"colour\"");
  REFUSED(falsum_options_set(NULL, "clauses", "2"), FALSUM_ERROR_ARGUMENT, "options must not be NULL");
  REFUSED(falsum_options_set(options, NULL, "2"), FALSUM_ERROR_ARGUMENT, "name must not be NULL");
  REFUSED(falsum_options_set(options, "clauses", NULL), FALSUM_ERROR_ARGUMENT, "value must not be NULL");
  REFUSED(falsum_options_get(options, "clauses", NULL), FALSUM_ERROR_ARGUMENT, "value must not be NULL");
  OK(falsum_options_get(options, "clauses", &value)); /* what was refused changed nothing */
  CHECK(strcmp(value, "40") == 0);
  falsum_free(value);
  falsum_options_free(options);
}

static void same_bytes(const falsum_model* a, const falsum_model* b) {
  uint8_t *first = NULL, *second = NULL;
  size_t size = 0, other = 0;
  OK(falsum_model_to_bytes(a, &first, &size));
  OK(falsum_model_to_bytes(b, &second, &other));
  CHECK(size > 0 && size == other && memcmp(first, second, size) == 0);
  falsum_free(first);
  falsum_free(second);
}

static void every_form_of_rows_learns_the_same(void) {
  falsum_options* options = small_machine();
  falsum_model* models[3];
  int form;
  for (form = 0; form < 3; ++form) {
    falsum_machine* machine = learned(form, options);
    OK(falsum_machine_model(machine, &models[form]));
    falsum_machine_free(machine);
  }
  same_bytes(models[0], models[1]);
  same_bytes(models[0], models[2]);
  for (form = 0; form < 3; ++form) falsum_model_free(models[form]);
  falsum_options_free(options);
}

static void a_stopped_epoch_goes_on_from_a_checkpoint(void) {
  falsum_options* options = small_machine();
  falsum_rows* rows = rows_of(0);
  falsum_machine *machine = NULL, *resumed = NULL;
  falsum_model *model = NULL, *other = NULL;
  falsum_epoch_report report = FALSUM_EPOCH_REPORT;
  uint8_t* checkpoint = NULL;
  size_t size = 0;
  int calls = 0;
  OK(falsum_options_set(options, "clauses", "2000")); /* learns for longer than progress takes to ask */
  OK(falsum_machine_new(options, kFeatures, kClasses, &machine));
  OK(falsum_machine_learn_epoch(machine, rows, labels, kRows, stop, &calls, &report));
  CHECK(calls == 1);
  OK(falsum_machine_checkpoint(machine, &checkpoint, &size));
  OK(falsum_machine_from_checkpoint(checkpoint, size, NULL, &resumed));
  CHECK(falsum_machine_draws(resumed) == 2);
  OK(falsum_machine_learn_epoch(machine, rows, labels, kRows, NULL, NULL, NULL));
  OK(falsum_machine_learn_epoch(resumed, rows, labels, kRows, NULL, NULL, NULL));
  OK(falsum_machine_model(machine, &model));
  OK(falsum_machine_model(resumed, &other));
  same_bytes(model, other);
  OK(falsum_machine_abandon_epoch(machine));
  falsum_machine_free(resumed);
  REFUSED(falsum_machine_from_checkpoint(checkpoint, size / 2, NULL, &resumed), FALSUM_ERROR_FILE, "checkpoint");
  CHECK(resumed == NULL);
  checkpoint[size / 2] ^= 1;
  REFUSED(falsum_machine_from_checkpoint(checkpoint, size, NULL, &resumed), FALSUM_ERROR_FILE, "checkpoint");
  the_callers = machine;
  OK(falsum_machine_learn_epoch(machine, rows, labels, kRows, meddle, rows, NULL));
  falsum_free(checkpoint);
  falsum_model_free(model);
  falsum_model_free(other);
  falsum_machine_free(machine);
  falsum_rows_free(rows);
  falsum_options_free(options);
}

static void a_model_predicts_and_can_be_read(const char* folder) {
  falsum_options* options = small_machine();
  falsum_machine* machine = learned(0, options);
  falsum_model *plain = NULL, *model = NULL, *loaded = NULL;
  falsum_predictor* predictor = NULL;
  falsum_texts* texts = NULL;
  falsum_weight* weights = NULL;
  static int32_t votes[kRows * kClasses], again[kRows * kClasses], one[kClasses];
  static uint32_t predicted[kRows];
  const char* names[] = {"same", "different"};
  const char* engines[] = {"scan", "index", "bitmap", "sliced", NULL};
  char path[1000], damaged[1000];
  char* value = NULL;
  size_t count = 0, i, right = 0;
  int form, engine;
  FILE* file;

  OK(falsum_machine_option(machine, "clauses", &value));
  CHECK(strcmp(value, "40") == 0);
  falsum_free(value);
  OK(falsum_machine_model(machine, &plain));
  falsum_machine_free(machine);
  OK(falsum_model_described(plain, names, 2, NULL, 0, "made up", &model));
  falsum_model_free(plain);
  snprintf(path, sizeof path, "%s/xor.falsum", folder);
  OK(falsum_model_save(model, path));
  OK(falsum_model_load(path, &loaded));
  same_bytes(model, loaded);
  falsum_model_free(model);
  CHECK(falsum_model_features(loaded) == kFeatures && falsum_model_outputs(loaded) == kClasses);
  CHECK(falsum_model_clauses(loaded) == 80);
  OK(falsum_model_labels(loaded, &texts));
  CHECK(falsum_texts_count(texts) == 2 && strcmp(falsum_texts_at(texts, 1), "different") == 0);
  falsum_texts_free(texts);
  OK(falsum_model_literal_names(loaded, &texts));
  CHECK(falsum_texts_count(texts) == 2 * kFeatures && strcmp(falsum_texts_at(texts, kFeatures), "not x0") == 0);
  falsum_texts_free(texts);
  OK(falsum_model_option(loaded, "specificity", &value));
  CHECK(strcmp(value, "3.9") == 0);
  falsum_free(value);
  OK(falsum_model_provenance(loaded, "data", &value));
  CHECK(strcmp(value, "made up") == 0);
  falsum_free(value);
  OK(falsum_model_provenance(loaded, "epochs", &value));
  CHECK(strcmp(value, "30") == 0);
  falsum_free(value);

  for (engine = 0; engine < 5; ++engine) {
    OK(falsum_predictor_new(loaded, engines[engine], engine == 0 ? "scalar" : NULL, &predictor));
    CHECK(falsum_predictor_features(predictor) == kFeatures && falsum_predictor_outputs(predictor) == kClasses);
    for (form = 0; form < 3; ++form) {
      falsum_rows* rows = rows_of(form);
      int32_t* out = engine == 0 && form == 0 ? votes : again;
      OK(falsum_predictor_votes(predictor, rows, 2, out, kRows * kClasses));
      CHECK(memcmp(out, votes, sizeof votes) == 0);
      OK(falsum_predictor_predict(predictor, rows, 0, predicted, kRows));
      for (i = 0; i < kRows; ++i) CHECK(predicted[i] == (votes[2 * i + 1] > votes[2 * i]));
      falsum_rows_free(rows);
    }
    OK(falsum_predictor_votes_packed(predictor, words + 7 * kWords, kWords, one, kClasses));
    CHECK(memcmp(one, votes + 7 * kClasses, sizeof one) == 0);
    OK(falsum_predictor_votes_sparse(predictor, indices + starts[7], (size_t)(starts[8] - starts[7]), one, kClasses));
    CHECK(memcmp(one, votes + 7 * kClasses, sizeof one) == 0);
    falsum_predictor_free(predictor);
  }
  for (i = 0; i < kRows; ++i) right += predicted[i] == labels[i];
  CHECK(right > kRows * 9 / 10);

  OK(falsum_model_weights(loaded, 0, &weights, &count)); /* the votes by hand, from clauses and weights */
  one[0] = 0;
  for (i = 0; i < count; ++i) {
    uint32_t* literals = NULL;
    size_t length = 0, l;
    int holds;
    OK(falsum_model_clause(loaded, weights[i].clause, &literals, &length));
    holds = length > 0;
    for (l = 0; l < length; ++l) holds = holds && (bytes[literals[l] % kFeatures] != 0) == (literals[l] < kFeatures);
    if (holds) one[0] += weights[i].votes;
    falsum_free(literals);
  }
  CHECK(one[0] == votes[0]);
  falsum_free(weights);

  snprintf(damaged, sizeof damaged, "%s/damaged.falsum", folder);
  file = fopen(damaged, "wb");
  CHECK(file != NULL && fputs("this is no model", file) >= 0 && fclose(file) == 0);
  REFUSED(falsum_model_load(damaged, &model), FALSUM_ERROR_FILE, "damaged.falsum");
  CHECK(model == NULL);
  REFUSED(falsum_model_load("there/is/no/such.falsum", &model), FALSUM_ERROR_FILE, "no/such.falsum");
  REFUSED(falsum_model_save(loaded, "there/is/no/folder.falsum"), FALSUM_ERROR_FILE, "no/folder.falsum");
  falsum_model_free(loaded);
  falsum_options_free(options);
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  make_data();
  the_library_tells_what_it_is();
  options_go_by_name();
  every_form_of_rows_learns_the_same();
  a_stopped_epoch_goes_on_from_a_checkpoint();
  a_model_predicts_and_can_be_read(arguments[1]);
  puts("the C interface holds");
  return 0;
}
