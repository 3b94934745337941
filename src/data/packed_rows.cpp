#include "falsum/packed_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "data/packed_format.h"
#include "falsum/cpu.h"
#include "falsum/error.h"
#include "support/format.h"
#include "support/limits.h"
#include "support/mapped_file.h"

static_assert(std::endian::native == std::endian::little, "packed rows are used as they are in the file");

namespace falsum {

using packed::Form;
using packed::TargetForm;

struct PackedRows::State {
  std::unique_ptr<MappedFile> file;  // none where the caller keeps the bytes
  std::string_view bytes;
  std::string what;
  packed::RowsLayout layout;
  std::vector<std::string> outputs;
  std::string origin, booleanizer;
  Schema schema;
  ReadingReport reading;
  bool ask_ahead = false;

  [[noreturn]] void fail(const std::string& why) const { throw FileError(fmt::format("{} is damaged: {}", what, why)); }

  template <class Item>
  std::span<const Item> items(std::uint64_t at, std::uint64_t count) const {
    return {reinterpret_cast<const Item*>(bytes.data() + at), count};
  }
  std::span<const std::uint64_t> words() const {
    return items<std::uint64_t>(packed::kHead, layout.rows * layout.words_per_row());
  }
  SparseBitsView sparse() const {
    return {layout.columns, items<std::uint64_t>(layout.starts_at(), layout.rows + 1),
            items<std::uint32_t>(packed::kHead, layout.entries)};
  }
  std::span<const std::uint32_t> classes() const { return items<std::uint32_t>(layout.targets_at(), layout.rows); }
  std::span<const double> numbers() const { return items<double>(layout.targets_at(), layout.rows); }
  std::span<const std::uint64_t> labels() const {
    return items<std::uint64_t>(layout.targets_at(), layout.rows * layout.label_words());
  }
  std::span<const double> weights() const {
    return items<double>(layout.weights_at(), layout.weights ? layout.rows : 0);
  }

  void read_head() const;
  void read_foot();
  void read_notes();
  void check_tails(std::span<const std::uint64_t> rows, std::uint64_t columns, const char* which) const;
  void check_rows_until(std::uint64_t place, std::uint64_t& next) const;
  void check_targets() const;
  void check_blocks() const;
};

void PackedRows::State::read_head() const {
  const std::optional<std::uint32_t> kind = kind_of(bytes);
  if (!kind) throw FileError(fmt::format("{} is not a file of packed rows", what));
  if (*kind != static_cast<std::uint32_t>(FileKind::kRows)) {
    throw FileError(fmt::format("{} is a falsum {}, not a file of packed rows", what, name_of_kind(*kind)));
  }
  if (bytes.size() < packed::kHead + packed::kFoot || bytes.size() % 8 != 0) fail("it ends too early");
  const auto version = read_as<std::uint32_t>(bytes.substr(kMagic.size()));
  if (version == 0) fail("there is no format version 0");
  if (version > packed::kVersion) {
    throw FileError(
        fmt::format("{} needs a falsum that reads version {} of packed rows, and falsum {} reads up to version {}",
                    what, version, falsum::version(), packed::kVersion));
  }
}

/// Sizes are used only after all of them fit the length of the file.
void PackedRows::State::read_foot() {
  const std::string_view foot = bytes.substr(bytes.size() - packed::kFoot);
  if (!foot.ends_with(kMagic)) fail("it ends too early");
  ByteReader reader(foot, what);
  layout.rows = reader.u64();
  layout.columns = reader.u64();
  const std::uint64_t form = reader.u64(), targets = reader.u64();
  layout.entries = reader.u64();
  layout.outputs = reader.u64();
  const std::uint64_t weights = reader.u64();
  layout.notes = reader.u64();
  const std::uint64_t sum_of_sums = reader.u64(), sum_of_foot = reader.u64();
  if (packed::checksum(foot.substr(0, 72)) != sum_of_foot) fail("the checksum of its foot is wrong");
  if (layout.rows == 0 || layout.rows > kMostRows) fail(fmt::format("it has {} rows", layout.rows));
  if (layout.columns == 0 || layout.columns > kMaxFeatures) fail(fmt::format("it has {} features", layout.columns));
  if (form > 1 || targets > 3 || weights > 1) fail("its rows, targets or weights are of an unknown form");
  layout.form = static_cast<Form>(form);
  layout.targets = static_cast<TargetForm>(targets);
  layout.weights = weights == 1;
  const bool named = layout.targets == TargetForm::kClasses || layout.targets == TargetForm::kLabels;
  if (named ? layout.outputs == 0 || layout.outputs > kMaxClasses : layout.outputs != 0) {
    fail(fmt::format("it has {} classes or labels", layout.outputs));
  }
  // rows < 2^32 and the columns of rows and labels are below 2^32, so no product below overflows.
  if (layout.entries > packed::kMostBytes || layout.notes > packed::kMostBytes ||
      (layout.form == Form::kPacked && layout.entries != 0) || layout.foot_at() + packed::kFoot != bytes.size()) {
    fail("its length does not fit its sizes");
  }
  const std::string_view sums = bytes.substr(layout.sums_at(), 8 * layout.blocks());
  if (packed::checksum(sums) != sum_of_sums) fail("the checksum of its checksums is wrong");
}

void PackedRows::State::read_notes() {
  ByteReader reader(bytes.substr(layout.notes_at(), layout.notes), what);
  reader.each_named([&](std::string_view name, ByteReader& value) {
    if (name == "origin") origin = value.text();
    if (name == "outputs") outputs = value.texts();
    if (name == "schema") schema = Schema::read(value);
    if (name == "booleanizer") booleanizer = value.raw(value.left());
    if (name == "encoding") reading.encoding = value.text();
    if (name == "preamble") reading.preamble_lines = value.varint();
    if (name == "notes") reading.notes = value.texts();
  });
  if (outputs.size() != layout.outputs) fail("its names of classes or labels do not fit its targets");
  std::vector<std::string> sorted = outputs;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) fail("two of its classes or labels have one name");
}

