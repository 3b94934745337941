// Positions that change feature by feature.
#include "falsum/incremental.h"

#include "handles.h"

struct falsum_position {
  falsum::IncrementalPredictor position;
};

namespace falsum::c_api {
namespace {

template <class Position>
auto& needed_position(Position* position) {
  return needed(position, "position").position;
}

}  // namespace
}  // namespace falsum::c_api

using namespace falsum;
using namespace falsum::c_api;

int falsum_position_new(const falsum_model* model, falsum_position** position) {
  return give_handle(position, "position", [&] { return IncrementalPredictor(needed(model, "model").model); });
}
int falsum_position_copy(const falsum_position* position, falsum_position** copy) {
  return give_handle(copy, "copy", [&] { return needed_position(position); });
}
size_t falsum_position_features(const falsum_position* position) {
  return guarded_value(std::size_t{0}, [&] { return needed_position(position).features(); });
}
size_t falsum_position_outputs(const falsum_position* position) {
  return guarded_value(std::size_t{0}, [&] { return needed_position(position).outputs(); });
}

int falsum_position_set(falsum_position* position, const uint64_t* words, size_t word_count) {
  return guarded([&] {
    IncrementalPredictor& chosen = needed_position(position);
    require_count("word_count", word_count, (chosen.features() + 63) / 64);
    chosen.set(array(words, word_count, "words"));
  });
}
int falsum_position_flip(falsum_position* position, size_t feature) {
  return guarded([&] { needed_position(position).flip(feature); });
}
int falsum_position_mark(falsum_position* position, falsum_mark* mark) {
  return guarded([&] {
    falsum_mark& place = needed(mark, "mark");
    const IncrementalPredictor::Mark made = needed_position(position).mark();
    place = {made.set, made.flips};
  });
}
int falsum_position_undo(falsum_position* position, falsum_mark mark) {
  return guarded([&] { needed_position(position).undo({mark.set, mark.flips}); });
}

int falsum_position_votes(const falsum_position* position, int32_t* votes, size_t vote_count) {
  return guarded([&] {
    const IncrementalPredictor& chosen = needed_position(position);
    require_count("vote_count", vote_count, chosen.outputs());
    std::ranges::copy(chosen.votes(), array(votes, vote_count, "votes").begin());
  });
}
int falsum_position_successors(falsum_position* position, int32_t* votes, size_t vote_count) {
  return guarded([&] {
    IncrementalPredictor& chosen = needed_position(position);
    require_count("vote_count", vote_count, chosen.features() * chosen.outputs());
    chosen.successors(array(votes, vote_count, "votes"));
  });
}
int falsum_position_true_clauses(const falsum_position* position, size_t output, uint32_t** clauses, size_t* count) {
  return give_array(clauses, "clauses", count, "count", [&] {
    const IncrementalPredictor& chosen = needed_position(position);
    if (output >= chosen.outputs()) {
      throw ConfigError(fmt::format("output must be from 0 to {}, got {}", chosen.outputs() - 1, output));
    }
    std::vector<std::uint32_t> all;
    chosen.for_each_true(output, [&](std::uint32_t clause, std::int32_t /*votes*/) { all.push_back(clause); });
    return all;
  });
}
void falsum_position_free(falsum_position* position) { delete position; }
