#include "falsum/machine.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <memory>
#include <mutex>
#include <optional>

#include "bind.h"
#include "falsum/advice.h"
#include "falsum/data_digest.h"
#include "falsum/error.h"
#include "falsum/folds.h"
#include "falsum/row_weights.h"
#include "support/format.h"

namespace falsum::python {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using LabelRows = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// A Collective of Python: an object with `rank`, `size` and a method `sum(numbers)`, which replaces the numbers of an
/// array of int32 by their sums over all members. The array is there during the call only.
class PythonCollective final : public Collective {
 public:
  explicit PythonCollective(nb::object members)
      : members_(std::move(members)),
        rank_(nb::cast<std::uint32_t>(members_.attr("rank"))),
        size_(nb::cast<std::uint32_t>(members_.attr("size"))) {}

  std::uint32_t rank() const override { return rank_; }
  std::uint32_t size() const override { return size_; }
  void sum(std::span<std::int32_t> numbers) override {
    nb::gil_scoped_acquire acquire;
    const NumpyArray<std::int32_t> array(numbers.data(), {numbers.size()});
    members_.attr("sum")(nb::cast(array, nb::rv_policy::reference));
  }

 private:
  nb::object members_;
  std::uint32_t rank_, size_;
};

/// A machine is not safe for concurrent use, and Python programs have threads: they wait for each other here. The lock
/// is always taken without the interpreter lock, so that the two cannot wait in a circle.
class SharedMachine {
 public:
  explicit SharedMachine(Machine machine) : machine_(std::move(machine)) {}

  template <class Use>
  auto with(Use&& use) {
    nb::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    return use(machine_);
  }

  template <class Rows, class Array>
  nb::dict learn_epoch(const Rows& rows, const Array& targets, const nb::object& progress,
                       const std::optional<Numbers>& weights);
  bool stopped() const { return stopped_; }
  template <class Rows>
  void set_data(const Rows& rows, const Labels& classes) {
    const Targets targets(std::span(classes.data(), classes.size()));
    with([&](Machine& machine) { machine.set_data(digest(rows, targets)); });
  }
  void set_collective(const nb::object& members) {
    auto collective = std::make_unique<PythonCollective>(members);
    with([&](Machine& machine) { machine.set_collective(collective.get()); });
    collective_ = std::move(collective);
  }
  std::vector<std::string> advice(const std::string& kind, bool image, const Labels& classes,
                                  const std::vector<std::string>& labels, bool weighted);

 private:
  std::unique_ptr<PythonCollective> collective_;
  Machine machine_;
  EpochReport last_;
  bool stopped_ = false;  // the last epoch ended by what Python raised in it
  bool learning_ = false;
  std::recursive_mutex mutex_;  // recursive: a progress callback may look at the machine
};

AnyTargets copied(const Labels& classes) {
  return std::vector<std::uint32_t>(classes.data(), classes.data() + classes.size());
}
AnyTargets copied(const Numbers& numbers) {
  return std::vector<double>(numbers.data(), numbers.data() + numbers.size());
}
AnyTargets copied(const LabelRows& labels) {
  BitMatrix rows(labels.shape(0), labels.shape(1));
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t o = 0; o < rows.columns(); ++o) {
      if (labels.data()[r * rows.columns() + o]) rows.set(r, o);
    }
  }
  return rows;
}

nb::dict from_report(const EpochReport& report) {
  nb::dict values;
  values["epoch"] = report.epoch;
  values["complete"] = report.complete;
  values["mean_clause_length"] = report.mean_clause_length;
  values["flips"] = report.counters.flips;
  values["type_1a"] = report.counters.type_1a;
  values["type_1b"] = report.counters.type_1b;
  values["type_2"] = report.counters.type_2;
  values["evaluations"] = report.counters.evaluations;
  values["sums"] = report.sums;
  values["summed_bytes"] = report.summed_bytes;
  return values;
}

