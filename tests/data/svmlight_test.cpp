#include <rapidcheck.h>

#include "data/arbitrary_text.h"
#include "data/data_files.h"
#include "data/formats.h"

namespace falsum::svmlight_test {
namespace {

using testing_data::expect_error;
using testing_data::Folder;

Source load(std::string_view text, const LoadOptions& options = {}) { return load_svmlight(text, "t.svm", options); }

const SparseRows& sparse(const Source& source) { return std::get<SparseRows>(source.values); }

using Indices = std::vector<std::uint32_t>;
using Texts = std::vector<std::string>;

TEST(Svmlight, RowsLabelsAndCommentsAreRead) {
  const Source source = load("# made by hand\n+1 1:1 3:0.5 # first\n\n-1 qid:7 2:1\r\n1.0\n");
  EXPECT_EQ(source.labels, (Texts{"1", "-1", "1"}));
  EXPECT_EQ(sparse(source).features, 3u);
  EXPECT_EQ(sparse(source).starts, (std::vector<std::uint64_t>{0, 2, 3, 3}));
  EXPECT_EQ(sparse(source).indices, (Indices{0, 2, 1}));
  EXPECT_EQ(sparse(source).values, (std::vector<float>{1, 0.5, 1}));
}

TEST(Svmlight, IndicesCountFromOneUnlessAZeroAppears) {
  EXPECT_EQ(sparse(load("1 2:1\n0 1:1\n")).indices, (Indices{1, 0}));
  EXPECT_EQ(sparse(load("1 2:1\n0 0:1\n")).indices, (Indices{2, 0}));
  EXPECT_EQ(sparse(load("1 2:1\n0 0:1\n")).features, 3u);
  LoadOptions options;
  options.first_index = 0;
  EXPECT_EQ(sparse(load("1 2:1\n0 1:1\n", options)).indices, (Indices{2, 1}));
  options.first_index = 1;
  expect_error<DataError>([&] { load("1 0:1\n", options); }, {"index 0", "count from 1"});
}

TEST(Svmlight, LabelsMayBeMissingWhenPredicting) {
  LoadOptions options;
  options.labelled = false;
  EXPECT_EQ(sparse(load("1:1 2:1\n2:1\n", options)).starts, (std::vector<std::uint64_t>{0, 2, 3}));
  EXPECT_EQ(sparse(load("1 1:1 2:1\n0 2:1\n", options)).starts, (std::vector<std::uint64_t>{0, 2, 3}));
  EXPECT_TRUE(load("1 1:1\n", options).labels.empty());
  expect_error<DataError>([] { load("1:1 2:1\n"); }, {"line 1", "begins with its label", "1:1"});
}

TEST(Svmlight, GarbageNamesLineAndWord) {
  for (const std::string word : {"x:1", "1:x", "1", ":1", "1:", "-1:1", "1:1:1", "1:inf", "1.5:2"}) {
    expect_error<DataError>([&] { load("1 1:1\n0 " + word + " # why\n"); }, {"t.svm", "line 2", "index:value", word});
  }
  expect_error<DataError>([] { load("1 2:1 2:1\n"); }, {"line 1", "index 2", "ascend"});
  expect_error<DataError>([] { load("1 3:1 2:1\n"); }, {"index 2", "ascend"});
}

TEST(Svmlight, AbsurdIndicesAreRefusedBeforeAllocating) {
  expect_error<DataError>([] { load("1 4294967295:1\n"); }, {"index 4294967295", "67108864"});
  expect_error<DataError>([] { load("1 99999999999999999999:1\n"); }, {"index:value"});
}

TEST(Svmlight, EmptyDataAreRefused) {
  expect_error<DataError>([] { load(""); }, {"no index:value"});
  expect_error<DataError>([] { load("1\n0\n"); }, {"no index:value"});
}

TEST(Svmlight, IsRecognisedByContent) {
  const Folder folder;
  EXPECT_EQ(load_source(folder.file("a9a", "-1 3:1 11:1\n+1 5:1\n")).rows(), 2u);
  EXPECT_TRUE(looks_like_svmlight("# c\n1\n0 1:1\n"));
  EXPECT_FALSE(looks_like_svmlight("a,b\n1,2\n"));
  EXPECT_FALSE(looks_like_svmlight("1\n2\n3\n"));
}

TEST(Svmlight, ArbitraryBytesEitherLoadOrThrowOurError) {
  EXPECT_TRUE(rc::check("no crash, no other exception", [] {
    const std::string text = arbitrary_text("01239:: \n\n#.-e");
    try {
      const Source source = load(text);
      RC_ASSERT(source.labels.size() == source.rows());
      for (const std::uint32_t index : sparse(source).indices) RC_ASSERT(index < sparse(source).features);
    } catch (const Error&) {
    }
  }));
}

}  // namespace
}  // namespace falsum::svmlight_test
