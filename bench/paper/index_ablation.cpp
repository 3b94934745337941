// falsum_bench_index: what each choice in the index costs, in time and bytes, against the paper's own.
//
//   walking  a trained machine's lists, class by class, for test samples: order of the lists, ids of 16 or 32 bits,
//   byte
//            flags that are set blindly against counting the first falsification, packed lists against the paper's
//            table
//   keeping  the flips of a stretch of learning, recorded once and replayed: positions in small hash tables against the
//            paper's full matrix, and ids of 16 or 32 bits
//
// All ways of walking must give the same votes, all ways of keeping the same lists. One thread, processor time,
// interleaved rounds.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>

#include "index/clause_index.h"
#include "paper/trained.h"
#include "rounds.h"

namespace {

using namespace falsum;
using Json = nlohmann::ordered_json;
using Lists = std::vector<std::vector<ClauseId>>;  // of one class: by literal

// ------------------------------------------------------------------------------------------- walking

/// The lists of one class. `stride` 0: one after the other; otherwise a row of the paper's table each.
template <class Id>
struct Layout {
  std::vector<std::size_t> starts;
  std::vector<std::uint32_t> sizes;
  std::vector<Id> entries;

  Layout(const Lists& lists, std::size_t stride) {
    std::size_t next = 0;
    for (const auto& list : lists) {
      starts.push_back(next);
      sizes.push_back(static_cast<std::uint32_t>(list.size()));
      entries.resize(stride ? next + stride : next + list.size());
      for (std::size_t i = 0; i < list.size(); ++i) entries[next + i] = static_cast<Id>(at(list[i]));
      next = entries.size();
    }
  }
  std::uint64_t bytes() const { return entries.size() * sizeof(Id) + starts.size() * 12; }
  template <class Visit>
  void walk(const LiteralRow& row, Visit&& visit) const {
    row.for_each_false([&](LiteralId l) {
      const Id* const first = entries.data() + starts[at(l)];
      for (const Id* id = first; id != first + sizes[at(l)]; ++id) visit(*id);
    });
  }
};

/// Which clauses of a class vote, and which way. Empty clauses do not.
struct Votes {
  std::size_t clauses, positives;
  std::vector<std::uint8_t> empty;  // 255 for those
  std::int32_t all = 0;             // votes of the others

  explicit Votes(const Bank& bank) : clauses(bank.clauses()), positives(clauses / 2), empty(clauses) {
    for (std::size_t c = 0; c < clauses; ++c) {
      empty[c] = bank.length(static_cast<ClauseId>(c)) == 0 ? 255 : 0;
      if (!empty[c]) all += c < positives ? 1 : -1;
    }
  }
};

class Walker {
 public:
  Walker(std::vector<Votes> votes, const Kernels& kernels)
      : votes_(std::move(votes)),
        kernels_(kernels),
        flags_(votes_.size() * votes_[0].clauses + 64),
        alive_(words_for(votes_[0].clauses) + 1) {}
  std::size_t clauses() const { return votes_[0].clauses; }

  /// Flags set blindly, then the clauses without one counted by their polarity.
  template <class Id>
  std::int32_t by_flags(const Layout<Id>& layout, std::size_t class_id, const LiteralRow& row) {
    clear(class_id, 0);
    layout.walk(row, [&](Id id) { flags_[id] = 255; });
    return count(class_id, 0);
  }
  /// The same for the clauses of all classes at once.
  template <class Id>
  void by_flags(const Layout<Id>& layout, const LiteralRow& row, std::vector<std::int32_t>& sums) {
    for (std::size_t c = 0; c < votes_.size(); ++c) clear(c, c * clauses());
    layout.walk(row, [&](Id id) { flags_[id] = 255; });
    for (std::size_t c = 0; c < votes_.size(); ++c) sums.push_back(count(c, c * clauses()));
  }
  /// The paper's: all clauses vote; the first falsification of a clause takes its vote back.
  template <class Id>
  std::int32_t by_first(const Layout<Id>& layout, std::size_t class_id, const LiteralRow& row) {
    clear(class_id, 0);
    std::int32_t sum = votes_[class_id].all;
    const std::size_t positives = votes_[class_id].positives;
    layout.walk(row, [&](Id id) {
      if (flags_[id]) return;
      flags_[id] = 255;
      sum -= id < positives ? 1 : -1;
    });
    return sum;
  }