/// Ctrl-C and an exception in `progress` stop the epoch first and are raised after it, so that the machine is
/// whole and can be used.
template <class Rows, class Array>
nb::dict SharedMachine::learn_epoch(const Rows& rows, const Array& targets, const nb::object& progress,
                                    const std::optional<Numbers>& weights) {
  AnyTargets kept = copied(targets);
  if (weights) kept.set_weights({weights->data(), weights->data() + weights->size()});
  std::exception_ptr raised;
  stopped_ = false;
  const auto tell = [&](double done) {
    nb::gil_scoped_acquire acquire;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!progress.is_none()) progress(done);
      return true;
    } catch (...) {
      raised = std::current_exception();
      return false;
    }
  };
  const EpochReport report = with([&](Machine& machine) {
    if (learning_) throw ConfigError("a progress callback cannot start another epoch of the same machine");
    learning_ = true;
    const struct Done {
      bool& learning;
      ~Done() { learning = false; }
    } done{learning_};
    return machine.learn_epoch(rows, kept.view(), tell);
  });
  stopped_ = raised != nullptr;
  last_ = report;
  if (raised) std::rethrow_exception(raised);
  return from_report(report);
}

/// The machine of a part of it, from the checkpoints of parts.
SharedMachine* join(const std::vector<nb::bytes>& checkpoints, const nb::dict& options, const Part& part) {
  const std::vector<std::string_view> views = [&] {
    std::vector<std::string_view> all;
    for (const nb::bytes& bytes : checkpoints) all.emplace_back(bytes.c_str(), bytes.size());
    return all;
  }();
  const Options run = to_options(options);
  nb::gil_scoped_release release;
  return new SharedMachine(Machine::join(views, run, part));
}

/// A text that is another one for other rows, targets or weights.
template <class Rows, class Array>
std::string digest_text(const Rows& rows, const Array& targets, const std::optional<Numbers>& weights) {
  AnyTargets kept = copied(targets);
  if (weights) kept.set_weights({weights->data(), weights->data() + weights->size()});
  nb::gil_scoped_release release;
  const DataDigest data = digest(rows, kept.view());
  std::string text;
  for (const std::uint64_t number : {data.rows, data.features, data.values, data.labels, data.weights}) {
    text += fmt::format("{}{:x}", text.empty() ? "" : "-", number);
  }
  return text;
}

template <class Rows>
void bind_digest(nb::module_& m) {
  const auto define = [&](auto function) {
    m.def("data_digest", function, nb::arg("rows"), nb::arg("targets").noconvert(),
          nb::arg("weights").none() = nb::none(),
          "A text that is another one for other rows, targets or weights, also in another process.");
  };
  define(&digest_text<Rows, Labels>);
  define(&digest_text<Rows, Numbers>);
  define(&digest_text<Rows, LabelRows>);
}

nb::dict facts_of(const nb::bytes& bytes) {
  const CheckpointFacts facts = facts_of_checkpoint({bytes.c_str(), bytes.size()});
  nb::dict values;
  values["options"] = from_options(facts.options);
  values["features"] = facts.features;
  values["outputs"] = facts.outputs;
  values["epoch"] = facts.epoch;
  values["complete"] = facts.is_between;
  values["part"] = facts.part;
  return values;
}

void bind_part(nb::module_& m) {
  m.def("facts_of_checkpoint", &facts_of, nb::arg("bytes"),
        "What a checkpoint is of: options, features, outputs, epoch, part, and whether its last epoch is complete. "
        "OSError for one that is damaged.");
  m.def(
      "divided",
      [](const nb::dict& options, std::size_t outputs, std::uint32_t members) {
        return divided(to_options(options), outputs, members);
      },
      nb::arg("options"), nb::arg("outputs"), nb::arg("members"), "The parts of a machine for so many members.");
  nb::class_<Part>(m, "Part", "What of a machine a process holds.")
      .def(
          "__init__",
          [](Part* self, std::vector<std::uint32_t> classes, std::uint32_t shard, std::uint32_t shards) {
            new (self) Part{std::move(classes), shard, shards};
          },
          nb::arg("classes") = std::vector<std::uint32_t>(), nb::arg("shard") = 0, nb::arg("shards") = 1,
          "Classes or labels, ascending, none for all of them; and which of so many ranges of their clauses.")
      .def_ro("classes", &Part::classes)
      .def_ro("shard", &Part::shard)
      .def_ro("shards", &Part::shards)
      .def("__repr__", [](const Part& part) { return "<Part: " + text_of(part) + ">"; });
}

std::vector<std::string> SharedMachine::advice(const std::string& kind, bool image, const Labels& classes,
                                               const std::vector<std::string>& labels, bool weighted) {
  const std::vector<double> weights(weighted ? classes.size() : 0, 1);  // all that counts is whether there are any
  const Targets targets = Targets(std::span(classes.data(), classes.size())).with_weights(weights);
  return with([&](const Machine& machine) {
    return falsum::advice(machine, {to_data_kind(kind, image), classes.size(), machine.outputs()}, targets, last_,
                          labels);
  });
}

