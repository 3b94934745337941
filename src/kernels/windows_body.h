// Clauses of patches, over a Quad of four words, or a Strip of as many words as the vectors of the set have.
//
//   any_window     64 examples at once: a Strip holds the bits of neighbouring positions
//   any_position   256 examples at once, or 512: a position is a Quad, or a Strip
//   lane_windows   one example, many clauses: a Quad holds eight rows of up to 32 columns of positions
//   window_rows    one example, one clause: a word is a row of up to 64 columns, and all true positions are wanted
//
// The positions of a clause are a rectangle. Accumulators of up to kMostStrips vectors stay in registers while all
// literals are walked. Their loops are unrolled by hand: compilers keep arrays in memory that they have not yet
// unrolled. The last vector of a row is moved back to end with the rectangle: to evaluate a position twice changes
// nothing.

constexpr std::size_t kMostStrips = 8;

/// Ones in the first n of up to eight words start at kWordMasks + 8 - n.
constexpr std::uint64_t kWordMasks[16] = {~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0},
                                          ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}};

/// The OR over kCount vectors, `step` words apart, of what the clause leaves of `start`; an offset is kWords words.
template <std::size_t kCount, std::size_t kWords>
inline Strip any_of(const std::uint64_t* first, std::size_t step, const WindowClause& clause, const Strip& start) {
  Strip found[kCount];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kCount; ++i) found[i] = start;
  const std::uint32_t* offset = clause.offsets;
  for (const std::uint32_t* const end = offset + clause.size; offset != end; ++offset) {
    const std::uint64_t* const at = first + kWords * std::size_t{*offset};
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kCount; ++i) found[i] = found[i] & Strip::load(at + i * step);
  }
#pragma GCC unroll 8
  for (std::size_t i = 1; i < kCount; ++i) found[0] = found[0] | found[i];
  return found[0];
}

template <std::size_t kWords>
inline Strip any_of_some(std::size_t count, const std::uint64_t* first, std::size_t step, const WindowClause& clause,
                         const Strip& start) {
  switch (count) {
    case 1:
      return any_of<1, kWords>(first, step, clause, start);
    case 2:
      return any_of<2, kWords>(first, step, clause, start);
    case 3:
      return any_of<3, kWords>(first, step, clause, start);
    case 4:
      return any_of<4, kWords>(first, step, clause, start);
    case 5:
      return any_of<5, kWords>(first, step, clause, start);
    case 6:
      return any_of<6, kWords>(first, step, clause, start);
    case 7:
      return any_of<7, kWords>(first, step, clause, start);
    default:
      return any_of<kMostStrips, kWords>(first, step, clause, start);
  }
}

/// In parts of about one size: the loads of a small part would wait for each other.
template <std::size_t kWords>
inline Strip any_of(std::size_t count, const std::uint64_t* first, std::size_t step, const WindowClause& clause,
                    const Strip& start) {
  Strip found = Strip::fill(0);
  for (std::size_t parts = (count + kMostStrips - 1) / kMostStrips; parts > 0; --parts) {
    const std::size_t some = parts == 1 ? count : (count + parts - 1) / parts;
    found = found | any_of_some<kWords>(some, first, step, clause, start);
    count -= some;
    first += some * step;
  }
  return found;
}

/// The OR over the positions of the clause, which are kWords words each; in every such part of the result, some of it.
template <std::size_t kWords>
inline Strip any_of(const std::uint64_t* table, std::size_t row_step, const WindowClause& clause, std::uint64_t want) {
  constexpr std::size_t kPositions = Strip::kWords / kWords;  // of a vector
  Strip found = Strip::fill(0);
  if (clause.top > clause.bottom || clause.left > clause.right) return found;
  const Strip start = Strip::fill(want);
  if (clause.size == 0) return start;
  const std::size_t rows = clause.bottom - clause.top + 1, columns = clause.right - clause.left + 1;
  const std::uint64_t* const corner = table + kWords * (clause.top * row_step + clause.left);
  const std::size_t step = kWords * row_step, whole = columns / kPositions, last = kWords * (columns - kPositions);
  if (whole == 0)
    return any_of<kWords>(rows, corner, step, clause, start & Strip::load(kWordMasks + 8 - kWords * columns));
  if (whole <= rows) {  // columns of vectors
    for (std::size_t i = 0; i < whole; ++i) {
      found = found | any_of<kWords>(rows, corner + i * Strip::kWords, step, clause, start);
    }
    if (columns % kPositions != 0) found = found | any_of<kWords>(rows, corner + last, step, clause, start);
  } else {  // rows of vectors
    for (std::size_t y = 0; y < rows; ++y) {
      const std::uint64_t* const row = corner + y * step;
      found = found | any_of<kWords>(whole, row, Strip::kWords, clause, start);
      if (columns % kPositions != 0) found = found | any_of<1, kWords>(row + last, step, clause, start);
    }
  }
  return found;
}

std::uint64_t any_window(const std::uint64_t* table, std::size_t row_step, const WindowClause& clause,
                         std::uint64_t want) {
  return any_of<1>(table, row_step, clause, want).any();
}

void any_position(const std::uint64_t* table, std::size_t row_step, const WindowClause& clause, std::size_t words,
                  std::uint64_t* out) {
  if (words == Quad::kWords) {
    any_of<Quad::kWords>(table, row_step, clause, ~std::uint64_t{0}).any_quad().store(out);
  } else {
    any_of<Strip::kWords>(table, row_step, clause, ~std::uint64_t{0}).store(out);
  }
}

