// The table of booleanizing: ranges, and for which data each option is. FINDINGS 6.1 and 1.8.
#include <gtest/gtest.h>

#include "data/data_files.h"
#include "falsum/booleanize_options.h"

namespace falsum::options_test {
namespace {

using testing_data::expect_error;

BooleanizeOptions with(const BooleanizeOptionInfo& option, std::int64_t value) {
  BooleanizeOptions options;
  std::visit(
      [&](auto field) {
        using T = std::remove_cvref_t<decltype(options.*field)>;
        if constexpr (!std::is_same_v<T, std::string>) options.*field = static_cast<T>(value);
      },
      option.field);
  return options;
}

Source source_of(decltype(Source::values) values, std::uint32_t image_width = 0) {
  Source source;
  source.values = std::move(values);
  source.image_width = image_width;
  return source;
}

TEST(BooleanizeOptions, NumbersAreAllowedUpToTheEndsOfTheirRangesAndNotBeyond) {
  for (const BooleanizeOptionInfo& option : booleanize_option_table()) {
    if (!option.choices.empty()) continue;
    EXPECT_NO_THROW(validate(with(option, option.least)));
    EXPECT_NO_THROW(validate(with(option, option.most)));
    for (const std::int64_t beyond : {option.least - 1, option.most + 1}) {
      expect_error<ConfigError>(
          [&] { validate(with(option, beyond)); },
          {std::string(option.name) + " must be from " + range_text(option) + ", got " + std::to_string(beyond)});
    }
  }
}

TEST(BooleanizeOptions, ATextIsOneOfItsChoices) {
  for (const std::string select : {"frequent", "chi2"}) EXPECT_NO_THROW(validate(BooleanizeOptions{.select = select}));
  for (const std::string select : {"", "chi", "chi2|", "frequent|chi2", "Frequent"}) {
    expect_error<ConfigError>([&] { validate(BooleanizeOptions{.select = select}); },
                              {"select must be one of frequent, chi2, got " + select});
  }
}

TEST(BooleanizeOptions, EachActsOnOneKindOfData) {
  const std::vector<std::pair<Source, std::vector<std::string_view>>> cases = {
      {source_of(BitMatrix(1, 4)), {}},
      {source_of(SparseRows{}), {}},
      {source_of(BitMatrix(1, 4), 2), {"levels"}},
      {source_of(GreyImages{1, 4, {0, 1, 2, 3}}), {"levels"}},
      {source_of(Columns{}), {"quantiles"}},
      {source_of(Documents{}), {"vocabulary", "phrases", "select"}},
  };
  for (const auto& [source, expected] : cases) {
    std::vector<std::string_view> acting;
    for (const BooleanizeOptionInfo& option : booleanize_option_table()) {
      if (option.acts_on(source)) acting.push_back(option.name);
    }
    EXPECT_EQ(acting, expected) << name_of(data_kind(source));
  }
}

}  // namespace
}  // namespace falsum::options_test
