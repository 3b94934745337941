// The objects behind the handles of falsum/c_api.h, and guarded(), which every call uses: it turns exceptions into a
// status and a message of the thread, so that no exception leaves the library.
//
//   int falsum_x_y(const falsum_x* x, char** out) {
//     return guarded([&] { give_text(out, "out", needed(x, "x").something()); });
//   }
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "falsum/booleanizer.h"
#include "falsum/c_api.h"
#include "falsum/error.h"
#include "falsum/machine.h"
#include "falsum/model.h"
#include "falsum/predictor.h"
#include "falsum/rows.h"
#include "falsum/source.h"
#include "falsum/targets.h"
#include "support/format.h"

struct falsum_texts {
  std::vector<std::string> texts;
};

struct falsum_options {
  falsum::Options machine;
  falsum::BooleanizeOptions booleanize;
  falsum::LoadOptions load;
  bool calibrate = true;                          // falsum_train_file fits probabilities
  std::set<std::string, std::less<>> given = {};  // by falsum_options_set: an option without effect is a mistake
};

struct falsum_rows {
  falsum::AnyRows rows;
};

struct falsum_data {
  falsum_rows rows;
  falsum::Task task = falsum::Task::kClassification;
  falsum::AnyTargets targets;  // none if no labels were read
  std::vector<std::string> label_names;
  falsum::Booleanizer booleanizer;
  falsum::Schema schema;
  std::string origin;
  falsum::ReadingReport reading;
};

struct falsum_machine {
  explicit falsum_machine(falsum::Machine made) : machine(std::move(made)) {}
  falsum::Machine machine;
  std::atomic<bool> learning = false;
};

struct falsum_model {
  falsum::Model model;
};

struct falsum_predictor {
  falsum::Predictor predictor;
};

namespace falsum::c_api {

/// The status of the exception that is being handled; its message becomes the thread's last error.
int status_of_current_exception() noexcept;

template <class Work>
int guarded(Work&& work) noexcept {
  try {
    work();
    return FALSUM_OK;
  } catch (...) {
    return status_of_current_exception();
  }
}

/// For functions that return a value: returns `otherwise` if they fail.
template <class Value, class Work>
Value guarded_value(Value otherwise, Work&& work) noexcept {
  guarded([&] { otherwise = work(); });
  return otherwise;
}

template <class T>
T& needed(T* pointer, const char* name) {
  if (pointer == nullptr) throw ConfigError(fmt::format("{} must not be NULL", name));
  return *pointer;
}

inline std::string needed_text(const char* text, const char* name) { return &needed(text, name); }

/// An array of the caller: may be NULL if it has no elements.
template <class T>
std::span<T> array(T* first, std::size_t count, const char* name) {
  if (first == nullptr && count > 0) throw ConfigError(fmt::format("{} must not be NULL for {} elements", name, count));
  return {first, count};
}

inline void require_count(const char* name, std::size_t got, std::size_t wanted) {
  if (got != wanted) throw ConfigError(fmt::format("{} must be {}, got {}", name, wanted, got));
}

/// The allowed values of the option of this name.
inline unsigned checked_threads(std::uint32_t threads) {
  if (threads > 1024) throw ConfigError(fmt::format("threads must be from 0 to 1024, got {}", threads));
  return threads;
}

/// A new handle of what `make` returns; NULL when it fails.
template <class Handle, class Make>
int give_handle(Handle** out, const char* name, Make&& make) noexcept {
  if (out != nullptr) *out = nullptr;
  return guarded([&] {
    Handle*& place = needed(out, name);
    place = new Handle{make()};
  });
}

/// A copy that falsum_free frees, followed by `extra` elements of zero.
template <class T>
T* copied(const T* first, std::size_t count, std::size_t extra = 0) {
  T* copy = static_cast<T*>(std::calloc(std::max<std::size_t>(count + extra, 1), sizeof(T)));
  if (copy == nullptr) throw std::bad_alloc();
  std::copy_n(first, count, copy);
  return copy;
}

/// A new text of what `make` returns; NULL when it fails.
template <class Make>
int give_text(char** out, const char* name, Make&& make) noexcept {
  if (out != nullptr) *out = nullptr;
  return guarded([&] {
    char*& place = needed(out, name);
    const std::string text = make();
    place = copied(text.data(), text.size(), 1);
  });
}

/// A new array of what `make` returns, and its size; NULL and 0 when it fails.
template <class T, class Make>
int give_array(T** out, const char* name, std::size_t* count, const char* count_name, Make&& make) noexcept {
  if (out != nullptr) *out = nullptr;
  if (count != nullptr) *count = 0;
  return guarded([&] {
    T*& place = needed(out, name);
    std::size_t& size = needed(count, count_name);
    const auto made = make();
    place = copied(reinterpret_cast<const T*>(made.data()), made.size());  // char as uint8_t, or T itself
    size = made.size();
  });
}

/// Rows of a byte for each feature, true where it is not 0. Throws unless there are rows * features bytes.
BitMatrix bits_of_bytes(std::span<const std::uint8_t> bytes, const char* count_name, std::size_t rows,
                        std::size_t features);

/// The options given, or the defaults for NULL.
const falsum_options& or_defaults(const falsum_options* options);

/// The value of an option of this name, for a machine or a model; ConfigError if there is none.
std::string option_text(const Options& options, const char* name);

}  // namespace falsum::c_api
