// What learns.
#include <cstring>

#include "handles.h"

namespace falsum::c_api {
namespace {

/// The size of the first falsum_epoch_report: no caller can have a smaller one.
constexpr std::size_t kFirstReport = offsetof(falsum_epoch_report, columns_joined) + sizeof(std::uint64_t);

void check_report(const falsum_epoch_report* report) {
  if (report == nullptr || report->size >= kFirstReport) return;
  throw ConfigError(
      fmt::format("report->size must be sizeof(falsum_epoch_report), at least {}, got {}", kFirstReport, report->size));
}

/// Copies as much of the report as the caller has room for.
void fill(falsum_epoch_report* to, const EpochReport& from) {
  if (to == nullptr) return;
  const LearnCounters& counters = from.counters;
  falsum_epoch_report report = FALSUM_EPOCH_REPORT;
  report.size = to->size;
  report.epoch = from.epoch;
  report.complete = from.complete ? 1 : 0;
  report.mean_clause_length = from.mean_clause_length;
  report.type_1a = counters.type_1a;
  report.type_1b = counters.type_1b;
  report.type_2 = counters.type_2;
  report.flips = counters.flips;
  report.evaluations = counters.evaluations;
  report.words_compared = counters.words_compared;
  report.entries_visited = counters.entries_visited;
  report.columns_joined = counters.columns_joined;
  std::memcpy(to, &report, std::min<std::size_t>(to->size, sizeof report));
}

/// Two epochs of one machine at once would corrupt it; this refuses the second.
class Learning {
 public:
  explicit Learning(falsum_machine& machine) : learning_(machine.learning) {
    if (learning_.exchange(true)) {
      throw ConfigError(
          "the machine is learning: a progress callback cannot change it, and threads use one after another");
    }
  }
  ~Learning() { learning_ = false; }
  Learning(const Learning&) = delete;
  Learning& operator=(const Learning&) = delete;

 private:
  std::atomic<bool>& learning_;
};

/// One epoch towards the targets that `make` returns for a number of rows. They must live as long as this call.
template <class Make>
int learn_epoch(falsum_machine* machine, const falsum_rows* rows, falsum_progress progress, void* user,
                falsum_epoch_report* report, const Make& make) {
  return guarded([&] {
    check_report(report);
    const Rows examples = needed(rows, "rows").rows;
    needed(machine, "machine");
    const auto targets = make(examples.rows());
    const Learning learning(*machine);
    Machine::Progress tell;
    if (progress != nullptr) tell = [=](double done) { return progress(user, done) == 0; };
    fill(report, machine->machine.learn_epoch(examples, targets, tell));
  });
}

}  // namespace

}  // namespace falsum::c_api

using namespace falsum;
using namespace falsum::c_api;

int falsum_machine_new(const falsum_options* options, size_t features, size_t classes, falsum_machine** machine) {
  return give_handle(machine, "machine", [&] { return Machine(or_defaults(options).machine, features, classes); });
}

int falsum_machine_learn_epoch(falsum_machine* machine, const falsum_rows* rows, const uint32_t* labels,
                               size_t label_count, falsum_progress progress, void* user, falsum_epoch_report* report) {
  return falsum_machine_learn_epoch_weighted(machine, rows, labels, label_count, nullptr, 0, progress, user, report);
}

int falsum_machine_learn_epoch_weighted(falsum_machine* machine, const falsum_rows* rows, const uint32_t* labels,
                                        size_t label_count, const double* weights, size_t weight_count,
                                        falsum_progress progress, void* user, falsum_epoch_report* report) {
  return learn_epoch(machine, rows, progress, user, report, [&](std::size_t) {
    return Targets(array(labels, label_count, "labels")).with_weights(array(weights, weight_count, "weights"));
  });
}

int falsum_machine_learn_multilabel(falsum_machine* machine, const falsum_rows* rows, const uint8_t* labels,
                                    size_t label_count, falsum_progress progress, void* user,
                                    falsum_epoch_report* report) {
  return learn_epoch(machine, rows, progress, user, report, [&](std::size_t count) {
    return bits_of_bytes(array(labels, label_count, "labels"), "label_count", count, machine->machine.outputs());
  });
}

int falsum_machine_learn_numbers(falsum_machine* machine, const falsum_rows* rows, const double* numbers,
                                 size_t number_count, falsum_progress progress, void* user,
                                 falsum_epoch_report* report) {
  return learn_epoch(machine, rows, progress, user, report,
                     [&](std::size_t) { return array(numbers, number_count, "numbers"); });
}

int falsum_machine_abandon_epoch(falsum_machine* machine) {
  return guarded([&] {
    const Learning alone(needed(machine, "machine"));
    machine->machine.abandon_epoch();
  });
}

size_t falsum_machine_features(const falsum_machine* machine) {
  return guarded_value(std::size_t{0}, [&] { return needed(machine, "machine").machine.features(); });
}
size_t falsum_machine_classes(const falsum_machine* machine) {
  return guarded_value(std::size_t{0}, [&] { return needed(machine, "machine").machine.outputs(); });
}
uint64_t falsum_machine_epoch(const falsum_machine* machine) {
  return guarded_value(std::uint64_t{0}, [&] { return needed(machine, "machine").machine.epoch(); });
}

int falsum_machine_option(const falsum_machine* machine, const char* name, char** value) {
  return give_text(value, "value", [&] { return option_text(needed(machine, "machine").machine.options(), name); });
}

int falsum_machine_model(const falsum_machine* machine, falsum_model** model) {
  return give_handle(model, "model", [&] { return needed(machine, "machine").machine.model(); });
}

int falsum_machine_checkpoint(const falsum_machine* machine, uint8_t** bytes, size_t* size) {
  return give_array(bytes, "bytes", size, "size", [&] { return needed(machine, "machine").machine.checkpoint(); });
}

int falsum_machine_from_checkpoint(const uint8_t* bytes, size_t size, const falsum_options* options,
                                   falsum_machine** machine) {
  return give_handle(machine, "machine", [&] {
    const auto given = array(bytes, size, "bytes");
    const std::string_view view(reinterpret_cast<const char*>(given.data()), given.size());
    return Machine::from_checkpoint(view, or_defaults(options).machine);
  });
}

uint64_t falsum_machine_draws(const falsum_machine* machine) {
  return guarded_value(std::uint64_t{0},
                       [&]() -> std::uint64_t { return needed(machine, "machine").machine.draws_changed() ? 1 : 2; });
}

void falsum_machine_free(falsum_machine* machine) { delete machine; }
