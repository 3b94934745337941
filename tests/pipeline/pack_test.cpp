#include "falsum/pack.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "data/data_files.h"
#include "data/parts.h"
#include "falsum/error.h"
#include "falsum/packed_rows.h"
#include "falsum/pipeline.h"
#include "support/random.h"

namespace falsum::pack_test {
namespace {

using testing_data::expect_error;
using testing_data::Folder;

Options small(Task task = Task::kClassification) {
  Options options;
  options.clauses = 20;
  options.threshold = 10;
  options.specificity = 3;
  options.epochs = 3;
  options.task = task;
  return options;
}

/// Numbers, dates, categories, truth values and missing ones; the label is a word, a number or several words.
std::string table(std::size_t rows, Task task = Task::kClassification) {
  std::string text = "size,when,colour,flag,label\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const std::uint64_t draw = child(3, r);
    text += draw % 11 == 0 ? "?," : fmt::format("{:.2f},", static_cast<double>(draw % 1000) / 7);
    text += fmt::format("2024-{:02}-{:02},", 1 + draw / 8 % 12, 1 + draw / 128 % 28);
    text += fmt::format("{},{},", draw % 5 == 0 ? "" : fmt::format("colour {}", draw / 16 % 9), draw / 32 % 2);
    text += task == Task::kRegression   ? fmt::format("{}\n", draw % 100)
            : task == Task::kMultilabel ? fmt::format("{}\n", draw % 3 == 0   ? "a;b"
                                                              : draw % 3 == 1 ? "b"
                                                                              : "c;a")
                                        : fmt::format("{}\n", draw % 1000 < 500 ? "low" : "high");
  }
  return text;
}

std::string sparse_table(std::size_t rows, int first_index) {
  std::string text;
  for (std::size_t r = 0; r < rows; ++r) {
    text += r % 2 == 0 ? "-1" : "1";
    for (std::uint64_t k = 0; k < 30; ++k) {
      if (child(child(5, r), k) % 4 != 0 && !(r == 0 && k == 0)) continue;
      text += fmt::format(" {}:{}", k + static_cast<std::uint64_t>(first_index), k % 7 == 6 ? "0" : "1.5");
    }
    text += "\n";
  }
  return text;
}

void expect_same_model(const std::string& data, const std::string& rows, Task task) {
  LoadOptions load;
  load.task = task;
  const PackReport report = pack(data, rows, {.load = load});
  const Source whole = load_source(data, load), packed = load_source(rows, load);
  EXPECT_EQ(report.rows, whole.rows());
  EXPECT_EQ(report.bytes, std::filesystem::file_size(rows));
  EXPECT_EQ(packed.schema, whole.schema);
  EXPECT_EQ(packed.reading.notes, whole.reading.notes);
  EXPECT_EQ(train(packed, small(task)).to_bytes(), train(whole, small(task)).to_bytes());
}

TEST(Pack, TheModelIsThatOfTheData) {
  const Folder folder;
  for (const Task task : {Task::kClassification, Task::kMultilabel, Task::kRegression}) {
    expect_same_model(folder.file("table.csv", table(700, task)), folder / "rows", task);
  }
  for (const int first_index : {0, 1}) {
    expect_same_model(folder.file("sparse.svm", sparse_table(300, first_index)), folder / "rows",
                      Task::kClassification);
  }
  expect_same_model("noisy-xor:train", folder / "rows", Task::kClassification);
  expect_same_model(
      folder.file("labels.csv", "a,b,label\n1,2,01\n2,3,1.0\n3,4,1\n4,5,2\n5,6,2\n6,1,1\n7,2,2\n8,3,1\n9,4,1\n"),
      folder / "rows", Task::kClassification);
}

TEST(Pack, PartsOfADataSetAreTheWhole) {
  const std::string text = table(500), sparse = sparse_table(500, 1);
  for (const std::size_t values : {std::size_t{320}, std::size_t{1000}, kWholeFile}) {
    std::size_t parts = 0, rows = 0;
    std::vector<std::string> labels;
    const auto each = [&](const Source& part) {
      ++parts;
      rows += part.rows();
      labels.insert(labels.end(), part.labels.begin(), part.labels.end());
    };
    const Source rest = read_csv(text, "table.csv", {}, values, each);
    const Source whole = load_source(Folder().file("table.csv", text));
    EXPECT_EQ(rows, 500u);
    EXPECT_EQ(parts, values == kWholeFile ? 1u : values == 320 ? 8u : 3u);
    EXPECT_EQ(labels, whole.labels);
    EXPECT_EQ(rest.schema.columns.size(), 5u);

    SparseRows all;
    read_svmlight(sparse, "sparse.svm", {}, values, [&](const Source& part) {
      const auto& some = std::get<SparseRows>(part.values);
      all.features = some.features;
      all.indices.insert(all.indices.end(), some.indices.begin(), some.indices.end());
    });
    const Source loaded = load_source(Folder().file("sparse.svm", sparse));
    EXPECT_EQ(all.indices, std::get<SparseRows>(loaded.values).indices);
    EXPECT_EQ(all.features, std::get<SparseRows>(loaded.values).features);
  }
}

TEST(Pack, RowsOfSeveralPartsAreThoseOfOne) {
  const Folder folder;
  const std::string text = table(900);
  const Source whole = load_source(folder.file("table.csv", text));
  pack(folder / "table.csv", folder / "one");
  Packer packer(folder / "many", Task::kClassification);
  Source rest = read_csv(text, "table.csv", {}, 600, [&](Source part) {
    part.origin = "table.csv";
    packer.add(part);
  });
  rest.origin = "table.csv";
  rest.schema.format = DataFormat::kCsv;
  packer.finish(rest);
  EXPECT_EQ(read_file(folder / "many"), read_file(folder / "one"));
}

TEST(Pack, RowsLikeThoseOfAModelTestIt) {
  const Folder folder;
  folder.file("train.csv", table(600));
  folder.file("test.csv", table(250));
  pack(folder / "train.csv", folder / "train-rows");
  const Model model = train(load_source(folder / "train-rows"), small());
  model.save(folder / "model");
  const double expected = accuracy(model, load_for(model, folder / "test.csv"));
  for (const std::string like : {"model", "train-rows"}) {
    pack(folder / "test.csv", folder / "test-rows", {.like = folder / like});
    const Source test = load_for(model, folder / "test-rows");
    EXPECT_DOUBLE_EQ(accuracy(model, test), expected);
    EXPECT_EQ(predict(model, test), predict(model, load_for(model, folder / "test.csv")));
  }
  LoadOptions unlabelled;
  unlabelled.labelled = false;
  pack(folder / "test.csv", folder / "new", {.load = unlabelled, .like = folder / "model"});
  EXPECT_FALSE(load_source(folder / "new").labelled());
  expect_error<DataError>([&] { accuracy(model, load_for(model, folder / "new")); }, {"test.csv has no labels"});
  // Fitted to other data, its features are others.
  folder.file("test.csv", table(100));
  pack(folder / "test.csv", folder / "other");
  expect_error<DataError>([&] { predict(model, load_for(model, folder / "other")); },
                          {"test.csv", "other features", "--like"});
}

TEST(Pack, WhatPackedRowsCannotBeIsSaid) {
  const Folder folder;
  folder.file("table.csv", table(60));
  pack(folder / "table.csv", folder / "rows");
  LoadOptions load;
  load.task = Task::kRegression;
  expect_error<ConfigError>([&] { load_source(folder / "rows", load); }, {"rows", "classification", "regression"});
  load = {};
  load.label = "size";
  expect_error<ConfigError>([&] { load_source(folder / "rows", load); }, {"--label", "a file of packed rows"});
  expect_error<ConfigError>([&] { pack(folder / "rows", folder / "again"); }, {"packed already"});
  EXPECT_FALSE(std::filesystem::exists(folder / "again"));

  Packer packer(folder / "parts", Task::kClassification);
  Source part = load_source(folder / "table.csv");
  packer.add(part);
  Source other = part;
  other.labels.clear();
  expect_error<DataError>([&] { packer.add(other); }, {"table.csv, rows from 60 on", "labels", "all or none"});
  other = part;
  std::get<Columns>(other.values).columns.pop_back();
  expect_error<DataError>([&] { packer.add(other); }, {"3 columns, and those before have 4"});
  other = part;
  std::get<Columns>(other.values).columns[0].name = "length";
  expect_error<DataError>([&] { packer.add(other); }, {"column \"length\"", "was \"size\""});
  other = load_source("noisy-xor:train");
  expect_error<DataError>([&] { packer.add(other); }, {"of another kind"});
}

TEST(Pack, AFullDiskWhileNumbersWaitIsAnError) {
  const Folder folder;
  folder.file("table.csv", table(3000));
  {
    const testing_data::FullDisk full;
    expect_error<FileError>([&] { pack(folder / "table.csv", folder / "rows"); }, {"cannot write", "rows"});
  }
  EXPECT_EQ(folder.files(), 1u);
}

}  // namespace
}  // namespace falsum::pack_test