/// Bits beyond the last column are off (BitMatrix).
void PackedRows::State::check_tails(std::span<const std::uint64_t> rows, std::uint64_t columns,
                                    const char* which) const {
  if (columns % 64 == 0) return;
  const std::uint64_t width = (columns + 63) / 64, beyond = ~std::uint64_t{0} << (columns % 64);
  std::uint64_t found = 0;
  for (std::size_t last = width - 1; last < rows.size(); last += width) found |= rows[last] & beyond;
  if (found != 0) fail(fmt::format("a row has {} beyond the last", which));
}

/// Checks the rows from `next` on that end at or before this place of the file.
void PackedRows::State::check_rows_until(std::uint64_t place, std::uint64_t& next) const {
  if (next == layout.rows || place < packed::kHead) return;
  const std::uint64_t done = place - packed::kHead;
  if (layout.form == Form::kPacked) {
    const std::uint64_t width = layout.words_per_row(), end = std::min(layout.rows, done / (8 * width));
    check_tails(words().subspan(next * width, (end - next) * width), layout.columns, "features");
    next = end;
    return;
  }
  const SparseBitsView all = sparse();
  for (; next < layout.rows && all.starts[next + 1] * 4 <= done; ++next) {
    const std::span<const std::uint32_t> row = all.row(next);
    bool good = row.empty() || row.back() < layout.columns;
    for (std::size_t i = 1; i < row.size(); ++i) good &= row[i - 1] < row[i];
    if (!good) fail(fmt::format("the features of row {} do not ascend, or are too large", next));
  }
}

void PackedRows::State::check_targets() const {
  if (layout.targets == TargetForm::kClasses) {
    if (std::ranges::any_of(classes(), [&](std::uint32_t c) { return c >= layout.outputs; })) {
      fail("a row has a class that has no name");
    }
  } else if (layout.targets == TargetForm::kNumbers) {
    if (!std::ranges::all_of(numbers(), [](double n) { return std::isfinite(n); }))
      fail("a row's number is not finite");
  } else if (layout.targets == TargetForm::kLabels) {
    check_tails(labels(), layout.outputs, "labels");
  }
  if (!std::ranges::all_of(weights(), [](double w) { return std::isfinite(w) && w > 0; })) {
    fail("a row has a weight that is not above 0");
  }
}

