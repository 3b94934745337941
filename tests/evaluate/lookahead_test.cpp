// LookaheadPart against evaluating every clause anew for every use, while literals come and go.
#include "evaluate/lookahead.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <memory>
#include <numeric>
#include <vector>

#include "kernels/dispatch.h"
#include "random_data.h"

namespace falsum::lookahead_test {
namespace {

/// Parts that share a block, told of the flips of their own clauses.
class Parts final : public FlipListener {
 public:
  Parts(Bank& bank, std::vector<std::size_t> cuts, const Kernels& kernels)
      : slots_(bank.clauses(), 2),
        active_(slots_.words(), ~std::uint64_t{0}),
        block_(bank, slots_, active_.data(), kernels) {
    cuts.push_back(slots_.words());
    std::size_t first = 0;
    for (const std::size_t last : cuts) {
      parts_.push_back(std::make_unique<LookaheadPart>(block_, first, last));
      first = last;
    }
  }

  void begin(std::size_t first, const Examples& examples) {
    block_.transpose(first, examples);
    for (const auto& part : parts_) part->evaluate(counters_);
  }
  std::vector<std::uint64_t> outputs(std::size_t u) {
    std::vector<std::uint64_t> out(slots_.words(), ~std::uint64_t{0});
    for (const auto& part : parts_) part->outputs(u, out.data() + part->first(), counters_);
    return out;
  }
  void flipped(ClauseId clause, const IdList& literals, bool included) override {
    const std::size_t word = slots_.slot(clause) / 64;
    for (const auto& part : parts_) {
      if (word >= part->first() && word < part->first() + part->words()) part->flipped(clause, literals, included);
    }
  }

