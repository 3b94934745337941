// Which clauses are true of which rows: what rules() and explain() tell people.
#include "bind.h"
#include "falsum/clause_outputs.h"
#include "support/bits.h"

namespace falsum::python {
namespace {

template <class Rows>
NumpyArray<bool> outputs_of(const Model& model, const Rows& rows) {
  const std::size_t clauses = model.clauses();
  auto* values = new bool[rows.rows() * clauses + 1]();
  nb::capsule owner(values, [](void* pointer) noexcept { delete[] static_cast<bool*>(pointer); });
  {
    nb::gil_scoped_release release;
    const BitMatrix outputs = clause_outputs(model, rows);
    for (std::size_t r = 0; r < outputs.rows(); ++r) {
      for_each_bit(outputs.row(r).data(), outputs.words_per_row(),
                   [&](std::size_t c) { values[r * clauses + c] = true; });
    }
  }
  return NumpyArray<bool>(values, {rows.rows(), clauses}, owner);
}

template <class Rows>
NumpyArray<std::int64_t> counts_of(const Model& model, const Rows& rows, const Labels& labels, std::size_t label_count,
                                   unsigned threads) {
  std::vector<std::int64_t> counts;
  {
    nb::gil_scoped_release release;
    counts = clause_counts(model, rows, std::span(labels.data(), labels.size()), label_count, threads);
  }
  return to_numpy(std::move(counts), {model.clauses(), label_count});
}

}  // namespace

void bind_clauses(nb::module_& m) {
  const auto bind = [&]<class Rows>(const Rows*) {
    m.def("clause_outputs", &outputs_of<Rows>, nb::arg("model"), nb::arg("rows"),
          "A row for each row, a column for each clause: is it true?");
    m.def("clause_counts", &counts_of<Rows>, nb::arg("model"), nb::arg("rows"), nb::arg("labels"),
          nb::arg("label_count"), nb::arg("threads") = 1,
          "For each clause, of how many rows of each label it is true. threads 0: all cores.");
  };
  bind(static_cast<const BitMatrix*>(nullptr));
  bind(static_cast<const SparseBits*>(nullptr));
  bind(static_cast<const AnyRows*>(nullptr));
}

}  // namespace falsum::python
