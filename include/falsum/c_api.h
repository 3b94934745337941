// falsum for C, and through C for Go, Rust, Java, Node, R and whatever else can call it: libfalsum.so. Plain C99.
//
//   falsum_model* model = NULL;
//   falsum_texts* labels = NULL;
//   if (falsum_train_file("iris.csv", NULL, NULL, NULL, &model) != FALSUM_OK) puts(falsum_last_error());
//   if (falsum_predict_file(model, "new.csv", NULL, &labels) != FALSUM_OK) puts(falsum_last_error());
//
// Rules, without exception:
//
//   errors     A function that can fail returns a falsum_status; falsum_last_error() on that thread is then its
//              message. Counts are returned directly, 0 for a NULL handle. NULL and wrong sizes are errors. Nothing is
//              thrown.
//   handles    Made by ..._new, ..._load, ..._from_...; freed by falsum_<handle>_free, which accepts NULL. If making
//              one fails, it is NULL. Handles do not refer to their arguments: these may be freed in any order.
//   memory     Arrays whose size the caller knows (votes, classes) belong to the caller and are passed with their
//              number of elements. The library makes the others (texts, bytes, literals); falsum_free frees them.
//              Lists of texts are handles. Texts are UTF-8 and end with a 0; paths are bytes, as the system has them.
//   threads    Rows, data, models, predictors and lists of texts never change: any number of threads may use one at
//              once. Only one thread at a time may use options or a machine. Free a handle only when no call uses it.
//   callbacks  Run on the calling thread, and must return: no exception, no longjmp.
//   versions   Within one FALSUM_ABI_VERSION, which is the number in libfalsum.so.N, functions are never removed and
//              never change their meaning. The linker knows the version that added each function (FALSUM_0.2).
//
// docs/c_api.md has a complete program. The words (clause, literal, vote) are explained in model.h.
#ifndef FALSUM_C_API_H
#define FALSUM_C_API_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#if defined(FALSUM_C_API_BUILD)
#define FALSUM_API __declspec(dllexport)
#else
#define FALSUM_API __declspec(dllimport)
#endif
#else
#define FALSUM_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

// --------------------------------------------------------------------------------------------------------- the library
#define FALSUM_ABI_VERSION 1

typedef enum falsum_status {
  FALSUM_OK = 0,
  FALSUM_ERROR_ARGUMENT = 1,  // NULL, a wrong size, an option or its value
  FALSUM_ERROR_DATA = 2,      // data that cannot be used
  FALSUM_ERROR_FILE = 3,      // a file or bytes that cannot be read, written or understood
  FALSUM_ERROR_MEMORY = 4,
  FALSUM_ERROR_INTERNAL = 5  // a mistake in falsum: please report it
} falsum_status;

typedef struct falsum_texts falsum_texts;          // a list of texts
typedef struct falsum_options falsum_options;      // every number a user can set, by name
typedef struct falsum_rows falsum_rows;            // rows of Boolean features
typedef struct falsum_data falsum_data;            // a file as rows, with its labels and how it was read
typedef struct falsum_machine falsum_machine;      // the automata; learns
typedef struct falsum_model falsum_model;          // the learned clauses
typedef struct falsum_predictor falsum_predictor;  // a model compiled for prediction
typedef struct falsum_position falsum_position;    // the votes of a row that changes feature by feature

/// The release, "0.2.0".
FALSUM_API const char* falsum_version(void);
/// FALSUM_ABI_VERSION of the loaded library: compare it with that of this header.
FALSUM_API uint32_t falsum_abi_version(void);
/// One sentence on the last call that failed on this thread; empty if none has failed. It stays until another call
/// fails.
FALSUM_API const char* falsum_last_error(void);
/// Frees texts, bytes and arrays that the library made. Does nothing for NULL.
FALSUM_API void falsum_free(void* memory);

/// Kernel sets (scalar, avx2+vaes, ...) that this processor can run: values of the option kernels.
FALSUM_API int falsum_kernel_sets(falsum_texts** names);
/// The kernel set that "auto" selects here.
FALSUM_API int falsum_auto_kernel_set(char** name);