 private:
  void clear(std::size_t class_id, std::size_t first) {
    std::copy(votes_[class_id].empty.begin(), votes_[class_id].empty.end(),
              flags_.begin() + static_cast<std::ptrdiff_t>(first));
  }
  std::int32_t count(std::size_t class_id, std::size_t first) {
    const auto alive = [&](std::size_t from, std::size_t clauses) {
      const std::size_t words = words_for(clauses);
      kernels_.unflagged(flags_.data() + from, words, alive_.data());
      if (clauses % 64 != 0) alive_[words - 1] &= (std::uint64_t{1} << (clauses % 64)) - 1;
      return static_cast<std::int32_t>(kernels_.count(alive_.data(), words));
    };
    const std::size_t positives = votes_[class_id].positives;
    return alive(first, positives) - alive(first + positives, clauses() - positives);
  }

  std::vector<Votes> votes_;
  const Kernels& kernels_;
  std::vector<std::uint8_t> flags_;
  std::vector<std::uint64_t> alive_;
};

struct Way {
  std::string name;
  std::function<void(const LiteralRow& row, std::vector<std::int32_t>& sums)> votes;
  std::uint64_t bytes = 0;
  std::vector<double> seconds = {};
};

// ------------------------------------------------------------------------------------------- keeping

struct Flip {
  ClauseId clause;
  LiteralId literal;
  bool included;
};

class Recorder final : public FlipListener {
 public:
  Recorder(Evaluator& evaluator, std::vector<Flip>& flips) : evaluator_(evaluator), flips_(flips) {}
  void flipped(ClauseId clause, const IdList& literals, bool included) override {
    for (std::uint32_t i = 0; i < literals.size; ++i)
      flips_.push_back({clause, static_cast<LiteralId>(literals[i]), included});
    evaluator_.flipped(clause, literals, included);
  }

 private:
  Evaluator& evaluator_;
  std::vector<Flip>& flips_;
};

/// The paper's: two full tables of one class, a row for each literal and a column for each clause.
class FullTables {
 public:
  FullTables(std::size_t clauses, std::size_t literals)
      : clauses_(clauses), sizes_(literals), lists_(clauses * literals), positions_(clauses * literals) {}
  void insert(ClauseId clause, LiteralId literal) {
    const std::size_t row = at(literal) * clauses_, end = sizes_[at(literal)]++;
    lists_[row + end] = static_cast<std::uint16_t>(at(clause));
    positions_[row + at(clause)] = static_cast<std::uint16_t>(end);
  }
  void erase(ClauseId clause, LiteralId literal) {
    const std::size_t row = at(literal) * clauses_, hole = positions_[row + at(clause)];
    const std::uint16_t last = lists_[row + --sizes_[at(literal)]];
    lists_[row + hole] = last;
    positions_[row + last] = static_cast<std::uint16_t>(hole);
  }
  std::span<const std::uint16_t> list(LiteralId literal) const {
    return {lists_.data() + at(literal) * clauses_, sizes_[at(literal)]};
  }
  std::uint64_t bytes() const { return 2 * (lists_.size() + positions_.size()) + 4 * sizes_.size(); }

 private:
  std::size_t clauses_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint16_t> lists_, positions_;
};

/// Replays the flips on a fresh index of every class that holds what the trained machine includes. Seconds of the
/// flips alone; `lists` gets the lists at the end, in order of clauses.
template <class Index>
double replay(const bench::Trained& trained, const std::vector<std::vector<Flip>>& flips, std::uint64_t& bytes,
              std::vector<Lists>& lists) {
  double seconds = 0;
  bytes = 0;
  lists.assign(flips.size(), {});
  for (std::size_t c = 0; c < flips.size(); ++c) {
    const Bank& bank = trained.trainer->learner(c).bank();
    Index index(bank.clauses(), bank.literals());
    for (std::size_t j = 0; j < bank.clauses(); ++j) {
      const auto clause = static_cast<ClauseId>(j);
      bank.for_each_included(clause, [&](LiteralId l) { index.insert(clause, l); });
    }
    seconds += bench::seconds_of([&] {
      for (const Flip& flip : flips[c])
        flip.included ? index.insert(flip.clause, flip.literal) : index.erase(flip.clause, flip.literal);
    });
    bytes += index.bytes();
    for (std::size_t l = 0; l < bank.literals(); ++l) {
      std::vector<ClauseId> list;
      for (const auto id : index.list(static_cast<LiteralId>(l))) list.push_back(static_cast<ClauseId>(id));
      std::sort(list.begin(), list.end());
      lists[c].push_back(std::move(list));
    }
  }
  return seconds;
}

// ------------------------------------------------------------------------------------------- the two tables

void print_row(Json& rows, const std::string& name, const std::vector<double>& seconds,
               const std::vector<double>& first, double scale, std::uint64_t bytes) {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < seconds.size(); ++r) ratios.push_back(seconds[r] / first[r]);
  const double time = scale * bench::quantile(seconds, 0.5), ratio = bench::quantile(ratios, 0.5);
  fmt::print("| {} | {:.4g} | {:.2f} ({:.2f} to {:.2f}) | {:.1f} |\n", name, time, ratio, bench::quantile(ratios, 0),
             bench::quantile(ratios, 1), static_cast<double>(bytes) / 1e6);
  rows.push_back({{"name", name},
                  {"time", time},
                  {"against_first", ratio},
                  {"least", bench::quantile(ratios, 0)},
                  {"most", bench::quantile(ratios, 1)},
                  {"bytes", bytes}});
}

