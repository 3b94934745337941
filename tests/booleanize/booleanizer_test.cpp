#include "falsum/booleanizer.h"

#include <rapidcheck.h>

#include "booleanize/booleanized.h"
#include "booleanize/mappings.h"
#include "data/data_files.h"
#include "data/formats.h"
#include "support/bytes.h"

namespace falsum::booleanizer_test {
namespace {

using testing_booleanize::row;
using testing_booleanize::write;
using testing_data::expect_error;

using Texts = std::vector<std::string>;

Source csv(const std::string& text, bool labelled = true) {
  LoadOptions options;
  options.labelled = labelled;
  Source source = load_csv(text, "t.csv", options);
  source.origin = "t.csv";
  return source;
}

Source bits(std::initializer_list<std::string> rows) {
  BitMatrix matrix(rows.size(), rows.begin()->size());
  std::size_t r = 0;
  for (const std::string& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (row[c] == '1') matrix.set(r, c);
    }
    ++r;
  }
  Source source;
  source.values = std::move(matrix);
  source.origin = "bits";
  return source;
}

Source grey(std::size_t rows, std::size_t pixels, std::vector<std::uint8_t> values, std::uint32_t width) {
  Source source;
  source.values = GreyImages{rows, pixels, std::move(values)};
  source.image_width = width;
  source.origin = "grey";
  return source;
}

Source documents(Texts texts) {
  Source source;
  source.values = Documents{std::move(texts)};
  source.origin = "texts";
  return source;
}

Booleanizer read(const std::string& bytes) {
  ByteReader reader(bytes, "model m");
  Booleanizer booleanizer = Booleanizer::read(reader);
  reader.expect_end();
  return booleanizer;
}

// -------------------------------------------------------------------------------------------- bits

TEST(BooleanizeBits, PassThrough) {
  const Source source = bits({"011", "100"});
  const Booleanizer fitted = Booleanizer::fit(source);
  EXPECT_EQ(fitted.kind(), "bits");
  EXPECT_EQ(fitted.features(), 3u);
  EXPECT_EQ(fitted.feature_names(), (Texts{"x0", "x1", "x2"}));
  EXPECT_EQ(fitted.transform(source), std::get<BitMatrix>(source.values));
  expect_error<DataError>([&] { fitted.transform(bits({"01"})); }, {"2 columns", "expected 3"});
}

TEST(BooleanizeBits, ColumnsMatchByNameWhenBothHaveNames) {
  Source training = bits({"011"});
  training.feature_names = {"a", "b", "c"};
  const Booleanizer fitted = Booleanizer::fit(training);
  EXPECT_EQ(fitted.feature_names(), training.feature_names);
  Source other = bits({"110"});
  EXPECT_EQ(row(fitted.transform(other), 0), "110") << "without names by position";
  other.feature_names = {"c", "b", "a"};
  EXPECT_EQ(row(fitted.transform(other), 0), "011");
  other.feature_names = {"c", "b", "d"};
  expect_error<DataError>([&] { fitted.transform(other); }, {"no column \"a\""});
}

TEST(BooleanizeBits, NumbersOtherThanZeroAndOneAreRefused) {
  const Booleanizer fitted = Booleanizer::fit(bits({"01", "10"}));
  EXPECT_EQ(row(fitted.transform(csv("1,0\n0,1\n", false)), 0), "10");
  expect_error<DataError>([&] { fitted.transform(csv("1,0\n0,2\n", false)); },
                          {"t.csv", "row 1", "column 1", "0 or 1", "found 2"});
  expect_error<DataError>([&] { fitted.transform(csv("1,a\n0,b\n", false)); }, {"0 or 1", "found a"});
  expect_error<DataError>([&] { fitted.transform(documents({"a"})); }, {"text documents", "expected 2 bits"});
}

TEST(BooleanizeBits, SparseRowsAreBitsOfPositiveValues) {
  const auto svm = [](const std::string& text) { return load_svmlight(text, "t.svm", {}); };
  const Booleanizer fitted = Booleanizer::fit(svm("1 1:1 3:0.5\n0 2:-1 4:0\n"));
  EXPECT_EQ(fitted.features(), 4u);
  const BitMatrix matrix = fitted.transform(svm("1 1:1 3:0.5\n0 2:-1 4:0\n"));
  EXPECT_EQ(row(matrix, 0), "1010");
  EXPECT_EQ(row(matrix, 1), "0000");
  EXPECT_EQ(row(fitted.transform(svm("1 2:1\n")), 0), "0100") << "fewer features are fine";
  expect_error<DataError>([&] { fitted.transform(svm("1 5:1\n")); }, {"5 features", "at most 4"});
}

TEST(BooleanizeBits, ImagesKeepTheirWidth) {
  Source source = bits({"010101"});
  source.image_width = 3;
  const Booleanizer fitted = Booleanizer::fit(source);
  EXPECT_EQ(fitted.image_width(), 3u);
  EXPECT_EQ(fitted.image_pixels(), 6u);
  EXPECT_EQ(fitted.feature_names()[5], "pixel 1,2");
  EXPECT_EQ(row(fitted.transform(grey(1, 6, {0, 75, 76, 255, 74, 80}, 3)), 0), "001101");
  expect_error<DataError>([&] { fitted.transform(grey(1, 4, {0, 0, 0, 0}, 2)); }, {"4 pixels", "expected 6"});
  expect_error<DataError>([] { Booleanizer::fit(bits({"01"})).transform(grey(1, 2, {0, 1}, 0)); }, {"grey images"});
}

TEST(BooleanizeBits, ImagesThatTheirRowsDoNotFillAreRefused) {
  Source source = bits({"010101"});
  source.image_width = 4;
  expect_error<DataError>([&] { Booleanizer::fit(source); }, {"6 pixels", "rows of 4"});
}

TEST(BooleanizeBits, AbsurdlyLargeResultsAreRefusedBeforeAllocating) {
  Source source;
  SparseRows sparse;
  sparse.features = kMaxFeatures;
  sparse.starts.assign(1000001, 0);  // a million empty rows
  source.values = std::move(sparse);
  source.origin = "t.svm";
  const Booleanizer fitted = Booleanizer::fit(source);
  expect_error<DataError>([&] { fitted.transform(source); }, {"t.svm", "1000000 rows", "8388616 MB"});
}

// ------------------------------------------------------------------------------------------ levels

TEST(BooleanizeLevels, ThresholdsAreThoseOfTheField) {
  const std::vector<std::vector<std::string>> expected = {
      {"75"}, {"85", "170"}, {"64", "128", "192"}, {"51", "102", "153", "204"}};
  for (int levels = 1; levels <= 4; ++levels) {
    BooleanizeOptions options;
    options.levels = levels;
    const Booleanizer fitted = Booleanizer::fit(grey(1, 4, {0, 100, 200, 255}, 2), options);
    EXPECT_EQ(fitted.kind(), "levels");
    EXPECT_EQ(fitted.features(), 4u * static_cast<std::size_t>(levels));
    EXPECT_EQ(fitted.image_pixels(), 4u);
    EXPECT_EQ(fitted.image_width(), 2u);
    for (std::size_t t = 0; t < static_cast<std::size_t>(levels); ++t) {
      EXPECT_EQ(fitted.feature_names()[4 * t + 3], "pixel 1,1 > " + expected[static_cast<std::size_t>(levels) - 1][t]);
    }
  }
}

TEST(BooleanizeLevels, FeaturesAreLaidOutLevelByLevel) {
  BooleanizeOptions options;
  options.levels = 2;
  const Source source = grey(2, 3, {0, 85, 86, 170, 171, 255}, 0);
  const Booleanizer fitted = Booleanizer::fit(source, options);
  EXPECT_EQ(row(fitted.transform(source), 0), "001000");
  EXPECT_EQ(row(fitted.transform(source), 1), "111011");
  EXPECT_EQ(fitted.feature_names()[4], "pixel 1 > 170");
}

TEST(BooleanizeLevels, OtherShapesAreRefused) {
  const Booleanizer one = Booleanizer::fit(grey(1, 3, {0, 100, 200}, 0));
  expect_error<DataError>([&] { one.transform(grey(1, 2, {0, 1}, 0)); }, {"2 pixels", "expected 3"});
  EXPECT_EQ(row(one.transform(bits({"010"})), 0), "010");
  expect_error<DataError>([&] { one.transform(bits({"01"})); }, {"2 pixels", "expected 3"});
  BooleanizeOptions options;
  options.levels = 2;
  const Booleanizer two = Booleanizer::fit(grey(1, 3, {0, 100, 200}, 0), options);
  expect_error<DataError>([&] { two.transform(bits({"010"})); }, {"grey images of 3 pixels"});
}

// ----------------------------------------------------------------------------------------- columns

TEST(BooleanizeColumns, EachKindOfColumnGetsItsFeatures) {
  const Source source = csv("age,smoker,colour,constant,y\n41,0,red,7,a\n42,1,blue,7,b\n50,1,,7,b\n");
  const Booleanizer fitted = Booleanizer::fit(source);
  EXPECT_EQ(fitted.kind(), "columns");
  EXPECT_EQ(fitted.feature_names(),
            (Texts{"age >= 41.5", "age >= 46", "smoker", "colour = blue", "colour = red", "colour is missing"}));
  const BitMatrix matrix = fitted.transform(source);
  EXPECT_EQ(row(matrix, 0), "000010");
  EXPECT_EQ(row(matrix, 1), "101100");
  EXPECT_EQ(row(matrix, 2), "111001");
}

TEST(BooleanizeColumns, OrderMayDifferWhenThereAreNames) {
  const Booleanizer fitted = Booleanizer::fit(csv("a,b,y\n1,10,0\n2,20,1\n"));
  const BitMatrix matrix = fitted.transform(csv("b,a\n20,1\n10,2\n", false));
  EXPECT_EQ(row(matrix, 0), "01");
  EXPECT_EQ(row(matrix, 1), "10");
  EXPECT_EQ(row(fitted.transform(csv("2,10\n", false)), 0), "10") << "without names by position";
}

TEST(BooleanizeColumns, MissingAndExtraColumnsAreNamed) {
  const Booleanizer fitted = Booleanizer::fit(csv("a,b,y\n1,10,0\n2,20,1\n"));
  expect_error<DataError>([&] { fitted.transform(csv("a,c\n1,2\n", false)); }, {"no column \"b\""});
  expect_error<DataError>([&] { fitted.transform(csv("a,b,c\n1,2,3\n", false)); }, {"3 columns, expected 2", "\"c\""});
  expect_error<DataError>([&] { fitted.transform(csv("1,2,3\n", false)); }, {"3 columns, expected 2"});
  expect_error<DataError>([&] { fitted.transform(documents({"a"})); }, {"text documents", "table of 2 columns"});
}

TEST(BooleanizeColumns, UnseenCategoriesSetNothing) {
  const Booleanizer fitted = Booleanizer::fit(csv("c,y\nred,0\n3,1\n"));
  EXPECT_EQ(fitted.feature_names(), (Texts{"c = 3", "c = red"}));
  EXPECT_EQ(row(fitted.transform(csv("c\ngreen\n", false)), 0), "00");
  EXPECT_EQ(row(fitted.transform(csv("c\n3\n", false)), 0), "10") << "a file where all values are numbers";
  EXPECT_EQ(row(fitted.transform(csv("c\n4\n", false)), 0), "00");
}

TEST(BooleanizeColumns, TextWhereNumbersWereFittedIsRefused) {
  const Booleanizer fitted = Booleanizer::fit(csv("a,s,y\n1,0,0\n2,1,1\n"));
  expect_error<DataError>([&] { fitted.transform(csv("a,s\n1,0\nmany,1\n", false)); },
                          {"column a", "expected numbers", "\"many\""});
  expect_error<DataError>([&] { fitted.transform(csv("a,s\n1,2\n", false)); },
                          {"row 0", "column s", "0 or 1", "found 2"});
}

TEST(BooleanizeColumns, BitsServeAsNumbers) {
  const Booleanizer fitted = Booleanizer::fit(csv("1,0,0\n2,1,1\n"));
  EXPECT_EQ(fitted.feature_names(), (Texts{"x0 >= 1.5", "x1"}));
  EXPECT_EQ(row(fitted.transform(bits({"11"})), 0), "01");
  expect_error<DataError>([&] { fitted.transform(bits({"110"})); }, {"3 columns, expected 2"});
}

TEST(BooleanizeColumns, ConstantDataHaveNoFeature) {
  expect_error<DataError>([] { Booleanizer::fit(csv("a,y\n7,0\n7,1\n")); }, {"t.csv", "no feature"});
}

TEST(BooleanizeOptions, OutOfRangeNamesTheValueAndWhatIsAllowed) {
  const Source source = bits({"01"});
  BooleanizeOptions options;
  options.levels = 5;
  expect_error<ConfigError>([&] { Booleanizer::fit(source, options); }, {"levels must be from 1 to 4, got 5"});
  options = {};
  options.quantiles = 0;
  expect_error<ConfigError>([&] { Booleanizer::fit(source, options); }, {"quantiles must be from 1 to 255, got 0"});
  options = {};
  options.vocabulary = 0;
  expect_error<ConfigError>([&] { Booleanizer::fit(source, options); }, {"vocabulary must be from 1 to 67108864, got"});
  options = {};
  options.phrases = 4;
  expect_error<ConfigError>([&] { Booleanizer::fit(source, options); }, {"phrases must be from 1 to 3, got 4"});
  options = {};
  options.select = "best";
  expect_error<ConfigError>([&] { Booleanizer::fit(source, options); },
                            {"select must be one of frequent, chi2, got best"});
  expect_error<DataError>([] { Booleanizer::fit(documents({})); }, {"no rows"});
}

// ------------------------------------------------------------------------------------ in model files

std::vector<Booleanizer> one_of_each() {
  Source image = bits({"010101"});
  image.image_width = 3;
  Source named = bits({"01"});
  named.feature_names = {"a", "b"};
  BooleanizeOptions options;
  options.levels = 3;
  options.phrases = 2;
  return {Booleanizer(),
          Booleanizer::fit(image),
          Booleanizer::fit(named),
          Booleanizer::fit(grey(1, 4, {0, 100, 200, 255}, 2), options),
          Booleanizer::fit(csv("age,smoker,colour,y\n41,0,red,a\n42.25,1,blue,b\n50,1,,b\n")),
          Booleanizer::fit(documents({"a film", "a good film"})),
          Booleanizer::fit(documents({"a film", "a good film"}), options)};
}

TEST(BooleanizerFile, ReadsBackWhatWasWritten) {
  for (const Booleanizer& booleanizer : one_of_each()) {
    const std::string bytes = write(booleanizer);
    EXPECT_EQ(read(bytes), booleanizer);
    EXPECT_EQ(write(read(bytes)), bytes);
    EXPECT_EQ(read(bytes).feature_names(), booleanizer.feature_names());
  }
}

TEST(BooleanizerFile, TruncationIsRefusedAtEveryLength) {
  for (const Booleanizer& booleanizer : one_of_each()) {
    const std::string bytes = write(booleanizer);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      expect_error<FileError>([&] { read(bytes.substr(0, size)); }, {"model m is damaged"});
    }
  }
}