/// Ones in the first n of eight lanes start at kRowMasks + 8 - n.
constexpr std::uint32_t kRowMasks[16] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};

/// What a clause leaves of kCount vectors of rows by some of its offsets, a multiple of four.
template <std::size_t kCount>
inline void join_lanes(const std::uint32_t* first, const std::uint16_t* offsets, std::size_t size, Quad* rows) {
  Quad left[kCount];
#pragma GCC unroll 4
  for (std::size_t v = 0; v < kCount; ++v) left[v] = rows[v];
  for (std::size_t k = 0; k < size; k += 4) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < 4; ++j) {
      const std::uint32_t* const at = first + offsets[k + j];
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kCount; ++v) left[v] = left[v] & Quad::load_rows(at + 8 * v);
    }
  }
#pragma GCC unroll 4
  for (std::size_t v = 0; v < kCount; ++v) rows[v] = left[v];
}
template <std::size_t kCount>
inline bool any_lane(const Quad* rows) {
  Quad any = rows[0];
#pragma GCC unroll 4
  for (std::size_t v = 1; v < kCount; ++v) any = any | rows[v];
  return !any.is_zero();
}

/// The true clauses of a run. Most are false by their first offsets: those that are not are listed without a branch,
/// with what is left of their rows, and only these are evaluated further.
template <std::size_t kCount>
inline std::size_t true_lanes(const std::uint32_t* lanes, const LaneRun& run, const LaneClause* clauses,
                              const std::uint16_t* offsets, std::uint32_t number, std::uint32_t* out) {
  constexpr std::uint32_t kTogether = 64;
  const std::size_t some = run.length < kFirstOffsets ? run.length : kFirstOffsets, others = run.length - some;
  const std::uint16_t* const other_offsets = offsets + run.clauses * some;
  Quad left[(kTogether + 1) * kCount];
  std::uint32_t listed[kTogether + 1];
  std::size_t found = 0;
  for (std::uint32_t begin = 0; begin < run.clauses; begin += kTogether) {
    const std::uint32_t end = run.clauses - begin < kTogether ? run.clauses : begin + kTogether;
    std::size_t size = 0;
    for (std::uint32_t c = begin; c < end; ++c) {
      const LaneClause& clause = clauses[c];
      Quad* const rows = left + kCount * size;
      const Quad columns = Quad::fill_rows(clause.columns);
#pragma GCC unroll 4
      for (std::size_t v = 0; v + 1 < kCount; ++v) rows[v] = columns;
      rows[kCount - 1] = columns & Quad::load_rows(kRowMasks + 8 - (clause.rows - 8 * (kCount - 1)));
      join_lanes<kCount>(lanes + clause.top, offsets + c * some, some, rows);
      listed[size] = c;
      size += any_lane<kCount>(rows);
    }
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t c = listed[i];
      Quad* const rows = left + kCount * i;
      join_lanes<kCount>(lanes + clauses[c].top, other_offsets + c * others, others, rows);
      out[found] = number + c;
      found += any_lane<kCount>(rows);
    }
  }
  return found;
}

std::size_t lane_windows(const std::uint32_t* lanes, const LaneRun* runs, std::size_t run_count,
                         const LaneClause* clauses, const std::uint16_t* offsets, std::uint32_t* out) {
  std::size_t found = 0;
  std::uint32_t number = 0;
  for (std::size_t r = 0; r < run_count; ++r) {
    const LaneRun& run = runs[r];
    std::uint32_t* const to = out + found;
    switch (run.vectors) {
      case 1:
        found += true_lanes<1>(lanes, run, clauses + number, offsets, number, to);
        break;
      case 2:
        found += true_lanes<2>(lanes, run, clauses + number, offsets, number, to);
        break;
      case 3:
        found += true_lanes<3>(lanes, run, clauses + number, offsets, number, to);
        break;
      default:
        found += true_lanes<kMostLaneVectors>(lanes, run, clauses + number, offsets, number, to);
    }
    offsets += std::size_t{run.clauses} * run.length;
    number += run.clauses;
  }
  return found;
}

/// Eight rows at a time.
std::uint64_t window_rows(const std::uint64_t* pixels, const RowsClause& clause, std::uint64_t* out) {
  const std::size_t rows = clause.bottom - clause.top + 1;
  const auto lanes = [](std::size_t count) { return Quad::load(kWordMasks + 8 - (count < 4 ? count : 4)); };
  const Quad columns = Quad::fill(~std::uint64_t{0} << clause.left & ~std::uint64_t{0} >> (63 - clause.right));
  Quad any = Quad::fill(0);
  for (std::size_t r = 0; r < rows; r += 8) {
    const std::uint64_t* const first = pixels + clause.top + r;
    Quad low = columns & lanes(rows - r), high = columns & lanes(rows - r > 4 ? rows - r - 4 : 0);
    const ShiftedRow* literal = clause.literals;
    for (const ShiftedRow* const end = literal + clause.size; literal != end; ++literal) {
      low = low & down(Quad::load(first + literal->word), literal->shift);
      high = high & down(Quad::load(first + literal->word + 4), literal->shift);
    }
    low.store(out + r);
    high.store(out + r + 4);
    any = any | low | high;
  }
  return any.any();
}
