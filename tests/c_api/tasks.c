/* Several labels and numbers through the C interface, from bits and from files. Compiled and run as use.c is. */
#include "xor.h"

/* The model of a machine of this task after 30 epochs, from its own targets, through a checkpoint. */
static falsum_model* learned_task(const char* task, const uint8_t* sets, const double* numbers, size_t outputs) {
  falsum_options* options = small_machine();
  falsum_machine *machine = NULL, *resumed = NULL;
  falsum_model* model = NULL;
  falsum_rows* rows = rows_of(2);
  falsum_epoch_report report = FALSUM_EPOCH_REPORT;
  uint8_t* checkpoint = NULL;
  size_t size = 0;
  int epoch;
  OK(falsum_options_set(options, "task", task));
  if (numbers != NULL) {
    OK(falsum_options_set(options, "threshold", "1000"));
    OK(falsum_options_set(options, "weighted", "true"));
  }
  OK(falsum_machine_new(options, kFeatures, outputs, &machine));
  CHECK(falsum_machine_classes(machine) == outputs);
  for (epoch = 0; epoch < 30; ++epoch) {
    if (sets != NULL) {
      OK(falsum_machine_learn_multilabel(machine, rows, sets, kRows * outputs, NULL, NULL, &report));
    } else {
      OK(falsum_machine_learn_numbers(machine, rows, numbers, kRows, NULL, NULL, &report));
    }
    CHECK(report.complete == 1 && report.epoch == (uint64_t)epoch + 1 && report.type_1a > 0);
    if (epoch != 15) continue;
    OK(falsum_machine_checkpoint(machine, &checkpoint, &size));
    OK(falsum_machine_from_checkpoint(checkpoint, size, NULL, &resumed));
    falsum_free(checkpoint);
    falsum_machine_free(machine);
    machine = resumed;
  }
  OK(falsum_machine_model(machine, &model));
  CHECK(falsum_model_outputs(model) == outputs);
  falsum_machine_free(machine);
  falsum_rows_free(rows);
  falsum_options_free(options);
  return model;
}

static void several_labels_are_learned_and_predicted(void) {
  static uint8_t sets[kRows * 3], predicted[kRows * 3]; /* xor, the first feature, neither */
  static int32_t votes[kRows * 3];
  falsum_rows* rows = rows_of(1);
  falsum_model* model = NULL;
  falsum_predictor* predictor = NULL;
  size_t i, right = 0;
  char* value = NULL;
  for (i = 0; i < kRows; ++i) {
    sets[3 * i] = (uint8_t)(7 * labels[i]); /* anything but 0 applies */
    sets[3 * i + 1] = bytes[i * kFeatures] != 0;
    sets[3 * i + 2] = sets[3 * i] == 0 && sets[3 * i + 1] == 0;
  }
  model = learned_task("multilabel", sets, NULL, 3);
  OK(falsum_model_option(model, "task", &value));
  CHECK(strcmp(value, "multilabel") == 0);
  falsum_free(value);
  OK(falsum_predictor_new(model, NULL, NULL, &predictor));
  OK(falsum_predictor_multilabel(predictor, rows, 2, predicted, kRows * 3));
  OK(falsum_predictor_votes(predictor, rows, 1, votes, kRows * 3));
  for (i = 0; i < kRows * 3; ++i) {
    CHECK(predicted[i] == (votes[i] > 0));
    right += predicted[i] == (sets[i] != 0);
  }
  CHECK(right > kRows * 3 * 9 / 10);
  falsum_predictor_free(predictor);
  falsum_model_free(model);
  falsum_rows_free(rows);
}

static void numbers_are_learned_and_predicted(void) {
  static double numbers[kRows], predicted[kRows];
  falsum_rows* rows = rows_of(0);
  falsum_model* model = NULL;
  falsum_predictor* predictor = NULL;
  double error = 0, spread = 0;
  size_t i;
  for (i = 0; i < kRows; ++i)
    numbers[i] = 10 + 4.0 * (bytes[i * kFeatures] != 0) - 2.5 * (bytes[i * kFeatures + 1] != 0);
  model = learned_task("regression", NULL, numbers, 1);
  OK(falsum_predictor_new(model, NULL, NULL, &predictor));
  OK(falsum_predictor_numbers(predictor, rows, 2, predicted, kRows));
  for (i = 0; i < kRows; ++i) {
    CHECK(predicted[i] >= 7.5 && predicted[i] <= 14); /* the range of what was learned */
    error += (predicted[i] - numbers[i]) * (predicted[i] - numbers[i]);
    spread += (numbers[i] - 10.75) * (numbers[i] - 10.75);
  }
  CHECK(error < 0.2 * spread);
  falsum_predictor_free(predictor);
  falsum_model_free(model);
  falsum_rows_free(rows);
}

