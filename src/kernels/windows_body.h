// Clauses of patches, over a Quad of four words.
//
//   any_window     64 examples at once: a Quad holds the bits of four neighbouring positions
//   any_position   256 examples at once: a Quad holds one position. It is always aligned, and none is evaluated twice
//   lane_windows   one example, many clauses: a Quad holds eight rows of up to 32 columns of positions
//   window_rows    one example, one clause: a word is a row of up to 64 columns, and all true positions are wanted
//
//   negated literals   OR their pixels: a position fails where one is on          one load an accumulator either way,
//   and other literals     AND their pixels                                           no table of complements
//
// The positions of a clause are a rectangle. Accumulators of up to kMostQuads vectors stay in registers while all
// literals are walked. Their loops are unrolled by hand: compilers keep arrays in memory that they have not yet
// unrolled. In any_window the last vector of a row is moved back to end with the rectangle: to evaluate a position
// twice changes nothing.

constexpr std::size_t kMostQuads = 8;

/// Ones in the first n of four lanes start at kLaneMasks + 4 - n.
constexpr std::uint64_t kLaneMasks[8] = {~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}};

/// The OR over kCount vectors, `step` words apart, of what the clause leaves of `start`; an offset is kWords words.
template <std::size_t kCount, std::size_t kWords>
inline Quad any_of(const std::uint64_t* first, std::size_t step, const WindowClause& clause, const Quad& start) {
  Quad found[kCount];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kCount; ++i) found[i] = Quad::fill(0);
  const std::uint32_t* offset = clause.offsets;
  for (const std::uint32_t* const end = offset + clause.negated; offset != end; ++offset) {
    const std::uint64_t* const at = first + kWords * std::size_t{*offset};
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kCount; ++i) found[i] = found[i] | Quad::load(at + i * step);
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kCount; ++i) found[i] = without(start, found[i]);
  for (const std::uint32_t* const end = clause.offsets + clause.size; offset != end; ++offset) {
    const std::uint64_t* const at = first + kWords * std::size_t{*offset};
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kCount; ++i) found[i] = found[i] & Quad::load(at + i * step);
  }
#pragma GCC unroll 8
  for (std::size_t i = 1; i < kCount; ++i) found[0] = found[0] | found[i];
  return found[0];
}

template <std::size_t kWords>
inline Quad any_of_some(std::size_t count, const std::uint64_t* first, std::size_t step, const WindowClause& clause,
                        const Quad& start) {
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
      return any_of<kMostQuads, kWords>(first, step, clause, start);
  }
}

/// In parts of about one size: the loads of a small part would wait for each other.
template <std::size_t kWords>
inline Quad any_of(std::size_t count, const std::uint64_t* first, std::size_t step, const WindowClause& clause,
                   const Quad& start) {
  Quad found = Quad::fill(0);
  for (std::size_t parts = (count + kMostQuads - 1) / kMostQuads; parts > 0; --parts) {
    const std::size_t some = parts == 1 ? count : (count + parts - 1) / parts;
    found = found | any_of_some<kWords>(some, first, step, clause, start);
    count -= some;
    first += some * step;
  }
  return found;
}

std::uint64_t any_window(const std::uint64_t* table, std::size_t row_step, const WindowClause& clause,
                         std::uint64_t want) {
  if (clause.top > clause.bottom || clause.left > clause.right) return 0;
  if (clause.size == 0) return want;
  const std::size_t rows = clause.bottom - clause.top + 1, columns = clause.right - clause.left + 1;
  const std::uint64_t* const corner = table + clause.top * row_step + clause.left;
  Quad found = Quad::fill(0), start = Quad::fill(want);
  if (columns < 4) {
    found = any_of<1>(rows, corner, row_step, clause, start & Quad::load(kLaneMasks + 4 - columns));
  } else if (columns / 4 <= rows) {  // columns of vectors
    for (std::size_t x = 0; x < columns; x += 4) {
      found = found | any_of<1>(rows, corner + (x + 4 <= columns ? x : columns - 4), row_step, clause, start);
    }
  } else {  // rows of vectors
    for (std::size_t y = 0; y < rows; ++y) {
      const std::uint64_t* const row = corner + y * row_step;
      found = found | any_of<1>(columns / 4, row, 4, clause, start);
      if (columns % 4 != 0) found = found | any_of<1, 1>(row + columns - 4, 4, clause, start);
    }
  }
  return found.any();
}

