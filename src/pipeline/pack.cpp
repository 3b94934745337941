#include "falsum/pack.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "booleanize/mappings.h"
#include "data/formats.h"
#include "data/packed_writer.h"
#include "data/parts.h"
#include "falsum/booleanize_options.h"
#include "falsum/error.h"
#include "falsum/model.h"
#include "falsum/packed_rows.h"
#include "falsum/pipeline.h"
#include "pipeline/column_spill.h"
#include "support/bytes.h"
#include "support/format.h"

namespace falsum {
namespace {

/// The labels of all rows: each different text once.
class LabelTexts {
 public:
  void add(const std::vector<std::string>& labels) {
    for (const std::string& label : labels) {
      const auto [found, is_new] = known_.try_emplace(label, static_cast<std::uint32_t>(texts_.size()));
      if (is_new) {
        texts_.push_back(label);
        first_rows_.push_back(rows_.size());
      }
      rows_.push_back(found->second);
    }
  }
  std::size_t rows() const { return rows_.size(); }
  LabelKind settle(std::vector<std::string>& notes) { return settle_labels(texts_, notes); }

  struct Encoded {
    AnyTargets targets;
    std::vector<std::string> outputs;
  };
  /// What training would make of them: each text is encoded once.
  Encoded encode(Task task, const std::string& origin) {
    Source texts;
    texts.labels = texts_;
    texts.values = BitMatrix(texts_.size(), 1);
    texts.origin = origin;
    Encoded encoded;
    if (task == Task::kClassification) {
      encoded.outputs = distinct_labels(texts_);
      const std::vector<std::uint32_t> classes = encode_labels(texts, encoded.outputs);
      for (std::uint32_t& row : rows_) row = classes[row];
      encoded.targets = std::move(rows_);
      return encoded;
    }
    if (task == Task::kRegression) {
      std::vector<double> of_texts, numbers;
      for (std::size_t i = 0; i < texts_.size(); ++i) {
        of_texts.push_back(label_number(texts_[i], origin, first_rows_[i]));
      }
      for (const std::uint32_t row : rows_) numbers.push_back(of_texts[row]);
      encoded.targets = std::move(numbers);
      return encoded;
    }
    encoded.outputs = outputs_of(texts, task);
    const AnyTargets of_texts = targets_of(texts, task, encoded.outputs);
    BitMatrix labels(rows_.size(), encoded.outputs.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      std::ranges::copy(of_texts.view().labels().packed(rows_[r]), labels.row(r).begin());
    }
    encoded.targets = std::move(labels);
    return encoded;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> known_;
  std::vector<std::string> texts_;
  std::vector<std::size_t> first_rows_;  // that have each text
  std::vector<std::uint32_t> rows_;      // which text
};

}  // namespace

struct Packer::State {
  State(const std::string& its_path, Task its_task, const BooleanizeOptions& its_options,
        const std::optional<Like>& like)
      : path(its_path), task(its_task), options(its_options) {
    validate(options);
    if (like) booleanizer = like->booleanizer;
    is_like = like.has_value();
  }

  std::string path;
  Task task;
  BooleanizeOptions options;
  bool is_like = false;                    // the booleanizer was given
  std::optional<Booleanizer> booleanizer;  // given, or fitted as soon as that is possible
  std::optional<PackedWriter> writer;
  std::optional<ColumnSpill> spill;   // of a table whose thresholds are not known yet
  std::uint64_t sparse_features = 0;  // of sparse rows, so far
  std::size_t kind = 0;               // of the values of the first part: its position in the variant
  std::uint64_t rows = 0;
  LabelTexts labels;
  std::vector<double> weights;