static void files_of_labels_and_numbers(const char* folder) {
  falsum_options* options = small_machine();
  falsum_data* data = NULL;
  falsum_model* model = NULL;
  falsum_texts* texts = NULL;
  double* numbers = NULL;
  uint8_t* sets = NULL;
  uint32_t* classes = NULL;
  char path[1000];
  size_t count = 0, i;
  FILE* file;
  snprintf(path, sizeof path, "%s/sets.csv", folder);
  file = fopen(path, "wb");
  CHECK(file != NULL && fputs("a,b,y\n", file) >= 0);
  for (i = 0; i < 40; ++i)
    fprintf(file, "%d,%d,%s\n", (int)(i % 2), (int)(i / 2 % 2), i % 2 ? i / 2 % 2 ? "1;2" : "1" : i / 2 % 2 ? "2" : "");
  CHECK(fclose(file) == 0);
  OK(falsum_options_set(options, "task", "multilabel"));
  OK(falsum_options_set(options, "epochs", "20"));
  OK(falsum_data_load(path, options, &data));
  OK(falsum_data_multilabel(data, &sets, &count));
  CHECK(count == 80 && sets[0] == 0 && sets[1] == 0 && sets[2] == 1 && sets[3] == 0 && sets[4] == 0 && sets[5] == 1);
  falsum_free(sets);
  OK(falsum_data_label_names(data, &texts));
  CHECK(falsum_texts_count(texts) == 2 && strcmp(falsum_texts_at(texts, 1), "2") == 0);
  falsum_texts_free(texts);
  REFUSED(falsum_data_labels(data, &classes, &count), FALSUM_ERROR_ARGUMENT, "the data are for multilabel");
  REFUSED(falsum_data_numbers(data, &numbers, &count), FALSUM_ERROR_ARGUMENT, "the data are for multilabel");
  falsum_data_free(data);
  OK(falsum_train_file(path, options, NULL, NULL, &model));
  OK(falsum_predict_file(model, path, NULL, &texts));
  CHECK(falsum_texts_count(texts) == 40 && strcmp(falsum_texts_at(texts, 3), "1;2") == 0);
  CHECK(strcmp(falsum_texts_at(texts, 0), "") == 0);
  falsum_texts_free(texts);
  falsum_model_free(model);

  snprintf(path, sizeof path, "%s/numbers.csv", folder);
  file = fopen(path, "wb");
  CHECK(file != NULL && fputs("a,b,y\n", file) >= 0);
  for (i = 0; i < 40; ++i) fprintf(file, "%d,%d,%d.5\n", (int)(i % 2), (int)(i / 2 % 2), (int)(2 * (i % 2)));
  CHECK(fclose(file) == 0);
  OK(falsum_options_set(options, "task", "regression"));
  OK(falsum_train_file(path, options, NULL, NULL, &model));
  OK(falsum_data_load_for(model, path, 1, NULL, &data));
  OK(falsum_data_numbers(data, &numbers, &count));
  CHECK(count == 40 && numbers[0] == 0.5 && numbers[1] == 2.5);
  falsum_free(numbers);
  OK(falsum_data_label_names(data, &texts));
  CHECK(falsum_texts_count(texts) == 0);
  falsum_texts_free(texts);
  falsum_data_free(data);
  OK(falsum_predict_file(model, path, NULL, &texts));
  CHECK(falsum_texts_count(texts) == 40 && strtod(falsum_texts_at(texts, 1), NULL) > 1.5);
  CHECK(strtod(falsum_texts_at(texts, 0), NULL) < 1.5);
  falsum_texts_free(texts);
  falsum_model_free(model);
  falsum_options_free(options);
}

static void classes_are_no_labels_and_no_numbers(void) {
  static uint8_t sets[kRows * kClasses];
  static double numbers[kRows];
  falsum_options* options = small_machine();
  falsum_machine* machine = learned(0, options);
  falsum_rows* rows = rows_of(0);
  falsum_model* model = NULL;
  falsum_predictor* predictor = NULL;
  OK(falsum_machine_model(machine, &model));
  OK(falsum_predictor_new(model, NULL, NULL, &predictor));
  REFUSED(falsum_predictor_multilabel(predictor, rows, 1, sets, sizeof sets), FALSUM_ERROR_ARGUMENT, "classification");
  REFUSED(falsum_predictor_numbers(predictor, rows, 1, numbers, kRows), FALSUM_ERROR_ARGUMENT, "classification");
  falsum_predictor_free(predictor);
  falsum_model_free(model);
  falsum_rows_free(rows);
  falsum_machine_free(machine);
  falsum_options_free(options);
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  make_data();
  several_labels_are_learned_and_predicted();
  numbers_are_learned_and_predicted();
  classes_are_no_labels_and_no_numbers();
  files_of_labels_and_numbers(arguments[1]);
  puts("labels and numbers hold");
  return 0;
}
