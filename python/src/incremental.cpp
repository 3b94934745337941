#include "falsum/incremental.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bits.h"
#include "falsum/changes.h"
#include "falsum/error.h"

namespace falsum::python {
namespace {

std::size_t checked_output(const IncrementalPredictor& position, std::size_t output) {
  if (output < position.outputs()) return output;
  throw ConfigError("output must be from 0 to " + std::to_string(position.outputs() - 1) + ", got " +
                    std::to_string(output));
}

nb::dict counters(const IncrementalPredictor& position) {
  nb::dict all;
  const IncrementalCounters& counts = position.counters();
  all["flips"] = counts.flips;
  all["entries_visited"] = counts.entries_visited;
  all["lines_joined"] = counts.lines_joined;
  all["successors"] = counts.successors;
  all["near_clauses"] = counts.near_clauses;
  all["literals_walked"] = counts.literals_walked;
  return all;
}

}  // namespace

void bind_incremental(nb::module_& m) {
  nb::class_<IncrementalPredictor>(m, "IncrementalPredictor", "A row that changes feature by feature, and its votes.")
      .def(nb::init<const Model&>(), nb::arg("model"))
      .def("copy", [](const IncrementalPredictor& self) { return IncrementalPredictor(self); })
      .def("set",
           [](IncrementalPredictor& self, const BitMatrix& rows) {
             if (rows.rows() != 1 || rows.columns() != self.features()) {
               throw DataError("a position takes one row of " + std::to_string(self.features()) + " features, got " +
                               std::to_string(rows.rows()) + " of " + std::to_string(rows.columns()));
             }
             self.set(rows.row(0));
           })
      .def("flip", &IncrementalPredictor::flip, nb::arg("feature"))
      .def("mark",
           [](IncrementalPredictor& self) {
             const IncrementalPredictor::Mark mark = self.mark();
             return std::make_tuple(mark.set, mark.flips);
           })
      .def("undo",
           [](IncrementalPredictor& self, std::tuple<std::uint64_t, std::uint64_t> mark) {
             self.undo({std::get<0>(mark), std::get<1>(mark)});
           })
      .def("row",
           [](const IncrementalPredictor& self) {
             std::vector<std::uint8_t> bits(self.features());
             for (std::size_t k = 0; k < bits.size(); ++k) bits[k] = self.feature(k);
             return to_numpy(std::move(bits), {self.features()});
           })
      .def("votes",
           [](const IncrementalPredictor& self) {
             return to_numpy(std::vector<std::int32_t>(self.votes().begin(), self.votes().end()), {self.outputs()});
           })
      .def("successors",
           [](IncrementalPredictor& self) {
             std::vector<std::int32_t> votes(self.features() * self.outputs());
             self.successors(votes);
             return to_numpy(std::move(votes), {self.features(), self.outputs()});
           })
      .def("true_clauses",
           [](const IncrementalPredictor& self, std::size_t output) {
             std::vector<std::uint32_t> clauses;
             std::vector<std::int32_t> votes;
             self.for_each_true(checked_output(self, output), [&](std::uint32_t clause, std::int32_t value) {
               clauses.push_back(clause);
               votes.push_back(value);
             });
             const std::size_t count = clauses.size();
             return std::make_tuple(to_numpy(std::move(clauses), {count}), to_numpy(std::move(votes), {count}));
           })
      .def(
          "smallest_change",
          [](const IncrementalPredictor& self, std::optional<std::size_t> output,
             const std::vector<std::uint32_t>& features, std::size_t most_features, std::uint64_t most_passes) {
            Change change;
            {
              nb::gil_scoped_release release;
              change = smallest_change(self, {output, features, most_features, most_passes});
            }
            const std::size_t flips = change.features.size(), votes = change.votes.size();
            return std::make_tuple(to_numpy(std::move(change.features), {flips}),
                                   to_numpy(std::move(change.votes), {votes}), change.smallest, change.passes);
          },
          nb::arg("output").none(), nb::arg("features"), nb::arg("most_features"), nb::arg("most_passes"))
      .def("counters", &counters)
      .def_prop_ro("features", &IncrementalPredictor::features)
      .def_prop_ro("outputs", &IncrementalPredictor::outputs);
}

}  // namespace falsum::python