FALSUM_API size_t falsum_texts_count(const falsum_texts* texts);
/// A text of the list, valid as long as the list; NULL (and an error message) if there is none at that position.
FALSUM_API const char* falsum_texts_at(const falsum_texts* texts, size_t place);
/// Its number of bytes, for texts that may contain a 0.
FALSUM_API size_t falsum_texts_length(const falsum_texts* texts, size_t place);
FALSUM_API void falsum_texts_free(falsum_texts* texts);

// ------------------------------------------------------------------------------------------------------------- options
// By name and as text, as the command takes them: "clauses" is "2000", "boost" is "false", "ignore" is "id,name". Three
// groups: options of the machine and its run, options of booleanizing (levels, quantiles, vocabulary, ...) and options
// for reading a file (label, header, delimiter, ...). docs/options.md has the first two, docs/c_api.md the third.

/// All options at their defaults. Where a function takes options, NULL means the defaults.
FALSUM_API int falsum_options_new(falsum_options** options);
/// A refused value leaves the options unchanged; the message names the allowed values. - and _ in names are the same.
FALSUM_API int falsum_options_set(falsum_options* options, const char* name, const char* value);
FALSUM_API int falsum_options_get(const falsum_options* options, const char* name, char** value);
FALSUM_API void falsum_options_free(falsum_options* options);
/// The names of all options, and a sentence on one of them.
FALSUM_API int falsum_option_names(falsum_texts** names);
FALSUM_API int falsum_option_help(const char* name, char** help);

// ---------------------------------------------------------------------------------------------------------------- rows
// Copied from the caller and checked once; learning and prediction need not check them again.

/// Packed: a row is w = (features + 63) / 64 words, feature k of row r is bit k % 64 of words[r * w + k / 64], and bits
/// beyond the last feature are 0. word_count = rows * w.
FALSUM_API int falsum_rows_from_packed(const uint64_t* words, size_t word_count, size_t rows, size_t features,
                                       falsum_rows** out);
/// A byte for each feature, row by row: true where it is not 0. byte_count = rows * features.
FALSUM_API int falsum_rows_from_bytes(const uint8_t* bytes, size_t byte_count, size_t rows, size_t features,
                                      falsum_rows** out);
/// Sparse (CSR): the true features of row r are indices[starts[r] .. starts[r + 1]), ascending. starts has one more
/// than there are rows.
FALSUM_API int falsum_rows_from_csr(const uint64_t* starts, size_t start_count, const uint32_t* indices,
                                    size_t index_count, size_t features, falsum_rows** out);
FALSUM_API size_t falsum_rows_count(const falsum_rows* rows);
FALSUM_API size_t falsum_rows_features(const falsum_rows* rows);
FALSUM_API void falsum_rows_free(falsum_rows* rows);

// ------------------------------------------------------------------------------------------------------------- machine
/// Called about ten times a second with the completed share, 0 to 1. Returning 0 continues, anything else stops. With
/// the learning machine it may only call falsum_machine_model and falsum_machine_checkpoint.
typedef int (*falsum_progress)(void* user, double done);

