#include "falsum/traffic.h"

#include <algorithm>
#include <bit>

#include "learn/plan.h"
#include "learn/saved_part.h"
#include "learn/trainer.h"
#include "learn/voters.h"

namespace falsum {
namespace {

/// Of shards that add up the votes of every use (Learner::learn_alone).
void count_exact(const Uses& uses, std::size_t outputs, MemberCost& cost) {
  const UsesView view = uses;
  cost.sums += view.size();
  for (std::size_t i = 0; i < view.size(); ++i) {
    const std::size_t steps = view.step_end(i) - view.step_begin(i);
    cost.summed_bytes += 4 * (view.needs_all_votes(i, outputs) ? outputs : steps);
  }
}

/// How many cores a process makes use of, in the mean over an epoch. Threads take classes, or crews take a class
/// (Learner); with `sharded` they take words of 64 clauses of classes; exact shards take one class after the other.
/// Classes that are left over leave cores idle.
double cores_of(const MemberCost& member, const Options& options, unsigned cores) {
  const auto [first, last] = slots_of(options).words_of(clauses_of(member.part, options));
  std::size_t tasks = member.banks;
  if (options.sharded) {
    tasks *= last - first;
  } else if (member.part.shards > 1) {
    return 1;
  } else {
    tasks *= is_fuzzy(options) ? 1 : parts_of_a_learner(options, Engine::kLookahead, member.banks, cores);
  }
  const std::size_t turns = (tasks + cores - 1) / cores;
  return static_cast<double>(tasks) / static_cast<double>(turns);
}

}  // namespace

std::vector<MemberCost> member_costs(const Options& given, const Targets& targets, std::size_t outputs,
                                     std::uint32_t members, std::uint64_t epoch) {
  const Options options = with_plain_numbers(given);
  const std::size_t of_a_bank = has_one_bank(options) ? outputs : 1;
  std::vector<std::uint64_t> uses_of(count_banks(options, outputs));
  std::vector<Uses> uses;
  const Plan plan(options, epoch, targets, outputs, {0, 1});
  if (is_fuzzy(options)) {  // every sample is a use of every output
    std::ranges::fill(uses_of, plan.size());
  } else {
    plan.uses(0, plan.size(), uses);
    for (std::size_t b = 0; b < uses.size(); ++b) uses_of[b] = uses[b].size();
  }
  double all = 0;
  for (const std::uint64_t count : uses_of) all += static_cast<double>(count);

  std::vector<MemberCost> costs;
  for (const Part& part : divided(options, outputs, members)) {
    MemberCost cost = {part};
    std::uint64_t sum_of_uses = 0, most_uses = 0;
    for (const std::size_t bank : banks_of(part, options, outputs)) {
      sum_of_uses += uses_of[bank];
      most_uses = std::max(most_uses, uses_of[bank]);
      ++cost.banks;
      if (part.shards > 1 && !options.sharded) count_exact(uses[bank], of_a_bank, cost);
    }
    if (part.shards > 1 && options.sharded) {
      const auto block = static_cast<std::uint64_t>(options.block);
      cost.sums = (most_uses + block - 1) / block;  // of all classes together
      cost.summed_bytes = 4 * sum_of_uses;
    }
    cost.work = static_cast<double>(sum_of_uses) / std::max(1.0, all) *
                static_cast<double>(clauses_of(part, options).size()) / static_cast<double>(options.clauses);
    costs.push_back(std::move(cost));
  }
  return costs;
}

double epoch_seconds(const std::vector<MemberCost>& members, const Options& given, const ClusterSetting& setting) {
  const Options options = with_plain_numbers(given);
  double slowest = 0;
  for (const MemberCost& member : members) {
    const double cores = cores_of(member, options, setting.cores);
    const double messages = static_cast<double>(std::bit_width(member.part.shards - 1));
    slowest = std::max(slowest, member.work * setting.whole_seconds / cores +
                                    static_cast<double>(member.sums) * setting.latency * messages);
  }
  return slowest;
}

}  // namespace falsum
