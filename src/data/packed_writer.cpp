#include "data/packed_writer.h"

#include <algorithm>

#include "falsum/error.h"
#include "support/bits.h"
#include "support/format.h"
#include "support/limits.h"

namespace falsum {

PackedWriter::PackedWriter(const std::string& path, bool sparse) : file_(path) {
  layout_.form = sparse ? packed::Form::kSparse : packed::Form::kPacked;
  block_.reserve(packed::kBlock);
  write(packed::head());
}

void PackedWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view some = bytes.substr(0, packed::kBlock - block_.size());
    block_ += some;
    written_ += some.size();
    bytes.remove_prefix(some.size());
    if (block_.size() == packed::kBlock) end_block();
  }
}

void PackedWriter::end_block() {
  if (block_.empty()) return;
  sums_.push_back(packed::checksum(block_));
  file_.write(block_);
  block_.clear();
}

void PackedWriter::pad() { write(std::string(packed::padded(written_) - written_, '\0')); }

void PackedWriter::add(const Rows& rows) {
  if (layout_.rows + rows.rows() > kMostRows) {
    throw DataError(fmt::format("a file has at most {} rows, got {}", kMostRows, layout_.rows + rows.rows()));
  }
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (rows.is_sparse()) {
      add(rows.sparse(r));
    } else {
      write(rows.packed(r));
      ++layout_.rows;
    }
  }
}

void PackedWriter::add(std::span<const std::uint32_t> row) {
  write(row);
  starts_.push_back(starts_.back() + row.size());
  ++layout_.rows;
}

void PackedWriter::write_targets(const Targets& targets, std::size_t outputs) {
  layout_.outputs = outputs;
  switch (targets.task()) {
    case Task::kClassification:
      layout_.targets = packed::TargetForm::kClasses;
      write(targets.classes());
      break;
    case Task::kMultilabel:
      layout_.targets = packed::TargetForm::kLabels;
      for (std::size_t r = 0; r < targets.size(); ++r) write(targets.labels().packed(r));
      break;
    case Task::kRegression:
      layout_.targets = packed::TargetForm::kNumbers;
      write(targets.numbers());
      break;
  }
  pad();
}

std::uint64_t PackedWriter::finish(const Rest& rest) {
  layout_.columns = rest.columns;
  if (layout_.form == packed::Form::kSparse) {
    layout_.entries = starts_.back();
    pad();
    write(std::span<const std::uint64_t>(starts_));
  }
  if (rest.targets != nullptr) write_targets(*rest.targets, rest.outputs.size());
  layout_.weights = !rest.weights.empty();
  write(std::span<const double>(rest.weights));

  ByteWriter notes;
  notes.named("origin", [&](ByteWriter& value) { value.text(rest.origin); });
  notes.named("outputs", [&](ByteWriter& value) { value.texts(rest.outputs); });
  notes.named("schema", [&](ByteWriter& value) { rest.schema.write(value); });
  notes.named("booleanizer", [&](ByteWriter& value) { value.raw(rest.booleanizer.data(), rest.booleanizer.size()); });
  notes.named("encoding", [&](ByteWriter& value) { value.text(rest.reading.encoding); });
  notes.named("preamble", [&](ByteWriter& value) { value.varint(rest.reading.preamble_lines); });
  notes.named("notes", [&](ByteWriter& value) { value.texts(rest.reading.notes); });
  layout_.notes = notes.bytes().size();
  write(notes.bytes());
  pad();
  end_block();

  const std::string_view sums(reinterpret_cast<const char*>(sums_.data()), 8 * sums_.size());
  const std::string foot = layout_.foot(packed::checksum(sums));
  file_.write(sums);
  file_.write(foot);
  file_.put_in_place();
  return written_ + sums.size() + foot.size();
}

}  // namespace falsum
