// Clauses of patches for 64 examples at once, over a Quad of four words: the bits of four neighbouring positions.
//
//   negated literals   OR their pixels: a position fails where one is on          one load an accumulator either way,
//   and other literals     AND their pixels                                           no table of complements
//
// The positions of a clause are a rectangle. Accumulators of up to kMost vectors stay in registers while all literals
// are walked. The last vector of a row is moved back to end with the rectangle: to evaluate a position twice changes
// nothing.

constexpr std::size_t kMostQuads = 8;

/// Ones in the first n of four lanes start at kLaneMasks + 4 - n.
constexpr std::uint64_t kLaneMasks[8] = {~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}};

/// The OR over kCount vectors, `step` words apart, of what the clause leaves of `start`.
template <std::size_t kCount>
Quad any_of(const std::uint64_t* first, std::size_t step, const WindowClause& clause, const Quad& start) {
  Quad found[kCount];
  for (std::size_t i = 0; i < kCount; ++i) found[i] = Quad::fill(0);
  const std::uint32_t* offset = clause.offsets;
  for (const std::uint32_t* const end = offset + clause.negated; offset != end; ++offset) {
    const std::uint64_t* const at = first + *offset;
    for (std::size_t i = 0; i < kCount; ++i) found[i] = found[i] | Quad::load(at + i * step);
  }
  for (std::size_t i = 0; i < kCount; ++i) found[i] = without(start, found[i]);
  for (const std::uint32_t* const end = clause.offsets + clause.size; offset != end; ++offset) {
    const std::uint64_t* const at = first + *offset;
    for (std::size_t i = 0; i < kCount; ++i) found[i] = found[i] & Quad::load(at + i * step);
  }
  for (std::size_t i = 1; i < kCount; ++i) found[0] = found[0] | found[i];
  return found[0];
}

Quad any_of(std::size_t count, const std::uint64_t* first, std::size_t step, const WindowClause& clause,
            const Quad& start) {
  Quad found = Quad::fill(0);
  for (; count > kMostQuads; count -= kMostQuads, first += kMostQuads * step) {
    found = found | any_of<kMostQuads>(first, step, clause, start);
  }
  switch (count) {
    case 1:
      return found | any_of<1>(first, step, clause, start);
    case 2:
      return found | any_of<2>(first, step, clause, start);
    case 3:
      return found | any_of<3>(first, step, clause, start);
    case 4:
      return found | any_of<4>(first, step, clause, start);
    case 5:
      return found | any_of<5>(first, step, clause, start);
    case 6:
      return found | any_of<6>(first, step, clause, start);
    case 7:
      return found | any_of<7>(first, step, clause, start);
    default:
      return found | any_of<8>(first, step, clause, start);
  }
}

std::uint64_t any_window(const std::uint64_t* table, std::size_t row_step, const WindowClause& clause,
                         std::uint64_t want) {
  if (clause.top > clause.bottom || clause.left > clause.right) return 0;
  if (clause.size == 0) return want;
  const std::size_t rows = clause.bottom - clause.top + 1, columns = clause.right - clause.left + 1;
  const std::uint64_t* const corner = table + clause.top * row_step + clause.left;
  Quad found = Quad::fill(0), start = Quad::fill(want);
  if (columns < 4) {
    found = any_of(rows, corner, row_step, clause, start & Quad::load(kLaneMasks + 4 - columns));
  } else if (columns / 4 <= rows) {  // columns of vectors
    for (std::size_t x = 0; x < columns; x += 4) {
      found = found | any_of(rows, corner + (x + 4 <= columns ? x : columns - 4), row_step, clause, start);
    }
  } else {  // rows of vectors
    for (std::size_t y = 0; y < rows; ++y) {
      const std::uint64_t* const row = corner + y * row_step;
      found = found | any_of(columns / 4, row, 4, clause, start);
      if (columns % 4 != 0) found = found | any_of<1>(row + columns - 4, 4, clause, start);
    }
  }
  return found.any();
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