/// One pass over the file. What is done with is given back at once, so that it takes no memory of this process.
void PackedRows::State::check_blocks() const {
  const auto sums = items<std::uint64_t>(layout.sums_at(), layout.blocks());
  if (layout.form == Form::kSparse) {  // they are used below; what they say is checked first
    const SparseBitsView all = sparse();
    if (all.starts.front() != 0 || all.starts.back() != layout.entries || !std::ranges::is_sorted(all.starts)) {
      fail("the starts of its rows do not ascend to the number of their features");
    }
  }
  std::uint64_t next = 0;
  for (std::uint64_t b = 0; b < sums.size(); ++b) {
    const std::uint64_t first = b * packed::kBlock, end = std::min(first + packed::kBlock, layout.sums_at());
    const std::string_view block = bytes.substr(first, end - first);
    if (packed::checksum(block) != sums[b]) {
      fail(fmt::format("the checksum of bytes {} to {} is wrong", first, end - 1));
    }
    check_rows_until(end, next);
    if (file) advise(block, Advice::kOver);
  }
  check_targets();
}

PackedRows::PackedRows(std::unique_ptr<State> state) : state_(std::move(state)) {}
PackedRows::~PackedRows() = default;

std::shared_ptr<const PackedRows> PackedRows::open(const std::string& path) {
  auto state = std::make_unique<State>();
  state->file = std::make_unique<MappedFile>(path);
  state->bytes = state->file->bytes();
  state->what = path;
  const std::string_view all = state->bytes;
  std::shared_ptr<PackedRows> opened(new PackedRows(std::move(state)));
  State& read = *opened->state_;
  read.read_head();
  read.read_foot();
  advise(all, Advice::kSequential);
  read.check_blocks();
  read.read_notes();
  // Rows are learned in random order. Where all fit into memory, they are read ahead and stay.
  const std::uint64_t memory = physical_memory();
  read.ask_ahead = memory > 0 && all.size() > memory / 2;
  advise(all, read.ask_ahead ? Advice::kRandom : Advice::kSoon);
  return opened;
}

std::shared_ptr<const PackedRows> PackedRows::over(std::string_view bytes, const std::string& what) {
  auto state = std::make_unique<State>();
  state->bytes = bytes;
  state->what = what;
  state->read_head();
  state->read_foot();
  state->check_blocks();
  state->read_notes();
  return std::shared_ptr<PackedRows>(new PackedRows(std::move(state)));
}

Rows PackedRows::rows() const {
  const State& state = *state_;
  if (state.layout.form == Form::kSparse) return Rows::mapped(state.sparse(), state.ask_ahead);
  return Rows::mapped(state.words().data(), state.layout.rows, state.layout.columns, state.ask_ahead);
}

bool PackedRows::labelled() const { return state_->layout.targets != TargetForm::kNone; }

Task PackedRows::task() const {
  const TargetForm form = state_->layout.targets;
  return form == TargetForm::kLabels    ? Task::kMultilabel
         : form == TargetForm::kNumbers ? Task::kRegression
                                        : Task::kClassification;
}

Targets PackedRows::targets() const {
  const State& state = *state_;
  if (!labelled()) throw DataError(fmt::format("{} has no labels", state.origin));
  const packed::RowsLayout& layout = state.layout;
  const auto plain = [&]() -> Targets {
    if (layout.targets == TargetForm::kClasses) return state.classes();
    if (layout.targets == TargetForm::kNumbers) return state.numbers();
    return Rows::mapped(state.labels().data(), layout.rows, layout.outputs, false);
  };
  return plain().with_weights(state.weights());
}

const std::vector<std::string>& PackedRows::outputs() const { return state_->outputs; }
std::span<const double> PackedRows::weights() const { return state_->weights(); }
const std::string& PackedRows::origin() const { return state_->origin; }
const Schema& PackedRows::schema() const { return state_->schema; }
const ReadingReport& PackedRows::reading() const { return state_->reading; }
const std::string& PackedRows::booleanizer() const { return state_->booleanizer; }
std::uint64_t PackedRows::bytes() const { return state_->bytes.size(); }

}  // namespace falsum
