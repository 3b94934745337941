#include "export/lowered.h"

#include <algorithm>
#include <map>

#include "falsum/error.h"
#include "predict/vote_engine.h"
#include "support/bytes.h"
#include "support/format.h"

namespace falsum {
namespace {

/// Whether it includes a literal and its negation.
bool contradicts(std::span<const std::uint32_t> literals, std::size_t features) {
  return std::ranges::any_of(literals, [&](std::uint32_t literal) {
    return literal < features && std::ranges::binary_search(literals, static_cast<std::uint32_t>(literal + features));
  });
}

void add_votes(std::vector<OutputVotes>& all, std::size_t output, std::int32_t votes) {
  if (!all.empty() && all.back().output == output) {
    all.back().votes += votes;  // within the 32 bits that Model grants to each side of an output
  } else {
    all.push_back({static_cast<std::uint32_t>(output), votes});
  }
}

}  // namespace

std::size_t Lowered::included() const {
  std::size_t count = 0;
  for (const LoweredClause& clause : clauses) count += clause.literals.size();
  return count;
}

std::vector<std::uint32_t> Lowered::used_features() const {
  std::vector<bool> used(clause_features);
  for (const LoweredClause& clause : clauses) {
    for (const std::uint32_t literal : clause.literals) used[feature_of(literal)] = true;
  }
  std::vector<std::uint32_t> features_used;
  for (std::size_t k = 0; k < used.size(); ++k) {
    if (used[k]) features_used.push_back(static_cast<std::uint32_t>(k));
  }
  return features_used;
}

Lowered lower(const Model& model) {
  Lowered lowered(model);
  lowered.features = model.features();
  lowered.outputs = model.outputs();
  lowered.clause_features = model.literals() / 2;
  lowered.fuzzy = is_fuzzy(model.options());
  lowered.patches = model.patches();
  lowered.base.assign(model.outputs(), 0);
  lowered.target = vote_scale(model.options());

  std::map<std::vector<std::uint32_t>, std::size_t> places;  // of the clause with these literals
  constexpr std::size_t kDropped = ~std::size_t{0};
  std::vector<std::size_t> place(model.clauses(), kDropped);
  for (std::size_t c = 0; c < model.clauses(); ++c) {
    const std::span<const std::uint32_t> literals = model.clause(c);
    if (literals.empty() || (!lowered.fuzzy && contradicts(literals, lowered.clause_features))) continue;
    const auto [found, fresh] = places.emplace(std::vector(literals.begin(), literals.end()), lowered.clauses.size());
    place[c] = found->second;
    if (!fresh) continue;
    LoweredClause clause;
    clause.literals = found->first;
    clause.most = static_cast<std::int32_t>(model.clause_votes(c));
    clause.first = *std::ranges::max_element(clause.literals, {},
                                             [&](std::uint32_t literal) { return false_share(model, literal); });
    lowered.clauses.push_back(std::move(clause));
  }
  for (std::size_t o = 0; o < model.outputs(); ++o) {
    for (const Weight& weight : model.weights(o)) {
      if (place[weight.clause] != kDropped) {
        add_votes(lowered.clauses[place[weight.clause]].votes, o, weight.votes);
      } else if (lowered.fuzzy) {
        lowered.base[o] += weight.votes * static_cast<std::int32_t>(model.clause_votes(weight.clause));
      }
    }
  }
  for (LoweredClause& clause : lowered.clauses) {
    std::erase_if(clause.votes, [](const OutputVotes& some) { return some.votes == 0; });
  }
  std::erase_if(lowered.clauses, [](const LoweredClause& clause) { return clause.votes.empty(); });
  return lowered;
}

std::string clause_bytes(const Lowered& lowered) {
  ByteWriter bytes, part;
  for (const std::int32_t base : lowered.base) bytes.zigzag(base);
  for (const LoweredClause& clause : lowered.clauses) {
    if (lowered.fuzzy) bytes.varint(static_cast<std::uint64_t>(clause.most));
    part.clear();
    part.varint(clause.first);
    std::uint32_t next = 0;
    for (const std::uint32_t literal : clause.literals) {
      if (literal == clause.first) continue;
      part.varint(literal - next);
      next = literal + 1;
    }
    bytes.text(part.bytes());
    part.clear();
    for (const OutputVotes& some : clause.votes) {
      part.varint(some.output);
      part.zigzag(some.votes);
    }
    bytes.text(part.bytes());
  }
  return bytes.take();
}

void refuse_export(std::string_view what, ExportFormat format, std::string_view why) {
  throw ConfigError(fmt::format("{} cannot become {}: {}", what, name_of(format), why));
}

}  // namespace falsum