  PackedWriter& write_to(bool sparse) {
    if (!writer) writer.emplace(path, sparse);
    return *writer;
  }
  void check_part(const Source& part);
  void write_rows(const Source& part);
  void add_sparse(const SparseRows& part);
  void write_spilled(const std::string& origin);
};

Packer::Packer(const std::string& path, Task task, const BooleanizeOptions& options, const std::optional<Like>& like)
    : state_(std::make_unique<State>(path, task, options, like)) {}
Packer::~Packer() = default;

void Packer::State::check_part(const Source& part) {
  const auto all_or_none = [&](std::size_t there, std::size_t before, const char* what) {
    const bool some = rows > 0 && (there > 0) != (before > 0);
    if (some || (there > 0 && there != part.rows())) {
      throw DataError(fmt::format("{}, rows from {} on: {} rows and {} {}, and rows have {} all or none", part.origin,
                                  rows, part.rows(), there, what, what));
    }
  };
  all_or_none(part.labels.size(), labels.rows(), "labels");
  all_or_none(part.weights.size(), weights.size(), "weights");
  if (rows > 0 && part.values.index() != kind) {
    throw DataError(fmt::format("{}, rows from {} on: they are {}, and those before are of another kind", part.origin,
                                rows, describe(part)));
  }
  kind = part.values.index();
  for (const double weight : part.weights) {
    if (!(weight > 0) || !std::isfinite(weight)) {
      throw DataError(fmt::format("{}: weights must be above 0 and finite, got {}; leave rows of weight 0 out",
                                  part.origin, weight));
    }
  }
}

void Packer::State::write_rows(const Source& part) {
  if (part.is_sparse()) {
    write_to(true).add(booleanizer->transform_sparse(part));
  } else {
    write_to(false).add(booleanizer->transform(part));
  }
}

/// Values above 0 are true features (Booleanizer); how many features there are is known at the end.
void Packer::State::add_sparse(const SparseRows& part) {
  PackedWriter& to = write_to(true);
  std::vector<std::uint32_t> row;
  for (std::size_t r = 0; r < part.rows(); ++r) {
    row.clear();
    for (std::uint64_t e = part.starts[r]; e < part.starts[r + 1]; ++e) {
      if (part.values[e] > 0) row.push_back(part.indices[e]);
    }
    to.add(row);
  }
  sparse_features = std::max<std::uint64_t>(sparse_features, part.features);
}

void Packer::add(const Source& part) {
  State& state = *state_;
  if (part.packed() != nullptr) throw ConfigError(fmt::format("{} is packed already", part.origin));
  if (part.rows() == 0) return;
  state.check_part(part);
  if (state.booleanizer) {
    if (std::holds_alternative<Documents>(part.values) && state.rows > 0 && !state.is_like) {
      throw DataError("texts must come in one part, since their words are chosen by all of them");
    }
    state.write_rows(part);
  } else if (const auto* sparse = std::get_if<SparseRows>(&part.values)) {
    state.add_sparse(*sparse);
  } else if (const auto* table = std::get_if<Columns>(&part.values)) {
    if (!state.spill) state.spill.emplace(state.path);
    state.spill->add(*table, part.origin);
  } else {  // bits and images have nothing to fit, and texts come in one part
    state.booleanizer = Booleanizer::fit(part, state.options, state.task);
    state.write_rows(part);
  }
  state.labels.add(part.labels);
  state.weights.insert(state.weights.end(), part.weights.begin(), part.weights.end());
  state.rows += part.rows();
}

/// Fits column by column, then makes all rows.
void Packer::State::write_spilled(const std::string& origin) {
  Booleanizer::ByColumn mapping;
  for (std::size_t c = 0; c < spill->columns(); ++c) {
    mapping.columns.push_back(fit_column(spill->column(c), options));
  }
  const auto add = [](std::size_t sum, const auto& column) { return sum + column_features(column); };
  const std::size_t features = std::accumulate(mapping.columns.begin(), mapping.columns.end(), std::size_t{0}, add);
  check_fitted(features, origin);
  booleanizer = Booleanizer::from_mapping(std::move(mapping));
  pack_spilled(*spill, *booleanizer, write_to(false));
}

PackReport Packer::finish(const Source& rest, bool labels_settled) {
  State& state = *state_;
  if (state.rows == 0) throw DataError(fmt::format("{} has no rows to pack", rest.origin));
  PackReport report;
  report.origin = rest.origin;
  report.schema = rest.schema;
  report.reading = rest.reading;
  report.rows = state.rows;
  report.labelled = state.labels.rows() > 0;
  if (state.spill) {
    state.write_spilled(rest.origin);
    state.spill->summarise(report.schema);
    state.spill.reset();
  } else if (!state.booleanizer) {
    check_size(state.rows, state.sparse_features, rest.origin);
    Booleanizer::Bits bits{static_cast<std::uint32_t>(state.sparse_features), rest.feature_names};
    state.booleanizer = Booleanizer::from_mapping(std::move(bits));
  }
  PackedWriter::Rest last;
  LabelTexts::Encoded encoded;
  std::optional<Targets> targets;
  if (report.labelled) {
    if (!labels_settled) report.schema.label_kind = state.labels.settle(report.reading.notes);
    encoded = state.labels.encode(state.task, rest.origin);
    targets = encoded.targets.view();
    last.targets = &*targets;
    report.outputs = encoded.outputs;
  }
  ByteWriter booleanizer;
  state.booleanizer->write(booleanizer);
  last.columns = state.booleanizer->features();
  last.outputs = report.outputs;
  last.weights = std::move(state.weights);
  last.origin = report.origin;
  last.booleanizer = booleanizer.take();
  last.schema = report.schema;
  last.reading = report.reading;
  report.sparse = state.writer->sparse();
  report.bytes = state.writer->finish(last);
  report.booleanizer = *std::move(state.booleanizer);
  return report;
}

namespace {

/// Sets the task, too.
std::optional<Packer::Like> like_of(const std::string& path, LoadOptions& load) {
  if (path.empty()) return std::nullopt;
  if (is_packed_rows(path)) {
    const auto file = PackedRows::open(path);
    load.task = file->task();
    return Packer::Like{Booleanizer::of(*file), file->schema()};
  }
  const Model model = Model::load(path);
  load.task = model.task();
  return Packer::Like{model.booleanizer(), model.reading_schema()};
}

}  // namespace

PackReport pack(const std::string& data, const std::string& path, const PackOptions& options) {
  LoadOptions load = options.load;
  const std::optional<Packer::Like> like = like_of(options.like, load);
  load.levels = options.booleanize.levels;
  if (like) load = reading_options(like->booleanizer, like->schema, load);
  Packer packer(path, load.task, options.booleanize, like);
  const PartsRead read = for_each_part(data, load, [&](const Source& part) {
    if (options.seen) options.seen(part);
    packer.add(part);
  });
  return packer.finish(read.rest, read.labels_settled);
}

}  // namespace falsum
