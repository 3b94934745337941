// What clauses say: by example, and by working the words out for random rows.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "booleanize/booleanized.h"
#include "falsum/clause_outputs.h"
#include "falsum/error.h"
#include "falsum/rules.h"
#include "plain_model.h"
#include "random_data.h"
#include "support/bytes.h"

namespace falsum::conditions_test {
namespace {

using Literals = std::vector<std::uint32_t>;
using Texts = std::vector<std::string>;
using ColumnMapping = Booleanizer::ColumnMapping;

/// A model of some clauses, all of them for its only output.
Model model_of(const Booleanizer& booleanizer, std::size_t features, const std::vector<Literals>& clauses) {
  std::vector<std::uint64_t> starts = {0};
  Literals literals;
  for (const Literals& clause : clauses) {
    literals.insert(literals.end(), clause.begin(), clause.end());
    starts.push_back(literals.size());
  }
  ModelParts parts = plain_parts({}, features, 1, starts, literals, std::vector<std::int32_t>(clauses.size(), 1));
  parts.booleanizer = booleanizer;
  return Model(std::move(parts));
}
Model model_of(const Booleanizer& booleanizer) { return model_of(booleanizer, booleanizer.features(), {}); }

ColumnMapping numbers(std::string name, std::vector<double> thresholds, ColumnKind unit = ColumnKind::kNumber) {
  return {std::move(name), false, false, std::move(thresholds), {}, false, unit};
}

Booleanizer people() {
  const ColumnMapping smoker{"smoker", false, true, {}, {}}, colour{"colour", true, false, {}, {"red", "blue", "grey"}};
  return Booleanizer::from_mapping(Booleanizer::ByColumn{{numbers("age", {30, 41.5, 60}), smoker, colour}});
}

Booleanizer patchy_people() {
  Booleanizer::ByColumn table = std::get<Booleanizer::ByColumn>(people().mapping());
  for (ColumnMapping& column : table.columns) column.missing = true;
  return Booleanizer::from_mapping(table);
}

TEST(Conditions, LiteralsOfOneColumnBecomeOneInterval) {
  const Model model = model_of(people());
  const Conditions conditions(model);
  EXPECT_EQ(conditions.columns(), 3u);
  const std::uint32_t n = 7;
  const auto said = [&](Literals clause) { return conditions.of(clause); };
  EXPECT_EQ(said({0, 1, n + 2}), Texts{"41.5 <= age < 60"});
  EXPECT_EQ(said({1}), Texts{"age >= 41.5"});
  EXPECT_EQ(said({n + 1, n + 2}), Texts{"age < 41.5"});
  EXPECT_EQ(said({3, n + 5}), (Texts{"smoker", "colour != blue"}));
  EXPECT_EQ(said({4, n + 5}), Texts{"colour = red"});
  EXPECT_EQ(said({n + 3, n + 4, n + 6}), (Texts{"not smoker", "colour != red", "colour != grey"}));
  EXPECT_EQ(said({3, n + 0}), (Texts{"smoker", "age < 30"})) << "what is asked for comes first";
  EXPECT_EQ(said({}), Texts{});
}

TEST(Conditions, WhatCanNeverBeTrueIsFound) {
  const Model model = model_of(people());
  const Conditions conditions(model);
  const std::uint32_t n = 7;
  for (const Literals& clause :
       {Literals{1, n + 0}, {1, n + 1}, {4, 5}, {4, n + 4}, {3, n + 3}, {2, 3, n + 1, n + 4}}) {
    EXPECT_TRUE(conditions.never_true(clause));
    EXPECT_EQ(conditions.of(clause), std::nullopt);
    EXPECT_EQ(conditions.essence(clause), std::nullopt);
  }
  EXPECT_FALSE(conditions.never_true(Literals{0, n + 1}));
  EXPECT_FALSE(conditions.never_true(Literals{}));
}

TEST(Conditions, TheEssenceIsWhatTheOthersDoNotImply) {
  const Model model = model_of(people());
  const Conditions conditions(model);
  const std::uint32_t n = 7;
  EXPECT_EQ(conditions.essence(Literals{0, 1, 4, n + 2, n + 5, n + 6}), (Literals{1, 4, n + 2}));
  EXPECT_EQ(conditions.essence(Literals{n + 0, n + 1, n + 2, n + 5}), (Literals{n + 0, n + 5}));
  EXPECT_EQ(conditions.essence(Literals{}), Literals{});
}

TEST(Conditions, MissingValuesAreToldWhereTheyCount) {
  const Model model = model_of(patchy_people());
  const Conditions conditions(model);  // age 0-2, missing 3; smoker 4, missing 5; colour 6-8, missing 9
  const std::uint32_t n = 10;
  const auto said = [&](Literals clause) { return conditions.of(clause); };
  EXPECT_EQ(said({n + 0}), Texts{"age < 30 or missing"});
  EXPECT_EQ(said({n + 0, n + 3}), Texts{"age < 30"});
  EXPECT_EQ(said({0, n + 2, n + 3}), Texts{"30 <= age < 60"});
  EXPECT_EQ(said({3, n + 0}), Texts{"age is missing"});
  EXPECT_EQ(said({n + 3}), Texts{"age is not missing"});
  EXPECT_EQ(said({n + 4}), Texts{"not smoker or missing"});
  EXPECT_EQ(said({n + 4, n + 5}), Texts{"not smoker"});
  EXPECT_EQ(said({4, n + 5}), Texts{"smoker"});
  EXPECT_EQ(said({n + 6, n + 7}), (Texts{"colour != red or missing", "colour != blue or missing"}));
  EXPECT_EQ(said({n + 6, n + 9}), Texts{"colour != red"});
  EXPECT_EQ(said({6, n + 9}), Texts{"colour = red"});
  EXPECT_EQ(said({9, n + 6}), Texts{"colour is missing"});
  for (const Literals& clause : {Literals{0, 3}, {3, n + 3}, {4, 5}, {6, 9}}) EXPECT_EQ(said(clause), std::nullopt);
}

TEST(Conditions, NumbersAreAsShortAsTheyCanBeAndDatesAreDates) {
  const Model model = model_of(Booleanizer::from_mapping(
      Booleanizer::ByColumn{{numbers("n", {-2.5e-7, 0.1, 3, 1e20}), numbers("day", {19782}, ColumnKind::kDate),
                             numbers("clock", {9 * 3600}, ColumnKind::kTime)}}));
  const Conditions conditions(model);
  const std::uint32_t n = 6;
  EXPECT_EQ(conditions.of(Literals{0, n + 2}), Texts{"-2.5e-07 <= n < 3"});
  EXPECT_EQ(conditions.of(Literals{1, n + 3}), Texts{"0.1 <= n < 1e+20"});
  EXPECT_EQ(conditions.of(Literals{4, n + 5}), (Texts{"day >= 2024-02-29", "clock < 09:00"}));
}

TEST(Conditions, GreyLevelsOfAPixelAreOneInterval) {
  const Booleanizer images = Booleanizer::from_mapping(Booleanizer::Levels{6, 3, {85, 170}});
  const Model model = model_of(images);
  const Conditions conditions(model);
  const std::uint32_t n = 12;
  EXPECT_EQ(conditions.columns(), 6u);
  EXPECT_EQ(conditions.of(Literals{0, n + 6}), Texts{"85 < pixel 0,0 <= 170"});
  EXPECT_EQ(conditions.of(Literals{5, 6, n + 1, n + 7}),
            (Texts{"pixel 1,2 > 85", "pixel 0,0 > 170", "pixel 0,1 <= 85"}));
  EXPECT_EQ(conditions.of(Literals{6, n + 0}), std::nullopt);
  const Model strip = model_of(Booleanizer::from_mapping(Booleanizer::Levels{6, 0, {85}}));
  EXPECT_EQ(Conditions(strip).of(Literals{4}), Texts{"pixel 4 > 85"});
}

TEST(Conditions, NamesAreThoseOfTheModelOrThoseThatAreGiven) {
  const Model bare = model_of({}, 2, {});
  EXPECT_EQ(Conditions(bare).of(Literals{0, 3}), (Texts{"x0", "not x1"}));
  EXPECT_EQ(Conditions(bare, {"wet", ""}).of(Literals{0, 3}), (Texts{"wet", "not x1"}));
  const Model pixels = model_of(Booleanizer::from_mapping(Booleanizer::Bits{4, {}}, 2));
  EXPECT_EQ(Conditions(pixels).of(Literals{3}), Texts{"pixel 1,1"});
  const Model words = model_of(Booleanizer::from_mapping(Booleanizer::Words{{"good", "bad"}, 1}));
  EXPECT_EQ(Conditions(words).of(Literals{0, 3}), (Texts{"good", "not bad"}));
  const Model table = model_of(people());
  EXPECT_EQ(Conditions(table, {"a", "b", "c"}).of(Literals{1, 4}), (Texts{"a >= 41.5", "c = red"}));
  try {
    const Conditions few(table, {"a"});
    FAIL() << "one name for three columns";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "column_names must have 3 names, got 1");
  }
}

TEST(Conditions, ColumnsOfOneNameAreToldApart) {
  const ColumnMapping size = numbers("size", {1, 2});
  const Model model = model_of(Booleanizer::from_mapping(Booleanizer::ByColumn{{size, numbers("age", {5}), size}}));
  const std::uint32_t n = 5;
  EXPECT_EQ(Conditions(model).of(Literals{1, n + 2, n + 3}),
            (Texts{"size (column 0) >= 2", "age < 5", "size (column 2) < 1"}));
  const Model bits = model_of(Booleanizer::from_mapping(Booleanizer::Bits{2, {"wet", "wet"}}));
  EXPECT_EQ(Conditions(bits).of(Literals{0, 3}), (Texts{"wet (column 0)", "not wet (column 1)"}));
}

/// No program makes such a file, but anybody can.
TEST(Conditions, ABooleanizerOfNoFeaturesHasNothingToSay) {
  std::string bytes = testing_booleanize::write(Booleanizer::from_mapping(Booleanizer::Levels{6, 3, {85}}));
  bytes.resize(4);
  bytes[3] = 0;  // thresholds
  ByteReader reader(bytes, "booleanizer");
  const Model model = model_of(Booleanizer::read(reader), 3, {});
  EXPECT_EQ(model.booleanizer().kind(), "levels");
  const Conditions conditions(model);
  EXPECT_EQ(conditions.columns(), 3u);
  EXPECT_EQ(conditions.of(Literals{2}), Texts{"x2"});
}

// ------------------------------------------------------------------------ words against rows, column by column

struct Person {
  std::optional<double> age;
  std::optional<bool> smoker;
  std::optional<std::string> colour;
};

/// Works out a condition for a person, from its words alone.
bool holds(std::string condition, const Person& person) {
  const std::string unless = " or missing";
  const bool or_missing = condition.ends_with(unless);
  if (or_missing) condition.resize(condition.size() - unless.size());
  const bool about_age = condition.find("age") != condition.npos;
  const bool about_colour = condition.find("colour") != condition.npos;
  const bool is_missing = about_age ? !person.age : about_colour ? !person.colour : !person.smoker;
  if (condition.ends_with("is missing")) return is_missing;
  if (condition.ends_with("is not missing")) return !is_missing;
  if (is_missing) return or_missing;
  if (about_age) {
    const std::size_t at = condition.find("age");
    const double age = *person.age;
    const bool above = at == 0 || age >= std::stod(condition);
    const std::string rest = condition.substr(at + 3);  // " >= 30", " < 60"
    return above && (rest.starts_with(" >= ") ? age >= std::stod(rest.substr(4)) : age < std::stod(rest.substr(3)));
  }
  if (about_colour) {
    const bool equal = condition.ends_with(" " + *person.colour);
    return condition.find("!=") == condition.npos ? equal : !equal;
  }
  return condition.starts_with("not ") ? !*person.smoker : *person.smoker;
}

Source source_of(const std::vector<Person>& persons) {
  Column age, smoker, colour;
  age.name = "age", smoker.name = "smoker", colour.name = "colour";
  colour.categorical = true;
  colour.categories = {"grey", "red", "blue", "unseen"};
  for (const auto& [years, smokes, likes] : persons) {
    age.numbers.push_back(years.value_or(std::numeric_limits<double>::quiet_NaN()));
    smoker.numbers.push_back(smokes ? (*smokes ? 1 : 0) : std::numeric_limits<double>::quiet_NaN());
    const auto found = std::find(colour.categories.begin(), colour.categories.end(), likes.value_or(""));
    colour.category.push_back(likes ? static_cast<std::uint32_t>(found - colour.categories.begin()) : kMissingCategory);
  }
  Source source;
  source.values = Columns{persons.size(), {age, smoker, colour}};
  source.origin = "people";
  return source;
}

/// A clause is true of a row exactly if its conditions hold, and its essence is true of the same rows.
TEST(Conditions, AClauseIsTrueExactlyWhereItsConditionsHold) {
  for (const Booleanizer& booleanizer : {people(), patchy_people()}) {
    const bool patchy = booleanizer == patchy_people();
    TestRandom random(patchy ? 2 : 1);
    std::vector<Person> persons;
    const Texts colours = {"grey", "red", "blue", "unseen"};
    for (const double years : {20.0, 30.0, 41.5, 50.0, 60.0, 99.0, -1.0}) {
      for (int i = 0; i < 20; ++i) {
        Person person{years, random.chance(0.5), colours[random.below(4)]};
        if (years < 0 && patchy) person.age.reset();
        if (patchy && random.chance(0.3)) person.smoker.reset();
        if (patchy && random.chance(0.3)) person.colour.reset();
        persons.push_back(person);
      }
    }
    std::vector<Literals> clauses;
    for (int i = 0; i < 3000; ++i) {
      Literals clause;
      const double density = 0.02 + 0.3 * static_cast<double>(i) / 3000;
      for (std::uint32_t l = 0; l < 2 * booleanizer.features(); ++l) {
        if (random.chance(density)) clause.push_back(l);
      }
      if (!clause.empty()) clauses.push_back(clause);
    }
    const Model model = model_of(booleanizer, booleanizer.features(), clauses);
    const BitMatrix rows = booleanizer.transform(source_of(persons));
    const BitMatrix truths = clause_outputs(model, rows);
    const Conditions conditions(model);
    std::vector<Literals> essences;
    for (const Literals& clause : clauses) essences.push_back(conditions.essence(clause).value_or(Literals{}));
    const BitMatrix truths_of_essences = clause_outputs(model_of(booleanizer, booleanizer.features(), essences), rows);
    std::size_t contradictions = 0;
    for (std::size_t c = 0; c < clauses.size(); ++c) {
      const auto said = conditions.of(clauses[c]);
      EXPECT_EQ(said.has_value(), !conditions.never_true(clauses[c]));
      contradictions += !said;
      EXPECT_EQ(said, said ? conditions.of(essences[c]) : std::nullopt);
      for (std::size_t r = 0; r < persons.size(); ++r) {
        bool all = said.has_value();
        for (const std::string& condition : said.value_or(Texts{})) all = all && holds(condition, persons[r]);
        ASSERT_EQ(truths.get(r, c), all) << "clause " << c << " row " << r;
        ASSERT_EQ(truths_of_essences.get(r, c), all) << "clause " << c << " row " << r;
      }
    }
    EXPECT_GT(contradictions, 100u);
    EXPECT_LT(contradictions, clauses.size() - 100);
  }
}

}  // namespace
}  // namespace falsum::conditions_test