TEST(Booleanizer, TakesAMappingMadeElsewhereIfItCanBeUsed) {
  const auto made = [](std::vector<double> thresholds) {
    return Booleanizer::from_mapping(Booleanizer::ByColumn{{{"age", false, false, std::move(thresholds), {}}}});
  };
  EXPECT_EQ(made({30, 41.5}).feature_names(), (Texts{"age >= 30", "age >= 41.5"}));
  EXPECT_TRUE(std::holds_alternative<Booleanizer::ByColumn>(made({1}).mapping()));
  expect_error<ConfigError>([&] { made({2, 1}); }, {"column age", "ascend"});
  expect_error<ConfigError>([&] { made({0.0 / 0.0}); }, {"finite"});
  expect_error<DataError>([&] { made({}); }, {"no features"});
}

TEST(BooleanizerFile, DamageEitherReadsOrThrowsOurError) {
  EXPECT_TRUE(rc::check("no crash, no absurd allocation", [] {
    const std::vector<Booleanizer> all = one_of_each();
    std::string bytes = write(all[*rc::gen::inRange<std::size_t>(0, all.size())]);
    const int changes = *rc::gen::inRange(1, 6);
    for (int i = 0; i < changes; ++i)
      bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
    try {
      const Booleanizer booleanizer = read(bytes);
      RC_ASSERT(booleanizer.features() <= kMaxFeatures);
      RC_ASSERT(read(write(booleanizer)) == booleanizer);
    } catch (const Error&) {
    }
  }));
}

