#include "falsum/packed_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "data/data_files.h"
#include "data/packed_writer.h"
#include "falsum/machine.h"
#include "falsum/predictor.h"
#include "model/container.h"
#include "support/random.h"

namespace falsum::packed_rows_test {
namespace {

using testing_data::expect_error;
using testing_data::Folder;

constexpr std::size_t kColumns = 70;  // a word and a part of one

BitMatrix some_bits(std::size_t rows, std::size_t columns = kColumns) {
  BitMatrix bits(rows, columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < columns; ++k) {
      if (child(child(7, r), k) % 3 == 0) bits.set(r, k);
    }
  }
  return bits;
}

std::vector<std::uint32_t> some_classes(std::size_t rows) {
  std::vector<std::uint32_t> classes(rows);
  for (std::size_t r = 0; r < rows; ++r) classes[r] = static_cast<std::uint32_t>(r % 3);
  return classes;
}

PackedWriter::Rest rest_of(const Targets& targets, std::vector<std::string> outputs, std::size_t columns = kColumns) {
  PackedWriter::Rest rest;
  rest.columns = columns;
  rest.targets = &targets;
  rest.outputs = std::move(outputs);
  rest.origin = "flowers.csv";
  rest.schema.format = DataFormat::kCsv;
  rest.reading.notes = {"a note"};
  return rest;
}

/// A file of these rows in three classes.
std::string write(const std::string& path, const Rows& rows) {
  const std::vector<std::uint32_t> classes = some_classes(rows.rows());
  const Targets targets(classes);
  PackedWriter writer(path, rows.is_sparse());
  writer.add(rows);
  writer.finish(rest_of(targets, {"a", "b", "c"}));
  return path;
}

/// Bytes where words can be read in place.
class Bytes {
 public:
  explicit Bytes(const std::string& bytes) : words_((bytes.size() + 7) / 8), size_(bytes.size()) {
    std::memcpy(words_.data(), bytes.data(), size_);
  }
  char* data() { return reinterpret_cast<char*>(words_.data()); }
  std::string_view view(std::size_t size) const { return {reinterpret_cast<const char*>(words_.data()), size}; }
  std::string_view view() const { return view(size_); }
  template <class T>
  T& at(std::size_t place) {
    return *reinterpret_cast<T*>(data() + place);
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_;
};

/// The same file with a change to its foot or to anything else, and checksums that fit again.
std::string forged(const std::string& bytes, const std::function<void(Bytes&, std::size_t foot)>& change) {
  Bytes all(bytes);
  const std::size_t foot = bytes.size() - packed::kFoot;
  const std::size_t sums = foot - 8 * ((foot + packed::kBlock) / (packed::kBlock + 8));
  change(all, foot);
  for (std::size_t b = 0; b < (foot - sums) / 8; ++b) {
    const std::size_t end = std::min((b + 1) * packed::kBlock, sums);
    all.at<std::uint64_t>(sums + 8 * b) = packed::checksum(all.view(end).substr(b * packed::kBlock));
  }
  all.at<std::uint64_t>(foot + 64) = packed::checksum(all.view(foot).substr(sums));
  all.at<std::uint64_t>(foot + 72) = packed::checksum(all.view(foot + 72).substr(foot));
  return std::string(all.view());
}

void expect_refused(const std::string& bytes, const std::string& why) {
  const Bytes kept(bytes);
  expect_error<FileError>([&] { PackedRows::over(kept.view(), "rows"); }, {"rows", why});
}

TEST(PackedRows, HaveTheRowsThatWereWritten) {
  const Folder folder;
  const BitMatrix bits = some_bits(5000);
  const SparseBits sparse(bits);
  const auto packed = PackedRows::open(write(folder / "packed", bits));
  const auto lists = PackedRows::open(write(folder / "sparse", sparse));
  ASSERT_EQ(packed->rows().rows(), 5000u);
  ASSERT_EQ(lists->rows().rows(), 5000u);
  EXPECT_EQ(packed->rows().columns(), kColumns);
  EXPECT_TRUE(lists->rows().is_sparse());
  for (std::size_t r = 0; r < bits.rows(); ++r) {
    ASSERT_TRUE(std::ranges::equal(packed->rows().packed(r), bits.row(r))) << r;
    ASSERT_TRUE(std::ranges::equal(lists->rows().sparse(r), sparse.row(r))) << r;
  }
  for (const auto& file : {packed, lists}) {
    EXPECT_TRUE(std::ranges::equal(file->targets().classes(), some_classes(5000)));
    EXPECT_EQ(file->outputs(), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(file->task(), Task::kClassification);
    EXPECT_EQ(file->origin(), "flowers.csv");
    EXPECT_EQ(file->schema().format, DataFormat::kCsv);
    EXPECT_EQ(file->reading().notes, std::vector<std::string>{"a note"});
    EXPECT_EQ(file->bytes() % 8, 0u);
  }
}

TEST(PackedRows, HaveLabelsNumbersAndWeights) {
  const Folder folder;
  const BitMatrix bits = some_bits(9), labels = some_bits(9, 66);
  std::vector<std::string> names;
  for (int l = 0; l < 66; ++l) names.push_back(fmt::format("label {}", l));
  const Targets several(labels);
  PackedWriter writer(folder / "labels", false);
  writer.add(bits);
  writer.finish(rest_of(several, names));
  const auto file = PackedRows::open(folder / "labels");
  EXPECT_EQ(file->task(), Task::kMultilabel);
  for (std::size_t r = 0; r < 9; ++r) {
    EXPECT_TRUE(std::ranges::equal(file->targets().labels().packed(r), labels.row(r)));
  }

  const std::vector<double> numbers = {1, -2, 0.5, 4, 5, 6, 7, 8, 1e300}, weights = {1, 2, 3, 1, 1, 1, 1, 1, 0.5};
  const Targets real(numbers);
  PackedWriter weighted(folder / "numbers", false);
  weighted.add(bits);
  PackedWriter::Rest rest = rest_of(real, {});
  rest.weights = weights;
  weighted.finish(rest);
  const auto again = PackedRows::open(folder / "numbers");
  EXPECT_EQ(again->task(), Task::kRegression);
  EXPECT_TRUE(std::ranges::equal(again->targets().numbers(), numbers));
  EXPECT_TRUE(std::ranges::equal(again->targets().weights(), weights));

  PackedWriter unlabelled(folder / "none", false);
  unlabelled.add(bits);
  PackedWriter::Rest none;
  none.columns = kColumns;
  none.origin = "new.csv";
  unlabelled.finish(none);
  const auto without = PackedRows::open(folder / "none");
  EXPECT_FALSE(without->labelled());
  expect_error<DataError>([&] { without->targets(); }, {"new.csv has no labels"});
}

TEST(PackedRows, EveryChangedByteIsFound) {
  const Folder folder;
  for (const bool sparse : {false, true}) {
    const BitMatrix bits = some_bits(20);
    write(folder / "rows", sparse ? Rows(SparseBits(bits)) : Rows(bits));
    const std::string bytes = read_file(folder / "rows");
    Bytes changed(bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      changed.data()[i] = static_cast<char>(changed.data()[i] ^ (1 << (i % 8)));
      EXPECT_THROW(PackedRows::over(changed.view(), "rows"), FileError) << i;
      changed.data()[i] = bytes[i];
    }
    EXPECT_NO_THROW(PackedRows::over(changed.view(), "rows"));
    for (std::size_t size = 0; size < bytes.size(); size += size < packed::kHead ? 512 : 8) {
      EXPECT_THROW(PackedRows::over(changed.view(size), "rows"), FileError) << size;
    }
  }
}

TEST(PackedRows, AForgedFileIsRefusedThoughItsChecksumsFit) {
  const Folder folder;
  const BitMatrix bits = some_bits(20);
  write(folder / "packed", bits);
  write(folder / "sparse", SparseBits(bits));
  const std::string packed_bytes = read_file(folder / "packed"), sparse_bytes = read_file(folder / "sparse");
  const auto in_foot = [](std::size_t place, std::uint64_t value) {
    return [=](Bytes& all, std::size_t foot) { all.at<std::uint64_t>(foot + place) = value; };
  };
  EXPECT_EQ(forged(packed_bytes, [](Bytes&, std::size_t) {}), packed_bytes);  // the forger knows the format
  const std::string lengths = "its length does not fit its sizes";
  expect_refused(forged(packed_bytes, in_foot(0, 0)), "it has 0 rows");
  expect_refused(forged(packed_bytes, in_foot(0, 21)), lengths);
  expect_refused(forged(packed_bytes, in_foot(0, std::uint64_t{1} << 40)), "rows");
  expect_refused(forged(packed_bytes, in_foot(8, std::uint64_t{1} << 60)), "features");
  expect_refused(forged(packed_bytes, in_foot(8, kColumns + 64)), lengths);
  expect_refused(forged(packed_bytes, in_foot(16, 2)), "unknown form");
  expect_refused(forged(packed_bytes, in_foot(24, 9)), "unknown form");
  expect_refused(forged(packed_bytes, in_foot(32, 5)), lengths);
  expect_refused(forged(sparse_bytes, in_foot(32, ~std::uint64_t{0} / 4)), lengths);
  expect_refused(forged(packed_bytes, in_foot(40, std::uint64_t{1} << 50)), "classes or labels");
  expect_refused(forged(packed_bytes, in_foot(48, 1)), lengths);
  expect_refused(forged(packed_bytes, in_foot(56, ~std::uint64_t{0})), lengths);
  expect_refused(forged(packed_bytes, [](Bytes& all, std::size_t) { all.at<std::uint32_t>(8) = 2; }), "version 2");
  expect_refused(forged(packed_bytes, [](Bytes& all, std::size_t) { all.at<std::uint32_t>(12) = 1; }),
                 "is a falsum model, not a file of packed rows");

  const std::size_t rows = packed::kHead;
  expect_refused(forged(packed_bytes, [&](Bytes& all, std::size_t) { all.at<std::uint64_t>(rows + 8) |= 1ull << 63; }),
                 "features beyond the last");
  const std::size_t classes = rows + 20 * 16;
  expect_refused(forged(packed_bytes, [&](Bytes& all, std::size_t) { all.at<std::uint32_t>(classes + 8) = 3; }),
                 "a class that has no name");
  expect_refused(forged(sparse_bytes, [&](Bytes& all, std::size_t) { all.at<std::uint32_t>(rows) = kColumns; }),
                 "do not ascend, or are too large");
  const std::size_t starts = rows + packed::padded(4 * SparseBits(bits).features.size());
  expect_refused(forged(sparse_bytes, [&](Bytes& all, std::size_t) { all.at<std::uint64_t>(starts + 8) = 1 << 30; }),
                 "the starts of its rows");
  const std::size_t notes = rows + 20 * 16 + 80;
  expect_refused(forged(packed_bytes, [&](Bytes& all, std::size_t) { all.at<std::uint16_t>(notes) = 0x7fff; }), "ends");
}

TEST(PackedRows, OtherFilesAreNotRows) {
  const Folder folder;
  expect_error<FileError>([&] { PackedRows::open(folder.file("some.csv", "a,b\n1,2\n")); },
                          {"some.csv is not a file of packed rows"});
  expect_error<FileError>([&] { PackedRows::open(folder.file("none", "")); }, {"none is not a file of packed rows"});
  expect_error<FileError>([&] { PackedRows::open(folder / "missing"); }, {"cannot read", "missing"});
  expect_error<FileError>([&] { PackedRows::open(folder.path().string()); }, {"it is a folder"});
  write(folder / "rows", some_bits(3));
  expect_error<FileError>([&] { Container(read_file(folder / "rows"), FileKind::kModel, {}, "rows"); },
                          {"rows is a falsum file of rows, not a model"});
}

TEST(PackedRows, AFullDiskLeavesTheFileThatWasThere) {
  const Folder folder;
  write(folder / "rows", some_bits(3));
  const std::string before = read_file(folder / "rows");
  {
    const testing_data::FullDisk full;
    expect_error<FileError>([&] { write(folder / "rows", some_bits(5000)); }, {"cannot write", "rows"});
  }
  EXPECT_EQ(read_file(folder / "rows"), before);
  EXPECT_EQ(folder.files(), 1u);
}

TEST(PackedRows, SomeOfThemAreTheSameAsCopies) {
  const Folder folder;
  const BitMatrix bits = some_bits(3000);
  std::vector<bool> wanted(3000), some(1500);
  for (std::size_t r = 0; r < wanted.size(); ++r) wanted[r] = r % 2 == 1;
  for (std::size_t r = 0; r < some.size(); ++r) some[r] = r % 3 == 0;
  const BitMatrix copy = some_rows(some_rows(bits, wanted), some);
  for (const bool sparse : {false, true}) {
    const auto file = PackedRows::open(write(folder / "rows", sparse ? Rows(SparseBits(bits)) : Rows(bits)));
    const AnyRows chosen = AnyRows(file, file->rows()).some(wanted).some(some);
    const Rows rows = chosen.view();
    ASSERT_EQ(rows.rows(), copy.rows());
    const SparseBits lists(copy);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      if (sparse) {
        ASSERT_TRUE(std::ranges::equal(rows.sparse(r), lists.row(r))) << r;
      } else {
        ASSERT_TRUE(std::ranges::equal(rows.packed(r), copy.row(r))) << r;
      }
    }
    // Blocks of predictions are gathered from them.
    Options options;
    options.clauses = 20;
    Machine machine(options, kColumns, 3);
    const std::vector<std::uint32_t> classes = some_classes(copy.rows());
    machine.learn(rows, Targets(classes), 1);
    Machine other(options, kColumns, 3);
    other.learn(copy, Targets(classes), 1);
    EXPECT_EQ(machine.model().to_bytes(), other.model().to_bytes());
    // Asking for rows ahead, as for a file larger than the memory, changes no bit.
    const Rows whole = file->rows();
    const Rows asking = sparse ? Rows::mapped(whole.sparse(), true)
                               : Rows::mapped(whole.packed(0).data(), whole.rows(), kColumns, true);
    const std::vector<std::uint32_t> all_classes = some_classes(3000);
    Machine ahead(options, kColumns, 3), plain(options, kColumns, 3);
    ahead.learn(asking, Targets(all_classes), 1);
    plain.learn(bits, Targets(all_classes), 1);
    EXPECT_EQ(ahead.model().to_bytes(), plain.model().to_bytes());
    EXPECT_EQ(Predictor(plain.model()).votes(asking), Predictor(plain.model()).votes(bits));
    EXPECT_EQ(Predictor(machine.model()).votes(rows), Predictor(machine.model()).votes(copy));
  }
}

}  // namespace
}  // namespace falsum::packed_rows_test
