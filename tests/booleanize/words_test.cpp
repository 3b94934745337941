#include <set>

#include "booleanize/mappings.h"
#include "data/data_files.h"

namespace falsum::words_test {
namespace {

using testing_data::expect_error;
using Texts = std::vector<std::string>;

Texts words(std::string_view text) {
  Texts found;
  for_each_word(text, [&](std::string_view word) { found.emplace_back(word); });
  return found;
}

Source documents(Texts texts) {
  Source source;
  source.values = Documents{std::move(texts)};
  source.origin = "texts";
  return source;
}

TEST(Words, PunctuationSeparatesAndTheApostropheStays) {
  EXPECT_EQ(words("It's GOOD,isn't it?<br />10/10"), (Texts{"it's", "good", "isn't", "it", "br", "10", "10"}));
  EXPECT_EQ(words("a_b-c\td\ne\r\nf"), (Texts{"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(words("!\"#$%&()*+,-./:;<=>?@[\\]^_`{|}~ \t\n"), Texts{});
  EXPECT_EQ(words(""), Texts{});
}

TEST(Words, BytesBeyondAsciiBelongToTheirWord) {
  EXPECT_EQ(words("Caf\xc3\xa9 \xc3\x89t\xc3\xa9"), (Texts{"caf\xc3\xa9", "\xc3\x89t\xc3\xa9"}));
}

TEST(Words, MostFrequentAreKeptAndTiesAreAlphabetical) {
  BooleanizeOptions options;
  options.vocabulary = 3;
  options.phrases = 1;
  options.select = "frequent";
  const Source source = documents({"b a c c c", "d a b", "e"});
  const Booleanizer fitted = Booleanizer::fit(source, options);
  EXPECT_EQ(fitted.kind(), "words");
  EXPECT_EQ(fitted.feature_names(), (Texts{"c", "a", "b"}));
  const BitMatrix bits = fitted.transform(documents({"A, b!", "unseen words", ""}));
  EXPECT_EQ(bits.row(0)[0], 6u);
  EXPECT_EQ(bits.row(1)[0], 0u);
  EXPECT_EQ(bits.row(2)[0], 0u);
  Source matrix;
  matrix.values = BitMatrix(1, 3);
  expect_error<DataError>([&] { fitted.transform(matrix); }, {"expected text documents"});
}

TEST(Words, PhrasesAreWordsInARow) {
  Texts found;
  for_each_phrase("It is: NOT good.", 3, [&](std::string_view phrase) { found.emplace_back(phrase); });
  EXPECT_EQ(found, (Texts{"it", "is", "it is", "not", "is not", "it is not", "good", "not good", "is not good"}));
  found.clear();
  for_each_phrase("one two", 1, [&](std::string_view phrase) { found.emplace_back(phrase); });
  EXPECT_EQ(found, (Texts{"one", "two"}));
  BooleanizeOptions options;
  options.phrases = 2;
  options.select = "frequent";
  const Booleanizer fitted = Booleanizer::fit(documents({"not good not good", "good"}), options);
  EXPECT_EQ(fitted.feature_names(), (Texts{"good", "not", "not good", "good not"}));
  EXPECT_EQ(fitted.transform(documents({"good, not?"})).row(0)[0], 0b1011u);
  EXPECT_EQ(fitted.transform(documents({"not so good"})).row(0)[0], 0b0011u);
}

TEST(Words, Chi2KeepsWhatTellsLabelsApart) {
  // "the" is everywhere, "good" is in all good documents and one bad one, "dull" in half of the bad ones, "rare" too
  // rare to count.
  Texts texts;
  std::vector<std::string> labels;
  for (int i = 0; i < 40; ++i) {
    const bool good = i % 2 == 0;
    texts.push_back(std::string("the the film") + (good || i == 1 ? " good" : "") + (i % 4 == 3 ? " dull" : "") +
                    (good && i < 16 ? " rare" : ""));
    labels.emplace_back(good ? "pos" : "neg");
  }
  Source source = documents(texts);
  source.labels = labels;
  BooleanizeOptions options;
  options.phrases = 1;
  options.vocabulary = 2;
  EXPECT_EQ(Booleanizer::fit(source, options).feature_names(), (Texts{"good", "dull"}));
  options.vocabulary = 100;
  // Equally telling ones are alphabetical; eight documents are not enough.
  EXPECT_EQ(Booleanizer::fit(source, options).feature_names(), (Texts{"good", "dull", "film", "the"}));
  source.labels.pop_back();
  expect_error<DataError>([&] { Booleanizer::fit(source, options); }, {"texts", "40 rows and 39 labels"});
}

/// The words that are kept, in their order.
Texts kept(const Texts& texts, const Texts& labels, Task task, std::uint32_t vocabulary = 100) {
  Source source = documents(texts);
  source.labels = labels;
  BooleanizeOptions options;
  options.phrases = 1;
  options.vocabulary = vocabulary;
  return Booleanizer::fit(source, options, task).feature_names();
}

// As classes, these 60 numbers would be 60 labels of one document each, of which no word tells anything.
TEST(Words, NumbersKeepTheWordsThatGoWithThem) {
  Texts texts, numbers;
  for (int i = 0; i < 60; ++i) {
    // "grim" takes 5 away, "fine" adds 2, "noise" and "the" nothing; the rest differs from row to row.
    const bool grim = i % 3 == 0, fine = i % 2 == 0;
    texts.push_back(std::string("the") + (grim ? " grim grim" : "") + (fine ? " fine" : "") +
                    (i % 4 < 2 ? " noise" : "") + (i < 9 ? " rare" : ""));
    numbers.push_back(std::to_string(1000 + 2 * fine - 5 * grim + 0.001 * i));
  }
  EXPECT_EQ(kept(texts, numbers, Task::kRegression), (Texts{"grim", "fine", "noise", "the"}));
  EXPECT_EQ(kept(texts, numbers, Task::kRegression, 1), (Texts{"grim"}));
  for (std::string& number : numbers) number = "-" + number;  // the sign of a correlation does not matter
  EXPECT_EQ(kept(texts, numbers, Task::kRegression, 2), (Texts{"grim", "fine"}));
  numbers[7] = "many";
  expect_error<DataError>([&] { kept(texts, numbers, Task::kRegression); }, {"row 7", "\"many\" is not a number"});
  numbers.pop_back();
  expect_error<DataError>([&] { kept(texts, numbers, Task::kRegression); }, {"60 rows and 59 labels"});
}

// The sets of labels would be classes of which the rare label is in several: "sea" tells it alone.
TEST(Words, SeveralLabelsKeepTheBestWordOfEach) {
  Texts texts, labels;
  for (int i = 0; i < 120; ++i) {
    const bool war = i % 2 == 0, love = i % 3 == 0, ships = i % 10 == 7;
    texts.push_back(std::string("the") + (war ? " gun" : "") + (love ? " heart" : "") + (ships ? " sea" : "") +
                    (i % 4 < 2 ? " noise" : ""));
    labels.push_back(std::string(war ? "war;" : "") + (love ? "love|" : "") + (ships ? " ships, ships" : ""));
  }
  const Texts all = kept(texts, labels, Task::kMultilabel);
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ((std::set<std::string>{all[0], all[1], all[2]}), (std::set<std::string>{"gun", "heart", "sea"}));
  EXPECT_EQ(all[0], "sea");  // the rarest label is told most by its word
  EXPECT_EQ((Texts{all[3], all[4]}), (Texts{"noise", "the"}));
  labels.pop_back();
  expect_error<DataError>([&] { kept(texts, labels, Task::kMultilabel); }, {"120 rows and 119 labels"});
}

TEST(Words, SlowImdbHasTheWordsThatTheFieldCounts) {
  LoadOptions options;
  options.data_directory = testing_data::large_data();
  bool there = false;
  for (const DatasetInfo& set : list_datasets(options.data_directory)) there |= set.name == "imdb" && set.available;
  if (!there) GTEST_SKIP() << "IMDb is not on this machine";
  Source source;
  try {
    source = load_source("imdb:train", options);
  } catch (const FileError& error) {
    GTEST_SKIP() << error.what();  // built without liblzma
  }
  ASSERT_EQ(source.rows(), 25000u);
  EXPECT_EQ(std::count(source.labels.begin(), source.labels.end(), "pos"), 12500);
  std::set<std::string, std::less<>> distinct;
  for (const std::string& text : std::get<Documents>(source.values).texts) {
    for_each_word(text, [&](std::string_view word) {
      if (!distinct.contains(word)) distinct.emplace(word);
    });
  }
  EXPECT_EQ(distinct.size(), 88584u);
}

}  // namespace
}  // namespace falsum::words_test