nb::bytes checkpoint(SharedMachine& shared) {
  const std::string bytes = shared.with([](Machine& machine) { return machine.checkpoint(); });
  return nb::bytes(bytes.data(), bytes.size());
}

std::span<const double> view(const std::optional<Numbers>& numbers) {
  return numbers ? std::span(numbers->data(), numbers->size()) : std::span<const double>();
}
Targets classes_with_weights(const Labels& classes, const std::optional<Numbers>& weights) {
  if (weights) check_row_weights(view(weights), classes.size());
  return Targets(std::span(classes.data(), classes.size())).with_weights(view(weights));
}

void bind_row_weights(nb::module_& m) {
  const auto vector = [](std::vector<double> values) {
    const std::size_t size = values.size();
    return to_numpy(std::move(values), {size});
  };
  m.def(
      "check_row_weights",
      [](const Numbers& weights, std::size_t rows) {
        check_row_weights(std::span(weights.data(), weights.size()), rows);
      },
      nb::arg("weights"), nb::arg("rows"), "ValueError, naming the row, for weights that cannot be.");
  m.def(
      "balanced_class_weights",
      [vector](const Labels& classes, std::size_t count, const std::optional<Numbers>& weights) {
        return vector(balanced_class_weights(classes_with_weights(classes, weights), count));
      },
      nb::arg("classes"), nb::arg("count"), nb::arg("weights").none() = nb::none(),
      "A weight for each class, with which all classes have the same weight in total.");
  m.def(
      "times_class_weights",
      [vector](const Labels& classes, const Numbers& class_weights, const std::optional<Numbers>& weights) {
        return vector(times_class_weights(classes_with_weights(classes, weights),
                                          std::span(class_weights.data(), class_weights.size())));
      },
      nb::arg("classes"), nb::arg("class_weights"), nb::arg("weights").none() = nb::none(),
      "The weight of each row times that of its class.");
}

/// The model with a temperature that machines of the same options find on rows that they do not learn from. Ctrl-C is
/// raised after the epoch is stopped.
template <class Rows>
Model calibrated_on_folds(const Model& model, const Rows& rows, const Labels& labels, const nb::dict& options,
                          const std::optional<Numbers>& weights) {
  const Options chosen = to_options(options);
  const Targets targets = classes_with_weights(labels, weights);
  std::exception_ptr raised;
  Calibration fitted;
  {
    nb::gil_scoped_release release;
    fitted = calibrate_on_folds(rows, targets, chosen, model.outputs(), [&](double) {
      nb::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() == 0) return true;
      raised = std::make_exception_ptr(nb::python_error());
      return false;
    });
  }
  if (raised) std::rethrow_exception(raised);
  return model.calibrated(fitted);
}

template <class Rows>
void bind_learn_epoch(nb::class_<SharedMachine>& machine) {
  const auto define = [&](auto method) {
    machine.def(
        "learn_epoch", method, nb::arg("rows"), nb::arg("targets").noconvert(), nb::arg("progress").none() = nb::none(),
        nb::arg("weights").none() = nb::none(),
        "One pass over the rows in a fresh order. Targets are class ids, a row of truth values for each row, or "
        "numbers. progress(done) is called now and then; an exception in it, and Ctrl-C, stop the epoch and are "
        "raised. Weights, one for each row, are rates of use.");
  };
  define(&SharedMachine::learn_epoch<Rows, Labels>);
  define(&SharedMachine::learn_epoch<Rows, Numbers>);
  define(&SharedMachine::learn_epoch<Rows, LabelRows>);
}

}  // namespace