Json walking(const bench::Trained& trained, std::size_t samples, int rounds) {
  const std::size_t classes = trained.data.classes;
  const bench::LabelledRows rows = bench::some_rows(bench::shuffled(trained.data.test), 0, samples);
  std::vector<Votes> votes;
  std::vector<Lists> learned(classes), ascending, shuffled;
  for (std::size_t c = 0; c < classes; ++c) {
    const Bank& bank = trained.trainer->learner(c).bank();
    votes.emplace_back(bank);
    const auto& evaluator = dynamic_cast<const IndexEvaluator&>(trained.trainer->learner(c).evaluator());
    for (std::size_t l = 0; l < bank.literals(); ++l)
      learned[c].push_back(evaluator.index().list(static_cast<LiteralId>(l)));
  }
  Walker walker(std::move(votes), trained.trainer->kernels());
  ascending = shuffled = learned;
  Lists merged(learned[0].size());
  std::uint64_t state = 1;
  for (std::size_t c = 0; c < classes; ++c) {
    for (auto& list : shuffled[c]) {
      for (std::size_t left = list.size(); left > 1; --left)
        std::swap(list[left - 1], list[bounded(state = mix64(state + kGolden), left)]);
    }
    for (std::size_t l = 0; l < merged.size(); ++l) {
      std::sort(ascending[c][l].begin(), ascending[c][l].end());
      for (const ClauseId clause : ascending[c][l])
        merged[l].push_back(static_cast<ClauseId>(c * walker.clauses() + at(clause)));
    }
  }
  std::vector<Way> ways;
  const auto add = [&]<class Id>(Id, const std::string& name, const std::vector<Lists>& lists, bool table, bool first) {
    auto layouts = std::make_shared<std::vector<Layout<Id>>>();
    for (const Lists& mine : lists) layouts->emplace_back(mine, table ? walker.clauses() : 0);
    ways.push_back({name, [&, layouts, first](const LiteralRow& row, std::vector<std::int32_t>& sums) {
                      for (std::size_t c = 0; c < classes; ++c)
                        sums.push_back(first ? walker.by_first((*layouts)[c], c, row)
                                             : walker.by_flags((*layouts)[c], c, row));
                    }});
    for (const auto& layout : *layouts) ways.back().bytes += layout.bytes();
  };
  const std::uint16_t narrow = 0;
  const std::uint32_t wide = 0;
  add(narrow, "packed, ascending, 16 bits, byte flags", ascending, false, false);
  add(narrow, "order of the lists as learning left it", learned, false, false);
  add(narrow, "order of the lists random", shuffled, false, false);
  add(wide, "ids of 32 bits", ascending, false, false);
  add(narrow, "first falsification counted", ascending, false, true);
  add(narrow, "rows of a full table", ascending, true, false);
  add(narrow, "the paper's: full table, order of learning, first falsification counted", learned, true, true);
  if (classes * walker.clauses() > 65535) throw ConfigError("classes times clauses must be below 65536 here");
  const Layout<std::uint16_t> all_classes(merged, 0);
  ways.push_back(
      {"one list for all classes (falsum's predictor)",
       [&](const LiteralRow& row, std::vector<std::int32_t>& sums) { walker.by_flags(all_classes, row, sums); },
       all_classes.bytes()});
  std::vector<std::int32_t> expected;
  for (int round = 0; round < rounds; ++round) {
    for (Way& way : ways) {
      std::vector<std::int32_t> sums;
      LiteralRow row(rows.bits.columns());
      way.seconds.push_back(bench::seconds_of([&] {
        for (std::size_t r = 0; r < samples; ++r) {
          row.assign(rows.bits.row(r));
          way.votes(row, sums);
        }
      }));
      if (expected.empty()) expected = sums;
      bench::agree(sums == expected, "votes of " + way.name);
    }
  }
  fmt::print("\n| walking the lists of {} test samples | us a sample | against the first | MB |\n|---|---|---|---|\n",
             samples);
  Json json = Json::array();
  for (const Way& way : ways)
    print_row(json, way.name, way.seconds, ways[0].seconds, 1e6 / static_cast<double>(samples), way.bytes);
  return json;
}