typedef struct falsum_epoch_report {
  uint64_t size;      // of this struct, set by the caller: later versions may add to its end
  uint64_t epoch;     // 1 for the first
  uint64_t complete;  // 0: stopped by progress; the next call continues from there, as if it had not stopped
  double mean_clause_length;
  // Work, in numbers that do not depend on the computer.
  uint64_t type_1a, type_1b, type_2;  // feedback
  uint64_t flips;                     // literals that joined or left a clause
  uint64_t evaluations, words_compared, entries_visited, columns_joined;
} falsum_epoch_report;
/// falsum_epoch_report report = FALSUM_EPOCH_REPORT;
#define FALSUM_EPOCH_REPORT \
  { sizeof(falsum_epoch_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/// Option "task" says what it learns: classes, several labels for a row (multilabel) or numbers (regression). classes:
/// the number of classes or of labels; 1 for numbers.
FALSUM_API int falsum_machine_new(const falsum_options* options, size_t features, size_t classes,
                                  falsum_machine** machine);
/// One pass over the rows in a fresh random order; the machine depends only on options, rows and seed. labels: one of 0
/// .. classes - 1 for each row. progress and report may be NULL.
FALSUM_API int falsum_machine_learn_epoch(falsum_machine* machine, const falsum_rows* rows, const uint32_t* labels,
                                          size_t label_count, falsum_progress progress, void* user,
                                          falsum_epoch_report* report);
/// The same with a weight for each row, finite and at least 0: a row is used as often as its weight divided by the mean
/// of all weights above 0 says. weights may be NULL with a count of 0.
FALSUM_API int falsum_machine_learn_epoch_weighted(falsum_machine* machine, const falsum_rows* rows,
                                                   const uint32_t* labels, size_t label_count, const double* weights,
                                                   size_t weight_count, falsum_progress progress, void* user,
                                                   falsum_epoch_report* report);
/// The same for several labels: a byte for each label, row by row, not 0 where the label applies. label_count = rows *
/// labels.
FALSUM_API int falsum_machine_learn_multilabel(falsum_machine* machine, const falsum_rows* rows, const uint8_t* labels,
                                               size_t label_count, falsum_progress progress, void* user,
                                               falsum_epoch_report* report);
/// The same for numbers, one for each row. Those of the first epoch set the range of all answers.
FALSUM_API int falsum_machine_learn_numbers(falsum_machine* machine, const falsum_rows* rows, const double* numbers,
                                            size_t number_count, falsum_progress progress, void* user,
                                            falsum_epoch_report* report);
/// Abandons a stopped epoch: the next epoch is new, with any rows. Everything learned is kept.
FALSUM_API int falsum_machine_abandon_epoch(falsum_machine* machine);
FALSUM_API size_t falsum_machine_features(const falsum_machine* machine);
FALSUM_API size_t falsum_machine_classes(const falsum_machine* machine);
/// Epochs completed.
FALSUM_API uint64_t falsum_machine_epoch(const falsum_machine* machine);
/// The value of an option of the machine, as text.
FALSUM_API int falsum_machine_option(const falsum_machine* machine, const char* name, char** value);
/// The current clauses.
FALSUM_API int falsum_machine_model(const falsum_machine* machine, falsum_model** model);
/// Everything needed to resume, bit for bit.
FALSUM_API int falsum_machine_checkpoint(const falsum_machine* machine, uint8_t** bytes, size_t* size);
/// Only the options of the run (threads, engine, kernels) are used; the checkpoint has the options that make the
/// machine.
FALSUM_API int falsum_machine_from_checkpoint(const uint8_t* bytes, size_t size, const falsum_options* options,
                                              falsum_machine** machine);
/// Which random numbers it has learned with: 2, or 1 if its checkpoint was made by falsum 0.1, which drew others.
/// Learning goes on with those of this version.
FALSUM_API uint64_t falsum_machine_draws(const falsum_machine* machine);
FALSUM_API void falsum_machine_free(falsum_machine* machine);

// --------------------------------------------------------------------------------------------------------------- model
// Literal k < features is feature k, literal features + k its negation. A clause is the AND of its literals.

FALSUM_API int falsum_model_load(const char* path, falsum_model** model);
/// The file is complete or does not exist.
FALSUM_API int falsum_model_save(const falsum_model* model, const char* path);
/// The bytes of such a file.
FALSUM_API int falsum_model_from_bytes(const uint8_t* bytes, size_t size, falsum_model** model);
FALSUM_API int falsum_model_to_bytes(const falsum_model* model, uint8_t** bytes, size_t* size);

FALSUM_API size_t falsum_model_features(const falsum_model* model);
/// Classes or labels; 1 for numbers.
FALSUM_API size_t falsum_model_outputs(const falsum_model* model);
/// Of all outputs together.
FALSUM_API size_t falsum_model_clauses(const falsum_model* model);
/// One for each output; 0, 1, ... where the model has none. Option "task" of the model tells what its outputs are.
FALSUM_API int falsum_model_labels(const falsum_model* model, falsum_texts** labels);
/// 2 * features names: "age >= 41.5", ..., "not age >= 41.5", ...
FALSUM_API int falsum_model_literal_names(const falsum_model* model, falsum_texts** names);
/// The value of an option that made the machine, as text.
FALSUM_API int falsum_model_option(const falsum_model* model, const char* name, char** value);
/// The origin of the model: falsum_version, data, samples, epochs, test_accuracy or test_rmse (empty if not
/// known), as text.
FALSUM_API int falsum_model_provenance(const falsum_model* model, const char* name, char** value);

/// The literals of a clause, ascending. A clause without literals does not vote.
FALSUM_API int falsum_model_clause(const falsum_model* model, size_t clause, uint32_t** literals, size_t* count);
typedef struct falsum_weight {
  uint32_t clause;
  int32_t votes;  // what the clause adds to the votes of the output when it is true; never 0
} falsum_weight;
/// The clauses that vote on an output, ascending.
FALSUM_API int falsum_model_weights(const falsum_model* model, size_t output, falsum_weight** weights, size_t* count);

/// The clauses of an output in the units of the data, one sentence for equal clauses, most votes first: "+2 IF 41.5 <=
/// age < 60 AND smoker THEN ill".
FALSUM_API int falsum_model_rules(const falsum_model* model, size_t output, falsum_texts** rules);

/// The same clauses with labels, names of features and where the data came from. NULL keeps those of the model;
/// otherwise label_count is the number of outputs and name_count the number of features, which are then bits.
FALSUM_API int falsum_model_described(const falsum_model* model, const char* const* labels, size_t label_count,
                                      const char* const* feature_names, size_t name_count, const char* data,
                                      falsum_model** described);
FALSUM_API void falsum_model_free(falsum_model* model);

// ----------------------------------------------------------------------------------------------------------- predictor
/// engine (auto, scan, index, bitmap, sliced) and kernels never change a vote; NULL is "auto".
FALSUM_API int falsum_predictor_new(const falsum_model* model, const char* engine, const char* kernels,
                                    falsum_predictor** predictor);
FALSUM_API size_t falsum_predictor_features(const falsum_predictor* predictor);
FALSUM_API size_t falsum_predictor_outputs(const falsum_predictor* predictor);
/// The votes for every output, row by row: vote_count = rows * outputs. threads 0: all cores.
FALSUM_API int falsum_predictor_votes(const falsum_predictor* predictor, const falsum_rows* rows, uint32_t threads,
                                      int32_t* votes, size_t vote_count);
/// The output with the most votes of each row, the lowest on ties: class_count = rows.
FALSUM_API int falsum_predictor_predict(const falsum_predictor* predictor, const falsum_rows* rows, uint32_t threads,
                                        uint32_t* classes, size_t class_count);
/// The labels of each row, for a multilabel model: 1 where the label applies, 0 where it does not. label_count = rows *
/// outputs.
FALSUM_API int falsum_predictor_multilabel(const falsum_predictor* predictor, const falsum_rows* rows, uint32_t threads,
                                           uint8_t* labels, size_t label_count);
/// The number of each row, for a regression model: number_count = rows.
FALSUM_API int falsum_predictor_numbers(const falsum_predictor* predictor, const falsum_rows* rows, uint32_t threads,
                                        double* numbers, size_t number_count);
/// The votes of one row without a falsum_rows, from its packed words or its true features, ascending. vote_count =
/// outputs.
FALSUM_API int falsum_predictor_votes_packed(const falsum_predictor* predictor, const uint64_t* words,
                                             size_t word_count, int32_t* votes, size_t vote_count);
FALSUM_API int falsum_predictor_votes_sparse(const falsum_predictor* predictor, const uint32_t* features,
                                             size_t feature_count, int32_t* votes, size_t vote_count);
FALSUM_API void falsum_predictor_free(falsum_predictor* predictor);

// ------------------------------------------------------------------------------------------------------------ position
// For games and searches: a flip costs a fraction of a prediction, and the votes after every single flip come at once.
// One position per thread; copies share the compiled model.

/// At first all features are false.
FALSUM_API int falsum_position_new(const falsum_model* model, falsum_position** position);
FALSUM_API int falsum_position_copy(const falsum_position* position, falsum_position** copy);
FALSUM_API size_t falsum_position_features(const falsum_position* position);
FALSUM_API size_t falsum_position_outputs(const falsum_position* position);
/// Another position, as packed words; bits beyond the last feature are ignored. Marks made before are no longer valid.
FALSUM_API int falsum_position_set(falsum_position* position, const uint64_t* words, size_t word_count);
/// Changes one feature; the same call again changes it back.
FALSUM_API int falsum_position_flip(falsum_position* position, size_t feature);
/// A place to return to. From the first mark on flips are noted, four bytes each, until they are undone or another
/// position is set.
typedef struct falsum_mark {
  uint64_t set, flips;
} falsum_mark;
FALSUM_API int falsum_position_mark(falsum_position* position, falsum_mark* mark);
FALSUM_API int falsum_position_undo(falsum_position* position, falsum_mark mark);
/// The votes for every output here: vote_count = outputs.
FALSUM_API int falsum_position_votes(const falsum_position* position, int32_t* votes, size_t vote_count);
/// The votes after each single flip, feature by feature: vote_count = features * outputs.
FALSUM_API int falsum_position_successors(falsum_position* position, int32_t* votes, size_t vote_count);
/// The clauses of the model that vote on the output here; falsum_free frees them.
FALSUM_API int falsum_position_true_clauses(const falsum_position* position, size_t output, uint32_t** clauses,
                                            size_t* count);
FALSUM_API void falsum_position_free(falsum_position* position);

// ---------------------------------------------------------------------------------------------------------- data files
// IDX, CSV, SVMlight, NPY, NPZ, plain or packed by gzip or xz, "-" for standard input, or a built-in name
// ("noisy-xor:train"); docs/data.md. libfalsum.so contains no images: the files of "mnist" are searched for like those
// of other data sets.

/// Learns option "epochs" epochs; the model has everything needed to predict such files. It equals that of `falsum
/// train`, byte for byte. If progress stops the training, the model holds what was learned so far.
FALSUM_API int falsum_train_file(const char* data, const falsum_options* options, falsum_progress progress, void* user,
                                 falsum_model** model);
/// The answer for every row: its label, its labels with ; between them, or its number; an empty text for rows left out
/// by option "bad_rows" "skip". Only the options for reading a file, engine, kernels and threads are used.
FALSUM_API int falsum_predict_file(const falsum_model* model, const char* data, const falsum_options* options,
                                   falsum_texts** labels);

/// The same in steps. Labelled data for training: their schema and features are inferred here.
FALSUM_API int falsum_data_load(const char* data, const falsum_options* options, falsum_data** out);
/// Data for a model, read by its schema. labelled 0: the data may have no labels, and none are read.
FALSUM_API int falsum_data_load_for(const falsum_model* model, const char* data, int labelled,
                                    const falsum_options* options, falsum_data** out);
/// The rows as features. They belong to the data and must not be freed.
FALSUM_API const falsum_rows* falsum_data_rows(const falsum_data* data);
/// The class of each row, as falsum_machine_learn_epoch takes them; none if no labels were read. Option "task", or the
/// model that the data are for, tells which of these three functions has the targets; the others are errors.
FALSUM_API int falsum_data_labels(const falsum_data* data, uint32_t** labels, size_t* count);
/// The weight of each row, as falsum_machine_learn_epoch_weighted takes them; none without the option weight_column.
FALSUM_API int falsum_data_weights(const falsum_data* data, double** weights, size_t* count);
/// As falsum_machine_learn_multilabel takes them.
FALSUM_API int falsum_data_multilabel(const falsum_data* data, uint8_t** labels, size_t* count);
/// As falsum_machine_learn_numbers takes them.
FALSUM_API int falsum_data_numbers(const falsum_data* data, double** numbers, size_t* count);
/// The label of each output; none for numbers.
FALSUM_API int falsum_data_label_names(const falsum_data* data, falsum_texts** names);
/// A sentence for everything unusual in the data.
FALSUM_API int falsum_data_notes(const falsum_data* data, falsum_texts** notes);
/// A model that was learned from these data, with their labels, features and columns added.
FALSUM_API int falsum_data_describe(const falsum_data* data, const falsum_model* model, falsum_model** described);
FALSUM_API void falsum_data_free(falsum_data* data);

#ifdef __cplusplus
}
#endif

#endif