void bind_machine(nb::module_& m) {
  bind_row_weights(m);
  bind_part(m);
  bind_digest<SparseBits>(m);
  bind_digest<BitMatrix>(m);
  bind_digest<AnyRows>(m);
  const auto define = [&](auto function) {
    m.def("calibrated_on_folds", function, nb::arg("model"), nb::arg("rows"), nb::arg("labels"), nb::arg("options"),
          nb::arg("weights").none() = nb::none(),
          "The model with probabilities fitted by machines of the same options on rows that they do not learn from.");
  };
  define(&calibrated_on_folds<SparseBits>);
  define(&calibrated_on_folds<BitMatrix>);
  define(&calibrated_on_folds<AnyRows>);
  nb::class_<SharedMachine> machine_class(m, "Machine", "What learns: the automata of every output.");
  bind_learn_epoch<SparseBits>(machine_class);
  bind_learn_epoch<BitMatrix>(machine_class);
  bind_learn_epoch<AnyRows>(machine_class);
  machine_class
      .def(
          "__init__",
          [](SharedMachine* self, const nb::dict& options, std::size_t features, std::size_t outputs,
             const Part& part) {
            const Options chosen = to_options(options);
            nb::gil_scoped_release release;
            new (self) SharedMachine(Machine(chosen, features, outputs, part));
          },
          nb::arg("options"), nb::arg("features"), nb::arg("outputs"), nb::arg("part") = Part())
      .def_static(
          "from_checkpoint",
          [](const nb::bytes& bytes, const nb::dict& options) {
            return new SharedMachine(
                Machine::from_checkpoint(std::string_view(bytes.c_str(), bytes.size()), to_options(options)));
          },
          nb::arg("bytes"), nb::arg("options"), nb::rv_policy::take_ownership)
      .def_static("join", &join, nb::arg("checkpoints"), nb::arg("options"), nb::arg("part") = Part(),
                  nb::rv_policy::take_ownership,
                  "The machine of `part`, from checkpoints of parts that together hold it. OSError for parts that do "
                  "not fit together.")
      .def_prop_ro("part", [](SharedMachine& s) { return s.with([](Machine& machine) { return machine.part(); }); })
      .def("set_data", &SharedMachine::set_data<BitMatrix>, nb::arg("rows"), nb::arg("classes").noconvert(),
           "The digest of the data to learn, which checkpoints hold: parts of other data are not joined.")
      .def("set_data", &SharedMachine::set_data<SparseBits>, nb::arg("rows"), nb::arg("classes").noconvert())
      .def("set_collective", &SharedMachine::set_collective, nb::arg("members"),
           "Who adds up the votes of the shards of a part: an object with `rank`, `size` and `sum(numbers)`, which "
           "replaces "
           "the numbers of an array of int32 by their sums over all members.")
      .def(
          "abandon_epoch", [](SharedMachine& s) { s.with([](Machine& machine) { machine.abandon_epoch(); }); },
          "After a stop: the next learn_epoch begins a new epoch, of any rows.")
      .def_prop_ro(
          "stopped", &SharedMachine::stopped,
          "Whether the last epoch was stopped by Ctrl-C or by progress, rather than ending or failing by itself.")
      .def("advice", &SharedMachine::advice, nb::arg("kind"), nb::arg("image"), nb::arg("classes").noconvert(),
           nb::arg("labels"), nb::arg("weighted"),
           "Sentences about what kept it from learning well, after an epoch of a machine that classifies.")
      .def("model", [](SharedMachine& s) { return s.with([](Machine& machine) { return machine.model(); }); })
      .def_prop_ro("draws_changed",
                   [](SharedMachine& s) { return s.with([](Machine& machine) { return machine.draws_changed(); }); })
      .def("checkpoint", &checkpoint)
      .def_prop_ro("epoch", [](SharedMachine& s) { return s.with([](Machine& machine) { return machine.epoch(); }); })
      .def_prop_ro("features",
                   [](SharedMachine& s) { return s.with([](Machine& machine) { return machine.features(); }); })
      .def(
          "set_range",
          [](SharedMachine& s, double least, double most) {
            s.with([&](Machine& machine) { machine.set_range({least, most}); });
          },
          nb::arg("least"), nb::arg("most"),
          "Of a regression machine, before it learns: the numbers that it can answer.")
      .def_prop_ro("outputs",
                   [](SharedMachine& s) { return s.with([](Machine& machine) { return machine.outputs(); }); })
      .def_prop_ro("engine",
                   [](SharedMachine& s) {
                     return s.with([](Machine& machine) { return std::string(name_of(machine.engine())); });
                   })
      .def_prop_ro("kernels",
                   [](SharedMachine& s) { return s.with([](Machine& machine) { return machine.kernels(); }); })
      .def_prop_ro("threads",
                   [](SharedMachine& s) { return s.with([](Machine& machine) { return machine.threads(); }); })
      .def_prop_ro("options", [](SharedMachine& s) {
        return from_options(s.with([](Machine& machine) { return machine.options(); }));
      });
}

}  // namespace falsum::python
