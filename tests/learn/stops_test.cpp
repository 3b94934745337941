// Learning that is stopped anywhere goes on to the bits of learning that never was: in the same process, or from a
// checkpoint. FINDINGS 2.2: stops come between uses, not between chunks.
#include <gtest/gtest.h>

#include "falsum/data_digest.h"
#include "falsum/error.h"
#include "learn/trainer.h"
#include "model/container.h"
#include "naive_machine.h"
#include "random_data.h"
#include "state_digest.h"

namespace falsum::stops_test {
namespace {

struct Way {
  const char* engine;
  bool sharded;
};
constexpr Way kWays[] = {{"lookahead", false}, {"scan", false}, {"index", false}, {"lookahead", true}};

Options small_options(const Way& way, std::int64_t threads) {
  Options options;
  options.clauses = 20;
  options.threshold = 10;
  options.specificity = 4;
  options.engine = engine_named(way.engine);
  options.sharded = way.sharded;
  options.threads = threads;
  return options;
}

std::uint32_t version_of(const std::string& checkpoint) { return static_cast<std::uint8_t>(checkpoint[8]); }

/// Learns until `epochs` are complete and stops at every call of the progress callback; every `through`th stop goes
/// through a checkpoint. Returns the number of stops.
int learn_with_stops(std::unique_ptr<Trainer>& trainer, const RandomData& data, std::uint64_t epochs, std::size_t uses,
                     int through) {
  int stops = 0;
  const Options run = trainer->options();
  trainer->tell_after_uses(uses);
  while (trainer->epoch() < epochs) {
    double last = 0;
    if (trainer->learn_epoch(data.rows, data.labels, [&](double done) { return last = done, false; }).complete)
      continue;
    EXPECT_GT(last, 0);
    EXPECT_LT(last, 1);
    if (++stops % through != 0) continue;
    const std::string bytes = trainer->checkpoint();
    trainer = std::make_unique<Trainer>(Trainer::from_checkpoint(bytes, run, "test"));
    trainer->tell_after_uses(uses);
    EXPECT_EQ(trainer->checkpoint(), bytes);
  }
  return stops;
}

TEST(StopsThreads, AMachineStoppedAfterAnyNumberOfUsesGoesOnToTheSameBitsDeterminism) {
  const RandomData data(4, 500, 25, 3);
  for (const Way& way : kWays) {
    Trainer whole(small_options(way, 1), 25, 3);
    whole.learn_epoch(data.rows, data.labels, {});
    whole.learn_epoch(data.rows, data.labels, {});
    for (const std::int64_t threads : {1, 3}) {
      for (const std::size_t uses : {1, 7, 64, 255, 256, 257}) {
        auto stopped = std::make_unique<Trainer>(small_options(way, threads), 25, 3);
        const int stops = learn_with_stops(stopped, data, 2, uses, uses < 64 ? 40 / static_cast<int>(uses) : 2);
        EXPECT_GE(stops, uses > 64 ? 2 : 2 * 333 / static_cast<int>(uses) - 2);
        EXPECT_EQ(stopped->checkpoint(), whole.checkpoint())
            << way.engine << (way.sharded ? ", sharded" : "") << ", " << threads << " threads, " << uses << " uses";
      }
    }
  }
}

TEST(Stops, AProgressCallThatGoesOnChangesNothingEither) {
  const RandomData data(4, 500, 25, 3);
  for (const Way& way : kWays) {
    Trainer whole(small_options(way, 1), 25, 3), told(small_options(way, 2), 25, 3);
    const EpochReport expected = whole.learn_epoch(data.rows, data.labels, {});
    told.tell_after_uses(10);
    std::string on_the_way;
    int calls = 0;
    const EpochReport report = told.learn_epoch(data.rows, data.labels, [&](double) {
      if (++calls == 7) on_the_way = told.checkpoint();
      return true;
    });
    EXPECT_GT(calls, 30);
    EXPECT_EQ(report.counters, expected.counters) << "also the work: no block is begun twice";
    EXPECT_EQ(told.checkpoint(), whole.checkpoint());
    Trainer resumed = Trainer::from_checkpoint(on_the_way, small_options(way, 1), "test");
    resumed.learn_epoch(data.rows, data.labels, {});
    EXPECT_EQ(resumed.checkpoint(), whole.checkpoint()) << way.engine << (way.sharded ? ", sharded" : "");
  }
}

TEST(Stops, WhereAllClassesStandLevelReadersOfVersion1CanGoOn) {
  const RandomData data(4, 500, 25, 3);
  Trainer trainer(small_options(kWays[0], 1), 25, 3);
  EXPECT_EQ(version_of(trainer.checkpoint()), 1u);
  trainer.tell_after_uses(5);
  trainer.learn_epoch(data.rows, data.labels, [](double) { return false; });
  EXPECT_EQ(version_of(trainer.checkpoint()), 2u);
  trainer.learn_epoch(data.rows, data.labels, {});
  EXPECT_EQ(version_of(trainer.checkpoint()), 1u);
}

TEST(Stops, AStoppedEpochGoesOnWithItsOwnLabelsOnly) {
  for (const Way& way : kWays) {
    const RandomData data(4, 500, 25, 3);
    Trainer trainer(small_options(way, 1), 25, 3);
    trainer.tell_after_uses(100);
    for (int i = 0; i < 3; ++i) trainer.learn_epoch(data.rows, data.labels, [](double) { return false; });
    const std::vector<std::uint32_t> one_class(500, 0);  // leaves the classes 1 and 2 far fewer uses than they have had
    EXPECT_THROW(trainer.learn_epoch(data.rows, one_class, {}), DataError) << way.engine;
    trainer.abandon_epoch();
    EXPECT_EQ(trainer.learn_epoch(data.rows, one_class, {}).epoch, 2u);
  }
}

TEST(Stops, PlacesThatCannotBeAreRefused) {
  const RandomData data(4, 500, 25, 3);
  Trainer trainer(small_options(kWays[3], 1), 25, 3);
  trainer.tell_after_uses(100);
  trainer.learn_epoch(data.rows, data.labels, [](double) { return false; });
  const std::string bytes = trainer.checkpoint();
  const Container container(bytes, FileKind::kCheckpoint, {"MACH", "PROG", "DRAW", "AHED", "BANK"}, "test");
  const auto with_ahead = [&](std::string payload) {
    ContainerWriter writer(FileKind::kCheckpoint, 2);
    for (const char* tag : {"MACH", "PROG", "DRAW", "true"}) writer.section(tag, container.section(tag));
    writer.section("AHED", payload);
    for (const std::string_view bank : container.sections("BANK")) writer.section("BANK", bank);
    return writer.finish();
  };
  const std::string good(container.section("AHED"));
  EXPECT_NO_THROW(Trainer::from_checkpoint(with_ahead(good), {}, "test"));
  std::string far = good, votes = good;
  far[0] = 101;    // more than its number of uses
  votes[2] = 100;  // votes of a block: the first byte of the first
  EXPECT_THROW(Trainer::from_checkpoint(with_ahead(far), {}, "test"), FileError);
  EXPECT_THROW(Trainer::from_checkpoint(with_ahead(votes), {}, "test"), FileError);
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW(Trainer::from_checkpoint(with_ahead(good.substr(0, size)), {}, "test"), FileError) << size;
  }
}

TEST(Stops, CheckpointsKnowTheirData) {  // FINDINGS 2.4
  const RandomData data(4, 500, 25, 3);
  Trainer trainer(small_options(kWays[0], 1), 25, 3);
  EXPECT_FALSE(Trainer::from_checkpoint(trainer.checkpoint(), {}, "test").data());
  const DataDigest expected = digest(data.rows, data.labels, std::vector<std::string>{"a", "b", "c"});
  trainer.set_data(expected);
  EXPECT_EQ(version_of(trainer.checkpoint()), 1u) << "the section is optional";
  EXPECT_EQ(Trainer::from_checkpoint(trainer.checkpoint(), {}, "test").data(), expected);
}

}  // namespace
}  // namespace falsum::stops_test