 private:
  ClauseSlots slots_;
  std::vector<std::uint64_t> active_;
  LookaheadBlock block_;
  std::vector<std::unique_ptr<LookaheadPart>> parts_;
  LearnCounters counters_;
};

struct Silent final : FlipListener {
  void flipped(ClauseId, const IdList&, bool) override {}
};

std::vector<std::uint64_t> plain_outputs(const Bank& bank, const LiteralRow& row) {
  const ClauseSlots slots(bank.clauses(), 2);
  std::vector<std::uint64_t> out(slots.words());
  for (std::uint32_t c = 0; c < bank.clauses(); ++c) {
    bool truth = true;
    bank.for_each_included(ClauseId{c}, [&](LiteralId l) { truth = truth && row.is_true(l); });
    const std::size_t slot = slots.slot(ClauseId{c});
    if (truth) out[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }
  return out;
}

/// Some clauses lose literals and some get them, told to `listener`.
void flip_some(Bank& bank, std::size_t count, TestRandom& random, FlipListener& listener) {
  for (std::size_t i = 0; i < count; ++i) {
    const ClauseId c{static_cast<std::uint32_t>(random.below(bank.clauses()))};
    const std::size_t length = bank.length(c);
    // As often out as in, so that clauses stay short enough to be true at times.
    if (length > 0 && random.chance(0.5)) {
      bank.set_state(c, LiteralId{bank.included(c)[random.below(length)]}, 120, listener);
    } else {
      bank.set_state(c, LiteralId{static_cast<std::uint32_t>(random.below(bank.literals()))}, 130, listener);
    }
  }
}

struct Setting {
  std::size_t clauses, features, uses, flips;
  bool sparse, twice;
  std::vector<std::size_t> cuts;
};

/// Whether all outputs are the plain ones, use by use and block by block, with flips after each.
bool agrees(const Setting& setting, std::uint64_t seed, const Kernels& kernels) {
  TestRandom random(seed);
  const RandomData data(seed, setting.uses, setting.features, 2);
  const SparseBits sparse(data.rows);
  const Rows samples = setting.sparse ? Rows(SparseBitsView(sparse)) : Rows(data.rows);
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < setting.uses; ++i) {
    order.push_back(static_cast<std::uint32_t>(random.below(setting.uses)));
  }
  Examples examples(order, samples);
  Bank bank(setting.clauses, setting.features, 256);
  Silent silent;
  flip_some(bank, 2 * setting.clauses, random, silent);
  Parts parts(bank, setting.cuts, kernels);
  for (std::size_t first = 0; first < setting.uses; first += LookaheadBlock::kUses) {
    const std::size_t count = std::min(LookaheadBlock::kUses, setting.uses - first);
    parts.begin(first, examples);
    if (setting.twice) {  // as a sharded learner does: all outputs first, then again from the start with feedback
      for (std::size_t u = 0; u < count; ++u) {
        if (parts.outputs(u) != plain_outputs(bank, examples.literals(first + u))) return false;
      }
    }
    for (std::size_t u = 0; u < count; ++u) {
      if (parts.outputs(u) != plain_outputs(bank, examples.literals(first + u))) return false;
      flip_some(bank, random.below(setting.flips + 1), random, parts);
    }
  }
  return true;
}

TEST(LookaheadPart, GivesWhatEvaluatingAnewGivesWhateverFlips) {
  EXPECT_TRUE(rc::check("for any bank, rows and flips", [](std::uint64_t seed) {
    Setting setting;
    setting.clauses = 2 * *rc::gen::inRange<std::size_t>(1, 150);
    setting.features = *rc::gen::inRange<std::size_t>(1, 140);
    setting.uses = *rc::gen::inRange<std::size_t>(1, 300);
    setting.flips = *rc::gen::inRange<std::size_t>(0, 12);
    setting.sparse = *rc::gen::arbitrary<bool>();
    setting.twice = *rc::gen::arbitrary<bool>();
    const std::size_t words = 2 * ((setting.clauses / 2 + 63) / 64);
    for (std::size_t word = 1; word < words; ++word) {
      if (*rc::gen::arbitrary<bool>()) setting.cuts.push_back(word);
    }
    RC_ASSERT(agrees(setting, seed, find_kernels("auto")));
  }));
}

TEST(LookaheadPart, ManyClausesCanWaitToBeMendedAtOnce) {
  // More than the first room of 64: a burst of flips in every use.
  for (const Kernels* kernels : supported_kernels()) {
    EXPECT_TRUE(agrees({600, 30, 520, 400, false, false, {}}, 1, *kernels)) << kernels->name;
    EXPECT_TRUE(agrees({600, 30, 256, 400, true, true, {3, 7}}, 2, *kernels)) << kernels->name;
  }
}

/// A block of random rows, each once.
struct OneBlock {
  OneBlock(std::uint64_t seed, std::size_t features) : data(seed, LookaheadBlock::kUses, features, 2) {
    std::iota(order.begin(), order.end(), 0u);
  }
  const RandomData data;
  std::vector<std::uint32_t> order = std::vector<std::uint32_t>(LookaheadBlock::kUses);
  const Rows samples{data.rows};
  Examples examples{order, samples};
};

// As where learning stops in a block, and goes on from there.
TEST(LookaheadPart, ClausesThatWaitWhenABlockIsLeftAreForgotten) {
  TestRandom random(3);
  OneBlock block(3, 30);
  Examples& examples = block.examples;
  Bank bank(600, 30, 256);
  Silent silent;
  flip_some(bank, 1200, random, silent);
  Parts parts(bank, {}, find_kernels("auto"));
  for (int stops = 0; stops < 3; ++stops) {
    parts.begin(0, examples);
    parts.outputs(0);
    flip_some(bank, 2000, random, parts);  // more wait than there was room for
  }
  parts.begin(0, examples);
  for (std::size_t u = 0; u < 256; ++u) {
    ASSERT_EQ(parts.outputs(u), plain_outputs(bank, examples.literals(u))) << u;
  }
}

TEST(LookaheadPart, ALiteralThatLeavesAndComesBackWithinABlockIsAsIfNothingHadBeen) {
  OneBlock block(4, 10);
  Examples& examples = block.examples;
  Bank bank(2, 10, 256);
  Parts parts(bank, {}, find_kernels("auto"));
  bank.set_state(ClauseId{0}, LiteralId{0}, 130, parts);
  bank.set_state(ClauseId{0}, LiteralId{13}, 130, parts);
  parts.begin(0, examples);
  for (std::size_t u = 0; u < 256; ++u) {
    bank.set_state(ClauseId{0}, LiteralId{13}, 120, parts);
    bank.set_state(ClauseId{0}, LiteralId{13}, 130, parts);
    ASSERT_EQ(parts.outputs(u), plain_outputs(bank, examples.literals(u))) << u;
  }
}

}  // namespace
}  // namespace falsum::lookahead_test