Json keeping(const bench::Trained& trained, std::size_t samples, int rounds, std::size_t& flip_count) {
  const bench::LabelledRows stretch = bench::some_rows(trained.data.train, 0, samples);
  const Kernels& kernels = trained.trainer->kernels();
  const Forgettings forgetting(trained.options.specificity);
  const Bank::Law law = {kernels, forgetting, trained.options.boost};
  std::vector<std::vector<Flip>> flips(trained.data.classes);
  flip_count = 0;
  for (std::size_t c = 0; c < flips.size(); ++c) {
    const std::unique_ptr<Voters> voters = trained.voters(c);
    const std::unique_ptr<Evaluator> evaluator =
        make_evaluator(Engine::kLookahead, voters->bank, voters->slots, voters->active.data(), kernels);
    Recorder recorder(*evaluator, flips[c]);
    trained.learn(
        c, stretch, *voters, recorder, law, [&](Examples& examples) { evaluator->begin(examples); },
        [&](std::size_t i, std::uint64_t* out, LearnCounters& counters) { evaluator->outputs(i, out, counters); });
    flip_count += flips[c].size();
  }
  struct Kind {
    std::string name;
    double (*replay)(const bench::Trained&, const std::vector<std::vector<Flip>>&, std::uint64_t&, std::vector<Lists>&);
    std::vector<double> seconds = {};
    std::uint64_t bytes = 0;
  };
  std::vector<Kind> kinds = {{"positions in hash tables, 16 bits (falsum)", replay<BasicClauseIndex<std::uint16_t>>},
                             {"ids and positions of 32 bits", replay<BasicClauseIndex<std::uint32_t>>},
                             {"the paper's: two full tables, 16 bits", replay<FullTables>}};
  std::vector<Lists> expected;
  for (int round = 0; round < rounds; ++round) {
    for (Kind& kind : kinds) {
      std::vector<Lists> lists;
      kind.seconds.push_back(kind.replay(trained, flips, kind.bytes, lists));
      if (expected.empty()) expected = lists;
      bench::agree(lists == expected, "lists of " + kind.name);
    }
  }
  fmt::print("\n| keeping up with {} flips of {} samples | ns a flip | against the first | MB |\n|---|---|---|---|\n",
             flip_count, samples);
  Json json = Json::array();
  for (const Kind& kind : kinds) {
    print_row(json, kind.name, kind.seconds, kinds[0].seconds, 1e9 / static_cast<double>(flip_count), kind.bytes);
  }
  return json;
}

Json run(const bench::MachineOptions& machine, std::size_t samples, int rounds) {
  const bench::Trained trained(machine);
  samples = std::min({samples, trained.data.train.labels.size(), trained.data.test.labels.size()});
  Json json = trained.describe(samples, rounds);
  json["walking"] = walking(trained, samples, rounds);
  std::size_t flips = 0;
  json["keeping"] = keeping(trained, samples, rounds, flips);
  json["flips"] = flips;
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  std::string output;
  std::size_t samples = 1000;
  int rounds = 5;
  bench::MachineOptions machine;
  machine.options.engine = Engine::kIndex;  // so that the lists are in the order that learning left
  machine.options.epochs = 3;
  machine.options.seed = 1;
  CLI::App app("Times the choices in the index against the paper's.");
  bench::add_machine_options(app, machine);
  bench::add_rounds(app, rounds);
  app.add_option("--samples", samples, "walked, and learned")->capture_default_str()->check(CLI::Range(1, 1000000));
  app.add_option("-o", output, "write the results as a line of JSON");
  CLI11_PARSE(app, argc, argv);
  return bench::run_study("falsum_bench_index", output, [&] { return run(machine, samples, rounds); });
}