TEST(BooleanizerFile, HostileFieldsAreRefused) {
  const auto refused = [](const std::function<void(ByteWriter&)>& fill, const std::string& why) {
    ByteWriter writer;
    fill(writer);
    expect_error<FileError>([&] { read(writer.bytes()); }, {"model m is damaged", why});
  };
  refused([](ByteWriter& w) { w.u8(9); }, "unknown kind");
  refused([](ByteWriter& w) { w.u8(0), w.varint(kMaxFeatures + 1), w.varint(0), w.varint(0); }, "more features");
  refused([](ByteWriter& w) { w.u8(0), w.varint(10), w.varint(3), w.varint(0); }, "image width");
  refused([](ByteWriter& w) { w.u8(0), w.varint(2), w.varint(0), w.texts(Texts{"only one"}); }, "names do not fit");
  refused([](ByteWriter& w) { w.u8(1), w.varint(4), w.varint(2), w.varint(2), w.u8(80), w.u8(80); }, "do not ascend");
  refused([](ByteWriter& w) { w.u8(1), w.varint(kMaxFeatures), w.varint(0), w.varint(2), w.u8(1), w.u8(2); },
          "more features");
  refused([](ByteWriter& w) { w.u8(2), w.varint(1), w.text("a"), w.u8(3); }, "unknown kind");
  refused([](ByteWriter& w) { w.u8(2), w.varint(1), w.text("a"), w.u8(0), w.varint(2), w.f64(2), w.f64(1); },
          "do not ascend");
  refused([](ByteWriter& w) { w.u8(2), w.varint(1), w.text("a"), w.u8(0), w.varint(1), w.f64(0.0 / 0.0); },
          "do not ascend");
  refused([](ByteWriter& w) { w.u8(3), w.varint(1u << 30); }, "middle of a list");
}

}  // namespace
}  // namespace falsum::booleanizer_test
