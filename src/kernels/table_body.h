// The table of a kernel set, included last inside its anonymous namespace.

constexpr Kernels table(const char* name) {
  return {.name = name,
          .dense_pass = dense_pass,
          .forget = forget,
          .select = select,
          .unflagged = unflagged,
          .pick = pick,
          .strengthen = strengthen,
          .conjunction = conjunction,
          .count = count,
          .sliced_votes = sliced_votes,
          .turn = turn,
          .slice = slice,
          .tally = tally,
          .unite = unite,
          .pack = pack};
}