void any_position(const std::uint64_t* table, std::size_t row_step, const WindowClause& clause, std::uint64_t* out) {
  Quad found = Quad::fill(0);
  if (clause.top <= clause.bottom && clause.left <= clause.right) {
    const Quad all = Quad::fill(~std::uint64_t{0});
    const std::size_t rows = clause.bottom - clause.top + 1, columns = clause.right - clause.left + 1;
    const std::uint64_t* const corner = table + 4 * (clause.top * row_step + clause.left);
    if (clause.size == 0) {
      found = all;
    } else if (columns >= rows) {
      for (std::size_t y = 0; y < rows; ++y) {
        found = found | any_of<4>(columns, corner + 4 * y * row_step, 4, clause, all);
      }
    } else {
      for (std::size_t x = 0; x < columns; ++x) {
        found = found | any_of<4>(rows, corner + 4 * x, 4 * row_step, clause, all);
      }
    }
  }
  found.store(out);
}

/// Ones in the first n of eight lanes start at kRowMasks + 8 - n.
constexpr std::uint32_t kRowMasks[16] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};

/// Whether a clause is true somewhere in kCount vectors of rows, by its first `length` offsets.
template <std::size_t kCount>
inline bool any_lane(const std::uint32_t* lanes, const LaneClause& clause, const std::uint16_t* offsets,
                     std::size_t length) {
  Quad found[kCount];
  const Quad columns = Quad::fill_rows(clause.columns);
#pragma GCC unroll 4
  for (std::size_t v = 0; v < kCount; ++v) found[v] = columns;
  const std::size_t last = clause.rows - 8 * (kCount - 1);
  found[kCount - 1] = columns & Quad::load_rows(kRowMasks + 8 - last);
  const std::uint32_t* const first = lanes + clause.top;
  for (std::size_t k = 0; k < length; k += 4) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < 4; ++j) {
      const std::uint32_t* const at = first + offsets[k + j];
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kCount; ++v) found[v] = found[v] & Quad::load_rows(at + 8 * v);
    }
  }
#pragma GCC unroll 4
  for (std::size_t v = 1; v < kCount; ++v) found[0] = found[0] | found[v];
  return !found[0].is_zero();
}

/// The true clauses of a run. Most are false by their first literals: those that are not are listed without a branch,
/// and only these are evaluated in full.
template <std::size_t kCount>
inline std::size_t true_lanes(const std::uint32_t* lanes, const LaneRun& run, const LaneClause* clauses,
                              const std::uint16_t* offsets, std::uint32_t number, std::uint32_t* out) {
  constexpr std::size_t kFirst = 8;
  const std::size_t length = run.length, some = length < kFirst ? length : kFirst;
  std::size_t listed = 0, found = 0;
  for (std::uint32_t c = 0; c < run.clauses; ++c) {
    out[listed] = c;
    listed += any_lane<kCount>(lanes, clauses[c], offsets + c * length, some);
  }
  for (std::size_t i = 0; i < listed; ++i) {
    const std::uint32_t c = out[i];
    const bool is_true = some == length || any_lane<kCount>(lanes, clauses[c], offsets + c * length, length);
    out[found] = number + c;
    found += is_true;
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
  const auto lanes = [](std::size_t count) { return Quad::load(kLaneMasks + 4 - (count < 4 ? count : 4)); };
  const Quad columns = Quad::fill(~std::uint64_t{0} << clause.left & ~std::uint64_t{0} >> (63 - clause.right));
  Quad any = Quad::fill(0);
  for (std::size_t r = 0; r < rows; r += 8) {
    const std::uint64_t* const first = pixels + clause.top + r;
    const ShiftedRow* literal = clause.literals;
    Quad low = Quad::fill(0), high = Quad::fill(0);
    for (const ShiftedRow* const end = literal + clause.negated; literal != end; ++literal) {
      low = low | down(Quad::load(first + literal->word), literal->shift);
      high = high | down(Quad::load(first + literal->word + 4), literal->shift);
    }
    low = without(columns & lanes(rows - r), low);
    high = without(columns & lanes(rows - r > 4 ? rows - r - 4 : 0), high);
    if ((low | high).any() != 0) {
      for (const ShiftedRow* const end = clause.literals + clause.size; literal != end; ++literal) {
        low = low & down(Quad::load(first + literal->word), literal->shift);
        high = high & down(Quad::load(first + literal->word + 4), literal->shift);
      }
    }
    low.store(out + r);
    high.store(out + r + 4);
    any = any | low | high;
  }
  return any.any();
}
